"""What charts are put together from: axes, lines and points; one palette, and the parts of Vega-Lite specs.

A system has the colour, shape and dash of its position in the result, in every chart of that result.
Charts are drawn with the light colours; a page swaps them for the dark ones where the reader prefers these.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from gainful.formats.ids import shown

if TYPE_CHECKING:
    from gainful.presentation.charts import Panel

Spec = dict[str, Any]

# Distinct for people who see few colours; at least 3 : 1 against the page in the light and in the dark.
SERIES = ("#0b6bb0", "#c9510c", "#0a8a62", "#a2478a", "#8a6500", "#5a55c9", "#5f6b76")
SERIES_DARK = ("#58a9e6", "#f08a4b", "#3cc39a", "#e08fc6", "#dfb238", "#a8a2f5", "#a9b4bf")
SHAPES = (
    *("circle", "square", "triangle-up", "diamond", "cross"),
    *("triangle-down", "triangle-right", "triangle-left"),
)
DASHES = ([1, 0], [1, 0], [1, 0], [6, 2], [6, 2], [2, 2], [2, 2])

INK, INK_DARK = "#1d2329", "#e9edf1"
QUIET, QUIET_DARK = "#57616b", "#a3aeb9"
GRID, GRID_DARK = "#e3e7eb", "#323a43"
PAGE, PAGE_DARK = "#fdfdfc", "#14181d"
CARD, CARD_DARK = "#ffffff", "#1b2027"
UNKNOWN, UNKNOWN_DARK = "#a9b2ba", "#5d6872"
LINK, LINK_DARK = "#0b5c9c", "#7cbcf0"
GRADES = ("#dcefe2", "#b5dec5", "#82c8a2", "#4fae80")
GRADES_DARK = ("#203a2d", "#264d3a", "#2a6047", "#2b7351")
"""Shades of grades, from the lowest to the highest; letters on them are INK, in the dark INK_DARK."""

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
"""As the page has it: letters are measured before they are drawn."""


def colour(position: int) -> str:
    """The colour of the system at a position of the result, from 0.

    >>> colour(0), colour(len(SERIES)) == colour(0)
    ('#0b6bb0', True)
    """
    return SERIES[position % len(SERIES)]


def shape(position: int) -> str:
    """The shape of its marks; there is one more than colours, so that systems of one colour differ."""
    return SHAPES[position % len(SHAPES)]


def dash(position: int) -> list[int]:
    """The dash of its line: lengths of stroke and gap."""
    return DASHES[position % len(DASHES)]


def swaps() -> list[tuple[str, str, str]]:
    """The light colour, the name of the variable that stands for it, and the dark colour."""
    series = [
        (light, f"series-{number}", dark)
        for number, (light, dark) in enumerate(zip(SERIES, SERIES_DARK, strict=True), 1)
    ]
    others = [
        (INK, "ink", INK_DARK),
        (QUIET, "quiet", QUIET_DARK),
        (GRID, "grid", GRID_DARK),
        (CARD, "card", CARD_DARK),
        (UNKNOWN, "unknown", UNKNOWN_DARK),
    ]
    return [*series, *others]


def contrast(first: str, second: str) -> float:
    """How much two colours differ in lightness, as WCAG 2 counts it: from 1 to 21.

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def theme(across: int = 8, up: int = 6) -> Spec:
    """The style of every chart, with about so many ticks across and up."""
    return {
        "aria": False,  # a page describes each chart as a whole
        "background": "transparent",
        "font": FONT,
        "view": {"stroke": None},
        "axis": {
            "gridColor": GRID,
            "domainColor": QUIET,
            "tickColor": QUIET,
            "labelColor": QUIET,
            "titleColor": INK,
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "titlePadding": 8,
            "labelPadding": 5,
            "labelFlush": False,
        },
        "axisX": {"tickCount": across, "labelOverlap": True},
        "axisY": {"tickCount": up, "labelLimit": 240},
        "legend": {
            "orient": "top",
            "labelColor": INK,
            "labelFontSize": 13,
            "labelLimit": 220,
            "symbolOpacity": 1,
            "columnPadding": 18,
        },
        "text": {"color": INK, "fontSize": 12},
    }


