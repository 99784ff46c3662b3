"""Sums of many rows with the bits of `math.fsum`, most of them without a Python number for each value."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from gainful.statistics.resampling import CELLS, whole_rows

Floats = NDArray[np.float64]


def exact_sums(rows: Floats) -> Floats:
    """The sum of each row, rounded once: the bits of `math.fsum`, in whatever order the columns stand.

        value = high + low      high and low: whole numbers of two units per row, so that their sums are exact

    Rows whose values have more digits than two such numbers hold are summed by `math.fsum`.

    >>> exact_sums(np.array([[1e16, 1.0, -1e16], [0.1, 0.2, 0.3]]))
    array([1. , 0.6])
    """
    rows = np.atleast_2d(rows)
    sums = np.empty(len(rows))
    step = max(1, CELLS // max(rows.shape[1], 1))
    for start in range(0, len(rows), step):
        sums[start : start + step] = _of_block(rows[start : start + step])
    return sums


def _of_block(rows: Floats) -> Floats:
    times = rows.shape[1]
    with np.errstate(invalid="ignore", over="ignore"):  # of rows that are not finite
        high, unit = whole_rows(rows, times)
        low = rows - high * unit[:, None]
        small, small_unit = whole_rows(low, times)
        sums: Floats = high.sum(axis=1) * unit + small.sum(axis=1) * small_unit + 0.0  # never -0
        exact = (small * small_unit[:, None] == low).all(axis=1) & np.isfinite(sums)
    for row in np.flatnonzero(~exact).tolist():
        sums[row] = math.fsum(rows[row].tolist())
    return sums
