"""Confidence intervals of mean differences, row by row.

t           d̄ ± t · s/√n; covered best on TREC data with 10 to 50 topics
bca         bootstrap, corrected for bias and skewness
percentile  bootstrap, the middle of the resampled means
flips       the differences that two one-sided sign-flip tests do not reject
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gainful.statistics import bootstrap
from gainful.statistics._scipy import special
from gainful.statistics.blocks import Progress
from gainful.statistics.flips import Flips, OneSided
from gainful.statistics.paired import deviation
from gainful.statistics.weighted import linearised
from gainful.statistics.weighted import t_interval as weighted_t

INTERVALS = ("t", "bca", "percentile", "flips")

_ROWS = 256

Ends = tuple[NDArray[np.float64], NDArray[np.float64]]


def interval(
    name: str,
    differences: NDArray[np.float64],
    confidence: float,
    *,
    resamples: int = bootstrap.DEFAULT,
    flips: int = 10_000,
    seed: int = 0,
    progress: Progress | None = None,
    weights: NDArray[np.float64] | None = None,
) -> Ends:
    """Lower and upper ends for each row of paired differences; NaN for one topic."""
    topics = differences.shape[1]
    if topics < 2:
        nothing = np.full(len(differences), np.nan)
        return nothing, nothing.copy()
    if name == "t":
        if weights is not None:
            return weighted_t(differences, weights, confidence)
        return t_interval(differences, confidence)
    if name == "flips":
        tail = (1 - confidence) / 2
        tests = [OneSided.of(row, Flips(topics, flips, seed)) for row in differences]
        return np.array([test.lower(tail) for test in tests]), np.array([test.upper(tail) for test in tests])
    parts = []
    for start in range(0, len(differences), _ROWS):  # a few hundred rows at a time: resamples × rows are held
        rows = differences[start : start + _ROWS]
        drawn = bootstrap.means(rows, resamples=resamples, seed=seed, progress=progress, weights=weights)
        if weights is not None:
            rows = linearised(rows, weights)
        found = (
            bootstrap.bca(rows, drawn, confidence)
            if name == "bca"
            else bootstrap.percentile(drawn, confidence)
        )
        parts.append(found)
    return np.concatenate([low for low, _ in parts]), np.concatenate([high for _, high in parts])


def t_interval(rows: NDArray[np.float64], confidence: float) -> Ends:
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
