"""Estimators of sums of gains over a list: P, DCG, CG, RBP; and as shares of the most there was: R, nDCG, NCG.

    ht       Σ g · w / π over the documents drawn; g the gain, w the weight of the rank (Horvitz & Thompson 1952)
    centred  m · Σ w + Σ (g − m) · w / π; the first sum is over all documents of the list that could have been drawn, and m
             is the mean gain in the samples of the other topics
    ratio    Σ w over all of them · (Σ g · w / π) / (Σ w / π) (Hájek 1971)

"ht" and "centred" are unbiased: m does not depend on the topic's own sample. "centred" and "ratio" vary less where gains
are much alike, and need to know which documents of the list could have been drawn: those are listed in the judgments with a
grade below 0, or are in the runs of a study.

Where models have labelled the documents, "centred" takes for m what their labels let expect of each document, also learned
in the other topics (`model_gains`): unbiased however wrong the models are, and the narrower the better they are.

A share is the ratio of two estimates. How much there was to find is Σ 1/π over relevant documents for R, and what was found is
a part of the same sum ("ht", whichever is asked for), so that R is no more than 1 and varies less; for nDCG it is the
ideal list of as many documents of each gain as the sample stands for (as infNDCG of Yilmaz, Kanoulas & Aslam 2008,
doi:10.1145/1390334.1390437, but with a part of a document where the number is not whole). The ideal is a concave function C
of these numbers n, so that it is too low on average, and nDCG too high, the more so the wider n spreads from sample to sample.
B(n) = C(n) − (C(n − s) + C(n + s)) / 2, s the standard error of n, is about that, and is added; as B is off in the same way,
B(n) − (B(n − s) + B(n + s)) / 2 is added too. nDCG stays approximate.

The ratio T / I of two estimates from one sample is itself too high on average, to first order by T · variance(I) / I³ −
covariance(T, I) / I², which is taken off. In simple random samples R has no such bias.

Where models have labelled the documents, their labels say how many of each gain there are, put right by the documents drawn
(`labelled_ideals`).
"""

from __future__ import annotations

import numpy as np

from gainful.errors import UsageError
from gainful.estimates.estimator_registry import (
    Bias,
    Estimate,
    Kind,
    estimator,
    sample_covariance,
    sample_variance,
    scattered,
)
from gainful.estimates.labelled_ideals import share_of_ideal
from gainful.estimates.measure_shapes import Linear
from gainful.estimates.model_gains import expected_from_labels
from gainful.judging import JudgedRun, ratio
from gainful.judging.ranking import Floats, PerTopic, share
from gainful.judging.sampling import Sample
from gainful.statistics.survey_sampling import concave


@estimator(Linear)
def of_gains(judged: JudgedRun, shape: Linear, kind: Kind) -> Estimate:
    """The estimate of a sum of gains, or of its share of the ideal.

    Ranks 1 and 3 drawn, each with probability 1/2, of grades 1 and 2:  DCG = 1/0.5 + 2/0.5 · 1/2

    >>> from gainful.estimates import estimate
    >>> from gainful.judging.sampling import sampled_run
    >>> from gainful.measures import DCG
    >>> estimate(DCG, sampled_run("abc", {"a": (1, 0.5), "c": (2, 0.5)})).values
    array([4.])
    """
    total, influence = _total(judged, shape, "ht" if shape.counts else kind)
    sample = judged.require_sample()
    labels = sample.inclusion.labels
    labelled = labels is not None and not shape.counts
    if shape.ideal is None:
        biased = kind == "ratio" or shape.by_top or (labels is not None and len(labels) > 1)
        bias: Bias = "small" if biased else "none"
        return Estimate(total, influence, bias, exact=kind != "ratio", labelled=labelled)
    if labelled:
        values = share_of_ideal(total, _gains(sample, shape), sample, shape)
        # of the ideal list no influence of single documents is known
        return Estimate(values, None, "approximate", labelled=True)
    ideal, slope, level = _ideal(judged, shape)
    pool = sample.pool
    too_high = total * share(sample_variance(sample, slope), ideal**3) - share(
        sample_covariance(sample, influence, slope), ideal**2
    )
    of_ideal = ratio(total, ideal) - too_high
    with np.errstate(divide="ignore", invalid="ignore"):
        residual = (influence - pool.each(of_ideal) * slope) / pool.each(ideal)
    residual = np.where(pool.each(ideal) > 0, residual, 0.0)
    known = not level and kind != "ratio" and sample.inclusion.labels is None
    return Estimate(of_ideal, residual, "small" if level else "approximate", exact=known)


