"""LlamaIndex: any measure in a retriever's evaluation, and its results as scores with intervals.

evaluator = RetrieverEvaluator(metrics=[metric("nDCG@10"), metric("AP")], retriever=retriever)
print(scores_of(await evaluator.aevaluate_dataset(dataset), "nDCG@10, AP"))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Unpack

from llama_index.core.evaluation import RetrievalEvalResult
from llama_index.core.evaluation.retrieval.metrics_base import BaseRetrievalMetric, RetrievalMetricResult

from gainful.errors import UsageError
from gainful.integrations.id_lists import in_order, score_lists
from gainful.judging.settings import Conventions
from gainful.measures import Measure
from gainful.scores import Scores


class RankingMetric(BaseRetrievalMetric):  # type: ignore[misc]
    """A measure of the ids that one query retrieved; `metric` makes one for each measure, since results go by its name."""

    metric_name: ClassVar[str]
    dialect: ClassVar[str | None] = None

    def compute(
        self,
        query: str | None = None,  # noqa: ARG002 (LlamaIndex's signature)
        expected_ids: list[str] | None = None,
        retrieved_ids: list[str] | None = None,
        *texts: Any,  # noqa: ARG002 (likewise)
        **more: Any,  # noqa: ARG002 (likewise)
    ) -> RetrievalMetricResult:
        """The value of one query."""
        if expected_ids is None or retrieved_ids is None:
            raise UsageError("expected and retrieved ids are needed; got None.")
        scores = score_lists([expected_ids], [retrieved_ids], self.metric_name, dialect=self.dialect)
        return RetrievalMetricResult(score=in_order(scores, scores.measures[0])[0])


def metric(measure: str | Measure, *, dialect: str | None = None) -> RankingMetric:
    """A measure as a metric of LlamaIndex; with `dialect="llama-index"` it has the names and numbers of LlamaIndex's own."""
    name = str(measure)
    score_lists([["a"]], [["a"]], name, dialect=dialect)  # a measure that is not known is refused now
    kinds = {"metric_name": ClassVar[str], "dialect": ClassVar[str | None]}
    fields = {"metric_name": name, "dialect": dialect, "__module__": __name__, "__annotations__": kinds}
    made: RankingMetric = type("RankingMetric", (RankingMetric,), fields)()
    return made


def scores_of(
    results: Sequence[RetrievalEvalResult] | Mapping[str, Sequence[RetrievalEvalResult]],
    measures: str | Measure | Iterable[str | Measure],
    *,
    dialect: str | None = None,
    **conventions: Unpack[Conventions],
) -> Scores:
    """Scores of the results of a retriever's evaluation, one for each query; or of several retrievers, by name.

    They know every query, so that `gainful.comparisons.compare_scores` can compare the retrievers.
    """
    systems = results if isinstance(results, Mapping) else {"run": results}
    first = next(iter(systems.values()))
    lists = {name: [result.retrieved_ids for result in each] for name, each in systems.items()}
    return score_lists(
        [result.expected_ids for result in first],
        lists,
        measures,
        questions=[result.query for result in first],
        dialect=dialect,
        **conventions,
    )
