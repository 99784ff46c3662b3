"""Paired differences, topic by topic: their mean and spread, also where topics have weights.

    weighted mean     Σ w d / Σ w
    effective topics  (Σ w)² / Σ w²  (Kish 1965): topics of equal weight that carry as much information

Weights belong to the topics and are taken as given. The sign-flip test flips w·d, which is as symmetric as d; a
bootstrap draws topics together with their weights. Where the mean is assumed to be nearly normal, its standard error is

    se² = Σ w² (d − d̄)² / (Σ w)² · Σ w² / (Σ w² − 2 Σ w³/Σ w + (Σ w²)²/(Σ w)²)

with (effective topics − 1) degrees of freedom; with equal weights these are s²/n and n − 1.

Power: which differences a number of topics can detect, and how many topics a difference needs. For the paired t-test,
whose power the sign-flip test shares closely:

    power(n) = P(|T| > t_crit),   T noncentral t with n − 1 degrees of freedom and noncentrality  effect · √n

effect is the standardised difference, mean / standard deviation over topics.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from gainful.statistics import special

Floats = NDArray[np.float64]

EQUAL = 1e-12
"""Of the largest value: two values that are closer are a tie, whatever rounding says."""


def differences(rows: Floats, first: NDArray[np.intp], second: NDArray[np.intp]) -> Floats:
    """The second minus the first, pair by pair and topic by topic, rounded to a grid so fine that only rounding errors are lost.

    0.3 − 0.2 and 0.2 − 0.1 differ in their last bits; here they are equal, and so are their ranks.

    >>> both = differences(np.array([[0.2, 0.1], [0.3, 0.2]]), np.array([0]), np.array([1]))
    >>> bool(both[0, 0] == both[0, 1])
    True
    """
    largest = float(np.abs(rows).max(initial=0.0))
    apart = rows[second] - rows[first]
    if largest == 0:
        return apart
    grid = EQUAL * largest
    return np.asarray(np.round(apart / grid) * grid)


def deviation(rows: Floats) -> Floats:
    """Standard deviation (n − 1) of each row; 0 where only rounding is left, NaN for one topic."""
    if rows.shape[1] < 2:
        return np.full(len(rows), np.nan)
    spread = rows.std(axis=1, ddof=1)
    spread[np.ptp(rows, axis=1) == 0] = 0
    return np.asarray(spread)


def effective(weights: Floats) -> float:
    """The number of topics of equal weight that carry as much information (Kish 1965).

    Of 1, 1, 2: 4² / 6

    >>> round(effective(np.array([1.0, 1.0, 2.0])), 4)
    2.6667
    """
    relative = weights / weights.max()  # powers of very large or small weights leave the range of floats
    return math.fsum(relative) ** 2 / math.fsum(relative**2)


def freedom(weights: Floats) -> float:
    """Effective topics − 1, summed so that it is not lost where one topic has nearly all the weight.

    Of 1, 1, 2: 4² / 6 − 1

    >>> round(freedom(np.array([1.0, 1.0, 2.0])), 4), freedom(np.array([1e9, 1.0])) == 2e-9
    (1.6667, True)
    """
    relative = weights / weights.max()
    return math.fsum(relative * _others(relative)) / math.fsum(relative**2)


def _others(values: Floats) -> Floats:
    """For each value the sum of all others; for the largest, which may hide them, they are added up."""
    others = math.fsum(values) - values
    largest = int(values.argmax())
    others[largest] = math.fsum(np.delete(values, largest))
    return others


def scaled(rows: Floats, weights: Floats | None) -> Floats:
    """Rows whose plain mean is the weighted mean.

    >>> scaled(np.array([[1.0, 4.0]]), np.array([3.0, 1.0])).mean()  # (3 · 1 + 1 · 4) / 4
    np.float64(1.75)
    """
    if weights is None:
        return rows
    return np.asarray(rows * (weights * (len(weights) / math.fsum(weights))))


def linearised(differences: Floats, weights: Floats) -> Floats:
    """Values whose mean is the weighted mean, and each of which says how far its topic moves it."""
    middle = weighted_mean(differences, weights)[:, None]
    apart = differences - middle
    apart[np.ptp(differences, axis=1) == 0] = 0
    return np.asarray(middle + scaled(apart, weights))


def standard_error(differences: Floats, weights: Floats) -> Floats:
    """The standard error of each row's weighted mean; 0 where all differences are the same."""
    weights = weights / weights.max()
    total, squares = math.fsum(weights), math.fsum(weights**2)
    left = math.fsum(weights**2 * (_others(weights) ** 2 + _others(weights**2))) / total**2
    apart = differences - weighted_mean(differences, weights)[:, None]
    apart[np.ptp(differences, axis=1) == 0] = 0
    return np.sqrt((apart**2 @ weights**2) / total**2 * squares / left)


