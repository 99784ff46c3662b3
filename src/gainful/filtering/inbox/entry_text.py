"""Entries of an inbox as a terminal and as programs get them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from gainful.filtering.inbox.inbox_entry import Entry
from gainful.filtering.safe_text import line
from gainful.formats.ids import shown
from gainful.presentation.text_style import cut_to

WORDS = 5
"""Words that are named for each entry."""


def numbered(entries: Sequence[Entry], *, columns: int = 80) -> str:
    """A numbered list: title; feed, time and profile; why it came; where else it stands."""
    margin = len(str(len(entries))) + 2
    blocks = []
    for number, entry in enumerate(entries, 1):
        first, *others = (cut_to(part, columns - margin) for part in _lines(entry))
        blocks.append(
            "\n".join([f"{number:>{margin - 2}}  {first}", *(" " * margin + part for part in others)])
        )
    return "".join(f"{block}\n" for block in blocks)


def _lines(entry: Entry) -> list[str]:
    where = [line(entry.feed), _when(entry.published or entry.delivered), shown(entry.profile)]
    lines = [
        line(entry.title) or entry.excerpt or shown(entry.item),
        " · ".join(part for part in where if part),
    ]
    if entry.words:
        lines.append(f"because of {_joined(entry.words)}")
    if entry.against and entry.number is None:  # why it was not delivered
        lines.append(f"against it: {_joined(entry.against)}")
    if entry.also_in:
        lines.append(f"also in {', '.join(line(title) for title in entry.also_in)}")
    if entry.verdict is not None:
        lines.append(f"you said: {'relevant' if entry.verdict else 'not relevant'}")
    return lines


def _joined(words: Sequence[str]) -> str:
    return ", ".join(shown(word) for word in words[:WORDS])


def _when(time: datetime | None) -> str:
    return "" if time is None else time.astimezone().strftime("%Y-%m-%d %H:%M")


def entry_record(entry: Entry, number: int) -> dict[str, Any]:
    """What programs get of an entry; `number` is its place in the list."""
    return {
        "number": number,
        "event": entry.number,
        "profile": shown(entry.profile),
        "id": shown(entry.item),
        "title": entry.title,
        "link": entry.link,
        "feed": entry.feed,
        "also_in": list(entry.also_in),
        "author": entry.author,
        "published": None if entry.published is None else entry.published.isoformat(),
        "delivered": None if entry.delivered is None else entry.delivered.isoformat(),
        "excerpt": entry.excerpt,
        "words": list(entry.words),
        "against": list(entry.against),
        "score": entry.score,
        "threshold": entry.threshold,
        "probability": entry.probability,
        "verdict": None if entry.verdict is None else "relevant" if entry.verdict else "not-relevant",
        "read": entry.read,
        "saved": entry.saved,
    }
