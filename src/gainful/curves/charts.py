"""Charts: pictures of curves. They take points and know nothing of judgments.

Runs differ in colour and in the shape of the marks on their lines; the ideal is dashed and grey.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

import numpy as np

from gainful.curves.drawing import COLOURS, GREY, altair, rendered
from gainful.curves.points import Curve, Curves, plain
from gainful.curves.suffixes import check_suffix
from gainful.errors import UsageError
from gainful.formats.files import put
from gainful.formats.ids import shown
from gainful.presentation.numbers import counted

_SHAPES = (
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "cross",
    "triangle-down",
    "triangle-right",
    "triangle-left",
)
_WIDTH, _HEIGHT = 460, 300
_MARKS = 8  # along a line
_ALL_MARKED = 25  # points; a line of no more has a mark at each
_PANELS = 24
_ACROSS = 2
_MOST_POINTS = 600  # of a line; more cannot be seen


def save(curves: Curves, path: str, *, overwrite: bool = False, title: str | None = None) -> None:
    """Write the chart to a file, whose name says how; it appears whole or not at all."""
    put(drawn(curves, check_suffix(path), title=title), path, overwrite=overwrite)


def drawn(curves: Curves, suffix: str, *, title: str | None = None) -> bytes:
    """The bytes of the chart's file."""
    return rendered(chart(curves, title=title), suffix)


def inline(curves: Curves) -> str:
    """The chart inside a notebook; the numbers in a table where charts are not installed."""
    from gainful.curves.views import html_table

    try:
        picture = drawn(curves, ".svg").decode()
    except UsageError as absent:
        return f"{html_table(curves)}<p>{escape(str(absent))}</p>"
    return f"<figure>{picture}<figcaption>{escape(caption(curves))}</figcaption></figure>"


def chart(curves: Curves, *, title: str | None = None) -> Any:
    """The curves as an Altair chart: a panel for each measure, and for each topic that is shown alone."""
    alt = altair()
    panels = _panels(curves)
    if not panels:
        raise UsageError("there is no curve to draw.")
    if len(panels) > _PANELS:
        raise UsageError(
            f"a chart of {len(panels)} panels cannot be read; ask for fewer topics (--topic) or measures."
        )
    runs = list(dict.fromkeys(curve.run for curve in curves if curve.role != "ideal"))
    drawn_panels = [_panel(alt, name, some, runs) for name, some in panels]
    whole = drawn_panels[0] if len(panels) == 1 else alt.concat(*drawn_panels, columns=_ACROSS)
    head = alt.TitleParams(
        title or _title(curves), subtitle=caption(curves), anchor="start", subtitleColor=GREY
    )
    return whole.properties(title=head).configure_view(stroke=None).configure_axis(gridColor="#e8e8e8")


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
            f"shaded: {100 * band.level:.0f} % of {band.resamples:,} resamples of topics, seed {band.seed}"
        )
    return " · ".join(said)


def _title(curves: Curves) -> str:
    first = curves[0]
    names = list(dict.fromkeys(curve.y for curve in curves))
    return f"{', '.join(names[:3])}{' …' if len(names) > 3 else ''} by {first.x}"


def _panels(curves: Curves) -> list[tuple[str, list[Curve]]]:
    groups: dict[tuple[str, str], list[Curve]] = {}
    for curve in curves:
        name = curve.y if curve.topic is None else f"{curve.y}, topic {shown(curve.topic)}"
        name = f"difference in {name}" if curve.role == "difference" else name
        groups.setdefault((name, curve.x), []).append(curve)
    return [(name, some) for (name, _), some in groups.items()]


