"""Readers as pictures: strips that show who leads where, and the difference along a sweep with its band."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from textwrap import wrap
from typing import Any

import numpy as np

from gainful.comparisons.readers.reader_ranges import Readers, Sweep
from gainful.comparisons.readers.reader_text import html_table, said
from gainful.errors import UsageError
from gainful.formats.ids import shown
from gainful.presentation import chart_files
from gainful.presentation.chart_parts import Axis, Series, Spec, Strip, brief, panels
from gainful.presentation.charts import Panel

NOBODY = "not significant"
"""Where neither system of a pair is better, in the legend."""

AXES = {
    "rank": "rank where the reader stops",
    "recall": "share of the relevant documents that the reader needs",
    "patience": "how likely the reader goes on to the next document",
}
_WIDTH, _TALL, _LOW = 300, 190, 130
_MOST_POINTS = 300  # of a line; more cannot be seen
_LONG = 20  # ranks from which on the axis is logarithmic
_PAIRS = 8
_LETTERS = 60  # of a caption above one sweep
_NAME = 16  # letters of a system's name where two stand side by side


def save(readers: Readers, path: str, *, overwrite: bool = False, title: str | None = None) -> None:
    """Write the chart to a file, whose name says how; it is written atomically."""
    chart_files.check_suffix(path)
    chart_files.save(reader_spec(readers, title=title), path, overwrite=overwrite)


def inline(readers: Readers) -> str:
    """The chart inside a notebook; the ranges in a table where charts are not installed or there are too many pairs."""
    try:
        picture = chart_files.rendered(reader_spec(readers), ".svg").decode()
    except UsageError as absent:
        return f"{html_table(readers)}<p>{escape(str(absent))}</p>"
    lines = "".join(f"<p>{escape(line)}</p>" for line in [*said(readers), readers.how()])
    return f"<figure>{picture}<figcaption>{lines}</figcaption></figure>"


def chart(readers: Readers, *, title: str | None = None) -> Any:
    """The sweeps as an Altair chart."""
    return chart_files.altair_chart(reader_spec(readers, title=title))


def reader_spec(readers: Readers, *, title: str | None = None) -> Spec:
    """A row for each pair, a column for each sweep: both curves, and below them the difference and who leads."""
    if len(readers.pairs) > _PAIRS:
        raise UsageError(
            f"a chart of {len(readers.pairs)} pairs cannot be read; name a baseline (--baseline), or give fewer runs."
        )
    positions = {system.name: position for position, system in enumerate(readers.systems)}
    rows = [
        [
            (_curves_panel(sweep, positions), gap_panel(sweep, positions, leaders=True))
            for sweep in readers.of(*pair)
        ]
        for pair in readers.pairs
    ]
    band = readers.how().partition(" · ")[0]
    lines = [*readers.headlines, f"shaded: {band}; the colour behind it is that of the better system"]
    across = _LETTERS * (len(readers.sweeps) // len(readers.pairs))
    caption = [piece for line in lines for piece in wrap(line, across)]
    return panels(
        rows, title=title or "Which system is better for which readers", subtitle=caption, width=_WIDTH
    )


def gap_panel(sweep: Sweep, positions: Mapping[str, int], *, leaders: bool = False) -> Panel:
    """The difference of two systems along a sweep, with the band that holds all of it.

    leaders  whether the background has the colour of the system that leads
    """
    a, b = map(shown, sweep.systems)
    title = ["difference,", f"{b} − {a}"] if leaders else f"{sweep.measure}: {b} − {a}"
    panel = Panel(_sweep_axis(sweep), Axis(title), height=_LOW if leaders else 220)
    if leaders:
        panel.behind(_leads(sweep, positions))
    seen = _seen(sweep)
    limits = zip(*(line[seen].tolist() for line in (sweep.at, sweep.low, sweep.high)), strict=True)
    series = Series("difference", positions[sweep.systems[1]], _line(sweep, sweep.difference), list(limits))
    return panel.level(0).lines([series], marks=False)


def strip_panel(sweeps: Sequence[Sweep], positions: Mapping[str, int]) -> Panel:
    """For each pair, which system is better for which readers: a strip in the leader's colour, grey where neither is."""
    names = brief((system for sweep in sweeps for system in sweep.systems), _NAME)
    strips = [strip for sweep in sweeps for strip in _strips(sweep, names)]
    ends = min(strip.start for strip in strips), max(strip.stop for strip in strips)
    axis = _axis(sweeps[0].by, *ends)
    rows = len(dict.fromkeys(strip.row for strip in strips))
    series = {shown(system): position for system, position in positions.items()}
    return Panel(axis, height=30 * rows + 10).strips(strips, series, NOBODY)


def _curves_panel(sweep: Sweep, positions: Mapping[str, int]) -> Panel:
    lines = [
        Series(shown(name), positions[name], _line(sweep, curve))
        for name, curve in zip(sweep.systems, sweep.curves, strict=True)
    ]
    return Panel(_sweep_axis(sweep), Axis(str(sweep.measure)), height=_TALL).lines(lines, marks=False)


def _sweep_axis(sweep: Sweep) -> Axis:
    return _axis(sweep.by, float(sweep.at[0]), float(sweep.at[-1]))


def _axis(by: str, first: float, last: float) -> Axis:
    ends = (first, last if last > first else first + 1)
    ranks = by == "rank"
    return Axis(AXES[by], ends, log=ranks and last > _LONG, percent=by == "recall", whole=ranks)


def _line(sweep: Sweep, values: Any) -> list[tuple[float, float]]:
    seen = _seen(sweep)
    return list(zip(sweep.at[seen].tolist(), values[seen].tolist(), strict=True))


def _strips(sweep: Sweep, names: Mapping[str, str]) -> Iterator[Strip]:
    """The ranges of one sweep, each up to where the next begins, so that there is no hole between."""
    pair = " or ".join(names[system] for system in sweep.systems)
    for number, stretch in enumerate(sweep.ranges):
        stop = sweep.ranges[number + 1].start if number + 1 < len(sweep.ranges) else stretch.stop
        leader = "" if stretch.leader is None else shown(stretch.leader)
        yield Strip(pair, leader, stretch.start, stop, stretch.start, stretch.stop)


def _leads(sweep: Sweep, positions: Mapping[str, int]) -> Iterator[tuple[str, int, float, float]]:
    """Where a system leads: half a step beyond the points on either side, but not beyond the sweep."""
    steps = (sweep.at[1:] + sweep.at[:-1]) / 2
    edges = np.concatenate([sweep.at[:1], steps, sweep.at[-1:]])
    for stretch in sweep.ranges:
        if stretch.leader is not None:
            first, last = np.searchsorted(sweep.at, [stretch.start, stretch.stop])
            yield (
                shown(stretch.leader),
                positions[stretch.leader],
                float(edges[first]),
                float(edges[last + 1]),
            )


def _seen(sweep: Sweep) -> list[int]:
    """Points that a picture needs: all of a short sweep, of a long one those that lie apart on its axis."""
    length = len(sweep.at)
    if length <= _MOST_POINTS:
        return list(range(length))
    places: list[int] = np.unique(np.geomspace(1, length, _MOST_POINTS).round().astype(np.intp) - 1).tolist()
    return places
