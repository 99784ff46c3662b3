"""A report as text, Markdown, LaTeX, JSON and files of figures."""

import csv
import io
import json

import pytest
from msgspec.structs import replace

import gainful
from gainful.errors import DataError, UsageError
from gainful.reports import report
from gainful.reports.simulation_records import CutoffCurve, read_simulation
from gainful.reports.simulation_section import _utility_curve

from .conftest import graded, ranked, three_runs


def test_text_begins_with_the_verdict_and_ends_with_the_command(small):
    lines = small.text().splitlines()
    assert lines[0] == "early, late and poor on 8 topics"
    assert lines[3] == small["verdict"].headline
    assert lines[-1] == "gainful report qrels.txt early.run"


def test_markdown_has_a_heading_for_each_table(small):
    text = small.markdown()
    assert text.startswith("# early, late and poor on 8 topics\n")
    for table in small.tables():
        assert f"## {table.title}" in text


def test_latex_raises_the_letters(small):
    cell = small["scores"].cell(small["scores"].systems[0], "nDCG@5")
    assert f"{cell.mean:.4f}\\textsuperscript{{{cell.letters}}}" in small.latex()


def test_json_has_the_numbers_of_evaluate_and_compare(small):
    made = json.loads(small.json())
    scores = gainful.evaluate(graded(), three_runs(), "nDCG@5, AP, P@2")
    for system in made["scores"]["systems"]:
        for measure, value in system["measures"].items():
            assert value["mean"] == scores[system["name"]].mean[measure]
    assert made["pairs"]["comparisons"][0]["p_value"] == small["pairs"].pairs("nDCG@5")[0].p_value
    assert made["verdict"]["headline"] == small["verdict"].headline
    assert made["data"]["qrels"]["judgments"] == 48


def test_long_tables_are_cut_for_people_alone():
    made = report(graded(80), ranked({str(n): "d1 x" for n in range(1, 81)}), "RR")
    assert "… 20 more; JSON and CSV have them all" in made.text()
    (topics,) = [table for table in made.tables() if table.name == "topics"]
    assert len(list(csv.reader(io.StringIO(topics.table.csv())))) == 81


def test_an_unknown_format_is_refused(small):
    with pytest.raises(UsageError, match="format must be one of html, json"):
        small.view("docx")


