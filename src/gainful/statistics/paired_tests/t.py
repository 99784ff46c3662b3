"""Student's paired t-test, which assumes that the mean of the differences is nearly normal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gainful.statistics import special
from gainful.statistics.differences import deviation, freedom, standard_error, weighted_mean
from gainful.statistics.paired_tests import PairedSample, paired_test


@paired_test("paired t-test", weights=True)
def t(sample: PairedSample) -> NDArray[np.float64]:
    """Student's t of the mean difference, or of the weighted one."""
    if sample.weights is not None:
        return weighted_t_test(sample.differences, sample.weights)
    return t_test(sample.differences)


def t_test(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """The p-value of each row of differences; rows without any spread have p 1 if all is zero, else 0.

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


def weighted_t_test(differences: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The p-value of each row of differences, of its weighted mean; with equal weights, that of the paired t-test.

    >>> weighted_t_test(np.array([[1.0, 2.0, 3.0]]), np.ones(3)).round(4)  # t = 2/(1/√3)
    array([0.0742])
    """
    error = standard_error(differences, weights)
    middle = np.abs(weighted_mean(differences, weights))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(middle == 0, 0.0, middle / error)
    p = 2 * special().stdtr(freedom(weights), -t)
    return np.asarray(np.where(np.isinf(t), 0.0, p))
