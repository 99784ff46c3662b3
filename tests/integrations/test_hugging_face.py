"""The metric as `evaluate` loads it, from its file and without the Hub."""

import pytest

evaluate = pytest.importorskip("evaluate", reason="needs evaluate (make integrations)")

from gainful.comparisons.mean_intervals import mean_intervals
from gainful.integrations.hugging_face import PATH
from gainful.integrations.id_lists import score_lists


@pytest.fixture
def metric(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return evaluate.load(PATH, cache_dir=str(tmp_path))


def test_ids_are_scored_with_intervals_in_batches_too(metric):
    retrieved, relevant = [["x", "a"], ["a"], ["b", "x", "c"]], [["a"], ["a", "b"], ["c"]]
    computed = metric.compute(predictions=retrieved, references=relevant, measures="RR, nDCG@10")
    assert computed["RR"] == pytest.approx((1 / 2 + 1 + 1 / 3) / 3)
    ends = mean_intervals(score_lists(relevant, retrieved, "RR").runs[0])["RR"]
    assert (computed["RR_low"], computed["RR_high"]) == pytest.approx(ends)
    for prediction, reference in zip(retrieved, relevant, strict=True):
        metric.add(prediction=prediction, reference=reference)
    assert metric.compute(measures="RR, nDCG@10") == pytest.approx(computed)


def test_references_may_have_grades_and_the_numbers_may_be_another_tools(metric):
    graded = [[{"id": "a", "grade": 3.0}, {"id": "b", "grade": 1.0}]]
    assert metric.compute(predictions=[["b", "a"]], references=graded, measures="CG@1")["CG@1"] == 1
    own = metric.compute(
        predictions=[["b", "a"]], references=[["a"]], measures="map@10", dialect="sentence-transformers"
    )
    assert own["map@10"] == 1 / 2
