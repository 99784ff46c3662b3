"""Charts of readers: who is served better by whom, along each sweep."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gainful.curves.points import plain
from gainful.formats.ids import shown
from gainful.reports.charts import NAME, Figure
from gainful.reports.names import brief
from gainful.reports.palette import INK, QUIET, UNKNOWN, Held, altair, colour, dressed

if TYPE_CHECKING:
    from gainful.comparisons.readers import Readers, Sweep

NOBODY = "cannot be told"
_AXES = {
    "rank": "the rank where the reader stops",
    "recall": "the share of the relevant documents that the reader needs",
    "patience": "how likely the reader goes on to the next document",
}
_TITLES = {
    "rank": "Readers who stop early, readers who go deep",
    "recall": "Readers who need one answer, readers who need them all",
    "patience": "Readers with little patience, readers with much",
}
_MOST = 300  # points of a line


def strips(readers: Readers, by: str, systems: Sequence[str]) -> Figure:
    """For each pair, whose list serves which readers better: a strip in the leader's colour, grey where nobody can tell."""
    alt, held = altair(), Held()
    some = [sweep for sweep in readers.sweeps if sweep.by == by]
    names = brief((system for sweep in some for system in sweep.systems), NAME)
    rows = [row for sweep in some for row in _stretches(sweep, names)]
    pairs = list(dict.fromkeys(row["p"] for row in rows))
    leaders = [shown(system) for system in systems if any(row["s"] == shown(system) for row in rows)]
    every = [*leaders, NOBODY]
    place = {shown(system): number for number, system in enumerate(systems)}
    tints = [*(colour(place[name]) for name in leaders), UNKNOWN]
    tint = alt.Color("s:N", scale=alt.Scale(domain=every, range=tints), legend=alt.Legend(title=None))
    ends = [min(row["a"] for row in rows), max(row["b"] for row in rows)]
    log = by == "rank" and ends[1] > 20
    scale = (
        alt.Scale(type="log", domain=[ends[0], ends[1]], nice=False)
        if log
        else alt.Scale(domain=ends, nice=False)
    )
    axis = (
        alt.Axis(grid=False, format="%")
        if by == "recall"
        else _ranks(alt, ends[1])
        if log
        else alt.Axis(grid=False)
    )
    y = alt.Y(
        "p:N", sort=pairs, title=None, axis=alt.Axis(ticks=False, domain=False, grid=False, labelColor=INK)
    )
    told = [
        alt.Tooltip("p:N", title="pair"),
        alt.Tooltip("s:N", title="better"),
        alt.Tooltip("f:N", title="readers from"),
        alt.Tooltip("t:N", title="to"),
    ]
    base = held.chart("strips", rows).mark_bar(height=16)
    chart = base.encode(
        x=alt.X("a:Q", title=_AXES[by], scale=scale, axis=axis), x2="b:Q", y=y, color=tint, tooltip=told
    )
    says = " ".join(sweep.sentence for sweep in some)
    return Figure(f"readers-by-{by}", _TITLES[by], says, dressed(chart, held, height=30 * len(pairs) + 10))


def gap(sweep: Sweep, systems: Sequence[str]) -> Figure:
    """The difference of two systems along a sweep, with the band that holds all of it."""
    alt, held = altair(), Held()
    first, second = sweep.systems
    step = max(1, len(sweep.at) // _MOST)
    rows = [
        {"x": plain(x), "y": round(y, 5), "l": _known(low), "h": _known(high)}
        for x, y, low, high in zip(
            *(line.tolist()[::step] for line in (sweep.at, sweep.difference, sweep.low, sweep.high)),
            strict=True,
        )
    ]
    log = sweep.by == "rank" and rows[-1]["x"] > 20
    scale = alt.Scale(type="log" if log else "linear", nice=False, domain=[rows[0]["x"], rows[-1]["x"]])
    axis = (
        _ranks(alt, rows[-1]["x"])
        if log
        else alt.Axis(grid=False, format="%")
        if sweep.by == "recall"
        else alt.Axis(grid=False)
    )
    x = alt.X("x:Q", title=_AXES[sweep.by], scale=scale, axis=axis)
    title = f"{sweep.measure}: {shown(first)} − {shown(second)}"
    base = held.chart("gap", rows)
    tint = colour(list(systems).index(first))
    zero = held.chart("zero", [{"y": 0}]).mark_rule(color=INK).encode(y="y:Q")
    band = base.mark_area(opacity=0.16, color=QUIET).encode(x=x, y=alt.Y("l:Q", title=title), y2="h:Q")
    line = base.mark_line(strokeWidth=2, color=tint).encode(x=x, y="y:Q")
    told = [
        alt.Tooltip("x:Q", title=_AXES[sweep.by]),
        alt.Tooltip("y:Q", title="difference", format="+.4f"),
        alt.Tooltip("l:Q", title="from", format="+.4f"),
        alt.Tooltip("h:Q", title="to", format="+.4f"),
    ]
    hover = base.mark_point(size=120, opacity=0, filled=True).encode(x=x, y="y:Q", tooltip=told)
    chart = alt.layer(band, zero, line, hover.properties(name="hover"))
    name = f"readers-gap-by-{sweep.by}"
    shaded = f"shaded: where the whole line lies with {100 * sweep.level:.0f} % confidence"
    said = f"{shown(first)} less {shown(second)}; {shaded}. {sweep.sentence}"
    return Figure(name, f"How much it matters, by {sweep.by}", said, dressed(chart, held, height=220))


def _stretches(sweep: Sweep, names: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The ranges of one sweep, each up to where the next begins, so that there is no hole between."""
    pair = " or ".join(names[system] for system in sweep.systems)
    ranges = sweep.ranges
    for number, found in enumerate(ranges):
        stop = ranges[number + 1].start if number + 1 < len(ranges) else found.stop
        yield {
            "p": pair,
            "s": NOBODY if found.leader is None else shown(found.leader),
            "a": plain(found.start),
            "b": plain(stop),
            "f": f"{found.start:g}",
            "t": f"{found.stop:g}",
        }


def _ranks(alt: Any, last: float) -> Any:
    """An axis of ranks that doubles."""
    values = [rank for rank in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000) if rank <= last]
    return alt.Axis(grid=False, values=values, format="d")


def _known(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 5)
