"""Estimators of average precision from a sample of documents.

    AP = Σ x_k · x_j / rank_k over pairs of relevant documents, j not below k  /  number of relevant documents

x is 1 for relevant documents. A pair is seen if both were drawn, which has the probability π_jk, and a document with itself
the probability π_k. Each pair that is seen is divided by it: the sum above is unbiased, and so is R = Σ x / π below; AP is
their ratio. With documents drawn independently (π_jk = π_j · π_k) this is statAP of Pavlu & Aslam 2007, "A practical
sampling strategy for efficient retrieval evaluation", Northeastern University; pairs from one stratum have a π_jk of their own.
"""

from __future__ import annotations

import numpy as np

from gainful.errors import MeasureError
from gainful.estimates.estimator_registry import Estimate, Kind, estimator, scattered
from gainful.estimates.gain_estimators import is_listed
from gainful.estimates.measure_shapes import Average
from gainful.judging import JudgedRun, ratio
from gainful.judging.ranking import Floats, Ranking, offsets_of
from gainful.judging.sampling import Sample
from gainful.measures import Measure
from gainful.statistics.survey_sampling import pair_factor


@estimator(Average)
def average_precision(judged: JudgedRun, shape: Average, kind: Kind) -> Estimate:  # noqa: ARG001 (all are called alike)
    """The estimate of AP.

    Ranks 1 and 3 drawn, relevant, each with probability 1/2, independently:  (1/0.5 · 1/1 + 1/0.5 · (1 + 1/0.5)/3) / 4

    >>> from gainful.estimates import estimate
    >>> from gainful.judging.sampling import sampled_run
    >>> from gainful.measures import AP
    >>> estimate(AP, sampled_run("abc", {"a": (1, 0.5), "c": (1, 0.5)})).values
    array([1.])
    """
    return _estimated(judged, shape, joint=True)


@estimator("statAP")
def stat_ap(judged: JudgedRun, measure: Measure, kind: Kind) -> Estimate:  # noqa: ARG001 (all are called alike)
    """StatAP with the variance of its linear part."""
    return _estimated(judged, Average(measure.params["rel"], np.inf, np.inf), joint=False)


@estimator("xinfAP")
@estimator("infAP")
def inferred_ap(judged: JudgedRun, measure: Measure, kind: Kind) -> Estimate:  # noqa: ARG001 (all are called alike)
    """InfAP and xinfAP, whose papers state no variance: intervals come from the spread between topics alone."""
    if measure.name == "infAP":
        _refuse_unequal(judged.require_sample())
    values = measure.definition.function(judged, **measure._given)
    return Estimate(values, None, "approximate")


def _refuse_unequal(sample: Sample) -> None:
    """Raise where documents of a topic have different probabilities."""
    pool, probability = sample.pool, sample.inclusion.probability[sample.rows]
    least = pool.each(1.0 - pool.most(1.0 - probability))
    if not is_listed(sample) or not np.allclose(probability, least):
        raise MeasureError(
            "infAP is for a simple random sample of each topic's pool, whose other documents are in the judgments with "
            "grade −1; use AP, statAP or xinfAP here"
        )


def _estimated(judged: JudgedRun, shape: Average, *, joint: bool) -> Estimate:
    sample = judged.require_sample()
    pool = sample.pool
    stands_for, place = sample.at_hits(judged)
    counted = (judged.grade >= shape.rel) & (judged.rank <= shape.cutoff)
    relevant = (pool.grade >= shape.rel).astype(np.float64)
    number = sample.totals(relevant)
    out_of = np.minimum(number, shape.most)
    weight = np.where(counted, stands_for, 0.0)
    per_rank = np.where(counted, 1 / judged.rank, 0.0)
    above = judged.running(weight) - weight
    below = judged.each(judged.total(weight * per_rank)) - judged.running(weight * per_rank)
    if joint:
        more_above, more_below = _within_strata(judged, sample, weight, per_rank, place)
        above, below = above + more_above, below + more_below
    summed = judged.total(weight * per_rank * (1 + above))
    values = ratio(summed, out_of)
    influence = scattered(np.where(counted, per_rank * (1 + above) + below, 0.0), place, sample)
    with np.errstate(divide="ignore", invalid="ignore"):
        limited = pool.each((number <= shape.most).astype(np.float64))
        residual = (influence - limited * pool.each(values) * relevant) / pool.each(out_of)
    return Estimate(values, np.where(pool.each(out_of) > 0, residual, 0.0), "small", exact=False)


def _within_strata(
    judged: JudgedRun, sample: Sample, weight: Floats, per_rank: Floats, place: np.ndarray
) -> tuple[Floats, Floats]:
    """What pairs of one stratum add above and below each hit because they are rarer than if drawn independently."""
    inclusion = sample.inclusion
    if not np.isfinite(inclusion.size).any():
        return np.zeros_like(weight), np.zeros_like(weight)
    rows = sample.rows
    more = pair_factor(inclusion.stratum[rows], inclusion.size, sample.drawn) - 1
    stratum = inclusion.stratum[rows[place]]
    # hits of one topic and stratum together, in rank order: strata belong to topics, and the sort is stable
    order = np.argsort(stratum, kind="stable")
    lengths = np.bincount(stratum, minlength=len(more))
    groups = Ranking(offsets_of(lengths), judged.rank[order], judged.grade[order])
    above, below = np.empty_like(weight), np.empty_like(weight)
    in_order, ranked = weight[order], (weight * per_rank)[order]
    above[order] = groups.running(in_order) - in_order
    below[order] = groups.each(groups.total(ranked)) - groups.running(ranked)
    return above * more[stratum], below * more[stratum]
