"""Weights of ranks that do not depend on the data, and what they add up to."""

import operator
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from gainful.errors import MeasureError
from gainful.judging.ranking import Floats, namespace

LONGEST = 1 << 22
NEAR = 1 << 13  # numbers that stay near the processor while much is done with them
SHIFT = 8  # from here on the asymptotic series of trigamma has all digits


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


def tail(p: float, rank: Floats) -> Floats:
    """Σ p^(n − 1) / n over n = rank, rank + 1, …, at each rank.

    >>> bool(abs(tail(0.5, np.array([1.0]))[0] - 2 * np.log(2)) < 1e-15)
    True
    """
    found: Floats = _tails(p)[np.minimum(rank, _negligible(p)).astype(np.int64)]
    return found


@lru_cache(maxsize=16)
def _tails(p: float) -> Floats:
    every = ranks(_negligible(p) - 1)
    weight = p ** (every - 1) / every
    tails = np.zeros(len(every) + 2)
    tails[1:-1] = np.cumsum(weight[::-1])[::-1]  # smallest first, so that small tails have all digits too
    return tails


def _negligible(p: float) -> int:
    """A rank from which on p^rank adds nothing to a sum that begins with 1."""
    return int(min(-46 / np.log(p), LONGEST - 2)) + 2


def trigamma(x: Floats) -> Floats:
    """The sum of 1 / (x + n)² over n = 0, 1, 2, …; so that of a less that of b goes from a to b − 1.

    >>> bool(abs(trigamma(np.array([1.0]))[0] - np.pi**2 / 6) < 1e-15)
    True
    """
    if len(x) <= NEAR:
        return _trigamma(x)
    pieces = [_trigamma(x[start : start + NEAR]) for start in range(0, len(x), NEAR)]
    whole: Floats = namespace(x).concatenate(pieces)
    return whole


def _trigamma(x: Floats) -> Floats:
    above, below, shifted = 0.0 * x, 0.0 * x + 1.0, x
    for _ in range(SHIFT):  # as one fraction: a division takes as long as many products
        square = shifted * shifted
        above = above * square + below
        below = below * square
        shifted = shifted + 1.0
    y = 1 / shifted
    z = y * y
    tail = 1 / 6 - z * (
        1 / 30 - z * (1 / 42 - z * (1 / 30 - z * (5 / 66 - z * (691 / 2730 - z * (7 / 6 - z * 3617 / 510)))))
    )
    far: Floats = above / below + y + z / 2 + y * z * tail
    return far
