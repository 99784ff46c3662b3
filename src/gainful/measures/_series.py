"""Weights of ranks that do not depend on the data, and what they add up to."""

import operator
from collections.abc import Callable

import numpy as np

from gainful.errors import MeasureError
from gainful.judging.ranking import Floats

LONGEST = 1 << 22
SHIFT = 12  # from here on the asymptotic series of trigamma has all digits


def ranks(cutoff: int) -> Floats:
    """1, 2, … cutoff.

    >>> ranks(3)
    array([1., 2., 3.])
    """
    if (last := operator.index(cutoff)) > LONGEST:
        raise MeasureError(f"cutoff must be {LONGEST:,} or less here; got {cutoff}")
    return np.arange(1.0, last + 1)


def summed(weight: Callable[[Floats], Floats], cutoff: int | None, name: str) -> float:
    """Σ weight(rank) over ranks ≤ cutoff; without a cutoff, over all ranks, if the weights die away.

    >>> summed(lambda rank: 0.5**rank, None, "a half and a quarter and so on")
    1.0
    """
    if cutoff is not None:
        return float(weight(ranks(cutoff)).sum())
    length = 64
    while length <= LONGEST:
        weights = weight(ranks(length))
        if weights[-1] * length < 1e-17 * weights.sum():
            return float(weights.sum())
        length *= 4
    raise MeasureError(f"{name} needs a cutoff: without one, what a list can gain has no end")


def trigamma(x: Floats) -> Floats:
    """Σ 1 / (x + n)² over n = 0, 1, 2, …;  so trigamma(a) − trigamma(b) sums from a to b − 1.

    >>> bool(abs(trigamma(np.array([1.0]))[0] - np.pi**2 / 6) < 1e-15)
    True
    """
    near = 0.0 * x
    for n in range(SHIFT):
        near = near + 1 / (x + n) ** 2
    y = 1 / (x + SHIFT)
    z = y * y
    tail = 1 / 6 - z * (1 / 30 - z * (1 / 42 - z * (1 / 30 - z * (5 / 66 - z * 691 / 2730))))
    far: Floats = near + y + z / 2 + y * z * tail
    return far
