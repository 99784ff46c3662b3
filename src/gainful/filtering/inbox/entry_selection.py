"""Which entries of an inbox are asked for, as SQL that every database takes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypedDict

from gainful.errors import UsageError
from gainful.filtering.state.events import stamp

Answered = Literal["relevant", "not-relevant", "any", "none"]
ANSWERED: dict[str | None, str] = {
    None: "",
    "relevant": "j.verdict = 1",
    "not-relevant": "j.verdict = 0",
    "any": "j.verdict IS NOT NULL",
    "none": "j.verdict IS NULL",
}


class Which(TypedDict, total=False):
    """Keywords that choose entries.

    profile   of the profile of this name or number
    unread    True: not marked as read
    saved     True: saved
    answered  "relevant" or "not-relevant", "any" of both, or "none": not answered; None does not ask
    fresh     True: in no list that a terminal has shown
    search    whose title or text has all these words
    before, after  numbers of entries, exclusive
    since, until   times of delivery, inclusive
    """

    profile: str | int | None
    unread: bool
    saved: bool
    answered: Answered | None
    fresh: bool
    search: str
    before: int | None
    after: int | None
    since: datetime | None
    until: datetime | None


@dataclass(frozen=True)
class Selection:
    """Entries that are asked for; the fields are those of `Which`, with the profile by its number."""

    profile: int | None = None
    unread: bool = False
    saved: bool = False
    answered: Answered | None = None
    fresh: bool = False
    search: str = ""
    before: int | None = None
    after: int | None = None
    since: datetime | None = None
    until: datetime | None = None

    def __post_init__(self) -> None:
        if self.answered not in ANSWERED:
            choices = ", ".join(str(name) for name in ANSWERED)
            raise UsageError(f"answered must be one of {choices}; got {self.answered!r}")

    def sql(self) -> str:
        """WHERE of a query: d are deliveries, e their events, p profiles, m marks, j judgments."""
        asked = {
            "d.profile = :profile": self.profile is not None,
            "coalesce(m.read, 0) = 0": self.unread,
            "m.saved = 1": self.saved,
            ANSWERED[self.answered]: self.answered is not None,
            _UNLISTED: self.fresh,
            "d.event < :before": self.before is not None,
            "d.event > :after": self.after is not None,
            "e.time >= :since": self.since is not None,
            "e.time <= :until": self.until is not None,
        }
        return " AND ".join(
            ["WHERE p.active = 1", *(condition for condition, is_asked in asked.items() if is_asked)]
        )

    def given(self) -> dict[str, Any]:
        """The values that the query names."""
        return {
            "profile": bounded(self.profile),
            "before": bounded(self.before),
            "after": bounded(self.after),
            "since": None if self.since is None else stamp(self.since),
            "until": None if self.until is None else stamp(self.until),
        }


_UNLISTED = "NOT EXISTS (SELECT 1 FROM listed AS l WHERE l.profile = d.profile AND l.document = d.document)"

DELIVERED = """
FROM deliveries AS d JOIN events AS e ON e.number = d.event JOIN profiles AS p ON p.number = d.profile
JOIN documents AS x ON x.number = d.document
LEFT JOIN judgments AS j ON j.profile = d.profile AND j.document = d.document
LEFT JOIN marks AS m ON m.document = d.document
"""
"""Tables of a query for entries."""


_LARGEST = 2**53  # no number of a state is as large


def bounded(number: int | None) -> int | None:
    """A number that every database takes, for one of any size.

    >>> bounded(7), bounded(-(10**30)), bounded(10**30) == 2**53, bounded(None)
    (7, -1, True, None)
    """
    return None if number is None else min(max(number, -1), _LARGEST)
