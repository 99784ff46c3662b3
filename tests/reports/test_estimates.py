"""A report under a design: estimates with their intervals, bounds where there are none, and nothing of judged documents alone."""

import pytest

from gainful import compare, evaluate
from gainful.comparisons import Method
from gainful.comparisons.mean_intervals import mean_intervals
from gainful.errors import UsageError
from gainful.integrations.tracked_scores import named
from gainful.reports import report

TOPICS = [str(number) for number in range(1, 19)]
DOCUMENTS = [f"d{number}" for number in range(8)]
GRADES = {
    topic: {document: (place * int(topic)) % 3 for place, document in enumerate(DOCUMENTS)}
    for topic in TOPICS
}
DRAWN = {
    topic: {
        document: grade if (place + int(topic)) % 2 else -1
        for place, (document, grade) in enumerate(of.items())
    }
    for topic, of in GRADES.items()
}
DESIGN = {topic: dict.fromkeys(DOCUMENTS, 0.5) for topic in TOPICS}
RUNS = {
    "good": {
        topic: {document: float(grade) for document, grade in of.items()} for topic, of in GRADES.items()
    },
    "poor": {
        topic: {document: float(-place) for place, document in enumerate(of)} for topic, of in GRADES.items()
    },
}
MEASURES = "DCG@4, RR, R@4"


@pytest.fixture(scope="module")
def page():
    return report(DRAWN, RUNS, MEASURES, design=DESIGN)


def test_the_verdict_and_the_pairs_are_those_of_compare(page):
    compared = compare(DRAWN, RUNS, MEASURES, design=DESIGN)
    assert page["verdict"].headline == compared.verdict.headline
    assert "estimated from 72 judgments drawn with known probabilities" in page["verdict"].headline
    ours = {
        (pair.measure, pair.a, pair.b): (pair.difference, pair.interval)
        for pair in page["pairs"].comparison.pairs
    }
    assert ours == {
        (pair.measure, pair.a, pair.b): (pair.difference, pair.interval) for pair in compared.pairs
    }


def test_means_and_intervals_are_those_of_evaluate_and_a_measure_without_an_estimate_has_bounds(page):
    scores = evaluate(DRAWN, RUNS, MEASURES, design=DESIGN)
    for run in scores:
        for measure in ("DCG@4",):
            cell = page["scores"].cell(run.name, measure)
            assert cell.mean == run.mean[measure]
            assert (cell.low, cell.high) == pytest.approx(run.intervals[measure])
        bounded = page["scores"].cell(run.name, "RR")
        assert bounded.mean != bounded.mean
        assert (bounded.low, bounded.high) == run.intervals["RR"]
    (caption,) = [table.caption for table in page.tables() if table.name == "intervals"]
    assert caption.startswith("RR and R@4 have no interval: low and high are bounds")
    assert "DCG@4" in [str(lead.measure) for lead in page["verdict"].leads]
    assert "RR" not in [str(lead.measure) for lead in page["verdict"].leads]


def test_an_interval_of_estimates_is_not_bent_into_the_bounds_of_the_measure():
    runs = {"good": RUNS["good"], "poor": RUNS["poor"]}
    page = report(DRAWN, runs, "P@4", design=DESIGN, estimator="ht", method=Method(alpha=0.001))
    assert page["scores"].cell("good", "P@4").high > 1


def test_what_rests_on_judged_documents_alone_is_left_out(page):
    assert [name for name in ("curves", "readers", "against") if name in page] == []
    assert page["data"].findings is None
    assert not any("count as not relevant" in line for line in page["verdict"].caveats)
    assert page["topics"].lists.measures == ()
    assert set(page["data"].grades) == {0, 1, 2}  # −1 is a document that was not drawn
    plain = report(GRADES, RUNS, "DCG@4")
    assert "curves" in plain
    assert plain["topics"].lists.measures != ()


def test_the_page_says_how_documents_were_drawn(page):
    html = page.html()
    assert "Values are estimated from 72 judgments drawn with probability 0.50" in html
    assert "95 % confidence intervals, for topics and documents" in html
    assert "estimated from" not in report(GRADES, RUNS, "DCG@4").html()


def test_one_run_is_reported_with_its_estimates():
    page = report(DRAWN, {"good": RUNS["good"]}, "DCG@4", design=DESIGN)
    assert page["verdict"].headline.startswith("good scores ")


@pytest.mark.parametrize(
    ("measures", "design", "more", "said"),
    [
        ("RR, DCG@4", DESIGN, {}, "RR has no interval .* put one first that has"),
        ("DCG@4", DESIGN, {"against": "beir"}, "estimates have none"),
    ],
)
def test_what_estimates_do_not_have_is_refused(measures, design, more, said):
    with pytest.raises(UsageError, match=said):
        report(DRAWN, RUNS, measures, design=design, **more)


def test_documents_that_were_chosen_have_bounds_and_no_report(tmp_path):
    (tmp_path / "pool.jsonl").write_text(
        '{"topic": "1", "document": "d0", "batch": 1, "reason": "depth 1"}\n'
    )
    with pytest.raises(
        UsageError, match=r"chosen by other means than chance, so that systems have bounds and no order"
    ):
        report({"1": {"d0": 1}}, {"a": {"1": {"d0": 1.0}}}, "DCG@4", design=tmp_path)


def test_bounds_are_no_confidence_intervals_for_trackers_and_have_no_ranks():
    scores = evaluate(DRAWN, RUNS, MEASURES, design=DESIGN)
    assert [sorted(mean_intervals(run)) for run in scores] == [["DCG@4"], ["DCG@4"]]
    assert [name for name in named(scores["good"]) if name.endswith("_low")] == ["DCG@4_low"]
    four = {f"{name} {number}": run for name, run in RUNS.items() for number in (1, 2)}
    section = report(DRAWN, four, "DCG@4, R@4", design=DESIGN)["scores"]
    assert section.cell("good 1", "R@4").ranks is None
    assert section.cell("good 1", "DCG@4").ranks is not None


def test_another_kind_of_interval_is_for_differences_and_the_page_says_so():
    stated = report(DRAWN, RUNS, "DCG@4", design=DESIGN, method=Method(interval="percentile"))[
        "scores"
    ].stated
    assert "intervals of means: Student's t, for skewness; percentile is for differences alone" in stated
    assert "for skewness" not in report(DRAWN, RUNS, "DCG@4", design=DESIGN)["scores"].stated
