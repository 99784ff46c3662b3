"""Confidence intervals of mean differences, row by row.

t           d̄ ± t · s/√n; covered best on TREC data with 10 to 50 topics
bca         bootstrap, corrected for bias and skewness
percentile  bootstrap, the middle of the resampled means
flips       the differences that two one-sided sign-flip tests do not reject

Every interval contains the estimate that it is shown beside, see `holding`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gainful.statistics import resampling, special
from gainful.statistics.differences import deviation, freedom, linearised, standard_error, weighted_mean
from gainful.statistics.flips import Flips, OneSided
from gainful.statistics.resampling import Progress

_CELLS = 2_560_000
"""Resampled means in memory at once."""

_ENDLESS = 1e15
"""Standard errors of an interval that says nothing: one topic has nearly all the weight."""

Floats = NDArray[np.float64]
Ends = tuple[Floats, Floats]


@dataclass(frozen=True, eq=False)
class IntervalSample:
    """Paired differences, and how much randomness an interval may use.

    differences  pairs × topics
    resamples    bootstrap resamples to draw
    flips        sign flips to draw
    seed         random seed
    weights      how much each topic counts; None where all count alike
    progress     called from time to time with how much is done
    """

    differences: Floats
    resamples: int = resampling.RESAMPLES
    flips: int = 10_000
    seed: int = resampling.SEED
    weights: Floats | None = None
    progress: Progress | None = None


@dataclass(frozen=True, eq=False)
class Interval:
    """A kind of interval.

    title      in words: "BCa bootstrap"
    function   from an `IntervalSample` and a confidence to the lower and the upper end for each pair
    weights    whether topics may have weights
    resampled  whether it draws bootstrap resamples
    """

    title: str
    function: Callable[[IntervalSample, float], Ends]
    weights: bool = True
    resampled: bool = False


def interval(
    name: str,
    differences: Floats,
    confidence: float,
    *,
    estimates: Floats | None = None,
    resamples: int = resampling.RESAMPLES,
    flips: int = 10_000,
    seed: int = resampling.SEED,
    progress: Progress | None = None,
    weights: Floats | None = None,
) -> Ends:
    """Lower and upper ends for each row of paired differences; NaN for one topic.

    estimates  the mean of each row as it is shown, which its interval is to contain; None computes them
    """
    if differences.shape[1] < 2:
        nothing = np.full(len(differences), np.nan)
        return nothing, nothing.copy()
    sample = IntervalSample(differences, resamples, flips, seed, weights, progress)
    if estimates is None:
        estimates = differences.mean(axis=1) if weights is None else weighted_mean(differences, weights)
    return holding(INTERVALS[name].function(sample, confidence), estimates)


def holding(ends: Ends, estimates: Floats) -> Ends:
    """The ends, moved where that is needed for the interval to contain its estimate; NaN stays NaN.

    A constant difference has an interval of one point, which rounding would set beside the estimate; and few resamples
    may all lie on one side of it.

    >>> low, high = holding((np.array([0.1, np.nan]), np.array([0.1, np.nan])), np.array([0.1 + 2e-13, 0.5]))
    >>> bool(low[0] <= 0.1 + 2e-13 <= high[0]), bool(np.isnan(low[1]))
    (True, True)
    """
    return np.minimum(ends[0], estimates), np.maximum(ends[1], estimates)


def t_interval(rows: Floats, confidence: float) -> Ends:
    """Student's interval of each row's mean.

    Of 1, 2, 3: 2 ± 4.3027 · 1/√3

    >>> low, high = t_interval(np.array([[1.0, 2.0, 3.0]]), 0.95)
    >>> float(low[0].round(4)), float(high[0].round(4))
    (-0.4841, 4.4841)
    """
    topics = rows.shape[1]
    middle = rows.mean(axis=1)
    half = special().stdtrit(topics - 1, 1 - (1 - confidence) / 2) * deviation(rows) / np.sqrt(topics)
    return middle - half, middle + half


def weighted_t_interval(differences: Floats, weights: Floats, confidence: float) -> Ends:
    """Student's interval of each row's weighted mean.

    >>> low, high = weighted_t_interval(np.array([[1.0, 2.0, 3.0]]), np.ones(3), 0.95)  # 2 ± 4.3027 · 1/√3
    >>> float(low[0].round(4)), float(high[0].round(4))
    (-0.4841, 4.4841)
    """
    middle = weighted_mean(differences, weights)
    level = special().stdtrit(freedom(weights), 1 - (1 - confidence) / 2)
    half = standard_error(differences, weights)
    half[half > 0] *= level if level < _ENDLESS else math.inf
    return middle - half, middle + half


def _t(sample: IntervalSample, confidence: float) -> Ends:
    if sample.weights is not None:
        return weighted_t_interval(sample.differences, sample.weights, confidence)
    return t_interval(sample.differences, confidence)


def _by_flips(sample: IntervalSample, confidence: float) -> Ends:
    flips = Flips(sample.differences.shape[1], sample.flips, sample.seed)
    tail = (1 - confidence) / 2
    tests = [OneSided.of(row, flips) for row in sample.differences]
    return np.array([test.lower(tail) for test in tests]), np.array([test.upper(tail) for test in tests])


def _bca(sample: IntervalSample, confidence: float) -> Ends:
    def ends(rows: Floats, means: Floats) -> Ends:
        if sample.weights is not None:
            rows = linearised(rows, sample.weights)
        return resampling.bca(rows, means, confidence)

    return _resampled(sample, ends)


def _percentile(sample: IntervalSample, confidence: float) -> Ends:
    return _resampled(sample, lambda _, means: resampling.percentile(means, confidence))


def _resampled(sample: IntervalSample, ends: Callable[[Floats, Floats], Ends]) -> Ends:
    """Intervals of a few rows at a time, since resamples × rows are in memory."""
    parts = []
    step = max(1, _CELLS // sample.resamples)
    for start in range(0, len(sample.differences), step):
        rows = sample.differences[start : start + step]
        means = resampling.means(
            rows,
            resamples=sample.resamples,
            seed=sample.seed,
            progress=sample.progress,
            weights=sample.weights,
        )
        parts.append(ends(rows, means))
    return np.concatenate([low for low, _ in parts]), np.concatenate([high for _, high in parts])


INTERVALS = {
    "t": Interval("t", _t),
    "bca": Interval("BCa bootstrap", _bca, resampled=True),
    "percentile": Interval("percentile bootstrap", _percentile, resampled=True),
    "flips": Interval("sign-flip", _by_flips, weights=False),
}
"""Every kind of interval by name; one of your own is added to it, and `Method(interval=…)` takes its name."""
