"""Charts of a report, as Vega-Lite specs. They take what the sections say and work nothing out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gainful.curves import Curve
from gainful.curves.points import plain
from gainful.formats.ids import shown
from gainful.reports.crossings import Crossing
from gainful.reports.curve_section import Drawn
from gainful.reports.palette import CARD, DASHES, INK, QUIET, SHAPES, Held, altair, colour, dressed

NAME = 16
"""Letters of a system's name where two stand side by side."""

_MARKED = 6  # crossings that are marked on a chart
_MARKS = 8  # shapes along a line


@dataclass(frozen=True)
class Figure:
    """A chart of the page.

    name   a word for files and links
    says   what can be read off it, for those who do not see it
    spec   Vega-Lite, as wide as its place
    """

    name: str
    title: str
    says: str
    spec: dict[str, Any]


def series(alt: Any, names: Sequence[str], *, legend: bool = True) -> tuple[Any, Any, Any]:
    """Colour, shape and dash that tell systems apart."""
    number = range(len(names))
    shown_names = [shown(name) for name in names]
    key = alt.Legend(title=None) if legend else None
    colours = alt.Scale(domain=shown_names, range=[colour(one) for one in number])
    shapes = alt.Scale(domain=shown_names, range=[SHAPES[one % len(SHAPES)] for one in number])
    dashes = alt.Scale(domain=shown_names, range=[DASHES[one % len(DASHES)] for one in number])
    return (
        alt.Color("s:N", scale=colours, legend=key),
        alt.Shape("s:N", scale=shapes, legend=key),
        alt.StrokeDash("s:N", scale=dashes, legend=key),
    )


def curves(drawn: Drawn, systems: Sequence[str]) -> Figure:
    """Curves along the list, with bands, the ideal and the places where they cross."""
    alt, held = altair(), Held()
    ours = [curve for curve in drawn.curves if curve.role == "run"]
    x_name, y_name = ours[0].x, ours[0].y
    top = max((float(curve.points[:, 0].max()) for curve in ours), default=1.0)
    domain = [0, 1] if x_name == "recall" else [1, max(top, 2)]
    x = alt.X("x:Q", title=x_name, scale=alt.Scale(domain=domain, nice=False), axis=alt.Axis(grid=False))
    y = alt.Y("y:Q", title=y_name, scale=alt.Scale(zero=True))
    tint, shape, dash = series(alt, systems)
    layers = []
    bands = [row for curve in ours for row in _band(curve)]
    if bands:
        area = held.chart("bands", bands).mark_area(opacity=0.13, clip=True)
        layers.append(area.encode(x=x, y=alt.Y("l:Q", title=y_name), y2="h:Q", color=tint))
    ideals = [curve for curve in drawn.curves if curve.role == "ideal"]
    if ideals:
        layers += _ideal(held, ideals[0], x, y)
    rows = [row for curve in ours for row in _points(curve)]
    lines = held.chart("lines", rows)
    layers.append(lines.mark_line(strokeWidth=2, clip=True).encode(x=x, y=y, color=tint, strokeDash=dash))
    marks = held.chart("marks", [row for number, curve in enumerate(ours) for row in _marks(curve, number)])
    layers.append(marks.mark_point(filled=True, size=60, opacity=1).encode(x=x, y=y, color=tint, shape=shape))
    layers += _crossings(alt, held, drawn.crossings, x, y, x_name)
    told = [alt.Tooltip("s:N", title="system"), alt.Tooltip("x:Q", title=x_name)]
    told.append(alt.Tooltip("y:Q", title=y_name, format=".4f"))
    hover = lines.mark_point(size=120, opacity=0, filled=True).encode(x=x, y=y, tooltip=told)
    layers.append(hover.properties(name="hover"))
    says = " ".join(drawn.says) or f"{y_name} by {x_name} of {', '.join(map(shown, systems))}."
    return Figure(drawn.name, drawn.title, says, dressed(alt.layer(*layers), held, height=300))


def _points(curve: Curve) -> Iterator[dict[str, Any]]:
    """Points of a line; those that are no number are left out."""
    return (
        {"s": shown(curve.run), "x": plain(x), "y": _short(y)}
        for x, y in curve.points.tolist()
        if not math.isnan(y)
    )


def _marks(curve: Curve, number: int) -> Iterator[dict[str, Any]]:
    """The points that have a shape: at other places on other lines, so that one does not hide another."""
    points = list(_points(curve))
    step = 1 if len(points) <= 25 else len(points) // _MARKS
    first = (number * max(1, step // 4)) % step
    return (row for place, row in enumerate(points) if place % step == first)


def _band(curve: Curve) -> Iterator[dict[str, Any]]:
    if curve.band is None:
        return
    ends = zip(curve.points[:, 0].tolist(), curve.band.low.tolist(), curve.band.high.tolist(), strict=True)
    for x, low, high in ends:
        if not math.isnan(low):
            yield {"s": shown(curve.run), "x": plain(x), "l": _short(low), "h": _short(high)}


def _ideal(held: Held, curve: Curve, x: Any, y: Any) -> list[Any]:
    rows = [
        {"x": plain(at), "y": _short(value)} for at, value in curve.points.tolist() if not math.isnan(value)
    ]
    line = held.chart("ideal", rows).mark_line(strokeDash=[6, 4], color=QUIET, clip=True)
    word = held.chart("end", [rows[-1] | {"t": "ideal"}]).mark_text(
        align="right", baseline="bottom", dy=-5, color=QUIET, fontStyle="italic"
    )
    return [line.encode(x=x, y=y), word.encode(x=x, y=y, text="t:N")]


def _crossings(alt: Any, held: Held, found: Sequence[Crossing], x: Any, y: Any, x_name: str) -> list[Any]:
    """A ring where curves cross, with the place beside it; none where they cross too often to mean anything."""
    pairs = [frozenset((one.before, one.after)) for one in found]
    kept = [one for one, pair in zip(found, pairs, strict=True) if pairs.count(pair) <= 2][:_MARKED]
    if not kept:
        return []
    rows = [
        {
            "x": plain(one.x),
            "y": _short(one.y),
            "t": f"{x_name} {one.x:g}",
            "w": f"{shown(one.after)} overtakes {shown(one.before)}",
        }
        for one in kept
    ]
    base = held.chart("crossings", rows)
    told = [alt.Tooltip("w:N", title="crossing"), alt.Tooltip("t:N", title="from")]
    ring = base.mark_point(shape="circle", size=190, strokeWidth=2, color=INK, filled=False, opacity=1)
    place = {"align": "left", "baseline": "bottom", "dx": 8, "dy": -8, "fontWeight": "bold"}
    halo = base.mark_text(**place, color=CARD, stroke=CARD, strokeWidth=4, strokeJoin="round", opacity=0.85)
    word = base.mark_text(**place, color=INK)
    words = [one.encode(x=x, y=y, text="t:N") for one in (halo, word)]
    return [ring.encode(x=x, y=y, tooltip=told), *words]


def _short(value: float) -> float:
    """As much of a number as a picture can show."""
    return round(value, 5)
