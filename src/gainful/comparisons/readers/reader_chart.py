"""Readers as a picture: both curves, and below them the difference with its band and who leads where."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from textwrap import wrap
from typing import Any

import numpy as np

from gainful.comparisons.readers.reader_ranges import Readers, Sweep
from gainful.comparisons.readers.reader_tables import html_table, said
from gainful.curves.drawing import COLOURS, GREY, altair, rendered
from gainful.curves.points import plain
from gainful.curves.suffixes import check_suffix
from gainful.errors import UsageError
from gainful.formats.files import put
from gainful.formats.ids import shown

_WIDTH, _TALL, _LOW = 300, 190, 130
_MOST_POINTS = 300  # of a line; more cannot be seen
_LONG = 30  # ranks from which on the axis is logarithmic
_PAIRS = 8
_LETTERS = 60  # of a caption above one sweep
_DASHES = (
    [1, 0],
    [7, 3],
    [2, 2],
    [9, 3, 2, 3],
    [12, 4],
    [4, 4],
    [6, 2, 2, 2],
)  # for those who see few colours
_AXES = {
    "rank": "rank where the reader stops",
    "recall": "share of the relevant that the reader needs",
    "patience": "persistence of the reader",
}


def save(readers: Readers, path: str, *, overwrite: bool = False, title: str | None = None) -> None:
    """Write the chart to a file, whose name says how; it appears whole or not at all."""
    suffix = check_suffix(path)
    put(rendered(chart(readers, title=title), suffix), path, overwrite=overwrite)


def inline(readers: Readers) -> str:
    """The chart inside a notebook; the ranges in a table where charts are not installed or there are too many pairs."""
    try:
        picture = rendered(chart(readers), ".svg").decode()
    except UsageError as absent:
        return f"{html_table(readers)}<p>{escape(str(absent))}</p>"
    lines = "".join(f"<p>{escape(line)}</p>" for line in [*said(readers), readers.how()])
    return f"<figure>{picture}<figcaption>{lines}</figcaption></figure>"


def chart(readers: Readers, *, title: str | None = None) -> Any:
    """An Altair chart: a row for each pair, a column for each sweep."""
    alt = altair()
    if len(readers.pairs) > _PAIRS:
        raise UsageError(
            f"a chart of {len(readers.pairs)} pairs cannot be read; name a baseline (--baseline), or give fewer runs."
        )
    names = [system.name for system in readers.systems]
    rows = [
        alt.hconcat(*(_panel(alt, sweep, names) for sweep in readers.of(*pair))) for pair in readers.pairs
    ]
    band = readers.how().partition(" · ")[0]
    lines = [*readers.headlines, f"shaded: {band}; the colour behind it says who leads"]
    across = _LETTERS * (len(readers.sweeps) // len(readers.pairs))
    caption = [piece for line in lines for piece in wrap(line, across)]
    head = alt.TitleParams(
        title or "Who is better for whom", subtitle=caption, anchor="start", subtitleColor=GREY
    )
    whole = rows[0] if len(rows) == 1 else alt.vconcat(*rows)
    return whole.properties(title=head).configure_view(stroke=None).configure_axis(gridColor="#e8e8e8")


def _panel(alt: Any, sweep: Sweep, names: list[str]) -> Any:
    """One sweep of one pair: curves above, difference below, on the same axis."""
    kind = "log" if sweep.by == "rank" and len(sweep.at) > _LONG else "linear"
    ends = [float(sweep.at[0]), float(sweep.at[-1])]
    scale = alt.Scale(type=kind, domain=ends if ends[0] < ends[1] else [ends[0], ends[0] + 1], nice=False)
    x = alt.X("x:Q", title=_AXES[sweep.by], scale=scale, axis=alt.Axis(tickCount=6))
    every = list(map(shown, names))
    shades = alt.Scale(domain=every, range=[COLOURS[n % len(COLOURS)] for n in range(len(names))])
    dashes = alt.Scale(domain=every, range=[_DASHES[n % len(_DASHES)] for n in range(len(names))])
    legend = alt.Legend(title=None, orient="top")
    upper = alt.Chart(alt.InlineData(values=list(_lines(sweep)))).mark_line(strokeWidth=1.8)
    upper = upper.encode(
        x=x.title(None),
        y=alt.Y("y:Q", title=str(sweep.measure)),
        color=alt.Color("run:N", scale=shades, legend=legend, sort=every),
        strokeDash=alt.StrokeDash("run:N", scale=dashes, legend=legend, sort=every),
    )
    lower = alt.layer(*_difference(alt, sweep, x, shades)).properties(width=_WIDTH, height=_LOW)
    return alt.vconcat(upper.properties(width=_WIDTH, height=_TALL), lower, spacing=8)


def _difference(alt: Any, sweep: Sweep, x: Any, shades: Any) -> Iterator[Any]:
    """The leader behind, then the band, the zero line and the difference."""
    title = ["difference,", " − ".join(map(shown, sweep.systems))]
    colour = alt.Color("run:N", scale=shades, legend=None)
    told = [alt.Tooltip("run:N", title="leader"), "from:Q", "to:Q"]
    leads = alt.Chart(alt.InlineData(values=list(_strips(sweep)))).mark_rect(opacity=0.2)
    points = alt.Chart(alt.InlineData(values=list(_bands(sweep))))
    yield leads.encode(x=x, x2="x2:Q", color=colour, tooltip=told)
    yield (
        points.transform_filter("isValid(datum.low)")
        .mark_area(opacity=0.3, color=GREY)
        .encode(x=x, y=alt.Y("low:Q", title=title), y2="high:Q")
    )
    yield alt.Chart(alt.InlineData(values=[{"y": 0}])).mark_rule(color=GREY).encode(y="y:Q")
    yield points.mark_line(color="#000000", strokeWidth=1.5).encode(x=x, y=alt.Y("y:Q", title=title))


def _lines(sweep: Sweep) -> Iterator[dict[str, Any]]:
    for name, curve in zip(sweep.systems, sweep.curves, strict=True):
        for place in _seen(sweep):
            yield {"run": shown(name), "x": plain(float(sweep.at[place])), "y": float(curve[place])}


def _bands(sweep: Sweep) -> Iterator[dict[str, Any]]:
    for place in _seen(sweep):
        row = {"x": plain(float(sweep.at[place])), "y": float(sweep.difference[place])}
        if not np.isnan(sweep.low[place]):
            row |= {"low": float(sweep.low[place]), "high": float(sweep.high[place])}
        yield row


def _strips(sweep: Sweep) -> Iterator[dict[str, Any]]:
    """Where somebody leads: half a step beyond the points on either side, but not beyond the sweep."""
    steps = (sweep.at[1:] + sweep.at[:-1]) / 2
    edges = np.concatenate([sweep.at[:1], steps, sweep.at[-1:]])
    for found in sweep.ranges:
        if found.leader is not None:
            first, last = np.searchsorted(sweep.at, [found.start, found.stop])
            yield {
                "run": shown(found.leader),
                "x": float(edges[first]),
                "x2": float(edges[last + 1]),
                "from": plain(found.start),
                "to": plain(found.stop),
            }


def _seen(sweep: Sweep) -> list[int]:
    """Points that a picture needs: all of a short sweep, of a long one those that lie apart on its axis."""
    length = len(sweep.at)
    if length <= _MOST_POINTS:
        return list(range(length))
    places: list[int] = np.unique(np.geomspace(1, length, _MOST_POINTS).round().astype(np.int64) - 1).tolist()
    return places
