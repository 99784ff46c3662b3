"""The distribution functions of scipy.special that comparisons ask for, in plain Python, used where SciPy is not installed.

Names, order of arguments and values are SciPy's; arguments are numbers or arrays that fit each other. Values agree to 9 digits
for up to a million degrees of freedom; where SciPy has none, they are NaN here, too.
All but the normal's come from the incomplete beta function, and its inverses from bisection.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache, wraps
from statistics import NormalDist
from typing import Any

import numpy as np

_NORMAL = NormalDist()
_TINY = 1e-300  # instead of a division by zero
_STEPS = 2001


def _of_arrays(function: Callable[..., float]) -> Callable[..., Any]:
    """Make a function of numbers one of arrays; NaN where an argument is NaN.

    Results are remembered: samples of one size ask for one quantile many times.
    """
    remembered = lru_cache(4096)(function)

    @wraps(function)
    def call(*given: Any) -> Any:
        arrays = np.broadcast_arrays(*(np.asarray(each, dtype=float) for each in given))
        values = [
            math.nan if any(map(math.isnan, numbers)) else remembered(*numbers)
            for numbers in zip(*(each.ravel().tolist() for each in arrays), strict=True)
        ]
        return np.array(values, dtype=float).reshape(arrays[0].shape)[()]

    return call


@_of_arrays
def ndtr(x: float) -> float:
    """P(Z ≤ x) of the standard normal distribution."""
    return math.erfc(-x / math.sqrt(2)) / 2


@_of_arrays
def ndtri(p: float) -> float:
    """The x for which P(Z ≤ x) = p."""
    if 0 < p < 1:
        return _NORMAL.inv_cdf(p)
    return {0.0: -math.inf, 1.0: math.inf}.get(p, math.nan)


@_of_arrays
def stdtr(freedom: float, t: float) -> float:
    """P(T ≤ t) of Student's t."""
    return _student(freedom, t) if freedom > 0 else math.nan


@_of_arrays
def stdtrit(freedom: float, p: float) -> float:
    """The t for which P(T ≤ t) = p."""
    if not (freedom > 0 and 0 <= p <= 1):
        return math.nan
    away = 0.0 if p == 0.5 else _inverse(lambda t: _student(freedom, -t), min(p, 1 - p))
    return away if p > 0.5 else -away


@_of_arrays
def fdtrc(above: float, below: float, f: float) -> float:
    """P(F > f) of the F distribution; the degrees of freedom of the numerator come first."""
    if not (above > 0 and below > 0 and f >= 0):
        return math.nan
    return _fisher_tail(above, below, f)


@_of_arrays
def fdtri(above: float, below: float, p: float) -> float:
    """The f for which P(F ≤ f) = p."""
    if not (above > 0 and below > 0 and 0 <= p <= 1):
        return math.nan
    if p > 0.5:  # a tail has more digits than what is left of it
        return _inverse(lambda f: _fisher_tail(above, below, f), 1 - p)
    return _inverse(
        lambda f: _beta_share(
            above / 2, below / 2, above * f / (below + above * f), below / (below + above * f)
        ),
        p,
        rising=True,
    )


@_of_arrays
def bdtr(most: float, trials: float, p: float) -> float:
    """P(X ≤ most) of the binomial distribution."""
    most = math.floor(most)
    if not (0 <= most <= trials and 0 <= p <= 1):
        return math.nan
    return 1.0 if most == trials else _beta_share(trials - most, most + 1, 1 - p, p)


@_of_arrays
def nctdtr(freedom: float, noncentrality: float, t: float) -> float:
    """P(T ≤ t) of the noncentral t: the mean of Φ(t·s − noncentrality) over s, of which freedom·s² is chi-square."""
    if not freedom > 0:
        return math.nan
    # Over log s the density falls off smoothly on both sides, so that an even grid is as good as exact.
    reach = 12 / math.sqrt(freedom) + 40 / freedom
    log_s = np.linspace(-reach, min(reach, 3), _STEPS)
    weight = np.exp(freedom * (log_s - np.expm1(2 * log_s) / 2))
    below = [math.erfc((noncentrality - t * s) / math.sqrt(2)) / 2 for s in np.exp(log_s)]
    return float(np.dot(weight, below) / weight.sum())


def _student(freedom: float, t: float) -> float:
    if math.isinf(t):
        return float(t > 0)
    if math.isinf(freedom):
        return math.erfc(-t / math.sqrt(2)) / 2
    if freedom > 1e6:  # as good as normal, by the approximation of Wallace 1959
        z = (8 * freedom + 1) / (8 * freedom + 3) * math.sqrt(freedom * math.log1p(t * t / freedom))
        return math.erfc(math.copysign(z, -t) / math.sqrt(2)) / 2
    share = _beta_share(freedom / 2, 0.5, freedom / (freedom + t * t), t * t / (freedom + t * t)) / 2
    return share if t <= 0 else 1 - share


def _fisher_tail(above: float, below: float, f: float) -> float:
    return _beta_share(below / 2, above / 2, below / (below + above * f), above * f / (below + above * f))


def _beta_share(a: float, b: float, x: float, rest: float) -> float:
    """The regularised incomplete beta function of x; rest is 1 − x, which may have more digits than the difference."""
    if x <= 0 or rest <= 0:
        return float(rest <= 0)
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast below
        return 1 - _beta_share(b, a, rest, x)
    few, many = sorted((a, b))
    scale = _gamma_ratio(many, few) - math.lgamma(few) + a * _log(x, rest) + b * _log(rest, x)
    return math.exp(scale) * _fraction(a, b, x) / a


def _log(x: float, rest: float) -> float:
    """The logarithm of x, from whichever of x and 1 − x has more digits."""
    return math.log(x) if x < rest else math.log1p(-rest)


def _gamma_ratio(a: float, b: float) -> float:
    """Log Γ(a + b) − log Γ(a); for a large a by the difference of Stirling's series, as that of the logarithms has few digits."""
    if a < 1000:
        return math.lgamma(a + b) - math.lgamma(a)
    return (a + b - 0.5) * math.log1p(b / a) + b * (math.log(a) - 1) + (1 / (a + b) - 1 / a) / 12


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method (Numerical Recipes, 6.4)."""

    def safe(number: float) -> float:
        return number if abs(number) > _TINY else _TINY

    c, d = 1.0, 1 / safe(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 100_000):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d, c = 1 / safe(1 + step * d), safe(1 + step / c)
            value *= d * c
        if abs(d * c - 1) < 1e-16:
            break
    return value


def _inverse(share: Callable[[float], float], p: float, *, rising: bool = False) -> float:
    """The positive number whose share is p, of a function that falls, or rises, all the way."""
    if p in (0, 1):
        return math.inf if (p == 1) == rising else 0.0
    low, high = 0.0, 1.0
    while (share(high) < p) == rising and high < 1e300:
        low, high = high, high * 2
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return middle
        if (share(middle) < p) == rising:
            low = middle
        else:
            high = middle
