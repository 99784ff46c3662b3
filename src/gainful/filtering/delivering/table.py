"""Deliveries as a table for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from gainful.filtering.delivering.items import Item
from gainful.filtering.delivering.writing import line
from gainful.formats.grid import Grid
from gainful.formats.ids import shown

_TITLE = 48


def table(found: Sequence[Item], *, places: int = 4) -> str:
    """A row for each delivery: the number of its event, to whom, what, and how it compares with the threshold."""
    if not found:
        return "No deliveries.\n"
    body = [_row(item, places) for item in found]
    grid = Grid(
        ["event", "profile", "document", "title", "because of", "said", "score", "theta"], body, names=6
    )
    return f"{grid.text()}\n"


def _row(item: Item, places: int) -> list[str]:
    one = item.delivery
    return [
        str(one.number),
        item.reader,
        shown(one.document),
        line(one.title or one.text, _TITLE),
        ", ".join(shown(word) for word in item.words),
        one.verdict or "–",
        f"{one.score:.{places}f}",
        f"{one.theta:.{places}f}",
    ]
