"""Estimators of average precision from a sample of documents.

    AP = Σ x_k · x_j / rank_k over pairs of relevant documents, j not below k  /  number of relevant documents

x is 1 for relevant documents. A pair is seen if both were drawn, which has the probability π_jk, and a document with itself
the probability π_k; pairs from one stratum have a π_jk of their own. Each pair that is seen is divided by it, which makes the sum
unbiased; R = Σ x / π is the number of relevant documents. Both rise together from sample to sample, so that their ratio is too
low where few relevant documents are drawn, by a share that the sample itself tells to first order:

    covariance(sum, R) / (sum · R) − variance(R) / R²

The part of documents with themselves is raised by this share, that of pairs divided by 1 less it, no less than 1/2. In simple
random samples, in which the number of relevant documents is nearly Poisson, that makes the mean over samples right.

statAP of Pavlu & Aslam 2007, "A practical sampling strategy for efficient retrieval evaluation", Northeastern University, is the
ratio itself, with pairs as if drawn independently (π_jk = π_j · π_k). infAP and xinfAP, as their papers state them, take 1/2 for
the precision above a document of which nothing was drawn there.
"""

from __future__ import annotations

import numpy as np

from gainful.errors import MeasureError
from gainful.estimates.estimator_registry import (
    Estimate,
    Kind,
    estimator,
    sample_covariance,
    sample_variance,
    scattered,
)
from gainful.estimates.gain_estimators import is_listed
from gainful.estimates.measure_shapes import Average
from gainful.judging import JudgedRun, ratio
from gainful.judging.ranking import Floats, PerTopic, Ranking, offsets_of, share
from gainful.judging.sampling import Sample
from gainful.measures import Measure
from gainful.statistics.survey_sampling import pair_factor

MOST_TOO_LOW = 0.5
"""Share by which the part of pairs is taken to be too low at most: that of two relevant documents in a large pool."""


@estimator(Average)
def average_precision(judged: JudgedRun, shape: Average, kind: Kind) -> Estimate:  # noqa: ARG001 (all are called alike)
    """The estimate of AP.

    Ranks 1 and 3 drawn, relevant, each with probability 1/2, independently; 1/π² − 1/π is 2 for each:
    alone 1/0.5 · (1 + 1/3), which is neither too low nor too high beside R = 1/0.5 + 1/0.5; the pair 1/0.5 · (1/0.5) / 3, too
    low by the share (2/3 · 2 · 2) / (4/3 · 4) − (2 · 2) / 4² = 1/4:  (2 · 4/3 + 4/3 / (1 − 1/4)) / 4

    >>> from gainful.estimates import estimate
    >>> from gainful.judging.sampling import sampled_run
    >>> from gainful.measures import AP
    >>> estimate(AP, sampled_run("abc", {"a": (1, 0.5), "c": (1, 0.5)})).values.round(4)
    array([1.1111])
    """
    sample = judged.require_sample()
    relevant = (sample.pool.grade >= shape.rel).astype(np.float64)
    number = sample.totals(relevant)
    (alone, of_alone), (pairs, of_pairs) = sums_of_precisions(judged, shape)
    divided = number < shape.most  # otherwise the divisor is the cutoff, and there is no ratio of estimates
    low_alone = np.where(divided, _too_low(sample, of_alone, alone, relevant, number), 0.0)
    low_pairs = np.where(divided, _too_low(sample, of_pairs, pairs, relevant, number), 0.0)
    summed = alone * (1 + low_alone) + pairs / (1 - np.minimum(low_pairs, MOST_TOO_LOW))
    return Estimate(ratio(summed, np.minimum(number, shape.most)), None, "small", exact=False)


def sums_of_precisions(judged: JudgedRun, shape: Average) -> tuple[tuple[PerTopic, Floats], ...]:
    """Unbiased estimates of Σ 1/rank_k over relevant documents and of Σ 1/rank_k over their pairs, each with the influence of
    the documents of the pool.
    """
    sample = judged.require_sample()
    stands_for, place = sample.at_hits(judged)
    counted = (judged.grade >= shape.rel) & (judged.rank <= shape.cutoff)
    weight = np.where(counted, stands_for, 0.0)
    per_rank = np.where(counted, 1 / judged.rank, 0.0)
    above = judged.running(weight) - weight
    below = judged.each(judged.total(weight * per_rank)) - judged.running(weight * per_rank)
    more_above, more_below = _within_strata(judged, sample, weight, per_rank, place)
    above, below = above + more_above, below + more_below
    in_pairs = np.where(counted, per_rank * above + below, 0.0)
    return (
        (judged.total(weight * per_rank), scattered(per_rank, place, sample)),
        (judged.total(weight * per_rank * above), scattered(in_pairs, place, sample)),
    )


def _too_low(sample: Sample, y: Floats, total: PerTopic, relevant: Floats, number: PerTopic) -> PerTopic:
    """The share by which total / number is too low, to first order; 0 where there is none of it.

    covariance of the two / (total · number) − variance of the number / number²
    """
    together = sample_covariance(sample, y, relevant)
    return share(together, total * number) - np.where(
        total > 0, share(sample_variance(sample, relevant), number**2), 0.0
    )


@estimator("statAP")
@estimator("xinfAP")
@estimator("infAP")
def of_papers(judged: JudgedRun, measure: Measure, kind: Kind) -> Estimate:  # noqa: ARG001 (all are called alike)
    """StatAP, infAP and xinfAP as their papers state them."""
    if measure.name == "infAP":
        _refuse_unequal(judged.require_sample())
    values = measure.definition.function(judged, **measure._given)
    return Estimate(values, None, "approximate", exact=False)


def _refuse_unequal(sample: Sample) -> None:
    """Raise where documents of a topic have different probabilities."""
    pool, probability = sample.pool, sample.inclusion.probability[sample.rows]
    least = pool.each(1.0 - pool.most(1.0 - probability))
    if not is_listed(sample) or not np.allclose(probability, least):
        raise MeasureError(
            "infAP is for a simple random sample of each topic's pool, whose other documents are in the judgments with "
            "grade −1; use AP, statAP or xinfAP here"
        )


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
