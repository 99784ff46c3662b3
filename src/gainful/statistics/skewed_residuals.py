"""Residuals that are far from normal: how much further than Student's t an interval must reach to either side.

Student's t takes no notice of skewness, and holds the truth too seldom where residuals have it. Where their skewness is above
1, topics are drawn again (bootstrap-t, Efron 1982, doi:10.1137/1.9781611970319):

    t* = (mean of r* + mean of e*) / √(variance of r* / n + variance of e* / m)

r* are residuals of n topics drawn from the n that people judged, e* what the model predicts for m drawn from the m others, both
as distances from their means. The ends of the middle 95 % of t*, over those of Student's t, say how far the interval reaches;
never less than Student's, which holds better where residuals only look skewed (docs/models.md).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gainful.statistics import special
from gainful.statistics.resampling import SEED, counts, product

Floats = NDArray[np.float64]

SKEWED = 1.0
"""Skewness of residuals, to either side, from which on topics are drawn again."""
RESAMPLES = 1_000
_TAIL = 0.025
_ROUNDING = 1e-12
_ROWS = 32  # resampled at once, which stays in the cache of a core


def skewness(residual: Floats) -> Floats:
    """Third moment over the 3/2 power of the second, row by row; 0 where a row never varies.

    >>> skewness(np.array([[-1.0, 0.0, 1.0], [0.0, 0.0, 3.0]])).round(3)  # (−1 − 1 + 8) / 3 / 2^(3/2)
    array([0.   , 0.707])
    """
    deviation = residual - residual.mean(axis=1, keepdims=True)
    second, third = (deviation**2).mean(axis=1), (deviation**3).mean(axis=1)
    return np.asarray(np.divide(third, second**1.5, out=np.zeros(len(residual)), where=second > 0))


def stretches(residual: Floats, predicted: Floats, freedom: Floats) -> tuple[Floats, Floats]:
    """For each row, how many times as far as Student's t its interval reaches downwards, and upwards; 1 where it is not skewed.

    residual   rows × n, what the mean over people's topics is taken of
    predicted  rows × m, what is added from the topics of the model alone; m may be 0
    freedom    of each row, degrees of freedom of Student's t; NaN where it has no interval

    Infinite where resamples without any spread are among the 2.5 % at that side.
    """
    down, up = np.ones(len(residual)), np.ones(len(residual))
    skewed = np.flatnonzero((np.abs(skewness(residual)) > SKEWED) & ~np.isnan(freedom))
    if not len(skewed):
        return down, up
    times = [
        None
        if values.shape[1] < 2
        else counts(SEED, values.shape[1], 0, RESAMPLES, second=second) / values.shape[1]
        for values, second in ((residual, False), (predicted, True))
    ]
    for start in range(0, len(skewed), _ROWS):
        rows = skewed[start : start + _ROWS]
        resampled = _resampled(residual[rows], predicted[rows], times)
        low, high = np.quantile(resampled, [_TAIL, 1 - _TAIL], axis=1, method="inverted_cdf")
        reach = special().stdtrit(freedom[rows], 1 - _TAIL)
        down[rows], up[rows] = np.maximum(high / reach, 1.0), np.maximum(-low / reach, 1.0)
    return down, up


def _resampled(residual: Floats, predicted: Floats, times: list[Floats | None]) -> Floats:
    """Rows × resamples: the t of each; infinite where a resample has no spread."""
    total, variance = np.zeros(()), np.zeros(())
    for values, drawn in zip((residual, predicted), times, strict=True):
        if drawn is not None:
            size = values.shape[1]
            apart = values - values.mean(axis=1, keepdims=True)
            mean = product(apart, drawn)
            total = total + mean
            mean **= 2
            variance = variance + (product(apart**2, drawn) - mean) / (size - 1)
    variance[variance <= _ROUNDING * variance.max(axis=1, keepdims=True)] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(total == 0, 0.0, total / np.sqrt(variance))
