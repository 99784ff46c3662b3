"""scikit-learn: a measure as a scorer, for cross-validation and searches over parameters.

sklearn.set_config(enable_metadata_routing=True)
scoring = scorer("nDCG@10").set_score_request(topics=True)
cross_validate(model, X, grades, scoring=scoring, cv=GroupKFold().set_split_request(groups=True), params={…})
"""

from __future__ import annotations

from typing import Any, Unpack

from numpy.typing import ArrayLike
from sklearn.metrics import make_scorer

from gainful.errors import UsageError
from gainful.integrations.grouped_lists import GroupedMeasure
from gainful.judging.settings import Conventions
from gainful.measures import Measure


def scorer(measure: str | Measure, **conventions: Unpack[Conventions]) -> Any:
    """A measure as a scorer of scikit-learn; `topics`, by metadata routing, says to which topic each row belongs.

    A model is asked for `decision_function`, or else for `predict_proba` (of the positive class), or else for `predict`.
    Conventions are those of `gainful.Settings`. Where less is better the scorer turns the sign, as scikit-learn does.
    """
    grouped = GroupedMeasure(measure, **conventions)

    def mean(grades: ArrayLike, scores: ArrayLike, *, topics: ArrayLike | None = None) -> float:
        if topics is None:
            raise UsageError(
                "the scorer got no topics; request them with .set_score_request(topics=True), enable metadata routing, "
                'and pass params={"topics": …}.'
            )
        return grouped.mean_of_topics(grades, scores, topics)

    mean.__name__ = grouped.name
    return make_scorer(
        mean,
        response_method=("decision_function", "predict_proba", "predict"),
        greater_is_better=grouped.bigger_is_better,
    )
