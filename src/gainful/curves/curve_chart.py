"""Curves as a picture: a panel for each measure, bands behind the lines, the ideal dashed and grey."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from gainful.curves.curve_data import Curve, Curves
from gainful.errors import UsageError
from gainful.formats.ids import shown
from gainful.presentation import chart_files
from gainful.presentation.chart_data import Axis, Series
from gainful.presentation.chart_style import Spec
from gainful.presentation.charts import Panel, panels
from gainful.presentation.text_style import counted, cut_to, percent

_WIDTH = 460
_PANELS = 24
_ACROSS = 2
_LABELS = 12
_LONGEST_TITLE = 48
"""So many ranks of a list are written beside its points at most."""

RAW_CAPTION = "numbers: ranks of relevant documents · dotted: interpolated precision"
"""What stands in a chart of precision and recall rank by rank."""


def save(curves: Curves, path: str, *, overwrite: bool = False, title: str | None = None) -> None:
    """Write the chart to a file, whose name says how; it is written atomically."""
    chart_files.check_suffix(path)
    chart_files.save(curve_spec(curves, title=title), path, overwrite=overwrite)


def drawn(curves: Curves, suffix: str, *, title: str | None = None) -> bytes:
    """The bytes of the chart's file."""
    return chart_files.rendered(curve_spec(curves, title=title), suffix)


def inline(curves: Curves) -> str:
    """The chart inside a notebook; the numbers in a table where charts are not installed."""
    from gainful.curves.curve_tables import html_table

    try:
        picture = drawn(curves, ".svg").decode()
    except UsageError as absent:
        return f"{html_table(curves)}<p>{escape(str(absent))}</p>"
    return f"<figure>{picture}<figcaption>{escape(caption(curves))}</figcaption></figure>"


def chart(curves: Curves, *, title: str | None = None) -> Any:
    """The curves as an Altair chart."""
    return chart_files.altair_chart(curve_spec(curves, title=title))


def curve_spec(curves: Curves, *, title: str | None = None) -> Spec:
    """The curves as a Vega-Lite spec: a panel for each measure, and for each topic that is shown alone."""
    groups = _panels(curves)
    if not groups:
        raise UsageError("there is no curve to draw.")
    if len(groups) > _PANELS:
        raise UsageError(
            f"a chart of {len(groups)} panels cannot be read; ask for fewer topics (--topic) or measures."
        )
    runs = dict.fromkeys(curve.run for curve in curves if curve.role != "ideal")
    positions = {run: position for position, run in enumerate(runs)}
    every = [curve_panel(some, positions, name=name) for name, some in groups]
    rows = [every[start : start + _ACROSS] for start in range(0, len(every), _ACROSS)]
    return panels(rows, title=title or _title(curves), subtitle=caption(curves), width=_WIDTH)


def curve_panel(
    curves: Sequence[Curve],
    positions: Mapping[str, int],
    *,
    name: str | None = None,
    rings: Sequence[tuple[float, float, str, str]] = (),
) -> Panel:
    """Curves over the same axis.

    positions  of each run in the result, which decide its colour
    name       of the y axis; the measure where it is left out
    rings      points to mark: x, y, a word, and a sentence for the pointer
    """
    first = curves[0]
    panel = Panel(Axis(first.x, _domain(curves)), Axis(name or first.y))
    if any(curve.role == "difference" for curve in curves):
        panel.level(0)
    for curve in curves:
        if curve.role == "ideal":
            panel.ideal(_points(curve))
    drawn = [curve for curve in curves if curve.role != "ideal"]
    panel.lines([_series(curve, positions[curve.run]) for curve in drawn])
    by_rank = [curve for curve in drawn if curve.ranks]
    if by_rank:
        panel.stairs([_interpolated(curve, positions[curve.run]) for curve in by_rank])
        panel.labels([label for curve in by_rank for label in _ranks_of_relevant(curve)])
    return panel.rings(rings)


def caption(curves: Curves) -> str:
    """How the curves were made, in a line."""
    means = [curve for curve in curves if curve.topic is None and curve.role != "ideal"]
    said = []
    if means:
        least, most = (end(curve.topics for curve in means) for end in (min, max))
        many = counted(most, "topic") if least == most else f"{least:,} to {counted(most, 'topic')}"
        ratio = means[0].average == "ratio"
        said.append(
            f"ratio of the mean curve to the mean ideal curve, {many}" if ratio else f"mean over {many}"
        )
    bands = [curve.band for curve in curves if curve.band is not None]
    if bands:
        band = bands[0]
        said.append(
            f"shaded: {percent(band.level)} of {band.resamples:,} resamples of topics, seed {band.seed}"
        )
    if any(curve.ranks for curve in curves if curve.role != "ideal"):
        said.append(RAW_CAPTION)
    return " · ".join(said)


def _interpolated(curve: Curve, position: int) -> Series:
    """At each recall of the list, the best precision there or further down."""
    recall, first = np.unique(curve.points[:, 0], return_index=True)
    best = np.maximum.accumulate(curve.values[first][::-1])[::-1]
    points = [(0.0, float(best[0])), *zip(recall.tolist(), best.tolist(), strict=True)]
    return Series(shown(curve.run), position, points)


def _relevant(curve: Curve) -> list[int]:
    """The points of a curve by rank at which there is a relevant document."""
    places: list[int] = np.flatnonzero(np.diff(curve.points[: curve.ranks, 0], prepend=0)).tolist()
    return places


def _ranks_of_relevant(curve: Curve) -> list[tuple[float, float, str]]:
    """Where relevant documents are, and at which rank; of many, the first at or below 1, 2, 5, 10, 20 …"""
    places = _relevant(curve)
    if len(places) > _LABELS:
        round_ranks = [base * 10**power for power in range(8) for base in (1, 2, 5)]
        firsts = (next((place for place in places if place + 1 >= rank), None) for rank in round_ranks)
        places = [place for place in dict.fromkeys(firsts) if place is not None]
    return [(*curve.points[place].tolist(), str(place + 1)) for place in places]


def _title(curves: Curves) -> str:
    first = curves[0]
    names = list(dict.fromkeys(curve.y for curve in curves))
    return f"{', '.join(names[:3])}{' …' if len(names) > 3 else ''} by {first.x}"


def _panels(curves: Curves) -> list[tuple[str, list[Curve]]]:
    groups: dict[tuple[str, str], list[Curve]] = {}
    for curve in curves:
        name = f"difference in {curve.title}" if curve.role == "difference" else curve.title
        groups.setdefault((name, curve.x), []).append(curve)
    return [(cut_to(name, _LONGEST_TITLE), some) for (name, _), some in groups.items()]


def _series(curve: Curve, position: int) -> Series:
    band = curve.band
    limits = (
        []
        if band is None
        else zip(curve.points[:, 0].tolist(), band.low.tolist(), band.high.tolist(), strict=True)
    )
    marks = [(x, y) for x, y in curve.points[_relevant(curve)].tolist()] if curve.ranks else None
    return Series(shown(curve.run), position, _points(curve), list(limits), marks)


def _points(curve: Curve) -> list[tuple[float, float]]:
    return [(x, y) for x, y in curve.points.tolist()]


def _domain(curves: Sequence[Curve]) -> tuple[float, float]:
    if all(len(curve) == 0 for curve in curves):
        return 0, 1
    least = min(float(curve.points[:, 0].min()) for curve in curves if len(curve))
    most = max(float(curve.points[:, 0].max()) for curve in curves if len(curve))
    return 0 if curves[0].x == "recall" else least, most if most > least else least + 1
