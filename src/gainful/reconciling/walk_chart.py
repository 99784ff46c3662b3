"""The way from one tool's number to another's as a chart: a bar for the share that each convention has."""

from __future__ import annotations

from typing import Any, Self

from gainful.presentation.chart_parts import INK, Axis, Row, colour, field, named, tooltip
from gainful.presentation.charts import Panel
from gainful.presentation.text_style import fixed, signed
from gainful.reconciling.convention_walk import Walk

RAISES, LOWERS = "raises the number", "lowers the number"
_ROW = 34  # pixels
_MARGIN = 0.35  # of the range of numbers, for the words beside bars


class WalkPanel(Panel):
    """A panel with a row for each end of a walk and for each convention between them."""

    def walked(self, walk: Walk) -> Self:
        """Bars that begin where the one before ends, each as long as the share of its convention."""
        bars, ends, words = _rows(walk)
        rows = self._names([walk.start, *(step.title for step in walk.steps), walk.stop])
        colours = [colour(0), colour(1)]
        tint = named("s", [RAISES, LOWERS], colours, self._key([RAISES, LOWERS]))
        said = [
            tooltip("p", "convention", text=True),
            tooltip("w", "then", text=True),
            tooltip("t", "share", text=True),
        ]
        where: dict[str, Any] = {"x": self._across("a"), "x2": {"field": "b"}, "y": rows, "color": tint}
        self._add("bars", bars, {"type": "bar", "height": 16}, where | {"tooltip": said})
        spot = {"x": self._across("a"), "y": rows}
        dot = {"type": "point", "shape": "diamond", "filled": True, "size": 130, "color": INK, "opacity": 1}
        number = [tooltip("p", "tool", text=True), tooltip("t", "number", text=True)]
        self._add("ends", ends, dot, spot | {"tooltip": number})
        text = {"type": "text", "align": "left", "baseline": "middle", "dx": 9, "color": INK}
        return self._add("words", words, text, spot | {"text": field("t", "nominal")})


def walk_panel(walk: Walk) -> WalkPanel:
    """The chart of a walk."""
    bars, _, words = _rows(walk)
    numbers = [*walk.values, *(row[side] for row in bars for side in ("a", "b"))]
    low, high = min(numbers), max(numbers)
    room = (high - low) or 0.01
    axis = Axis(walk.measure, (low - 0.08 * room, high + _MARGIN * room))
    return WalkPanel(axis, height=_ROW * len(words) + 10).walked(walk)


def _rows(walk: Walk) -> tuple[list[Row], list[Row], list[Row]]:
    """Bars, ends, and the words to the right of both."""
    first, last = walk.values
    ends: list[Row] = [
        {"p": walk.start, "a": first, "t": fixed(first)},
        {"p": walk.stop, "a": last, "t": fixed(last)},
    ]
    bars: list[Row] = []
    at = first
    for step in walk.steps:
        then = at + step.share
        look = {"s": RAISES if step.share >= 0 else LOWERS, "t": signed(step.share), "w": step.after}
        bars.append({"p": step.title, "a": at, "b": then, **look})
        at = then
    words = [{"p": bar["p"], "a": max(bar["a"], bar["b"]), "t": bar["t"]} for bar in bars]
    return bars, ends, [*words, *ends]
