"""How a simulation is shown: tables, CSV, JSON, comparisons of rules, charts."""

import csv
import io
import json
import sys

import numpy as np
import pytest

from gainful.errors import UsageError
from gainful.filtering import Analyzer
from gainful.filtering import simulation_output as views
from gainful.filtering import threshold_charts as charts
from gainful.filtering.simulation_output import compared
from gainful.presentation.chart_files import ready, rendered
from gainful.presentation.charts import HOVER

# ---- views -----------------------------------------------------------------------------------------------------------


def test_the_table_names_what_it_shows(simulation):
    lines = views.table(simulation).splitlines()
    assert lines[0].split() == [
        "rule",
        "T11SU",
        "T11F",
        "T11U",
        "SetP",
        "SetR",
        "deliveries",
        "silent",
        "negative",
    ]
    assert lines[2].startswith("beta_gamma(gamma=0.01)")
    assert "8 topics · 800 documents after 100 of reference · 2 to 3 examples a topic · utility 2,-1" in lines
    assert "|" in views.markdown(simulation)


def test_csv_has_every_value_in_full(simulation):
    rows = list(csv.DictReader(io.StringIO(views.long_csv(simulation, per_topic=True))))
    found = {(row["rule"], row["topic"], row["measure"]): row["value"] for row in rows}
    assert float(found["zero", "all", "T11SU"]) == simulation["zero"].scores.mean["T11SU"]
    assert float(found["zero", "chess", "T11U"]) == simulation["zero"].scores.per_topic["chess"]["T11U"]
    assert float(found["none", "all", "silent"]) == 8


def test_json_has_everything_that_a_report_needs(simulation):
    whole = json.loads(views.json(simulation, per_topic=True, against=compared(simulation)))
    assert whole["kind"] == "filter simulation"
    assert whole["settings"]["reference"] == 100
    assert whole["settings"]["epoch_ends"] == [200, 400, 800, 900]
    assert whole["settings"]["text"] == {
        "language": "english",
        "stop": True,
        "title_weight": 1,
        "body_weight": 1,
    }
    assert whole["settings"]["utility"] == {"credit": 2, "cost": -1, "missed": 0, "avoided": 0}
    assert [row["name"] for row in whole["rows"]] == [row.name for row in simulation.rows]
    first = whole["rows"][0]
    assert first["rule"] == {"name": "beta_gamma", "beta": 0.4, "gamma": 0.01, "share": 0.005}
    assert first["profile"]["name"] == "regression"
    assert len(first["over_time"]) == 8
    garden = first["per_topic"]["garden"]
    assert len(garden["delivered"]) == garden["NumRet"]
    assert len(garden["theta"]) == 8
    assert whole["comparisons"]["baseline"] == "beta_gamma(gamma=0.01)"
    assert len(whole["comparisons"]["pairs"]) == 5
    assert "per_topic" not in json.loads(views.json(simulation))["rows"][0]


def test_rules_are_compared_pair_by_pair_on_the_same_topics(simulation):
    found = compared(simulation)
    assert {(pair.a, pair.b) for pair in found.pairs} == {
        ("beta_gamma(gamma=0.01)", row.name) for row in simulation.rows[1:]
    }
    nothing = next(pair for pair in found.pairs if pair.b == "none")
    expected = np.mean([one["T11SU"] for one in simulation["none"].scores.per_topic.values()]) - np.mean(
        [one["T11SU"] for one in simulation.rows[0].scores.per_topic.values()]
    )
    assert nothing.difference == pytest.approx(expected)
    assert nothing.p_value < 0.05
    lines = views.table(simulation, against=found).splitlines()
    assert lines[0].split()[-1] == "p"
    assert lines[2].split()[-1] == "–"
    with pytest.raises(UsageError, match="there is no row 'x' to compare with"):
        compared(simulation, baseline="x")


def test_what_happens_over_time_is_told_in_parts(simulation):
    lines = views.over_time(simulation, "zero", parts=4).splitlines()
    assert len(lines) == 2 + 4
    assert lines[2].startswith("100 to 300")


# ---- charts ----------------------------------------------------------------------------------------------------------


def data_of(spec, mark):
    """The data of each layer with this kind of mark."""
    layers = [one for one in spec["layer"] if one["mark"]["type"] == mark and one.get("name") != HOVER]
    return [spec["datasets"][one["data"]["name"]] for one in layers]


def test_the_curve_has_its_three_marks(simulation):
    threshold = simulation.trace("beta_gamma", "garden").last
    spec = charts.utility_curve(threshold)
    marks = next(one for one in data_of(spec, "rule") if "m" in one[0])
    assert {one["m"].split()[0]: one["x"] for one in marks} == {
        "theta_zero": threshold.theta_zero,
        "theta": threshold.theta,
        "theta_opt": threshold.theta_opt,
    }
    (points,) = data_of(spec, "line")
    assert max(one["y"] for one in points) == threshold.curve.utility.max()


def test_the_threshold_over_time_has_every_delivery(simulation):
    replay = simulation.trace("zero", "garden")
    spec = charts.threshold_over_time(replay, relevant=simulation.relevant_to("garden"))
    (points,) = data_of(spec, "point")
    assert sorted(one["x"] for one in points) == replay.deliveries.tolist()
    good = [one["x"] for one in points if one["k"] == "delivered, relevant"]
    assert set(good) == simulation.relevant_to("garden") & set(replay.deliveries.tolist())


def test_utility_over_time_ends_at_the_whole(simulation):
    (values,) = data_of(charts.utility_over_time(simulation), "line")
    last = {one["s"]: one["y"] for one in values if one["x"] == 900}
    assert last["zero"] == pytest.approx(simulation["zero"].scores.mean["T11U"] * 8)
    assert "hindsight: beta_gamma(gamma=0.01)" not in last


@pytest.mark.parametrize(("suffix", "head"), [(".svg", b"<svg"), (".png", b"\x89PNG"), (".pdf", b"%PDF")])
def test_charts_are_drawn(simulation, suffix, head):
    _, chart = next(iter(charts.pictures(simulation)))
    assert rendered(chart, suffix).lstrip().startswith(head)


def test_every_traced_topic_has_two_pictures_for_each_rule(simulation):
    names = [name for name, _ in charts.pictures(simulation)]
    assert names[0] == "utility-over-time"
    assert len(names) == 1 + 2 * 4
    with pytest.raises(UsageError, match="was not traced"):
        simulation.trace("zero", "chess")


def test_charts_and_stems_name_the_package_they_need(simulation, monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(UsageError, match="pip install altair vl-convert-python"):
        ready()
    monkeypatch.setitem(sys.modules, "Stemmer", None)
    with pytest.raises(UsageError, match="pip install PyStemmer"):
        Analyzer()
    assert Analyzer(None).terms("as they are") == ["as", "they", "are"]
