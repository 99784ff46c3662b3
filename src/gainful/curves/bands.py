"""Chance: what curves would be with other topics like these, by drawing topics anew."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gainful.errors import UsageError
from gainful.statistics.resampling import BAND_RESAMPLES, SEED, counts

Floats = NDArray[np.float64]

_AT_ONCE = 4_000_000  # numbers held while resampling


def draws(topics: int, *, resamples: int = BAND_RESAMPLES, seed: int = SEED) -> Floats:
    """How often each topic is drawn in each resample: resamples × topics, every row sums to the number of topics.

    >>> draws(3, resamples=2, seed=1).sum(axis=1)
    array([3., 3.])
    """
    if resamples < 1:
        raise UsageError(f"resamples must be 1 or more; got {resamples}.")
    if seed < 0:
        raise UsageError(f"seed must be 0 or more; got {seed}.")
    return counts(seed, topics, 0, resamples)


def resampled(above: Floats, below: Floats, times: Floats) -> Floats:
    """Sum of what stands above the line over the sum of what stands below it, in each resample.

    above, below  points × topics; for a mean over topics, below is 1 where a topic counts and 0 where it does not
    times         how often each topic is drawn: resamples × topics

    >>> resampled(np.array([[1.0, 3.0]]), np.array([[1.0, 1.0]]), np.array([[2.0, 0.0], [1.0, 1.0]]))
    array([[1., 2.]])
    """
    same = len(below) > 1 and bool((below == below[:1]).all())  # the same topics count at every point
    divisor = (below[:1] if same else below) @ times.T
    return (above @ times.T) / np.where(divisor == 0, np.nan, divisor)


def limits(values: Floats, level: float) -> tuple[Floats, Floats]:
    """The middle share `level` of the values in each row: where it begins and where it ends.

    >>> limits(np.array([[1.0, 2.0, 3.0, 4.0, 5.0]]), 0.5)
    (array([2.]), array([4.]))
    """
    if not 0 < level < 1:
        raise UsageError(
            f"a band holds a share of the resamples between 0 and 1, such as 0.95; got {level:g}."
        )
    tail = (1 - level) / 2
    if np.isnan(values).any():  # resamples in which no topic counts say nothing
        some = ~np.isnan(values).all(axis=1)
        low, high = np.full((2, len(values)), np.nan)
        if some.any():
            low[some], high[some] = np.nanquantile(values[some], [tail, 1 - tail], axis=1)
        return low, high
    low, high = np.quantile(values, [tail, 1 - tail], axis=1)
    return low, high


def limits_in_blocks(above: Floats, below: Floats, times: Floats, level: float) -> tuple[Floats, Floats]:
    """The limits of each point; points are resampled some at a time, which bounds memory."""
    step = max(1, _AT_ONCE // len(times))
    made = [
        limits(resampled(above[at : at + step], below[at : at + step], times), level)
        for at in range(0, len(above), step)
    ]
    low, high = zip(*made, strict=True)
    return np.concatenate(low), np.concatenate(high)
