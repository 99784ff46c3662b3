"""The sign test: wins against losses; sizes do not count."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gainful.statistics import special
from gainful.statistics.paired_tests import PairedSample, paired_test


def all_one_way(sample: PairedSample) -> NDArray[np.float64]:
    """The p-value of a pair whose differences all point one way: 2 of the 2ᵐ patterns of signs, where m differ.

    >>> rows = np.array([[0.0, 0.0, 0.0, 0.0], [1.0, -1.0, 0.5, 0.0]])
    >>> all_one_way(PairedSample(rows, np.array([0]), np.array([1]))).tolist()
    [0.25]
    """
    different = np.count_nonzero(sample.differences, axis=1)
    return np.asarray(np.minimum(2 * 0.5**different, 1))


@paired_test(
    "sign test",
    smallest=all_one_way,
    patterns=True,
    side=lambda rows: np.asarray(np.sign(rows).sum(axis=1), np.float64),
)
def sign(sample: PairedSample) -> NDArray[np.float64]:
    """Wins against losses; ties are left out."""
    return sign_test(sample.differences)


def sign_test(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """The p-value of each row of differences: as many wins as losses, or fewer, of fair coins.

    >>> sign_test(np.array([[1.0, 2.0, 3.0, 0.0], [1.0, -1.0, 0.0, 0.0]])).tolist()  # 2/2³, and 1
    [0.25, 1.0]
    """
    wins, losses = (rows > 0).sum(axis=1), (rows < 0).sum(axis=1)
    below = special().bdtr(np.minimum(wins, losses).astype(float), wins + losses, 0.5)
    return np.asarray(np.minimum(2 * np.where(wins + losses == 0, 1.0, below), 1))