def weighted_mean(rows: Floats, weights: Floats) -> Floats:
    """The weighted mean of each row, summed exactly."""
    total = math.fsum(weights)
    return np.array([math.fsum(row * weights) / total for row in rows])


def weighted_deviation(rows: Floats, weights: Floats) -> Floats:
    """Standard deviation over topics, each counted by its weight: Σ w (d − d̄)² / Σ w · m/(m − 1), m effective topics."""
    if len(weights) < 2:
        return np.full(len(rows), np.nan)
    apart = rows - weighted_mean(rows, weights)[:, None]
    apart[np.ptp(rows, axis=1) == 0] = 0
    return np.sqrt((apart**2 @ weights) / math.fsum(weights) * effective(weights) / freedom(weights))


MOST = 10_000_000
"""Topics: what would need more is beyond any collection."""


def power(
    effect: NDArray[np.float64] | float,
    topics: NDArray[np.float64] | float,
    *,
    alpha: float = 0.05,
    sides: int = 2,
) -> NDArray[np.float64]:
    """The probability that the test detects an effect of this size with this number of topics.

    >>> float(power(0.5, 34).round(3))
    0.808
    """
    scipy = special()
    topics = np.asarray(topics, np.float64)
    freedom = np.maximum(topics - 1, 1)
    away = np.abs(effect) * np.sqrt(topics)
    critical = scipy.stdtrit(freedom, 1 - alpha / sides)
    missed = scipy.nctdtr(freedom, away, critical)
    detected = 1 - np.where(
        np.isnan(missed), away < critical, missed
    )  # far out SciPy has no value; it is 0 or 1 there
    if sides == 2:
        detected = detected + np.nan_to_num(scipy.nctdtr(freedom, away, -critical))
    return np.where(topics < 2, 0.0, detected)


def detectable(topics: float, *, alpha: float = 0.05, target: float = 0.8, sides: int = 2) -> float:
    """The smallest effect that this number of topics detects with the target power; NaN for fewer than two.

    >>> round(detectable(50), 3)
    0.404
    """
    if topics < 2:
        return math.nan
    low, high = 0.0, 1.0
    while power(high, topics, alpha=alpha, sides=sides) < target:
        high *= 2
    while high - low > 1e-10 * high:
        middle = (low + high) / 2
        if power(middle, topics, alpha=alpha, sides=sides) < target:
            low = middle
        else:
            high = middle
    return high


def topics_needed(
    effects: NDArray[np.float64], *, alpha: float = 0.05, target: float = 0.8, sides: int = 2
) -> NDArray[np.float64]:
    """The fewest topics that detect each effect with the target power; NaN for no effect, inf beyond ten million.

    >>> topics_needed(np.array([0.5, 0.2, 0.0])).tolist()
    [34.0, 199.0, nan]
    """
    scipy = special()
    effects = np.abs(np.asarray(effects, np.float64))
    z = scipy.ndtri(1 - alpha / sides) + scipy.ndtri(target)
    with np.errstate(divide="ignore", over="ignore"):
        needed = np.ceil((z / effects) ** 2) + 1
    known = np.isfinite(effects) & (needed <= MOST)
    needed[np.isfinite(effects) & (needed > MOST)] = math.inf
    needed[np.isinf(effects)] = 2
    needed[(effects == 0) | np.isnan(effects)] = math.nan
    moving = np.flatnonzero(known)
    needed[moving] = np.maximum(needed[moving], 2)
    while len(moving):  # up to where the power is reached
        short = power(effects[moving], needed[moving], alpha=alpha, sides=sides) < target
        moving = moving[short]
        needed[moving] += 1
    moving = np.flatnonzero(known & (needed > 2))
    while len(moving):  # and down to where one topic fewer would miss it
        enough = power(effects[moving], needed[moving] - 1, alpha=alpha, sides=sides) >= target
        moving = moving[enough]
        needed[moving] -= 1
        moving = moving[needed[moving] > 2]
    return np.asarray(needed)