def columns(letters: int, width: int, beside: int = 0) -> int:
    """How many columns a legend has, by the letters of its names, the width of the chart and the letters of names beside it.

    The page's script counts them the same way.

    >>> columns(8, 680), columns(21, 680), columns(21, 480), columns(21, 530, beside=35), columns(80, 390)
    (4, 3, 2, 1, 1)
    """
    room = width - 60 - min(240, 7 * beside)
    return min(4, max(1, room // (min(220, 7 * letters) + 36)))


def scale(axis: Axis) -> Spec:
    """The scale of an axis."""
    kind: Spec = {"type": "log"} if axis.log else {}
    return kind | (
        {"zero": axis.zero} if axis.domain is None else {"domain": list(axis.domain), "nice": False}
    )


def field(name: str, kind: str = "quantitative") -> Spec:
    """A column of the data."""
    return {"field": name, "type": kind}


def named(name: str, names: Sequence[str], values: Sequence[Any], legend: Spec | None) -> Spec:
    """A column of names, each with its own colour, shape or dash."""
    return field(name, "nominal") | {
        "scale": {"domain": list(names), "range": list(values)},
        "legend": legend,
    }


def tooltip(name: str, title: str, form: str = "", *, text: bool = False) -> Spec:
    """A line of the tooltip."""
    line = field(name, "nominal" if text else "quantitative") | {"title": title}
    return line | {"format": form} if form else line


def flat(title: str | Sequence[str]) -> str:
    """A title of several lines on one."""
    return title if isinstance(title, str) else " ".join(title)


Row = dict[str, Any]
Point = TypeVar("Point")

_ALL_MARKED = 25  # points; a line of no more has a mark at each
_MARKS = 8  # along a longer line
_MOST_POINTS = 600  # of a line; more cannot be seen


@dataclass(frozen=True, slots=True)
class Axis:
    """What is measured along one side.

    domain   first and last value; None for as much as the points need
    zero     whether it begins at zero, where no domain is given
    percent  whether values are shares
    whole    whether values are whole numbers, such as ranks
    """

    title: str | Sequence[str]
    domain: tuple[float, float] | None = None
    zero: bool = True
    log: bool = False
    percent: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Series:
    """One line.

    position  of the system in its result: the same system has the same colour in every chart
    points    (x, y); those without a value are left out
    band      (x, low, high)
    marks     (x, y) that have a shape; None for points along the line
    """

    name: str
    position: int
    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float, float]] = ()
    marks: Sequence[tuple[float, float]] | None = None


@dataclass(frozen=True, slots=True)
class Interval:
    """A value between its limits, on a row of its own.

    kind     what decides colour and shape: significant or not; "" where `position` does
    """

    name: str
    value: float
    low: float | None
    high: float | None
    kind: str = ""
    position: int = 0
    p: float | None = None


@dataclass(frozen=True, slots=True)
class Strip:
    """A stretch of a row in the colour of a series; grey where that has no name.

    start, stop  where it is drawn
    first, last  what it holds, for the pointer
    """

    row: str
    series: str
    start: float
    stop: float
    first: float
    last: float


def brief(names: Iterable[str], most: int) -> dict[str, str]:
    """Each name as people see it, the middle of a long one left out; all are whole where two would look alike.

    >>> brief(["bm25", "a-very-long-name-of-a-run-07"], 13)
    {'bm25': 'bm25', 'a-very-long-name-of-a-run-07': 'a-very…run-07'}
    >>> list(brief(["same-beginning-1-same-end", "same-beginning-2-same-end"], 9).values())
    ['same-beginning-1-same-end', 'same-beginning-2-same-end']
    """
    half = (most - 1) // 2
    whole = {name: shown(name) for name in names}
    cut = {
        name: text if len(text) <= most else f"{text[:half]}…{text[-half:]}" for name, text in whole.items()
    }
    return cut if len(set(cut.values())) == len(cut) else whole


def point(value: float) -> float | None:
    """As much of a number as a picture can show; None for what is no number.

    >>> point(2.0), point(1 / 3), point(math.nan)
    (2, 0.33333, None)
    """
    if math.isnan(value):
        return None
    return int(value) if float(value).is_integer() else round(value, 5)


def line_rows(series: Series) -> list[Row]:
    """The points of a line, no more than can be seen."""
    points = [(x, y) for x, y in series.points if not math.isnan(y)]
    return [{"s": series.name, "x": point(x), "y": point(y)} for x, y in thinned(points)]


def marked_rows(series: Series, number: int) -> list[Row]:
    """The points that have a shape: at other places on other lines, so that one does not hide another."""
    if series.marks is not None:
        return line_rows(Series(series.name, series.position, series.marks))
    rows = line_rows(series)
    step = 1 if len(rows) <= _ALL_MARKED else len(rows) // _MARKS
    first = (number * max(1, step // 4)) % step
    return [row for place, row in enumerate(rows) if place % step == first]


def thinned(points: Sequence[Point]) -> Sequence[Point]:
    """Evenly spaced points and the last, no more than can be seen."""
    step = max(1, -(-len(points) // _MOST_POINTS))
    kept = points[::step]
    return kept if not points or len(points) % step == 1 or step == 1 else [*kept, points[-1]]


def panels(
    rows: Sequence[Sequence[Panel | Sequence[Panel]]],
    *,
    title: str,
    subtitle: str | Sequence[str],
    width: int,
) -> Spec:
    """Panels beside and below each other under one title; those given together share one axis, one above the other."""
    datasets: dict[str, list[Row]] = {}

    def placed(panel: Panel | Sequence[Panel]) -> Spec:
        if isinstance(panel, Sequence):
            return {"vconcat": [placed(part) for part in panel], "spacing": 8}
        spec, data = panel.beside(f"panel-{len(datasets)}-", width)
        datasets.update(data)
        return spec

    lines: list[Spec] = [
        placed(row[0]) if len(row) == 1 else {"hconcat": [placed(panel) for panel in row]} for row in rows
    ]
    whole = lines[0] if len(lines) == 1 else {"vconcat": lines}
    head = {"text": title, "subtitle": subtitle, "anchor": "start", "color": INK, "subtitleColor": QUIET}
    return whole | {"title": head, "config": theme(), "datasets": datasets}
