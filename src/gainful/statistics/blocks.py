"""Much work in blocks: bounded memory, all cores, and sums that no order of adding changes."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gainful.formats.judgments import cores

T = TypeVar("T")

Progress = Callable[[str, int, int | None], None]
"""Told now and then what is being done, how much of it is done, and how much there is."""

CELLS = 1 << 17
"""Numbers that a thread works on at once: they stay in the cache of its core."""


ALONE = 1 << 18
"""Multiplications up to which OpenBLAS takes no second thread."""


def size(rows: int, *, least: int = 32, most: int = 1024) -> int:
    """Patterns to take at once, where each gives so many numbers."""
    return max(least, min(most, CELLS // max(rows, 1)))


def over(
    total: int,
    block: int,
    work: Callable[[int, int], T],
    *,
    progress: Progress | None = None,
    what: str = "resampling",
) -> Iterator[T]:
    """work(start, stop) for each block of the total, in order; NumPy lets threads run side by side.

    >>> list(over(5, 2, lambda start, stop: stop - start))
    [2, 2, 1]
    """
    starts = range(0, total, block)
    threads = min(cores(), len(starts))
    if threads < 2:
        for start in starts:
            yield work(start, min(start + block, total))
        return
    waiting: deque[tuple[int, Future[T]]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        for start in starts:
            stop = min(start + block, total)
            waiting.append((stop, pool.submit(work, start, stop)))
            if len(waiting) > 2 * threads:
                yield _next(waiting, total, progress, what)
        while waiting:
            yield _next(waiting, total, progress, what)


def whole(values: NDArray[np.float64], times: int) -> tuple[NDArray[np.float64], float]:
    """The values as whole numbers of a small unit, and the unit.

    The unit is a power of two so large that `times` of the numbers, or their products with counts that add up to
    as much, sum to less than 2^53: then every sum is exact, and no block size, thread count or order of adding
    changes a bit of it.

    >>> numbers, unit = whole(np.array([0.1, 0.2]), times=2)
    >>> bool(np.allclose(numbers * unit, [0.1, 0.2], rtol=1e-14)), bool((numbers == np.round(numbers)).all())
    (True, True)
    """
    largest = float(np.abs(values).max(initial=0.0)) * times
    if largest == 0:
        return np.zeros_like(values), 1.0
    unit = math.ldexp(1.0, max(math.frexp(largest)[1] - 52, -1000))
    return np.round(values / unit), unit


def whole_rows(values: NDArray[np.float64], times: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The same with a unit for each row, so that a row is the same whatever rows stand beside it."""
    largest = np.abs(values).max(axis=1, initial=0.0) * times
    units = np.ldexp(1.0, np.maximum(np.frexp(largest)[1] - 52, -1000))
    units[largest == 0] = 1.0
    return np.round(values / units[:, None]), units


def product(rows: NDArray[np.float64], patterns: NDArray[np.float64]) -> NDArray[np.float64]:
    """The product rows · patternsᵀ, in pieces so small that BLAS does each on the thread that asks.

    The blocks fill the cores already; threads of BLAS beside them would only wait in each other's way.
    """
    made = np.empty((len(rows), len(patterns)))
    step = max(8, ALONE // max(rows.size, 1))
    for start in range(0, len(patterns), step):
        np.matmul(rows, patterns[start : start + step].T, out=made[:, start : start + step])
    return made


def _next(waiting: deque[tuple[int, Future[T]]], total: int, progress: Progress | None, what: str) -> T:
    stop, future = waiting.popleft()
    done = future.result()
    if progress:
        progress(what, stop, total)
    return done
