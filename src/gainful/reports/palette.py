"""Colours of the charts, in the light and in the dark; a chart is drawn with the light ones, and the page swaps them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from gainful.reports.libraries import library

# Told apart by people who see few colours; at least 3 : 1 against the page in the light and in the dark.
SERIES = ("#0b6bb0", "#c9510c", "#0a8a62", "#a2478a", "#8a6500", "#5a55c9", "#5f6b76")
SERIES_DARK = ("#58a9e6", "#f08a4b", "#3cc39a", "#e08fc6", "#dfb238", "#a8a2f5", "#a9b4bf")
INK, INK_DARK = "#1d2329", "#e9edf1"
QUIET, QUIET_DARK = "#57616b", "#a3aeb9"
GRID, GRID_DARK = "#e3e7eb", "#323a43"
PAGE, PAGE_DARK = "#fdfdfc", "#14181d"
CARD, CARD_DARK = "#ffffff", "#1b2027"
UNKNOWN, UNKNOWN_DARK = "#a9b2ba", "#5d6872"
LINK, LINK_DARK = "#0b5c9c", "#7cbcf0"
UP = SERIES[0]
GRADES = ("#dcefe2", "#b5dec5", "#82c8a2", "#4fae80")
GRADES_DARK = ("#203a2d", "#264d3a", "#2a6047", "#2b7351")
"""Shades of grades, from little worth to much; letters on them are INK, in the dark INK_DARK."""

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
"""As the page has it: letters are measured before they are drawn."""

SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
DASHES = ([1, 0], [1, 0], [1, 0], [6, 2], [6, 2], [2, 2], [2, 2])


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


def colour(number: int) -> str:
    """Of the series of that number, from 0."""
    return SERIES[number % len(SERIES)]


def contrast(one: str, other: str) -> float:
    """How much two colours differ in lightness, as WCAG 2 counts it: from 1 to 21.

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def altair() -> Any:
    """The library that charts are made with."""
    return library("altair")


def unchecked() -> AbstractContextManager[None]:
    """Within it Altair does not hold every part of a chart against the schema, which takes most of its time; tests do."""
    altair()
    from altair.utils.schemapi import debug_mode

    return debug_mode(False)


class Held:
    """The rows of a chart by name, each held once for all layers that show them.

    Altair looks at every row that stands in a chart; held beside it, they cost nothing.
    """

    def __init__(self) -> None:
        self.rows: dict[str, list[dict[str, Any]]] = {}

    def chart(self, name: str, rows: Iterable[dict[str, Any]]) -> Any:
        """A chart of these rows."""
        self.rows[name] = list(rows)
        return altair().Chart(altair().NamedData(name))


def dressed(chart: Any, held: Held, *, height: int) -> dict[str, Any]:
    """The chart's spec, as wide as its place, in the style of the page."""
    alt = altair()
    made = chart.properties(width="container", height=height, autosize=alt.AutoSizeParams(type="fit-x"))
    axis = alt.AxisConfig(
        gridColor=GRID,
        domainColor=QUIET,
        tickColor=QUIET,
        labelColor=QUIET,
        titleColor=INK,
        labelFontSize=12,
        titleFontSize=12,
        titleFontWeight="normal",
        titlePadding=8,
        labelPadding=5,
        labelFlush=False,
    )
    legend = alt.LegendConfig(
        orient="top",
        labelColor=INK,
        labelFontSize=13,
        labelLimit=220,
        symbolOpacity=1,
        columnPadding=18,
    )
    made = made.configure(
        aria=False,  # the page describes each chart as a whole
        background="transparent",
        font=FONT,
        view=alt.ViewConfig(stroke=None),
        axis=axis,
        axisX=alt.AxisConfig(tickCount=8, labelOverlap=True),
        axisY=alt.AxisConfig(tickCount=6, labelLimit=240),
        legend=legend,
        text=alt.MarkConfig(color=INK, fontSize=12),
    )
    spec: dict[str, Any] = made.to_dict(validate=False)
    spec.pop("$schema", None)
    return spec | {
        "datasets": held.rows,
        "usermeta": {"letters": _longest(spec, _LEGEND), "beside": _longest(spec, _ROWS)},
    }


_LEGEND = ("color", "scale", "domain")
_ROWS = ("y", "sort")


def _longest(spec: dict[str, Any], where: Sequence[str]) -> int:
    """Letters of the longest name in that place of the layers: of a legend, or of rows beside the chart."""
    most = 0
    for layer in spec.get("layer", [spec]):
        found: Any = layer.get("encoding", {})
        for key in where:
            found = found.get(key, {}) if isinstance(found, dict) else {}
        most = max([most, *map(len, found)]) if isinstance(found, list) else most
    return most


def columns(letters: int, width: int, beside: int = 0) -> int:
    """Of a legend with names of so many letters, in a chart so wide with names of so many letters beside it.

    The page counts them the same way.

    >>> columns(8, 680), columns(21, 680), columns(21, 480), columns(21, 530, beside=35), columns(80, 390)
    (4, 3, 2, 1, 1)
    """
    room = width - 60 - min(240, 7 * beside)
    return min(4, max(1, room // (min(220, 7 * letters) + 36)))
