"""A comparison inside a notebook: its pairs as a table, its answers in sentences."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from gainful.comparisons.pair import signed
from gainful.comparisons.views import p_cell
from gainful.formats.grid import Grid
from gainful.formats.ids import shown

if TYPE_CHECKING:
    from gainful.comparisons.comparison import Comparison
    from gainful.comparisons.pair import Pair

_HEADS = ("measure", "A", "B", "B − A", "from", "to", "p", "p adjusted", "effect")
_ROWS = 60
_SENTENCES = 6


def inline(comparison: Comparison) -> str:
    """The pairs in HTML; of very many, the first."""
    table = Grid(_HEADS, [_cells(pair) for pair in comparison.pairs[:_ROWS]], names=3).html()
    more = len(comparison.pairs) - _ROWS
    left = f"<p>… {more:,} more pairs</p>" if more > 0 else ""
    said = comparison.pairs if len(comparison.pairs) <= _SENTENCES else ()
    sentences = "".join(f"<p>{escape(comparison.sentence(pair))}</p>" for pair in said)
    return f"{table}{left}{sentences}<p>{escape(comparison.stated())}</p>"


def _cells(pair: Pair) -> list[str]:
    return [
        pair.measure,
        shown(pair.a),
        shown(pair.b),
        signed(pair.difference),
        *map(signed, pair.interval),
        p_cell(pair.p_value),
        p_cell(pair.p_adjusted),
        signed(pair.effect_size, 2),
    ]
