"""Interaction: does the difference between two systems differ from group to group of topics?

    W = Σ_g (d̄_g − d̃)² / v_g     v_g the squared error of the group's mean, d̃ = Σ d̄_g/v_g / Σ 1/v_g

With equal weights v_g = s_g²/n_g and W is the statistic of Welch 1951 but for a factor. Its chance is not read from a
table: groups are dealt out to the topics anew, their sizes kept, and the p-value is the share of the deals with a W as
large. Where groups do not matter at all that is exact; where the means are the same and the spreads are not it holds
closely (Pauly, Brunner & Konietschke 2015, doi:10.1111/rssb.12073), which a plain F would not.

A variance counts as no less than a hundredth of that of all topics, and that of a group of one topic as that of all.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gainful.statistics import resampling
from gainful.statistics.resampling import Progress

Floats = NDArray[np.float64]

DEFAULT = 10_000
"""Deals, unless said: a p-value of 0.05 is then within 0.0044, 19 times of 20."""

LEAST = 0.01
TOLERANCE = 1e-9


def interactions(
    differences: Floats,
    groups: Sequence[int],
    *,
    weights: Floats | None = None,
    deals: int = DEFAULT,
    seed: int = resampling.SEED,
    progress: Progress | None = None,
) -> Floats:
    """The p-value of each row of differences: how often groups dealt out by chance differ as much as these.

    differences  pairs × topics
    groups       the number of each topic's group, from 0

    Two groups of two: of the six deals the observed one and its mirror image are the most extreme, p near 2/6.

    >>> d = np.array([[0.0, 0.1, 0.8, 0.9]])
    >>> round(float(interactions(d, [0, 0, 1, 1], deals=2000)[0]), 1)
    0.3
    """
    number = np.asarray(groups)
    several = int(number.max()) + 1
    topics = differences.shape[1]
    whole = np.ones(topics) if weights is None else weights / weights.max()
    apart = differences - differences.mean(axis=1, keepdims=True)  # W is the same, and rounding loses less
    apart[np.ptp(differences, axis=1) == 0] = 0
    columns = np.concatenate([apart * whole, (apart * whole) ** 2, apart * whole**2])
    overall = (apart**2).sum(axis=1) / max(topics - 1, 1)
    sums = np.stack([whole, whole**2, whole**3])

    def statistic(labels: NDArray[np.int64]) -> Floats:
        """Of deals × topics: deals × pairs."""
        means, errors = [], []
        for group in range(several):
            chosen = (labels == group).astype(np.float64)
            mean, error = _mean_and_error(resampling.product(columns, chosen).T, (chosen @ sums.T), overall)
            means.append(mean)
            errors.append(error)
        return _spread(np.stack(means), np.stack(errors))

    observed = statistic(number[None])[0] * (1 - TOLERANCE)

    def count(start: int, stop: int) -> NDArray[np.int64]:
        orders = resampling.orders(seed, 1, topics, start, stop)[:, 0]
        return np.asarray(np.count_nonzero(statistic(number[orders]) >= observed, axis=0))

    hits = np.zeros(len(differences), np.int64)
    block = resampling.block_size(max(3 * len(differences), topics))
    for found in resampling.over_blocks(deals, block, count, progress=progress, what="groups"):
        hits += found
    return (hits + 1) / (deals + 1)


def _mean_and_error(totals: Floats, sums: Floats, overall: Floats) -> tuple[Floats, Floats]:
    """Each pair's mean in a group and its squared error, of Σwd, Σw²d², Σw²d and of Σw, Σw², Σw³; deals × pairs."""
    first, squared, crossed = np.split(totals, 3, axis=1)
    weight, squares, cubes = (sums[:, place, None] for place in range(3))
    mean = first / weight
    apart = np.maximum(squared - 2 * mean * crossed + mean**2 * squares, 0)
    left = squares - 2 * cubes / weight + squares**2 / weight**2
    variance = np.divide(apart, left, out=np.full_like(apart, -1.0), where=left > 1e-12 * squares)
    variance = np.where(variance < 0, overall, np.maximum(variance, LEAST * overall))
    return mean, variance * squares / weight**2


def _spread(means: Floats, errors: Floats) -> Floats:
    """W, of groups × deals × pairs; 0 where there is no spread at all."""
    counts = np.divide(1.0, errors, out=np.zeros_like(errors), where=errors > 0)
    total = counts.sum(axis=0)
    middle = np.divide((counts * means).sum(axis=0), total, out=np.zeros_like(total), where=total > 0)
    return np.asarray((counts * (means - middle) ** 2).sum(axis=0))
