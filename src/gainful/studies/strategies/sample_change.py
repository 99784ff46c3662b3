"""Samples by effect: the more a document can change the difference between runs, the likelier it is drawn.

    probability = min(1, c · size)     size = spread of the document's weight over the runs + a tenth of its greatest weight
                                       (`effect_sizes`)

The weight is what the measure gives a relevant document at its rank (0 where a run does not have it); c is such that the
probabilities of a topic add up to the number of documents wanted. Each document is drawn for itself (Poisson sampling):
it is in the pool if its permanent random number is below its probability, so that probabilities are exact, and a later
batch holds the earlier ones.
The tenth is for documents at equal ranks: they change no difference of gains, but what an ideal list would gain.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gainful.comparisons.unjudged.value_bounds import depth_of
from gainful.estimates.measure_shapes import Linear, shape_of
from gainful.measures import Measure
from gainful.statistics.survey_sampling import effect_sizes, proportional
from gainful.studies.strategies import Choice, Floats, Situation, pool_strategy, share_or_count

DEFAULT = "10%"


def rank_weights(measure: Measure, ranks: Floats, top: float) -> Floats:
    """What the measure gives a relevant document at each rank; 1/rank where it is no sum over ranks."""
    shape = shape_of(measure, top)
    weights = (
        shape.weight(ranks) if isinstance(shape, Linear) else np.where(np.isfinite(ranks), 1 / ranks, 0.0)
    )
    return np.where(ranks <= depth_of(measure), weights, 0.0)


def probabilities(situation: Situation) -> Floats:
    """The probability of each row by the end of this batch; rows judged before the study have none."""
    evidence, compared = situation.evidence, situation.compared
    ranks = evidence.ranks if compared is None else evidence.ranks[list(compared)]
    weights = rank_weights(situation.measure, ranks, evidence.top)
    size = effect_sizes(weights)
    size = np.where((evidence.grade < 0) | situation.asked, size, 0.0)
    number, is_share = share_or_count(situation.parameters or DEFAULT, "the size of sample:change")
    chance = np.zeros(len(size))
    for topic in range(len(evidence.topics)):
        part = evidence.part(topic)
        wanted = number * (size[part] > 0).sum() if is_share else number
        chance[part] = proportional(size[part], situation.batch * wanted)
    return chance


@pool_strategy("sample:change", probabilities=probabilities)
def sample_change(situation: Situation) -> Sequence[Choice]:
    """`sample:change:5` or `sample:change:10%`: of each topic and batch so many documents on average, or this share."""
    chance = probabilities(situation)
    rows = np.flatnonzero(situation.free & (situation.uniform < chance))
    rows = rows[np.argsort(-chance[rows], kind="stable")]
    return [Choice(int(row), f"drawn by effect, {situation.best_place(int(row))}") for row in rows]
