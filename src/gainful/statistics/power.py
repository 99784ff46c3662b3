"""Power: which differences a number of topics can detect, and how many topics a difference needs.

For the paired t-test, whose power the sign-flip test shares closely:

    power(n) = P(|T| > t_crit),   T noncentral t with n − 1 degrees of freedom and noncentrality  effect · √n

effect is the standardised difference, mean / standard deviation over topics.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from gainful.statistics import special

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