def _total(judged: JudgedRun, shape: Linear, kind: Kind) -> tuple[PerTopic, Floats]:
    """The estimated sum of gains of each list, and the influence of each document of the pool on it."""
    sample = judged.require_sample()
    stands_for, place = sample.at_hits(judged)
    worth = shape.weight(judged.rank)
    gain = np.where(judged.grade >= 0, shape.gain(judged.grade), 0.0)
    if kind == "ht":
        return judged.total(gain * worth * stands_for), scattered(gain * worth, place, sample)
    _refuse_unlisted(sample, kind)
    all_worth = judged.total(worth)
    if kind == "centred":
        mean = (
            judged.each(_mean_elsewhere(sample, shape))
            if sample.inclusion.labels is None
            else expected_from_labels(sample, _gains(sample, shape))[place]
        )
        spread = (gain - mean) * worth
        return judged.total(mean * worth) + judged.total(spread * stands_for), scattered(
            spread, place, sample
        )
    weighed = judged.total(worth * stands_for)
    mean_here = np.where(
        weighed > 0,
        judged.total(gain * worth * stands_for) / np.where(weighed > 0, weighed, 1.0),
        _mean_elsewhere(sample, shape),
    )
    scale = np.where(weighed > 0, all_worth / np.where(weighed > 0, weighed, 1.0), 0.0)
    spread = judged.each(scale) * (gain - judged.each(mean_here)) * worth
    return all_worth * mean_here, scattered(spread, place, sample)


def _gains(sample: Sample, shape: Linear) -> Floats:
    """The gain of each document of the pool; 0 where it was not drawn."""
    grade = sample.grade[sample.rows]
    return np.where(grade >= 0, shape.gain(grade), 0.0)


def _mean_elsewhere(sample: Sample, shape: Linear) -> PerTopic:
    """For each topic, the mean gain of a document of the other topics, by the ratio estimator; 0 where it is alone."""
    gained = sample.totals(_gains(sample, shape))
    number = sample.totals(np.ones(len(sample.rows)))
    others = number.sum() - number
    return np.where(others > 0, (gained.sum() - gained) / np.where(others > 0, others, 1.0), 0.0)


def is_listed(sample: Sample) -> bool:
    """Whether all documents are known that could have been drawn."""
    return sample.inclusion.listed or not bool((sample.inclusion.probability < 1).any())


def _refuse_unlisted(sample: Sample, kind: Kind) -> None:
    if not is_listed(sample):
        raise UsageError(
            f"--estimator {kind} needs the documents that could have been drawn and were not: list them in the judgments "
            "with grade −1, or give the study (--design); --estimator ht does without."
        )


def _ideal(judged: JudgedRun, shape: Linear) -> tuple[PerTopic, Floats, bool]:
    """The estimated ideal sum of each topic, its slope at each document of the pool, and whether it is a plain count.

    ideal = Σ over levels of gain: (level − next lower one) · C(number of documents of that gain or more),
    C(n) = Σ of the ideal weights at ranks 1 to n, plus what that is too low (`_lacking`)
    """
    assert shape.ideal is not None
    sample = judged.require_sample()
    gain = _gains(sample, shape)
    levels = np.unique(gain[gain > 0])
    reached = [(gain >= level).astype(np.float64) for level in levels]
    numbers = [sample.totals(there) for there in reached]
    errors = [
        np.zeros(len(judged)) if shape.counts else np.sqrt(sample_variance(sample, there))
        for there in reached
    ]
    # the furthest number that _lacking looks at: s grows with the square root of n
    furthest = [(number + 3 * error).max(initial=0.0) for number, error in zip(numbers, errors, strict=True)]
    weight = shape.ideal(np.arange(1.0, np.ceil(max(furthest, default=0.0)) + 1))
    ideal, slope = np.zeros(len(judged)), np.zeros(len(gain))
    heights = np.diff(levels, prepend=0.0)
    for height, number, error, there in zip(heights, numbers, errors, reached, strict=True):
        summed, last = concave(number, weight)
        ideal += height * (summed + _lacking(number, share(error**2, number), weight))
        slope += there * height * sample.pool.each(last)
    level = bool(len(levels) <= 1 and (weight == weight[:1]).all())
    return ideal, slope, level


def _lacking(number: PerTopic, spread: PerTopic, weight: Floats) -> PerTopic:
    """How much C(n) is too low on average: B(n), and how much B(n) is too low itself.

    spread  s² / n, taken to be the same for other numbers of the topic
    """

    def ends_of(n: PerTopic) -> tuple[PerTopic, PerTopic]:
        error = np.sqrt(spread * n)
        return np.maximum(n - error, 0.0), n + error

    def first_order(n: PerTopic) -> PerTopic:
        low, high = (concave(end, weight)[0] for end in ends_of(n))
        return np.asarray(np.maximum(concave(n, weight)[0] - (low + high) / 2, 0.0))

    low, high = map(first_order, ends_of(number))
    lacking = first_order(number)
    return np.asarray(lacking + np.maximum(lacking - (low + high) / 2, 0.0))
