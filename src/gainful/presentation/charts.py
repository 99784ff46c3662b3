"""Charts as Vega-Lite specs, built from blocks: lines with bands, intervals, bars, strips, dots.

A panel takes points and knows nothing of what they mean; all panels share one style.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

from gainful.presentation.chart_parts import (
    CARD,
    INK,
    QUIET,
    UNKNOWN,
    Axis,
    Interval,
    Row,
    Series,
    Spec,
    Strip,
    colour,
    dash,
    field,
    flat,
    line_rows,
    marked_rows,
    named,
    point,
    scale,
    shape,
    theme,
    thinned,
    tooltip,
)

HOVER = "hover"
"""The name of layers that only answer the pointer; static pictures are drawn without them."""

_RANKS = tuple(step * 10**power for power in range(6) for step in (1, 2, 5))


class Panel:
    """One pair of axes, to which blocks are added; later ones are drawn above earlier ones.

    >>> panel = Panel(Axis("rank", (1, 3)), Axis("P"))
    >>> spec = panel.lines([Series("bm25", 0, [(1, 1.0), (2, 0.5), (3, 0.3)])]).spec()
    >>> [layer["mark"]["type"] for layer in spec["layer"]], spec["datasets"]["lines"][0]
    (['line', 'point', 'point'], {'s': 'bm25', 'x': 1, 'y': 1})
    """

    def __init__(self, x: Axis, y: Axis | None = None, *, height: int = 300) -> None:
        self.x, self.y, self.height = x, y, height
        self._rows: dict[str, list[Row]] = {}
        self._layers: list[Spec] = []
        self._legend: list[str] = []
        self._beside: list[str] = []
        self._apart = False

    def lines(self, series: Sequence[Series], *, step: str | None = None, marks: bool = True) -> Self:
        """A line for each series with its band behind it; each has marks of its own shape, at its own places."""
        palette = self._palette(series)
        bands = [
            {"s": line.name, "x": point(x), "l": point(low), "h": point(high)}
            for line in series
            for x, low, high in thinned([row for row in line.band if not math.isnan(row[1])])
        ]
        if bands:
            encoding = {"x": self._across("x"), **self._between(), "color": palette["color"]}
            self._add("bands", bands, {"type": "area", "opacity": 0.13, "clip": True}, encoding)
        lines = [row for line in series for row in line_rows(line)]
        where = self._place()
        mark = {"type": "line", "strokeWidth": 2, "clip": True} | ({"interpolate": step} if step else {})
        looks = {"color": palette["color"], "strokeDash": palette["strokeDash"], "order": field("x")}
        self._add("lines", lines, mark, where | looks)
        if marks:
            rows = [row for number, line in enumerate(series) for row in marked_rows(line, number)]
            encoding = where | {"color": palette["color"], "shape": palette["shape"]}
            self._add("marks", rows, {"type": "point", "filled": True, "size": 60, "opacity": 1}, encoding)
        said = [tooltip("s", "system", text=True)] if len(series) > 1 else []
        said += [tooltip("x", flat(self.x.title)), tooltip("y", self._y_title, ".4~f")]
        return self._hover("lines", where, said)

    def ideal(self, points: Iterable[tuple[float, float]]) -> Self:
        """The best that could be reached: dashed, grey, and named at its end."""
        return self.reference(points, "ideal")

    def reference(self, points: Iterable[tuple[float, float]], name: str) -> Self:
        """A line to look at others by: dashed, grey, and named at its end."""
        rows = [{"x": point(x), "y": point(y)} for x, y in points if not math.isnan(y)]
        where = self._place()
        self._add("ideal", rows, {"type": "line", "strokeDash": [6, 4], "color": QUIET, "clip": True}, where)
        end = [row | {"t": name} for row in rows[-1:]]
        word = {"type": "text", "align": "right", "baseline": "bottom", "dy": -5, "color": QUIET}
        return self._add("end", end, word | {"fontStyle": "italic"}, where | {"text": field("t", "nominal")})

    def rings(self, places: Sequence[tuple[float, float, str, str]]) -> Self:
        """A ring around some points (x, y), with a word beside each, and a longer one for the pointer.

        The word stands where there is room: to the left of a point in the last third of the chart.
        """
        if not places:
            return self
        rows = [{"x": point(x), "y": point(y), "t": word, "w": more} for x, y, word, more in places]
        where = self._place()
        ring = {"type": "point", "shape": "circle", "size": 190, "strokeWidth": 2, "color": INK}
        ring |= {"filled": False, "opacity": 1}
        said = [tooltip("w", "crossing", text=True), tooltip("t", "from", text=True)]
        self._add("rings", rows, ring, where | {"tooltip": said})
        text = {"baseline": "bottom", "dy": -8, "fontWeight": "bold"}
        start, stop = self.x.domain or (0.0, math.inf)
        late = start + (stop - start) * 2 / 3
        early = [row for row, place in zip(rows, places, strict=True) if place[0] <= late]
        others = [row for row in rows if row not in early]
        if early:
            self._words("rings-early", early, text | {"align": "left", "dx": 8})
        return self._words("rings-late", others, text | {"align": "right", "dx": -8}) if others else self

    def stairs(self, series: Sequence[Series]) -> Self:
        """A dotted step line for each series: between two points it has the height of the later one."""
        rows = [row for line in series for row in line_rows(line)]
        mark = {"type": "line", "interpolate": "step-before", "strokeWidth": 2.5, "clip": True}
        mark |= {"strokeDash": [2, 3]}
        tint = self._palette(series)["color"]
        where = self._place()
        return self._add("stairs", rows, mark, where | {"color": tint, "order": field("x")})

    def labels(self, places: Sequence[tuple[float, float, str]], *, halo: bool = False) -> Self:
        """A word above and to the right of each point (x, y); a halo sets it off from lines."""
        rows = [{"x": point(x), "y": point(y), "t": word} for x, y, word in places]
        look = {"align": "left", "baseline": "bottom", "dx": 5, "dy": -4}
        if halo:
            return self._words("labels", rows, look)
        mark = {"type": "text", **look, "color": INK}
        return self._add("labels", rows, mark, self._place() | {"text": field("t", "nominal")})

    def level(self, value: float = 0, *, dashed: bool = False) -> Self:
        """A line across, at one height."""
        look = {"color": QUIET, "strokeDash": [4, 4]} if dashed else {"color": INK}
        mark = {"type": "rule"} | look
        return self._add("level", [{"y": value}], mark, {"y": self._up("y")})

    def upright(self, marks: Mapping[str, float], colours: Sequence[str]) -> Self:
        """Lines from top to bottom, each with its name and value in the legend."""
        names = [f"{name} {value:.3f}" for name, value in marks.items()]
        rows = [{"x": value, "m": name} for name, value in zip(names, marks.values(), strict=True)]
        tint = named("m", names, colours, self._key(names))
        encoding = {"x": self._across("x"), "color": tint, "tooltip": [tooltip("m", "threshold", text=True)]}
        self._apart = True
        return self._add("upright", rows, {"type": "rule", "strokeWidth": 2}, encoding)

    def steps(self, lines: Mapping[str, Sequence[tuple[float, float]]], colours: Sequence[str]) -> Self:
        """Step lines, each in its own colour: between two points a line has the height of the earlier one."""
        rows = [
            {"s": name, "x": point(x), "y": point(y)} for name, points in lines.items() for x, y in points
        ]
        tint = named("s", list(lines), colours, self._key(list(lines)))
        encoding = self._place() | {"color": tint}
        self._apart = True
        mark = {"type": "line", "interpolate": "step-after", "strokeWidth": 1.8}
        return self._add("steps", rows, mark, encoding)

    def dots(
        self,
        groups: Mapping[str, Sequence[tuple[float, float]]],
        shapes: Sequence[str],
        colours: Sequence[str],
        words: Mapping[tuple[float, float], str] | None = None,
    ) -> Self:
        """Points of several kinds, named in a legend of their own below the chart; a word for each is for the pointer."""
        rows = [{"x": x, "y": point(y), "k": name} for name, points in groups.items() for x, y in points]
        key = {"title": None, "orient": "bottom"}
        said = [tooltip("k", "kind", text=True), tooltip("x", flat(self.x.title)), tooltip("y", "score")]
        if words is not None:
            places = [place for points in groups.values() for place in points]
            rows = [row | {"w": words[place]} for row, place in zip(rows, places, strict=True)]
            said = [tooltip("w", "system", text=True), *said[:2], tooltip("y", self._y_title)]
        encoding = {
            **self._place(),
            "shape": named("k", list(groups), shapes, key),
            "color": named("k", list(groups), colours, key),
            "tooltip": said,
        }
        self._apart = True
        mark = {"type": "point", "size": 34, "filled": True, "opacity": 0.85}
        return self._add("dots", rows, mark, encoding)

    def shares(self, rows: Sequence[tuple[float, float, float, float, str]]) -> Self:
        """A point for each share (x, y) with its interval (low, high) from bottom to top, and a word beside it."""
        points = [
            {"x": point(x), "y": point(y), "l": point(low), "h": point(high), "t": word}
            for x, y, low, high, word in rows
        ]
        where = self._place()
        said = [tooltip("t", "answers", text=True), tooltip("y", self._y_title, ".2f")]
        said += [tooltip("l", "from", ".2f"), tooltip("h", "to", ".2f")]
        bar = {"type": "rule", "strokeWidth": 2, "color": INK, "opacity": 0.6}
        self._add("shares", points, bar, {"x": self._across("x"), **self._between()})
        dot = {"type": "point", "shape": "circle", "size": 80, "filled": True, "color": INK, "opacity": 1}
        self._add("shares", points, dot, where | {"tooltip": said})
        return self._words("shares", points, {"align": "left", "baseline": "middle", "dx": 7})

    def behind(self, spans: Iterable[tuple[str, int, float, float]]) -> Self:
        """Stretches of the background (name, position, start, stop) in the colours of their series."""
        given = list(spans)
        rows: list[Row] = [{"s": name, "a": start, "b": stop} for name, _, start, stop in given]
        colours = {name: colour(position) for name, position, _, _ in given}
        tint = named("s", list(colours), list(colours.values()), None)
        said = [tooltip("s", "better", text=True), tooltip("a", "from"), tooltip("b", "to")]
        encoding = {"x": self._across("a"), "x2": {"field": "b"}, "color": tint, "tooltip": said}
        return self._add("behind", rows, {"type": "rect", "opacity": 0.2}, encoding)

    def intervals(
        self, rows: Sequence[Interval], *, kinds: Mapping[str, tuple[str, str]] | None = None
    ) -> Self:
        """A row for each value with its interval; `kinds` gives each kind its colour and shape and is the legend."""
        points = [
            {"s": row.name, "x": row.value, "l": row.low, "h": row.high}
            | {"f": row.kind or row.name, "p": row.p}
            for row in rows
        ]
        names = [row.name for row in rows]
        looks = kinds or {row.name: (colour(row.position), "circle") for row in rows}
        key = self._key(list(looks)) if kinds else None
        tint = named("f", list(looks), [look[0] for look in looks.values()], key)
        form = named("f", list(looks), [look[1] for look in looks.values()], key)
        y = self._names(names)
        if kinds:
            self._add("zero", [{"x": 0}], {"type": "rule", "color": INK}, {"x": self._across("x")})
        said = [tooltip("s", "system" if not kinds else "pair", text=True)]
        form_of = "+.4f" if kinds else ".4f"
        said += [tooltip("x", "difference" if kinds else "value", form_of)]
        if any(row.low is not None for row in rows):
            said += [tooltip("l", "from", form_of), tooltip("h", "to", form_of)]
            rule = {"type": "rule", "strokeWidth": 3, "opacity": 0.45}
            ends: Spec = {"y": y, "x": self._across("l"), "x2": {"field": "h"}, "color": tint}
            self._add("intervals", points, rule, ends)
        said += [tooltip("p", "p", ".3g")] if kinds else []
        dots = {"type": "point", "filled": True, "size": 110, "opacity": 1}
        encoding: Spec = {"y": y, "x": self._across("x"), "color": tint, "shape": form, "tooltip": said}
        return self._add("intervals", points, dots, encoding)

    def bars(self, rows: Sequence[Row], series: Mapping[str, int]) -> Self:
        """Bars up and down: rows of n (their order), t (a label), d (the value) and s (the series it speaks for)."""
        tint = named("s", list(series), [colour(position) for position in series.values()], None)
        axis = {"labels": False, "ticks": False, "grid": False}
        across = field("n", "ordinal") | {"title": self.x.title, "axis": axis}
        said = [tooltip("t", "topic", text=True), tooltip("d", "difference", "+.4f")]
        encoding = {"x": across, "y": self._up("d"), "color": tint, "tooltip": said}
        self._add("bars", rows, {"type": "bar", "cursor": "pointer"}, encoding)
        return self._add("zero", [{"d": 0}], {"type": "rule", "color": INK}, {"y": self._up("d")})

    def strips(self, strips: Sequence[Strip], series: Mapping[str, int], nobody: str) -> Self:
        """A row of stretches for each pair, each in the colour of its series; grey, under the name `nobody`, for none."""
        rows = [
            {"p": strip.row, "s": strip.series or nobody, "a": point(strip.start), "b": point(strip.stop)}
            | {"f": f"{strip.first:g}", "t": f"{strip.last:g}"}
            for strip in strips
        ]
        leaders = [name for name in series if any(strip.series == name for strip in strips)]
        colours = [*(colour(series[name]) for name in leaders), UNKNOWN]
        tint = named("s", [*leaders, nobody], colours, self._key([*leaders, nobody]))
        said = [tooltip("p", "pair", text=True), tooltip("s", "better", text=True)]
        said += [tooltip("f", "readers from", text=True), tooltip("t", "to", text=True)]
        y = self._names(list(dict.fromkeys(strip.row for strip in strips)))
        encoding: Spec = {
            "x": self._across("a"),
            "x2": {"field": "b"},
            "y": y,
            "color": tint,
            "tooltip": said,
        }
        return self._add("strips", rows, {"type": "bar", "height": 16}, encoding)

    def spec(self) -> Spec:
        """The chart alone, as wide as its place."""
        chart = {"width": "container", "height": self.height, "autosize": {"type": "fit-x"}, **self._body("")}
        longest = {"letters": self._legend, "beside": self._beside}
        meta = {what: max(map(len, names), default=0) for what, names in longest.items()}
        return chart | {"config": theme(across=6, up=5), "datasets": self._rows, "usermeta": meta}

    def beside(self, prefix: str, width: int) -> tuple[Spec, dict[str, list[Row]]]:
        """The chart as a part of a larger one, and its rows under names that begin with the prefix."""
        rows = {f"{prefix}{name}": rows for name, rows in self._rows.items()}
        return {"width": width, "height": self.height, **self._body(prefix)}, rows

    def _body(self, prefix: str) -> Spec:
        layers = [layer | {"data": {"name": f"{prefix}{layer['data']['name']}"}} for layer in self._layers]
        if not self._apart:
            return {"layer": layers}
        # One legend for a line and its band, below the chart: above it is that of the other colours.
        below = {"bands": None, "lines": {"title": None, "orient": "bottom"}}
        for layer in layers:
            name = layer["data"]["name"].removeprefix(prefix)
            legends = {
                channel: layer["encoding"][channel] | {"legend": below[name]}
                for channel in ("color", "strokeDash")
                if name in below and layer["encoding"].get(channel, {}).get("legend")
            }
            layer["encoding"] = layer["encoding"] | legends
        channels = ("color", "shape", "strokeDash")
        return {"layer": layers, "resolve": {"scale": dict.fromkeys(channels, "independent")}}

    def _add(self, data: str, rows: Sequence[Row], mark: Spec, encoding: Spec, **more: Any) -> Self:
        self._rows.setdefault(data, list(rows))
        self._layers.append({"data": {"name": data}, "mark": mark, "encoding": encoding, **more})
        return self

    def _words(self, name: str, rows: Sequence[Row], look: Spec) -> Self:
        """The word t of each row beside its point, on a halo in the colour of the card that sets it off from lines."""
        halo = {"color": CARD, "stroke": CARD, "strokeWidth": 4, "strokeJoin": "round", "opacity": 0.85}
        for colours in (halo, {"color": INK}):
            text = {"type": "text"} | look | colours
            self._add(name, rows, text, self._place() | {"text": field("t", "nominal")})
        return self

    def _hover(self, name: str, where: Spec, said: list[Spec]) -> Self:
        mark = {"type": "point", "size": 120, "opacity": 0, "filled": True}
        return self._add(name, [], mark, where | {"tooltip": said}, name=HOVER)

    def _palette(self, series: Sequence[Series]) -> Spec:
        names = [line.name for line in series]
        key = self._key(names) if len(names) > 1 else None
        looks = {"color": colour, "shape": shape, "strokeDash": dash}
        return {
            channel: named("s", names, [look(line.position) for line in series], key)
            for channel, look in looks.items()
        }

    def _key(self, names: list[str]) -> Spec:
        self._legend += names
        return {"title": None}

    def _place(self) -> Spec:
        return {"x": self._across("x"), "y": self._up("y")}

    def _across(self, name: str) -> Spec:
        axis: Spec = {"grid": False}
        if self.x.percent:
            axis["format"] = "%"
        if self.x.whole:
            axis |= {"tickMinStep": 1, "format": "d"}
        if self.x.log and self.x.domain is not None:
            axis |= {"values": [rank for rank in _RANKS if rank <= self.x.domain[1]], "format": "d"}
        return field(name) | {"title": self.x.title, "scale": scale(self.x), "axis": axis}

    @property
    def _y_title(self) -> str:
        return "" if self.y is None else flat(self.y.title)

    def _up(self, name: str) -> Spec:
        if self.y is None:
            return field(name)
        axis = {"axis": {"format": "%"}} if self.y.percent else {}
        return field(name) | {"title": self.y.title, "scale": scale(self.y), **axis}

    def _between(self) -> Spec:
        return {"y": self._up("l"), "y2": {"field": "h"}}

    def _names(self, names: list[str]) -> Spec:
        self._beside += names
        axis = {"ticks": False, "domain": False, "grid": False, "labelColor": INK}
        return field("p" if self.y is None else "s", "nominal") | {"sort": names, "title": None, "axis": axis}
