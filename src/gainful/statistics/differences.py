"""Paired differences, topic by topic: their mean and spread, also where topics have weights.

    weighted mean     Σ w d / Σ w
    effective topics  (Σ w)² / Σ w²  (Kish 1965): topics of equal weight that carry as much information

Weights belong to the topics and are taken as given. The sign-flip test flips w·d, which is as symmetric as d; a
bootstrap draws topics together with their weights. Where the mean is assumed to be nearly normal, its standard error is

    se² = Σ w² (d − d̄)² / (Σ w)² · Σ w² / (Σ w² − 2 Σ w³/Σ w + (Σ w²)²/(Σ w)²)

with (effective topics − 1) degrees of freedom; with equal weights these are s²/n and n − 1.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

EQUAL = 1e-12
"""Of the largest value: two values that are closer are a tie, whatever rounding says."""


def differences(rows: Floats, first: NDArray[np.int64], second: NDArray[np.int64]) -> Floats:
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
