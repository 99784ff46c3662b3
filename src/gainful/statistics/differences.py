"""Paired differences, topic by topic, and their spread."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

EQUAL = 1e-12
"""Of the largest value: two values that are closer are a tie, whatever rounding says."""


def differences(
    rows: NDArray[np.float64], first: NDArray[np.int64], second: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The second less the first, pair by pair and topic by topic, on a grid so fine that only rounding is lost.

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


def deviation(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Standard deviation (n − 1) of each row; 0 where only rounding is left, NaN for one topic."""
    if rows.shape[1] < 2:
        return np.full(len(rows), np.nan)
    spread = rows.std(axis=1, ddof=1)
    spread[np.ptp(rows, axis=1) == 0] = 0
    return np.asarray(spread)
