"""Confidence intervals of mean differences, row by row.

t           d̄ ± t · s/√n; covered best on TREC data with 10 to 50 topics
skewed t    the same, with t transformed for the skewness of the values (Hall 1992, doi:10.1111/j.2517-6161.1992.tb01872.x); for
            means of estimates, most of which are small and few large
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


def within_bounds(ends: tuple[float, float], mean: float, bounds: tuple[float, float]) -> tuple[float, float]:
    """An interval within what a measure can be.

    One that would pass a bound is taken on the log-odds scale, where the bounds are infinitely far away: cut off at 1.0000
    it would look like certainty. Each end keeps its distance from the mean, in log-odds as steep as they are there.

    >>> [round(end, 4) for end in within_bounds((0.6, 1.04), 0.82, (0.0, 1.0))]  # 0.22 is 1.4905 of log-odds there
    [0.5065, 0.9529]
    >>> within_bounds((0.6, 0.9), 0.75, (0.0, 1.0))
    (0.6, 0.9)
    """
    (low, high), (least, most) = ends, bounds
    if (least <= low and high <= most) or math.isinf(most - least) or not least < mean < most:
        return max(low, least), min(high, most)
    share = (mean - least) / (most - least)
    odds, per_unit = math.log(share / (1 - share)), 1 / ((most - least) * share * (1 - share))
    low, high = (
        least + (most - least) / (1 + math.exp(min(-odds - (end - mean) * per_unit, 700.0))) for end in ends
    )
    return low, high


def cut_at_bounds(ends: tuple[float, float], mean: float, bounds: tuple[float, float]) -> tuple[float, float]:
    """The part of an interval that a measure can be, and its mean, should that be beyond a bound.

    For means that are estimated from more than values of the measure, which may lie at a bound or beyond it however large their
    error is: log-odds are endlessly steep there, and an end on that scale would be at the other bound.

    >>> cut_at_bounds((0.92, 1.06), 0.99, (0.0, 1.0)), cut_at_bounds((0.94, 1.08), 1.01, (0.0, 1.0))
    ((0.92, 1.0), (0.94, 1.01))
    """
    low, high = (min(max(end, bounds[0]), bounds[1]) for end in ends)
    return min(low, mean), max(high, mean)


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


def skewed_t_interval(rows: Floats, confidence: float) -> Ends:
    """Student's interval of each row's mean, transformed for skewness γ: with long tails upwards it reaches further up.

        x̄ − s · g(t/√n)  to  x̄ − s · g(−t/√n)      g(y) = 3/γ · ((1 + γ · (y − γ/(6n)))^(1/3) − 1)

    Without skewness it is Student's; of 0, 0, 0, 4 (mean 1, s 2, γ 24/4 / 2³ = 3/4) it is not even on both sides:

    >>> [float(end[0].round(2)) for end in skewed_t_interval(np.array([[-1.0, 0.0, 1.0]]), 0.95)]
    [-2.48, 2.48]
    >>> [float(end[0].round(2)) for end in skewed_t_interval(np.array([[0.0, 0.0, 0.0, 4.0]]), 0.95)]
    [-1.36, 13.81]
    """
    n = rows.shape[1]
    middle, spread = rows.mean(axis=1), deviation(rows)
    third = ((rows - middle[:, None]) ** 3).mean(axis=1)
    skewness = np.divide(third, spread**3, out=np.zeros(len(rows)), where=spread > 0)
    even = np.abs(skewness) < 1e-6
    safe = np.where(even, 1.0, skewness)
    reach = float(special().stdtrit(n - 1, 1 - (1 - confidence) / 2)) / np.sqrt(n)

    def end(y: float) -> Floats:
        turned = 3 / safe * (np.cbrt(1 + safe * (y - safe / (6 * n))) - 1)
        return np.asarray(middle - spread * np.where(even, y, turned))

    return end(reach), end(-reach)


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
