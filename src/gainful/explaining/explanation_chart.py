"""The picture of an explanation, made of its columns: precision by recall, gain collected by rank, or the value so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gainful.curves.curve_output import RAW_CAPTION, curve_panel
from gainful.curves.recall_curves import raw_curve
from gainful.errors import UsageError
from gainful.explaining.explanation import Explanation
from gainful.formats.ids import shown
from gainful.presentation.chart_parts import Axis, Series, Spec
from gainful.presentation.charts import Panel, panels
from gainful.presentation.text_style import fixed

_WIDTH = 300
_WIDE = 460


def explanation_spec(explained: Sequence[Explanation]) -> Spec:
    """One explanation, or those of two runs, as a Vega-Lite spec."""
    first = explained[0]
    title = " · ".join(f"{first.measure} = {fixed(each.value)} ({shown(each.run)})" for each in explained)
    drawn, caption = explanation_panels(explained)
    subtitle = f"topic {shown(first.topic)} · {caption}"
    return panels([drawn], title=title, subtitle=subtitle, width=_WIDE if len(drawn) == 1 else _WIDTH)


def explanation_panels(explained: Sequence[Explanation]) -> tuple[list[Panel], str]:
    """The panels of the picture, and what they show."""
    first = explained[0]
    if not any(row.document is not None for each in explained for row in each.rows):
        raise UsageError("there is nothing to draw: the list is empty.")
    if "relevant" in first.columns:
        return [_precision_recall(explained)], RAW_CAPTION
    if "CG" in first.columns:
        return _collected(explained), "gain collected by rank"
    return [_so_far(explained)], "value so far, by rank"


def _precision_recall(explained: Sequence[Explanation]) -> Panel:
    curves = []
    for each in explained:
        relevant = [row.rank for row, is_so in zip(each.rows, each.column("relevant"), strict=True) if is_so]
        retrieved = sum(row.document is not None for row in each.rows)
        rel = each.measure.params["rel"]
        missed = sum(grade >= rel for _, grade in each.missed)
        curves.append(
            raw_curve(each.run, each.topic, np.array(relevant, float), retrieved, len(relevant) + missed)
        )
    return curve_panel(curves, {each.run: number for number, each in enumerate(explained)})


def _collected(explained: Sequence[Explanation]) -> list[Panel]:
    """Cumulated gain, discounted where the measure discounts, and as a share of the ideal where it has one."""
    first = explained[0]
    ideal = _numbers(first, "ideal gain")
    pairs: list[tuple[str, str, Sequence[float]]] = [("CG", "CG", np.cumsum(ideal).tolist())]
    if "DCG" in first.columns:
        pairs.append(("DCG", "DCG", _numbers(first, "ideal DCG")))
    if "ratio" in first.columns:
        pairs.append(("ratio", first.measure.definition.name, [1.0] * len(ideal)))
    return [_by_rank(explained, column, name, best) for column, name, best in pairs]


def _by_rank(explained: Sequence[Explanation], column: str, name: str, best: Sequence[float]) -> Panel:
    lines = [_numbers(each, column) for each in explained]
    panel = Panel(_ranks([*lines, best]), Axis(name))
    if best:
        panel.ideal(list(enumerate(best, 1)))
    return panel.lines(_series(explained, lines))


def _so_far(explained: Sequence[Explanation]) -> Panel:
    lines = [(each.parts.start + np.cumsum(each.parts.contributions)).tolist() for each in explained]
    return Panel(_ranks(lines), Axis(str(explained[0].measure))).lines(_series(explained, lines))


def _ranks(lines: Sequence[Sequence[float]]) -> Axis:
    return Axis("rank", (1, max(2, *map(len, lines))), whole=True)


def _series(explained: Sequence[Explanation], lines: Sequence[Sequence[float]]) -> list[Series]:
    return [
        Series(shown(each.run), number, list(enumerate(values, 1)))
        for number, (each, values) in enumerate(zip(explained, lines, strict=True))
    ]


def _numbers(explained: Explanation, column: str) -> list[float]:
    """The numbers of a column, down to the first rank that has none."""
    cells: list[Any] = explained.column(column) if column in explained.columns else []
    return [float(cell) for cell in cells if cell is not None]
