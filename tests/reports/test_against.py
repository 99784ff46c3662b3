"""The section of a report that sets another tool's number beside ours."""

import pytest

import gainful
from gainful.errors import MeasureError, UsageError
from gainful.presentation.chart_files import rendered
from gainful.reports import report

QRELS = {f"q{number}": {"a": 3, "b": 1, "c": 0, "d": 2} for number in range(6)}
RUNS = {
    "early": {f"q{number}": {"a": 4.0, "b": 3.0, "x": 2.0} for number in range(6)},
    "late": {f"q{number}": {"b": 4.0, "x": 3.0, "d": 3.0, "a": 1.0} for number in range(6)},
}


@pytest.fixture(scope="module")
def made():
    return report(QRELS, RUNS, "nDCG@10", against="lightgbm")


def test_there_is_a_walk_for_each_system_the_best_first(made):
    walks = made["against"].walks
    ours = gainful.evaluate(QRELS, RUNS, "nDCG@10")
    theirs = gainful.evaluate(QRELS, RUNS, "ndcg@10", dialect="lightgbm")
    assert {walk.run for walk in walks} == {"early", "late"}
    for walk in walks:
        assert walk.values == (
            ours[walk.run].mean["nDCG@10"],
            pytest.approx(theirs[walk.run].mean["ndcg@10"]),
        )
        assert sum(step.share for step in walk.steps) == pytest.approx(walk.difference)
    best, other = (ours[walk.run].mean["nDCG@10"] for walk in walks)
    assert best > other


def test_the_table_has_a_column_for_each_convention_and_the_chart_a_bar(made):
    section = made["against"]
    (table,) = section.tables(4)
    titles = {step.title for walk in section.walks for step in walk.steps}
    assert set(table.table.heads[4:]) == titles
    drawn = [walk for walk in section.walks if walk.steps]
    for walk, figure in zip(drawn, section.figures(), strict=True):
        assert [row["p"] for row in figure.spec["datasets"]["bars"]] == [step.title for step in walk.steps]
        end = figure.spec["datasets"]["bars"][-1]["b"]
        assert end == pytest.approx(walk.values[1])
        assert b"<svg" in rendered(figure.spec, ".svg")


def test_settings_and_topics_of_the_report_are_ours():
    made = report(QRELS, RUNS, "nDCG@10", against="lightgbm", ties="worst", topics=["q1", "q2"])
    ours = gainful.evaluate(QRELS, RUNS, "nDCG@10", ties="worst", topics=["q1", "q2"])
    for walk in made["against"].walks:
        assert walk.values[0] == ours[walk.run].mean["nDCG@10"]
        assert walk.topics == 2


def test_a_tool_that_is_unknown_or_lacks_the_measure_is_refused():
    with pytest.raises(UsageError, match="did you mean lightgbm"):
        report(QRELS, RUNS, "nDCG@10", against="lihgtgbm")
    with pytest.raises(MeasureError, match="has no measure 'ERR@10'; it has"):
        report(QRELS, RUNS, "ERR@10", against="lightgbm")


def test_without_a_tool_there_is_no_such_section():
    assert "against" not in report(QRELS, RUNS, "nDCG@10").sections
