"""Paired tests of many rows of differences at once; all two-sided.

signflip   each topic could as well have favoured the other: no assumption about the shape of the differences
t          Student's paired t-test: the mean of the differences is near normal
wilcoxon   signed ranks: the differences lie symmetrically; sizes count by rank only
sign       wins against losses; sizes do not count
bootstrap  topics drawn again, with the mean shifted to zero
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gainful.statistics._scipy import special, stats
from gainful.statistics.flips import Flips, sign_flips

TESTS = ("signflip", "t", "wilcoxon", "sign", "bootstrap")

_FEW = 13
"""Topics up to which all patterns of signs are gone through, where ranks are shared."""

EQUAL = 1e-12
"""Of the largest value: two values that are closer are a tie, whatever rounding says."""


def differences(
    rows: NDArray[np.float64], first: NDArray[np.int64], second: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The second less the first, pair by pair and topic by topic, on a grid so fine that only rounding is lost.

    0.3 − 0.2 and 0.2 − 0.1 differ in their last bits; here they are equal, and so are their ranks.

    >>> made = differences(np.array([[0.2, 0.1], [0.3, 0.2]]), np.array([0]), np.array([1]))
    >>> bool(made[0, 0] == made[0, 1])
    True
    """
    largest = float(np.abs(rows).max(initial=0.0))
    made = rows[second] - rows[first]
    if largest == 0:
        return made
    grid = EQUAL * largest
    return np.asarray(np.round(made / grid) * grid)


def t_test(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Student's paired t-test; rows without any spread have p 1 if all is zero, else 0.

    >>> t_test(np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]])).round(4).tolist()  # t = 2/(1/√3)
    [0.0742, 1.0]
    """
    topics = rows.shape[1]
    mean, spread = rows.mean(axis=1), deviation(rows)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(mean) / (spread / np.sqrt(topics))
    t[np.isnan(t)] = 0
    p = 2 * special().stdtr(topics - 1, -t)
    return np.asarray(np.where(np.isinf(t), 0.0, p))


def wilcoxon(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Wilcoxon's signed-rank test; zeros are left out, equal sizes share their ranks.

    Exact up to 50 topics, with zeros or equal sizes up to 13; else by the normal approximation, as SciPy has it.

    >>> wilcoxon(np.array([[1.0, 2.0, 3.0, 4.0, 5.0], [0.0, 0.0, 0.0, 0.0, 0.0]])).tolist()  # 2 of 2⁵
    [0.0625, 1.0]
    """
    p = np.ones(len(rows))
    sizes = np.sort(np.abs(rows), axis=1)
    some = sizes[:, -1] > 0
    plain = (sizes[:, 0] > 0) & (np.diff(sizes, axis=1) > 0).all(axis=1)
    for kind in (some & plain, some & ~plain):  # SciPy is exact for all rows of a call or for none
        if kind.any() and (rows.shape[1] > _FEW or kind[plain].any()):
            p[kind] = stats().wilcoxon(rows[kind], zero_method="wilcox", axis=1).pvalue
        elif kind.any():
            p[kind] = _flipped_ranks(rows[kind])
    return p


def _flipped_ranks(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Every pattern of signs of the ranks."""
    signed = _signed_ranks(rows)
    topics = rows.shape[1]
    pairs = (np.zeros(len(rows), np.int64), np.arange(1, len(rows) + 1))
    return sign_flips(np.vstack([np.zeros(topics), signed]), pairs, Flips(topics, 2**topics, 0))[0]


def _signed_ranks(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    ranks = stats().rankdata(np.abs(rows), axis=1) - (rows == 0).sum(axis=1, keepdims=True)
    return np.asarray(ranks * np.sign(rows))


def sign(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sign test: as many wins as losses, or fewer, of fair coins; ties are left out.

    >>> sign(np.array([[1.0, 2.0, 3.0, 0.0], [1.0, -1.0, 0.0, 0.0]])).tolist()  # 2/2³, and 1
    [0.25, 1.0]
    """
    wins, losses = (rows > 0).sum(axis=1), (rows < 0).sum(axis=1)
    below = special().bdtr(np.minimum(wins, losses).astype(float), wins + losses, 0.5)
    return np.asarray(np.minimum(2 * np.where(wins + losses == 0, 1.0, below), 1))


def deviation(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Standard deviation (n − 1) of each row; 0 where only rounding is left, NaN for one topic."""
    if rows.shape[1] < 2:
        return np.full(len(rows), np.nan)
    found = rows.std(axis=1, ddof=1)
    found[np.ptp(rows, axis=1) == 0] = 0
    return np.asarray(found)


CLOSED: dict[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {
    "t": t_test,
    "wilcoxon": wilcoxon,
    "sign": sign,
}
"""The tests that need no chance."""

SIDES: dict[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {
    "wilcoxon": lambda rows: np.asarray(_signed_ranks(rows).sum(axis=1)),
    "sign": lambda rows: np.asarray(np.sign(rows).sum(axis=1)),
}
"""Of tests that do not look at the mean: what they sum, above 0 where it favours larger values."""
