"""The bootstrap test: topics are resampled with replacement, with the mean difference shifted to zero."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gainful.statistics import resampling
from gainful.statistics.paired_tests import PairedSample, paired_test
from gainful.statistics.resampling import Progress

TOLERANCE = 1e-9


@paired_test(
    "bootstrap test",
    smallest=lambda sample: np.full(len(sample.first), 1 / (sample.resamples + 1)),
    draws="resamples",
)
def bootstrap(sample: PairedSample) -> NDArray[np.float64]:
    """Student's t over topics resampled with replacement."""
    return bootstrap_test(
        sample.differences, resamples=sample.resamples, seed=sample.seed, progress=sample.progress
    )


def bootstrap_test(
    differences: NDArray[np.float64],
    *,
    resamples: int = resampling.RESAMPLES,
    seed: int = resampling.SEED,
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    """p-values (two-sided) of rows of paired differences, by resampling them as if their mean were zero.

    The statistic is Student's t (Efron & Tibshirani 1993, section 16.4), so that a resample with little spread does
    not count for more: p = (resamples with |t*| ≥ |t|, + 1) / (resamples + 1).

    >>> bootstrap_test(np.array([[0.1, -0.1, 0.2, -0.2], [0.3, 0.2, 0.4, 0.3]]), resamples=999).round(1).tolist()
    [1.0, 0.0]
    """
    topics = differences.shape[1]
    centred = differences - differences.mean(axis=1, keepdims=True)
    centred[np.ptp(differences, axis=1) == 0] = 0  # what is left there is rounding
    numbers, units = resampling.whole_rows(centred, topics)
    squares, square_units = resampling.whole_rows(centred**2, topics)
    observed = np.abs(_t(differences.mean(axis=1), (differences**2).mean(axis=1), topics)) * (1 - TOLERANCE)

    def count(start: int, stop: int) -> NDArray[np.intp]:
        drawn = resampling.counts(seed, topics, start, stop)
        mean = resampling.product(numbers, drawn) * (units / topics)[:, None]
        square = resampling.product(squares, drawn) * (square_units / topics)[:, None]
        return np.asarray(np.count_nonzero(np.abs(_t(mean, square, topics)) >= observed[:, None], axis=1))

    hits = np.zeros(len(differences), np.intp)
    block = resampling.block_size(max(len(differences), topics))
    for in_block in resampling.over_blocks(resamples, block, count, progress=progress, what="bootstrap"):
        hits += in_block
    return (hits + 1) / (resamples + 1)


def _t(mean: NDArray[np.float64], square: NDArray[np.float64], topics: int) -> NDArray[np.float64]:
    """Student's t of a mean and a mean square; a mean without any spread is infinitely far from zero."""
    variance = np.maximum(square - mean**2, 0)
    variance[variance < 1e-14 * square] = 0
    with np.errstate(divide="ignore", invalid="ignore"):
        t: NDArray[np.float64] = mean / np.sqrt(variance / (topics - 1))
    t[np.isnan(t)] = 0
    return t
