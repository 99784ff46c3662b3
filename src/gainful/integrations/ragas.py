"""ragas: any measure of ranked context ids as a metric, and a data set's ids as scores with intervals.

evaluate(dataset, metrics=[metric("nDCG@10"), metric("R@5")])
print(scores_of(dataset, "nDCG@10, R@5"))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Unpack

from ragas import EvaluationDataset, SingleTurnSample
from ragas.metrics.base import MetricOutputType, MetricType, SingleTurnMetric

from gainful.integrations.id_lists import in_order, score_lists
from gainful.judging.settings import Conventions
from gainful.measures import Measure
from gainful.scores import Scores

COLUMNS = {"retrieved_context_ids", "reference_context_ids"}


@dataclass
class RankingMetric(SingleTurnMetric):  # type: ignore[misc]
    """A measure of the ids of retrieved contexts, in their order, against those of the reference; no model is asked."""

    dialect: str | None = None
    _required_columns: dict[MetricType, set[str]] = field(
        default_factory=lambda: {MetricType.SINGLE_TURN: set(COLUMNS)}
    )
    output_type: MetricOutputType = MetricOutputType.CONTINUOUS

    def init(self, run_config: Any) -> None:
        """Nothing is prepared."""

    async def _single_turn_ascore(self, sample: SingleTurnSample, callbacks: Any) -> float:  # noqa: ARG002
        scores = score_lists(
            [sample.reference_context_ids or []],
            [sample.retrieved_context_ids or []],
            self.name,
            dialect=self.dialect,
        )
        return in_order(scores, scores.measures[0])[0]

    async def _ascore(self, row: dict[str, Any], callbacks: Any) -> float:
        return await self._single_turn_ascore(SingleTurnSample(**row), callbacks)


def metric(measure: str | Measure, *, dialect: str | None = None) -> RankingMetric:
    """A measure as a metric of ragas; with `dialect="ragas"` it has the names and numbers of ragas' own metrics by id."""
    score_lists([["a"]], [["a"]], str(measure), dialect=dialect)  # a measure that is not known is refused now
    return RankingMetric(name=str(measure), dialect=dialect)


def scores_of(
    dataset: EvaluationDataset | Mapping[str, EvaluationDataset],
    measures: str | Measure | Iterable[str | Measure],
    *,
    dialect: str | None = None,
    **conventions: Unpack[Conventions],
) -> Scores:
    """Scores of a data set's ids, or of several systems' data sets on the same questions, by name.

    They know every question, so that `gainful.comparisons.compare_scores` can compare the systems.
    """
    systems = dataset if isinstance(dataset, Mapping) else {"run": dataset}
    samples = {name: list(each) for name, each in systems.items()}
    first = next(iter(samples.values()))
    return score_lists(
        [sample.reference_context_ids or [] for sample in first],
        {name: [sample.retrieved_context_ids or [] for sample in each] for name, each in samples.items()},
        measures,
        questions=[sample.user_input or "" for sample in first],
        dialect=dialect,
        **conventions,
    )
