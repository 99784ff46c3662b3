"""Charts put together from points."""

import json
import re

import numpy as np
import pytest

from gainful.curves import Curve
from gainful.curves.curve_output import curve_panel
from gainful.presentation.chart_files import altair_chart, rendered
from gainful.presentation.chart_parts import SERIES, Axis, Interval, Series, Strip, colour, panels
from gainful.presentation.charts import HOVER, Panel

X, Y = Axis("rank", (1, 3)), Axis("P")
LINE = [(1, 1.0), (2, 0.5), (3, float("nan"))]


def colours(spec):
    """The colour of each name in every layer of a chart."""
    found = {}
    for layer in spec["layer"]:
        scale = layer["encoding"].get("color", {}).get("scale", {})
        for name, shade in zip(scale.get("domain", []), scale.get("range", []), strict=True):
            found.setdefault(name, set()).add(shade)
    return found


def every_panel():
    """Each block once."""
    yield Panel(X, Y).lines([Series("a", 0, LINE), Series("b", 4, LINE, [(1, 0.5, 1), (2, 0.1, 0.9)])])
    yield (
        Panel(X, Y)
        .ideal(LINE)
        .level(0)
        .lines([Series("a", 0, LINE)], step="step-before")
        .rings([(1, 1, "rank 1", "more")])
    )
    yield Panel(X, Y).lines([Series("b", 4, LINE)]).stairs([Series("b", 4, LINE)]).labels([(1, 1.0, "5")])
    yield Panel(X, Y).behind([("b", 4, 1, 2)]).lines([Series("a", 0, LINE)], marks=False)
    yield Panel(X, Y).intervals([Interval("a", 0.5, 0.4, 0.6), Interval("b", 0.2, None, None, position=4)])
    yield Panel(X, Y).intervals(
        [Interval("b − a", 0.5, 0.4, 0.6, kind="sure", p=0.01)], kinds={"sure": ("#000000", "circle")}
    )
    yield Panel(X, Y).bars([{"n": 0, "t": "q1", "d": 0.5, "s": "b"}], {"a": 0, "b": 4})
    yield Panel(X).strips(
        [Strip("a or b", "b", 1, 2, 1, 2), Strip("a or b", "", 2, 3, 2, 3)],
        {"a": 0, "b": 4},
        "not significant",
    )
    yield Panel(X, Y).steps({"theta": LINE}, ["#000000"]).dots({"good": LINE[:2]}, ["circle"], ["#111111"])
    yield Panel(X, Y).lines([Series("a", 0, LINE)]).upright({"theta": 1.5}, ["#000000"])


def test_a_system_has_the_colour_of_its_position_in_every_chart():
    for panel in every_panel():
        for name, shades in colours(panel.spec()).items():
            if name in ("a", "b"):
                assert shades == {colour({"a": 0, "b": 4}[name])}
    assert len({colour(position) for position in range(len(SERIES))}) == len(SERIES)


@pytest.mark.parametrize("last", [2, 3, 5, 9, 21, 100])
def test_ranks_have_whole_ticks(last):
    curve = Curve("a", None, "rank", "P", np.array([[rank, 1 / rank] for rank in range(1, last + 1)]))
    spec = curve_panel([curve], {"a": 0}).spec() | {"width": 600}
    words = re.findall(r"<text[^>]*>([^<]*)</text>", rendered(spec, ".svg").decode())
    ticks = words[: words.index("rank")]
    assert len(ticks) >= 2
    assert all(tick.isdigit() and 1 <= int(tick) <= last for tick in ticks)


def test_every_block_is_vega_lite():
    altair = pytest.importorskip("altair")
    for panel in every_panel():
        altair.LayerChart.from_dict(panel.spec() | {"width": 600}, validate=True)
    both = panels([[panel] for panel in every_panel()], title="all", subtitle=["of", "them"], width=300)
    altair.VConcatChart.from_dict(both, validate=True)
    assert altair_chart(both).to_dict()["title"]["text"] == "all"


def test_points_without_a_value_are_left_out():
    spec = Panel(X, Y).lines([Series("a", 0, LINE)]).spec()
    assert [row["x"] for row in spec["datasets"]["lines"]] == [1, 2]


def test_a_long_line_keeps_its_ends_and_no_more_points_than_can_be_seen():
    points = [(x, 1 / x) for x in range(1, 10_001)]
    lines = Panel(X, Y).lines([Series("a", 0, points)]).spec()["datasets"]["lines"]
    assert len(lines) <= 601
    assert [lines[0]["x"], lines[-1]["x"]] == [1, 10_000]


def test_the_json_of_a_chart_is_its_spec_and_a_picture_has_no_layers_for_the_pointer():
    pytest.importorskip("vl_convert")
    spec = Panel(X, Y).lines([Series("<b>", 0, LINE), Series("c", 1, LINE)]).spec()
    assert json.loads(rendered(spec, ".json"))["layer"] == spec["layer"]
    assert HOVER in json.dumps(spec)
    assert b"<b>" not in rendered(spec, ".html")
    assert rendered(spec, ".svg").startswith(b"<svg")
