"""Haystack: an evaluator of retrieved documents, for any measure, with the confidence interval of its mean.

pipeline.add_component("ndcg", RankingEvaluator("nDCG@10"))
pipeline.run({"ndcg": {"ground_truth_documents": expected, "retrieved_documents": found}})["ndcg"]["interval"]
"""

from __future__ import annotations

from typing import Any

from haystack import Document, component, default_from_dict, default_to_dict

from gainful.comparisons.mean_intervals import mean_intervals
from gainful.errors import UsageError
from gainful.integrations.id_lists import in_order, score_lists
from gainful.measures import Measure


@component
class RankingEvaluator:
    """A measure of retrieved documents; inputs and outputs are those of Haystack's own evaluators, and `interval`.

    measure  as text or as an object: "nDCG@10", AP(rel=2)
    compare  what tells that two documents are one: "content", "id", or "meta.NAME"
    dialect  "haystack" gives the numbers of Haystack's own evaluators, whose names are then the measures

    A relevant document's grade is its `score`; where no document of a question has one, each counts as 1.
    """

    def __init__(
        self, measure: str | Measure = "nDCG@10", *, compare: str = "content", dialect: str | None = None
    ) -> None:
        if compare not in ("content", "id") and not compare.startswith("meta."):
            raise UsageError(f'compare is "content", "id", or "meta.NAME"; got {compare!r}.')
        self.measure, self.compare, self.dialect = str(measure), compare, dialect
        score_lists(
            [["a"]], [["a"]], self.measure, dialect=dialect
        )  # a measure that is not known is refused now

    def to_dict(self) -> dict[str, Any]:
        """What a pipeline saves of it."""
        saved: dict[str, Any] = default_to_dict(
            self, measure=self.measure, compare=self.compare, dialect=self.dialect
        )
        return saved

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> RankingEvaluator:
        """From what a pipeline saved."""
        made: RankingEvaluator = default_from_dict(cls, data)
        return made

    @component.output_types(  # type: ignore[untyped-decorator]
        score=float, individual_scores=list[float], interval=list[float]
    )
    def run(
        self, ground_truth_documents: list[list[Document]], retrieved_documents: list[list[Document]]
    ) -> dict[str, Any]:
        """The mean, the value of each question, and the 95 % confidence interval; an empty list where there is none."""
        scores = score_lists(
            [self._grades(documents) for documents in ground_truth_documents],
            [[self._id(document) for document in documents] for documents in retrieved_documents],
            self.measure,
            dialect=self.dialect,
        )
        name, mean = next(iter(scores.mean.items()))
        ends = mean_intervals(scores.runs[0]).get(name, ())
        return {"score": mean, "individual_scores": in_order(scores, name), "interval": list(ends)}

    def _grades(self, documents: list[Document]) -> dict[Any, float]:
        graded = any(document.score is not None for document in documents)
        grades = {self._id(document): (document.score or 0.0) if graded else 1.0 for document in documents}
        grades.pop(None, None)  # what nothing identifies matches nothing
        return grades

    def _id(self, document: Document) -> Any:
        if not self.compare.startswith("meta."):
            return getattr(document, self.compare)
        value: Any = document.meta
        for key in self.compare.removeprefix("meta.").split("."):
            value = value.get(key) if isinstance(value, dict) else None
        return value
