"""XGBoost: a measure as `custom_metric` of `xgboost.train`.

xgboost.train(parameters, training, evals=[(held_out, "held out")], custom_metric=metric("nDCG@10"), maximize=True)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

import numpy as np

from gainful.integrations.grouped_lists import GroupedMeasure
from gainful.judging.settings import Conventions
from gainful.measures import Measure


def metric(
    measure: str | Measure, **conventions: Unpack[Conventions]
) -> Callable[[Any, Any], tuple[str, float]]:
    """A measure as `custom_metric` of `xgboost.train` and `xgboost.cv`; the data have groups (`qid` or `group`).

    XGBoost does not ask which way a measure points: for early stopping say `maximize=True`, or False where less is better.
    Conventions are those of `gainful.Settings`. A list with nothing relevant counts as 0; XGBoost's own ndcg gives it 1.
    """
    grouped = GroupedMeasure(measure, **conventions)

    def evaluate(scores: Any, data: Any) -> tuple[str, float]:
        starts = np.asarray(data.get_uint_info("group_ptr"), dtype=np.intp)
        sizes = np.diff(starts) if len(starts) else None
        return grouped.name, grouped.mean(data.get_label(), scores, sizes)

    return evaluate
