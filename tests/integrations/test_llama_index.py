"""Metrics in a real retriever's evaluation, against LlamaIndex's own."""

import pytest

pytest.importorskip("llama_index.core", reason="needs llama-index-core (make integrations)")

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.evaluation import RetrieverEvaluator
from llama_index.core.evaluation.retrieval.metrics import MRR, NDCG, AveragePrecision, Recall
from llama_index.core.schema import NodeWithScore, TextNode

from gainful.comparisons import compare_scores
from gainful.errors import MeasureError, UsageError
from gainful.integrations.llama_index import metric, scores_of

QUERIES = {f"q{number}": f"question {number}" for number in range(8)}
RELEVANT = {query: [f"d{number}", f"d{number + 1}"] for number, query in enumerate(QUERIES)}
CORPUS = {f"d{number}": f"text {number}" for number in range(9)}


class Fixed(BaseRetriever):
    """Retrieves the documents of the question's number and some steps on."""

    def __init__(self, *steps):
        self.steps = steps
        super().__init__()

    def _retrieve(self, query_bundle):
        number = int(query_bundle.query_str.split()[1])
        ids = [f"d{(number + step) % 9}" for step in self.steps]
        return [NodeWithScore(node=TextNode(id_=id_, text=CORPUS[id_]), score=1.0) for id_ in ids]


def evaluated(metrics, *steps):
    evaluator = RetrieverEvaluator(metrics=metrics, retriever=Fixed(*steps))
    return [evaluator.evaluate(QUERIES[query], ids) for query, ids in RELEVANT.items()]


def test_metrics_have_the_values_of_their_own_in_one_evaluation():
    ours = [metric("RR"), metric("AP"), metric("ndcg", dialect="llama-index"), metric("R@10")]
    for result in evaluated([*ours, MRR(), AveragePrecision(), Recall()], 5, 1, 0, 3):
        values = result.metric_vals_dict
        assert values["RR"] == values["mrr"] == 1 / 2
        assert values["AP"] == pytest.approx(values["ap"])
        assert values["R@10"] == values["recall"] == 1
        theirs = NDCG().compute(expected_ids=result.expected_ids, retrieved_ids=result.retrieved_ids)
        assert values["ndcg"] == pytest.approx(theirs.score)


def test_results_become_scores_that_can_be_compared():
    results = {"near": evaluated([metric("RR")], 0, 1), "far": evaluated([metric("RR")], 5, 6, 1)}
    scores = scores_of(results, "RR")
    assert {run.name: run.mean["RR"] for run in scores} == {"near": 1, "far": pytest.approx(1 / 3)}
    assert dict(scores.queries)["1"] == "question 0"
    assert "near is better than far" in str(compare_scores(scores).verdict)


def test_an_empty_list_and_a_question_without_answers_count_as_nothing():
    nothing = metric("nDCG@10")
    assert nothing.compute(expected_ids=["a"], retrieved_ids=[]).score == 0
    assert nothing.compute(expected_ids=[], retrieved_ids=["a"]).score == 0
    with pytest.raises(UsageError, match="expected and retrieved ids"):
        nothing.compute(query="q", retrieved_ids=["a"])
    with pytest.raises(MeasureError):
        metric("nDGC@10")
