"""The style of every chart: one palette, and the parts that Vega-Lite specs are put together from.

A system has the colour, shape and dash of its position in the result, in every chart of that result.
Charts are drawn with the light colours; a page swaps them for the dark ones where the reader prefers these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gainful.presentation.chart_data import Axis

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


def theme() -> Spec:
    """The style of every chart."""
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
        "axisX": {"tickCount": 8, "labelOverlap": True},
        "axisY": {"tickCount": 6, "labelLimit": 240},
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
