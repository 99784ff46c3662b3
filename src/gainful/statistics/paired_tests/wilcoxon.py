"""Wilcoxon's signed-rank test, which assumes that the differences are symmetric; sizes count by rank only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gainful.statistics import stats
from gainful.statistics.flips import Flips, sign_flips
from gainful.statistics.paired_tests import PairedSample, paired_test

_FEW = 13
"""Most topics for which all patterns of signs are enumerated if ranks are shared."""


@paired_test(
    "Wilcoxon signed-rank test",
    smallest=lambda sample: wilcoxon_test(np.abs(sample.differences)),
    patterns=True,
    side=lambda rows: np.asarray(_signed_ranks(rows).sum(axis=1)),
)
def wilcoxon(sample: PairedSample) -> NDArray[np.float64]:
    """The sum of signed ranks; zeros are left out, equal sizes share their ranks."""
    return wilcoxon_test(sample.differences)


def wilcoxon_test(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """The p-value of each row of differences.

    Exact up to 50 topics, with zeros or equal sizes up to 13; else by the normal approximation, as SciPy has it.

    >>> wilcoxon_test(np.array([[1.0, 2.0, 3.0, 4.0, 5.0], [0.0, 0.0, 0.0, 0.0, 0.0]])).tolist()  # 2 of 2⁵
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
    """The exact p-value over every pattern of signs of the ranks."""
    signed = _signed_ranks(rows)
    topics = rows.shape[1]
    pairs = (np.zeros(len(rows), np.intp), np.arange(1, len(rows) + 1))
    return sign_flips(np.vstack([np.zeros(topics), signed]), pairs, Flips(topics, 2**topics, 0)).p


def _signed_ranks(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    ranks = stats().rankdata(np.abs(rows), axis=1) - (rows == 0).sum(axis=1, keepdims=True)
    return np.asarray(ranks * np.sign(rows))