def test_figures_are_files_that_are_not_replaced(tmp_path):
    made = report({"1": {"a": 1}, "2": {"b": 1}}, ranked({"1": "a x", "2": "x b"}), "RR")
    folder = tmp_path / "figures"
    written = made.figures(str(folder))
    assert sorted(path.name for path in folder.iterdir()) == sorted(written)
    assert {"means.svg", "ndcg-by-rank.pdf", "precision-recall.png", "scores.csv", "scores.tex"} <= set(
        written
    )
    assert (folder / "means.pdf").read_bytes().startswith(b"%PDF")
    assert (folder / "means.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "means.svg").read_text(encoding="utf-8").startswith("<svg")
    assert next(csv.DictReader((folder / "scores.csv").read_text().splitlines()))["RR"] == repr(0.75)
    with pytest.raises(UsageError, match="already exists"):
        made.figures(str(folder))


@pytest.fixture(scope="module")
def simulation(tmp_path_factory):
    """What the command writes for the stream of the demo."""
    from gainful.filtering import demo
    from gainful.filtering.simulation_output import json as as_json
    from gainful.filtering.simulation_run import simulate

    stream = demo.demo(documents=400, seed=7)
    made = simulate(
        stream.documents, stream.topics, stream.qrels, rules=("beta_gamma", "optimum"), examples=0, trace=1
    )
    path = tmp_path_factory.mktemp("filter") / "simulation.json"
    path.write_text(as_json(made), encoding="utf-8")
    return path, made


def test_a_simulation_is_read_as_it_was_made(simulation):
    path, made = simulation
    found = read_simulation(str(path))
    for row in found.rows:
        assert dict(row.mean) == pytest.approx(made[row.name].scores.mean, nan_ok=True)
        assert row.utility_so_far[-1][1] == pytest.approx(
            sum(one["utility"] for one in made[row.name].over_time)
        )
    trace = found.traces[0]
    last = made.traces[trace.row, trace.topic].last
    assert trace.last.theta == last.theta
    assert max(trace.curve.utility) == last.curve.utility.max()
    assert found.best.name in found.headline


@pytest.mark.parametrize("price", [1, 0.01])
def test_a_curve_is_drawn_around_nothing_where_no_cutoff_is_worth_more(simulation, price):
    scores, utilities = zip(*((0.9 - 0.01 * one, -price * one) for one in range(1, 41)), strict=True)
    trace = replace(read_simulation(str(simulation[0])).traces[0], curve=CutoffCurve(0.0, scores, utilities))
    layers = _utility_curve(trace, "curve").spec["layer"]
    low, high = next(one["encoding"]["y"]["scale"]["domain"] for one in layers if "y" in one["encoding"])
    assert low == pytest.approx(-10 * price, rel=0.1)  # the first ten cutoffs
    assert 0 < high < 2 * price


def test_a_rule_that_is_worth_nothing_is_not_called_worth_most(simulation):
    found = read_simulation(str(simulation[0]))
    still = tuple(replace(one, utility=0.0) for one in found.rows[0].over_time)
    level = replace(found, rows=tuple(replace(row, over_time=still) for row in found.rows))
    assert level.headline == "No rule is worth more to its readers than delivering nothing."


def test_a_page_on_a_simulation_alone(simulation):
    made = report(simulation=simulation[0])
    assert made.title == "3 rules on one stream"  # two that learn, and delivering nothing
    html = made.html()
    for name in ("utility", "theta", "utility-curve-1", "threshold-1"):
        assert f'id="figure-{name}"' in html
    assert 'id="verdict"' not in html
    assert "theta_opt" in html
    assert made["filtering"].simulated.headline in made.text()


def test_a_calibrated_rule_has_its_expected_utility_and_its_predictions_on_the_page(tmp_path):
    from gainful.filtering import demo
    from gainful.filtering.reliability import reliability
    from gainful.filtering.simulation_output import json as as_json
    from gainful.filtering.simulation_run import simulate

    stream = demo.demo(documents=400, seed=7)
    made = simulate(stream.documents, stream.topics, stream.qrels, rules="expected", examples=0, trace=1)
    path = tmp_path / "simulation.json"
    path.write_text(as_json(made), encoding="utf-8")
    (trace,) = read_simulation(str(path)).traces
    assert trace.calibration == reliability(made.traces[trace.row, trace.topic].last)
    page = report(simulation=path).html()
    for words in ('id="figure-reliability-1"', "expected utility", "1 in N documents scores as high"):
        assert words in page
    whole = json.loads(path.read_text())
    whole["traces"][0]["curve"]["expected"]["low"].pop()
    path.write_text(json.dumps(whole))
    with pytest.raises(DataError, match="utilities in a curve"):
        read_simulation(str(path))


def test_a_simulation_whose_curve_lost_a_point_is_refused(simulation, tmp_path):
    whole = json.loads(simulation[0].read_text())
    whole["traces"][0]["curve"]["score"].pop()
    (tmp_path / "less.json").write_text(json.dumps(whole))
    with pytest.raises(
        DataError, match=r"less.json is not what .* writes: \d+ scores and \d+ utilities in a curve"
    ):
        read_simulation(str(tmp_path / "less.json"))


def test_what_is_no_simulation_is_refused(tmp_path):
    path = tmp_path / "other.json"
    path.write_text('{"gainful": "0", "runs": []}')
    with pytest.raises(DataError, match="is not what `gainful filter simulate -f json` writes"):
        report(simulation=path)
    with pytest.raises(DataError, match="there is no such file"):
        report(simulation=tmp_path / "none.json")


def test_every_chart_is_vega_lite(small, simulation):
    """The schema is asked here, as it is not while a page is made."""
    import altair

    for made in (small, report(simulation=simulation[0])):
        figures = made.charts()
        assert figures
        for figure in figures:
            few = {
                name: rows[:3] for name, rows in figure.spec["datasets"].items()
            }  # all have the same fields
            chart = altair.LayerChart.from_dict(figure.spec | {"width": 600, "datasets": few}, validate=True)
            assert chart.to_dict(validate=False)["datasets"].keys() == figure.spec["datasets"].keys()
