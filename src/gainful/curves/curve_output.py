"""Curves for people (tables, and a picture with a panel for each measure) and for programs (CSV, JSON, Parquet)."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from gainful.curves.curve_data import Curve, Curves, plain
from gainful.errors import UsageError
from gainful.formats.ids import shown
from gainful.judging.settings import Settings
from gainful.presentation import chart_files
from gainful.presentation.chart_parts import Axis, Series, Spec, panels
from gainful.presentation.charts import Panel
from gainful.presentation.page import page
from gainful.presentation.table import LONGEST, Table
from gainful.presentation.text_style import NARROW, UNDEFINED, counted, cut_to, fixed, percent

_ROWS = 30  # a table has no more, unless all points are asked for
_HEADS = ("run", "topic", "x_name", "y_name", "x", "y", "low", "high", "average", "role", "settings")


def table(curves: Curves, *, places: int) -> str:
    """Points as rows and runs as columns, a table for each measure and each topic that is shown alone."""
    groups = _together(curves)
    sentences = list(dict.fromkeys(line for group in groups for line in _left_out(group[0])))
    if len([curve for curve in curves if curve.role == "run" and curve.topic is None]) > 1:
        sentences += curves.dominance()
    sentences += [line for line in (caption(curves),) if line]
    tables = [(cut_to(group[0].title, LONGEST), _table(group, places)) for group in groups]
    return page(tables, sentences, curves.stated, "table", screen=NARROW)


def curve_page(curve: Curve, form: str) -> str:
    """One curve alone, as "table" or "html"."""
    return page(
        [(cut_to(curve.title, LONGEST), _table([curve], 4))],
        _left_out(curve),
        counted(curve.topics, "topic"),
        form,
    )


def long_csv(curves: Curves, *, places: int) -> str:  # noqa: ARG001 - all views are called alike
    """A line for each point, values in full; the settings stand in each line."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_HEADS)
    settings = Settings(**curves.settings).short()
    for curve in curves:
        nothing = [""] * len(curve)
        low = nothing if curve.band is None else list(map(_full, curve.band.low.tolist()))
        high = nothing if curve.band is None else list(map(_full, curve.band.high.tolist()))
        head = [shown(curve.run), "all" if curve.topic is None else shown(curve.topic), curve.x, curve.y]
        tail = [curve.average or "", curve.role, settings]
        for (x, y), least, most in zip(curve.points.tolist(), low, high, strict=True):
            writer.writerow([*head, plain(x), _full(y), least, most, *tail])
    return out.getvalue()


def json(curves: Curves, *, places: int) -> str:  # noqa: ARG001 - all views are called alike
    """Everything, values in full."""
    import msgspec

    return msgspec.json.encode(curves.to_dict()).decode() + "\n"


def parquet(curves: Curves, *, places: int) -> bytes:  # noqa: ARG001 - all views are called alike
    """A row for each point, values in full, NaN where there is no band; the settings are in the file's metadata."""
    from gainful import __version__
    from gainful.formats.parquet import Column, written

    words: dict[str, list[str]] = {
        name: [] for name in ("run", "topic", "x_name", "y_name", "average", "role")
    }
    numbers: dict[str, list[float]] = {name: [] for name in ("x", "y", "low", "high")}
    for curve in curves:
        topic = "all" if curve.topic is None else shown(curve.topic)
        said = (shown(curve.run), topic, curve.x, curve.y, curve.average or "", curve.role)
        for name, word in zip(words, said, strict=True):
            words[name] += [word] * len(curve)
        nothing = [math.nan] * len(curve)
        numbers["x"] += curve.points[:, 0].tolist()
        numbers["y"] += curve.points[:, 1].tolist()
        numbers["low"] += nothing if curve.band is None else curve.band.low.tolist()
        numbers["high"] += nothing if curve.band is None else curve.band.high.tolist()
    columns: list[Column] = [(name, "u", values) for name, values in words.items()]
    columns += [(name, "g", values) for name, values in numbers.items()]
    return written(columns, {"gainful": __version__, "settings": curves.stated})


VIEWS: dict[str, Callable[..., str | bytes]] = {
    "table": table,
    "csv": long_csv,
    "json": json,
    "parquet": parquet,
}


def html_table(curves: Curves) -> str:
    """The tables, one after the other."""
    tables = "".join(_table(group, 4).html() for group in _together(curves))
    return f"{tables}<p>{escape(caption(curves))}</p><p>{escape(curves.stated)}</p>"


def _together(curves: Curves) -> list[list[Curve]]:
    """Curves that share a table: the same measure, topic and points."""
    groups: dict[tuple[str, str | None, bytes], list[Curve]] = {}
    for curve in curves:
        groups.setdefault((curve.y, curve.topic, curve.points[:, 0].tobytes()), []).append(curve)
    return list(groups.values())


def _left_out(curve: Curve) -> list[str]:
    number = len(curve) - len(_chosen(curve))
    return [f"({number:,} of {len(curve):,} points left out; -f csv has them all)"] if number > 0 else []


def _table(curves: Sequence[Curve], places: int) -> Table:
    heads = [curves[0].x]
    for curve in curves:
        heads += [shown(curve.run)] if curve.band is None else [shown(curve.run), "low", "high"]
    rows = []
    for place in _chosen(curves[0]):
        row = [f"{round(float(curves[0].points[place, 0]), 4):.10g}"]
        for curve in curves:
            row.append(fixed(float(curve.points[place, 1]), places) if place < len(curve) else UNDEFINED)
            if curve.band is not None:
                row += [fixed(float(ends[place]), places) for ends in (curve.band.low, curve.band.high)]
        rows.append(row)
    areas = dict.fromkeys(name for curve in curves for name in curve.areas)
    return Table(heads, rows + [_areas(name, curves, places) for name in areas], names=0)


def _areas(name: str, curves: Sequence[Curve], places: int) -> list[str]:
    """The area under each curve, as a row."""
    row = [f"area, {name}"]
    for curve in curves:
        row.append(fixed(curve.areas.get(name, math.nan), places))
        row += ["", ""] if curve.band is not None else []
    return row


def _chosen(curve: Curve) -> list[int]:
    """All points of a short curve; of a long one the first ten, then fewer and fewer, and the last."""
    length = len(curve)
    if length <= _ROWS:
        return list(range(length))
    if len(np.unique(curve.points[:, 0])) < length:  # raw points: where recall is first reached, and the end
        return sorted({*np.unique(curve.points[:, 0], return_index=True)[1].tolist(), length - 1})
    if curve.x not in ("rank", "documents read", "effort"):
        return [round(place * (length - 1) / 20) for place in range(21)]
    ranks = [*range(1, 11), 15, *(lead * 10**power for power in range(1, 7) for lead in (2, 3, 5, 7, 10))]
    return [rank - 1 for rank in ranks if rank < length] + [length - 1]


def _full(value: float) -> str:
    return "" if math.isnan(value) else repr(value)


_WIDTH = 460
_PANELS = 24
_ACROSS = 2
_LABELS = 12  # ranks of a list that are written beside its points
_LONGEST_TITLE = 48
_WHOLE = ("rank", "documents read")  # axes that count: they have no ticks at 1.5

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
    panel = Panel(Axis(first.x, _domain(curves), whole=first.x in _WHOLE), Axis(name or first.y))
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
