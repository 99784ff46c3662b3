"""Sums over ranks that do not depend on the data: what a measure's weights add up to."""

from collections.abc import Callable

import numpy as np

from gainful.errors import MeasureError
from gainful.judging.ranking import Floats

LONGEST = 1 << 22


def summed(weight: Callable[[Floats], Floats], cutoff: int | None, name: str) -> float:
    """Σ weight(rank) over ranks ≤ cutoff; without a cutoff, over all ranks, if the weights die away.

    >>> summed(lambda rank: 0.5**rank, None, "a half and a quarter and so on")
    1.0
    """
    if cutoff is not None:
        return float(weight(np.arange(1.0, cutoff + 1)).sum())
    length = 64
    while length <= LONGEST:
        weights = weight(np.arange(1.0, length + 1))
        if weights[-1] * length < 1e-17 * weights.sum():
            return float(weights.sum())
        length *= 4
    raise MeasureError(f"{name} needs a cutoff here: without one, what a list can gain has no end")
