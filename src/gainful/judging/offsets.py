"""Where each of many lists begins, when they lie one after the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def offsets_of(lengths: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
    """The sums so far, from 0: list number i lies between offsets i and i + 1.

    >>> offsets_of([2, 0, 3]).tolist()
    [0, 2, 2, 5]
    """
    made = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=made[1:])
    return made
