"""Deliveries as JSON lines: everything, values in full."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gainful.filtering.delivering.items import Item
from gainful.formats.ids import shown


def json_lines(found: Sequence[Item]) -> str:
    """A line for each delivery."""
    import msgspec

    encode = msgspec.json.Encoder().encode
    return "".join(encode(record(item)).decode() + "\n" for item in found)


def record(item: Item) -> dict[str, Any]:
    """What one line holds."""
    one = item.delivery
    return {
        "event": one.number,
        "profile": shown(one.profile),
        "removed": one.removed,
        "id": shown(one.document),
        "title": _text(one.title),
        "text": _text(one.text),
        "link": _text(one.link),
        "date": one.date.isoformat() if one.date else None,
        "score": one.score,
        "theta": one.theta,
        "position": one.position,
        "time": one.time.isoformat(),
        "verdict": one.verdict,
        "terms": {part.term: part.adds for part in item.parts},
    }


def _text(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
