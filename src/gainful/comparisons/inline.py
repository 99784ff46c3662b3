"""A comparison inside a notebook: its pairs as a table, its answers in sentences."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from gainful.comparisons.pair import signed
from gainful.comparisons.views import p_cell
from gainful.formats.ids import shown

if TYPE_CHECKING:
    from gainful.comparisons.comparing import Comparison

_HEADS = ("measure", "A", "B", "B − A", "from", "to", "p", "p adjusted", "effect")
_ROWS = 60
_SENTENCES = 6


def inline(comparison: Comparison) -> str:
    """The pairs in HTML; of very many, the first."""
    body = []
    for pair in comparison.pairs[:_ROWS]:
        names = (
            f"<th>{escape(pair.measure)}</th><td>{escape(shown(pair.a))}</td><td>{escape(shown(pair.b))}</td>"
        )
        cells = [signed(pair.difference), *map(signed, pair.interval), p_cell(pair.p_value)]
        cells += [p_cell(pair.p_adjusted), signed(pair.effect_size, 2)]
        body.append(f"<tr>{names}{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>")
    more = len(comparison.pairs) - _ROWS
    left = f"<p>… {more:,} more pairs</p>" if more > 0 else ""
    said = comparison.pairs if len(comparison.pairs) <= _SENTENCES else ()
    sentences = "".join(f"<p>{escape(comparison.sentence(pair))}</p>" for pair in said)
    head = "".join(f"<th>{name}</th>" for name in _HEADS)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"
    return f"{table}{left}{sentences}<p>{escape(comparison.stated())}</p>"
