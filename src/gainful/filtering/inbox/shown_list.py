"""Numbered lists as a terminal shows them, kept, so that people can answer by number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from gainful.errors import DataError, UsageError
from gainful.filtering.inbox.inbox import Inbox
from gainful.filtering.inbox.inbox_entry import Entry
from gainful.filtering.safe_text import web
from gainful.filtering.state.events import id_of, moment, stamp
from gainful.formats.ids import from_bytes
from gainful.presentation.text_style import counted

_LINES = """
SELECT l.line, p.name, x.id, x.title, x.link, l.time, p.active
FROM listed AS l JOIN profiles AS p ON p.number = l.profile JOIN documents AS x ON x.number = l.document
WHERE l.list = (SELECT max(list) FROM listed) AND x.id IS NOT NULL
ORDER BY l.line
"""

_LATEST_ANSWER = """
SELECT l.line FROM feedback AS f JOIN judgments AS j ON j.profile = f.profile AND j.document = f.document
JOIN listed AS l ON l.profile = f.profile AND l.document = f.document
WHERE l.list = (SELECT max(list) FROM listed) AND f.verdict IS NOT NULL ORDER BY f.event DESC LIMIT 1
"""


@dataclass(frozen=True)
class ShownLine:
    """What stands in a line of the last list: a document, and the profile that it was listed for."""

    line: int
    profile: str
    item: str
    title: str
    link: str
    removed: bool


class ShownList:
    """The list that was shown last, of an inbox."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox, self._store = inbox, inbox.filter.store

    def show(self, entries: Sequence[Entry]) -> None:
        """Keep a new list, in this order; an empty one leaves the last as it is."""
        time = stamp(self._inbox.clock())
        with self._store.writing():
            number = self._store.one("SELECT coalesce(max(list), 0) + 1 AS list FROM listed")
            self._store.executemany(
                "INSERT INTO listed (list, line, profile, document, time) "
                "SELECT ?, ?, ?, number, ? FROM documents WHERE id = ?",
                [
                    (number, line, entry.profile_number, time, id_of(entry.item))
                    for line, entry in enumerate(entries, 1)
                ],
            )

    def lines(self, numbers: Iterable[int] | None = None) -> list[ShownLine]:
        """The lines of these numbers, in this order, each once; all of them without numbers."""
        with self._store.reading():
            rows = list(self._store.rows(_LINES))
        if not rows:
            raise UsageError("there is no list yet; `gainful filter today` shows one.")
        lines = {
            row[0]: ShownLine(row[0], row[1], from_bytes(row[2]), row[3], web(row[4]), not row[6])
            for row in rows
        }
        asked = list(dict.fromkeys(lines if numbers is None else numbers))
        if unknown := [number for number in asked if number not in lines]:
            raise _no_such_line(unknown[0], lines, moment(rows[0][5]))
        if gone := [lines[number] for number in asked if lines[number].removed and numbers is not None]:
            raise DataError(
                f"the profile of number {gone[0].line} was removed; its entries cannot be answered."
            )
        return [lines[number] for number in asked]

    def latest_answer(self) -> int:
        """The line whose answer is the latest one that still stands."""
        with self._store.reading():
            line = self._store.one(_LATEST_ANSWER)
        if line is None:
            raise UsageError("there is nothing to take back: no entry of the last list is answered.")
        return int(line)


def _no_such_line(number: int, lines: Iterable[int], time: datetime) -> UsageError:
    last = max(lines)
    when = time.astimezone().strftime("%Y-%m-%d %H:%M")
    return UsageError(
        f"there is no number {number}: the last list, of {when}, has {counted(last, 'entry', 'entries')}. "
        "`gainful filter today --again` shows it."
    )
