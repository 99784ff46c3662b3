"""LightGBM: a measure as an evaluation function, for `lightgbm.train` and for `LGBMRanker`.

lightgbm.train(parameters, training, valid_sets=[held_out], feval=metric("nDCG@10"))
LGBMRanker().fit(…, eval_group=[sizes], eval_metric=ranker_metric("nDCG@10"))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

from gainful.integrations.grouped_lists import GroupedMeasure
from gainful.judging.settings import Conventions
from gainful.measures import Measure

Named = tuple[str, float, bool]
"""Name, value, and whether a larger value is better."""


def metric(measure: str | Measure, **conventions: Unpack[Conventions]) -> Callable[[Any, Any], Named]:
    """A measure as `feval` of `lightgbm.train` and `lightgbm.cv`; the data set has groups.

    Conventions are those of `gainful.Settings`. A list with nothing relevant counts as 0; LightGBM's own ndcg gives it 1.
    """
    grouped = GroupedMeasure(measure, **conventions)

    def evaluate(scores: Any, data: Any) -> Named:
        value = grouped.mean(data.get_label(), scores, data.get_group())
        return grouped.name, value, grouped.bigger_is_better

    return evaluate


def ranker_metric(
    measure: str | Measure, **conventions: Unpack[Conventions]
) -> Callable[[Any, Any, Any, Any], Named]:
    """A measure as `eval_metric` of `LGBMRanker.fit`; weights are not used."""
    grouped = GroupedMeasure(measure, **conventions)

    def evaluate(grades: Any, scores: Any, weights: Any, sizes: Any) -> Named:  # noqa: ARG001 (LightGBM's signature)
        return grouped.name, grouped.mean(grades, scores, sizes), grouped.bigger_is_better

    return evaluate
