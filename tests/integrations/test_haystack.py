"""The evaluator in a real pipeline, against Haystack's own evaluators."""

from random import Random

import pytest

pytest.importorskip("haystack", reason="needs haystack-ai (make integrations)")

from haystack import Document, Pipeline
from haystack.components.evaluators import DocumentMAPEvaluator, DocumentMRREvaluator, DocumentNDCGEvaluator
from haystack.evaluation import EvaluationRunResult

from gainful.errors import MeasureError, UsageError
from gainful.integrations.haystack import RankingEvaluator


def made(questions=12):
    """Expected and retrieved documents, some of which are retrieved twice; one list is empty."""
    random = Random(7)
    expected, retrieved = [], []
    for _ in range(questions):
        ids = random.sample(range(50), 20)
        expected.append([Document(content=f"text {number}") for number in ids[:5]])
        retrieved.append([Document(content=f"text {number}") for number in random.choices(ids, k=10)])
    retrieved[3] = []
    return {"ground_truth_documents": expected, "retrieved_documents": retrieved}


@pytest.mark.parametrize(
    ("measure", "dialect", "theirs"),
    [
        ("RR", None, DocumentMRREvaluator),
        ("AP", None, DocumentMAPEvaluator),
        ("DocumentNDCGEvaluator", "haystack", DocumentNDCGEvaluator),
    ],
)
def test_it_gives_the_numbers_of_their_evaluators_where_these_mean_the_same(measure, dialect, theirs):
    data = made()
    ours, other = RankingEvaluator(measure, dialect=dialect).run(**data), theirs().run(**data)
    assert ours["individual_scores"] == pytest.approx(other["individual_scores"], abs=1e-9)
    assert ours["score"] == pytest.approx(other["score"], abs=1e-9)
    low, high = ours["interval"]
    assert low < ours["score"] < high


def test_in_a_pipeline_that_was_saved_it_feeds_their_report():
    pipeline = Pipeline()
    pipeline.add_component("ndcg", RankingEvaluator("nDCG@3", compare="meta.source.url"))
    pipeline = Pipeline.loads(pipeline.dumps(), allowed_modules=[RankingEvaluator.__module__])

    def page(url):
        return Document(content="same text", meta={"source": {"url": url}})

    data = {
        "ground_truth_documents": [[page("a"), page("b")], [page("c")]],
        "retrieved_documents": [[page("x"), page("a")], [page("c")]],
    }
    results = pipeline.run({"ndcg": data})
    ideal = 1 + 1 / 1.5849625007211562
    assert results["ndcg"]["individual_scores"] == pytest.approx([1 / 1.5849625007211562 / ideal, 1])
    report = EvaluationRunResult("run", inputs={"question": ["1", "2"]}, results=results)
    assert report.aggregated_report("json")["score"] == [pytest.approx(results["ndcg"]["score"])]


def test_grades_of_relevant_documents_are_their_scores():
    expected = [[Document(content="a", score=3.0), Document(content="b", score=1.0)]]
    data = {"ground_truth_documents": expected, "retrieved_documents": [[Document(content="b")]]}
    assert RankingEvaluator("CG@5").run(**data)["score"] == 1
    assert (
        RankingEvaluator("CG@5", compare="content").run(**data | {"retrieved_documents": expected})["score"]
        == 4
    )


def test_what_cannot_be_computed_is_refused_when_the_pipeline_is_built():
    with pytest.raises(MeasureError):
        RankingEvaluator("nDGC@10")
    with pytest.raises(UsageError, match="compare is"):
        RankingEvaluator("RR", compare="text")
