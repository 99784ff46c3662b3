"""Means, tests and intervals of differences in which each topic counts by its weight.

    weighted mean     Σ w d / Σ w
    effective topics  (Σ w)² / Σ w²  (Kish 1965): so many topics of equal weight would say as much

Weights belong to the topics and are taken as given. The sign-flip test flips w·d, which is as symmetric as d; a
bootstrap draws topics together with their weights. Where the mean is supposed near normal its error is

    se² = Σ w² (d − d̄)² / (Σ w)² · Σ w² / (Σ w² − 2 Σ w³/Σ w + (Σ w²)²/(Σ w)²)

with (effective topics − 1) degrees of freedom; with equal weights these are s²/n and n − 1.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from gainful.statistics._scipy import special

Floats = NDArray[np.float64]

_ENDLESS = 1e15
"""Standard errors of an interval that says nothing: one topic has nearly all the weight."""


def effective(weights: Floats) -> float:
    """So many topics of equal weight would say as much.

    Of 1, 1, 2: 4² / 6

    >>> round(effective(np.array([1.0, 1.0, 2.0])), 4)
    2.6667
    """
    relative = (
        weights / weights.max()
    )  # powers of very large or small weights would leave the range of floats
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
    made = math.fsum(values) - values
    largest = int(values.argmax())
    made[largest] = math.fsum(np.delete(values, largest))
    return made


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
    """Of each row's weighted mean; 0 where all differences are the same."""
    weights = weights / weights.max()
    total, squares = math.fsum(weights), math.fsum(weights**2)
    left = math.fsum(weights**2 * (_others(weights) ** 2 + _others(weights**2))) / total**2
    apart = differences - weighted_mean(differences, weights)[:, None]
    apart[np.ptp(differences, axis=1) == 0] = 0
    return np.sqrt((apart**2 @ weights**2) / total**2 * squares / left)


def t_test(differences: Floats, weights: Floats) -> Floats:
    """Student's test of the weighted mean; with equal weights, the paired t-test.

    >>> t_test(np.array([[1.0, 2.0, 3.0]]), np.ones(3)).round(4)  # t = 2/(1/√3)
    array([0.0742])
    """
    error = standard_error(differences, weights)
    middle = np.abs(weighted_mean(differences, weights))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(middle == 0, 0.0, middle / error)
    p = 2 * special().stdtr(freedom(weights), -t)
    return np.asarray(np.where(np.isinf(t), 0.0, p))


def t_interval(differences: Floats, weights: Floats, confidence: float) -> tuple[Floats, Floats]:
    """Student's interval of each row's weighted mean.

    >>> low, high = t_interval(np.array([[1.0, 2.0, 3.0]]), np.ones(3), 0.95)  # 2 ± 4.3027 · 1/√3
    >>> float(low[0].round(4)), float(high[0].round(4))
    (-0.4841, 4.4841)
    """
    middle = weighted_mean(differences, weights)
    level = special().stdtrit(freedom(weights), 1 - (1 - confidence) / 2)
    half = standard_error(differences, weights)
    half[half > 0] *= level if level < _ENDLESS else math.inf
    return middle - half, middle + half


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