def _panel(alt: Any, name: str, curves: Sequence[Curve], runs: Sequence[str]) -> Any:
    x = alt.X("x:Q", title=curves[0].x, scale=alt.Scale(domain=_domain(curves), nice=False))
    y = alt.Y("y:Q", title=name, scale=_height(alt, curves))
    names = [shown(run) for run in runs]
    colours = [COLOURS[number % len(COLOURS)] for number in range(len(runs))]
    shapes = [_SHAPES[number % len(_SHAPES)] for number in range(len(runs))]
    legend = alt.Legend(title=None, symbolOpacity=1)
    colour = alt.Color("run:N", legend=legend, scale=alt.Scale(domain=names, range=colours), sort=names)
    shape = alt.Shape("run:N", legend=legend, scale=alt.Scale(domain=names, range=shapes), sort=names)
    layers = []
    ours = [curve for curve in curves if curve.role != "ideal"]
    if any(curve.band is not None for curve in ours):
        base = alt.Chart(alt.InlineData(values=[row for curve in ours for row in _band_rows(curve)]))
        layers.append(
            base.mark_area(opacity=0.16).encode(x=x, y=alt.Y("low:Q", title=name), y2="high:Q", color=colour)
        )
    if any(curve.role == "difference" for curve in curves):
        layers.append(alt.Chart(alt.InlineData(values=[{"y": 0}])).mark_rule(color=GREY).encode(y="y:Q"))
    ideals = [row for curve in curves if curve.role == "ideal" for row in _rows(curve)]
    if ideals:
        base = alt.Chart(alt.InlineData(values=ideals))
        layers.append(
            base.mark_line(strokeDash=[6, 4], color=GREY, clip=True).encode(x=x, y=y, detail="run:N")
        )
        ends = alt.Chart(alt.InlineData(values=[row for row in ideals if row["end"]]))
        mark = ends.mark_text(align="right", baseline="bottom", dy=-4, color=GREY)
        layers.append(mark.encode(x=x, y=y, text="run:N"))
    rows = [row for curve in ours for row in _rows(curve, offset=runs.index(curve.run))]
    lines = alt.Chart(alt.InlineData(values=rows))
    layers.append(lines.mark_line(strokeWidth=1.8, clip=True).encode(x=x, y=y, color=colour, order="place:Q"))
    marks = alt.Chart(alt.InlineData(values=[row for row in rows if row["mark"]]))
    tooltip = [
        alt.Tooltip("run:N"),
        alt.Tooltip("x:Q", title=curves[0].x),
        alt.Tooltip("y:Q", title=name, format=".4f"),
    ]
    layers.append(
        marks.mark_point(filled=True, size=55, opacity=1).encode(
            x=x, y=y, color=colour, shape=shape, tooltip=tooltip
        )
    )
    return alt.layer(*layers).properties(width=_WIDTH, height=_HEIGHT)


def _rows(curve: Curve, *, offset: int = 0) -> Iterator[dict[str, Any]]:
    """Points of a line; marks stand at other places on other lines, so that one does not hide another."""
    points = [(x, y) for x, y in curve.points.tolist() if not np.isnan(y)]
    step = 1 if len(points) <= _ALL_MARKED else len(points) // _MARKS
    skip = max(1, -(-len(points) // _MOST_POINTS))
    for place, (x, y) in enumerate(points):
        mark = place % step == (offset * max(1, step // 4)) % step
        end = place == len(points) - 1
        if place % skip == 0 or mark or end:
            yield {"run": shown(curve.run), "x": plain(x), "y": y, "place": place, "mark": mark, "end": end}


def _band_rows(curve: Curve) -> Iterator[dict[str, Any]]:
    if curve.band is None:
        return
    skip = max(1, -(-len(curve) // _MOST_POINTS))
    rows = zip(curve.points[:, 0].tolist(), curve.band.low.tolist(), curve.band.high.tolist(), strict=True)
    for place, (x, low, high) in enumerate(rows):
        if (place % skip == 0 or place == len(curve) - 1) and not np.isnan(low):
            yield {"run": shown(curve.run), "x": plain(x), "low": low, "high": high}


def _domain(curves: Sequence[Curve]) -> list[float]:
    if all(len(curve) == 0 for curve in curves):
        return [0, 1]
    least = min(float(curve.points[:, 0].min()) for curve in curves if len(curve))
    most = max(float(curve.points[:, 0].max()) for curve in curves if len(curve))
    return [0 if curves[0].x == "recall" else least, most if most > least else least + 1]


def _height(alt: Any, curves: Sequence[Curve]) -> Any:
    """From 0 to 1 for what lies between and comes near; as high as it needs otherwise."""
    values = [curve.values for curve in curves]
    values += [limit for curve in curves if curve.band for limit in (curve.band.low, curve.band.high)]
    together = np.concatenate(values)
    together = together[~np.isnan(together)]
    if curves[0].role != "difference" and len(together) and together.min() >= 0 and 0.5 < together.max() <= 1:
        return alt.Scale(domain=[0, 1])
    return alt.Scale(zero=True)
