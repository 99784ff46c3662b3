"""Parts that Vega-Lite specs are put together from: fields, scales, tooltips, and the style of every chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gainful.presentation.chart_data import Axis
from gainful.presentation.palette import FONT, GRID, INK, QUIET

Spec = dict[str, Any]


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
    """Of a legend with names of so many letters, in a chart so wide with names of so many letters beside it.

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
