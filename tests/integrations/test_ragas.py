"""Metrics in ragas' own evaluation of a data set, against its metrics by id."""

import pytest

pytest.importorskip("ragas", reason="needs ragas (make integrations)")

from ragas import EvaluationDataset, evaluate
from ragas.metrics._context_precision import IDBasedContextPrecision
from ragas.metrics._context_recall import IDBasedContextRecall

from gainful.comparisons import compare_scores
from gainful.integrations.ragas import metric, scores_of

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
SAMPLES = [
    {"user_input": "one", "retrieved_context_ids": ["a", "b"], "reference_context_ids": ["b", "c"]},
    {"user_input": "two", "retrieved_context_ids": [3, 1, 2, 1], "reference_context_ids": [1, 2]},
    {"user_input": "three", "retrieved_context_ids": ["x"], "reference_context_ids": ["y"]},
]


def test_evaluate_computes_measures_beside_its_own():
    ours = [metric("RR"), metric("SetP"), metric("id_based_context_recall", dialect="ragas")]
    result = evaluate(
        EvaluationDataset.from_list(SAMPLES),
        metrics=[*ours, IDBasedContextPrecision()],
        show_progress=False,
        llm=None,
    )
    table = result.to_pandas()
    assert list(table["RR"]) == [1 / 2, 1 / 2, 0]
    recall = [
        IDBasedContextRecall().single_turn_score(sample) for sample in EvaluationDataset.from_list(SAMPLES)
    ]
    assert list(table["id_based_context_recall"]) == recall == [1 / 2, 1, 0]
    assert list(table["id_based_context_precision"]) == pytest.approx([1 / 2, 2 / 3, 0])


def test_data_sets_become_scores_with_the_questions_that_can_be_compared():
    better = [{**sample, "retrieved_context_ids": sample["reference_context_ids"]} for sample in SAMPLES]
    datasets = {"old": EvaluationDataset.from_list(SAMPLES), "new": EvaluationDataset.from_list(better)}
    scores = scores_of(datasets, "RR, AP")
    assert scores["old"].mean["AP"] == pytest.approx((1 / 4 + (1 / 2 + 2 / 3) / 2 + 0) / 3)
    assert scores["new"].mean == {"RR": 1, "AP": 1}
    assert scores.queries["3"] == "three"
    assert compare_scores(scores).pair("RR", "old", "new").difference == pytest.approx(2 / 3)
