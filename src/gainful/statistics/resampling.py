"""Resampling: random patterns and bootstrap resamples of topics, in blocks of bounded memory on all cores.

Pattern number i of a random seed is the same for every caller, in whatever blocks and on however many threads:
the stream is set to the place where the pattern begins before it is read. Sums are of whole numbers, so that no order of
adding changes them.

>>> all_patterns = chosen(7, 5, 0, 6)
>>> bool((all_patterns[4:] == chosen(7, 5, 4, 6)).all())
True
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gainful.formats.judgments import cores
from gainful.statistics import special

SEED = 0
"""Random seed of every test, interval and band, unless another is asked for."""

RESAMPLES = 10_000
"""Bootstrap resamples of every test, interval and rank, unless another number is asked for."""

BAND_RESAMPLES = 2_000
"""Bootstrap resamples of every band along a curve, each of which holds all points of it; the confidence of a 95 % band is then
within 1 %, 19 times of 20."""

_FLIPS, _RESAMPLES, _ORDERS, _SECOND = 1, 2, 3, 4
_IN_CACHE = 8192  # draws counted at once


def chosen(seed: int, topics: int, start: int, stop: int) -> NDArray[np.float64]:
    """Patterns of topics, each topic in or out with even chance: a row of 0 and 1 for each pattern."""
    words = -(-topics // 64)
    raw = _raw(seed, _FLIPS, start * words, (stop - start) * words).astype("<u8", copy=False)
    bits = np.unpackbits(
        raw.view(np.uint8).reshape(stop - start, -1), axis=1, count=topics, bitorder="little"
    )
    return bits.astype(np.float64)


def every(topics: int, start: int, stop: int) -> NDArray[np.float64]:
    """Patterns start to stop of all 2^topics; the first has no topic in it.

    >>> every(2, 0, 4).tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
    """
    numbers = np.arange(start, stop, dtype=np.intp)[:, None]
    return ((numbers >> np.arange(topics)) & 1).astype(np.float64)


def counts(seed: int, topics: int, start: int, stop: int, *, second: bool = False) -> NDArray[np.float64]:
    """Resamples of the topics with replacement: how often each topic is in each of them.

    second  for the second of two samples, whose resamples do not depend on those of the first

    >>> counts(3, 10, 0, 4).sum(axis=1).tolist()
    [10.0, 10.0, 10.0, 10.0]
    """
    number = stop - start
    words = -(-topics // 2)
    purpose = _SECOND if second else _RESAMPLES
    raw = _raw(seed, purpose, start * words, number * words).astype("<u8", copy=False)
    halves = raw.view("<u4").reshape(number, 2 * words)
    if topics % 2:  # of the last number only the upper half is used
        halves[:, -2] = halves[:, -1]
    times = np.empty((number, topics))
    step = max(1, _IN_CACHE // max(topics, 1))
    for at in range(0, number, step):
        places = np.multiply(halves[at : at + step, :topics], np.uint64(topics), dtype=np.uint64)
        places >>= np.uint64(32)
        places += np.arange(0, topics * len(places), topics, dtype=np.uint64)[:, None]
        drawn = np.bincount(places.view(np.int64).astype(np.intp, copy=False).ravel(), minlength=places.size)
        times[at : at + step] = drawn.reshape(places.shape)
    return times


@lru_cache(maxsize=1)
def band_counts(seed: int, topics: int, resamples: int) -> NDArray[np.unsignedinteger]:
    """The resamples of a band, `counts` in small whole numbers: kept, as every curve and sweep of a report draws the same.

    >>> bool((band_counts(3, 10, 4) == counts(3, 10, 0, 4)).all())
    True
    """
    times = np.empty((resamples, topics), np.min_scalar_type(topics))
    for start in range(0, resamples, block := block_size(topics)):
        times[start : start + block] = counts(seed, topics, start, min(start + block, resamples))
    times.flags.writeable = False
    return times


def orders(seed: int, topics: int, systems: int, start: int, stop: int) -> NDArray[np.intp]:
    """For each pattern and topic, the systems in random order.

    >>> orders(1, 2, 3, 0, 5).sum(axis=2).tolist() == [[0 + 1 + 2] * 2] * 5
    True
    """
    size = topics * systems
    keys = _raw(seed, _ORDERS, start * size, (stop - start) * size).reshape(-1, topics, systems)
    # The lowest bits of each random key hold the system, so that sorting the keys shuffles the systems.
    mask = np.uint64((1 << max(systems - 1, 1).bit_length()) - 1)
    keys &= ~mask
    keys |= np.arange(systems, dtype=np.uint64)
    keys.sort(axis=2)
    keys &= mask
    return keys.view(np.int64).astype(np.intp, copy=False)


def _raw(seed: int, purpose: int, start: int, number: int) -> NDArray[np.uint64]:
    stream = np.random.PCG64(np.random.SeedSequence([seed, purpose]))
    stream.advance(start)
    raw: NDArray[np.uint64] = stream.random_raw(number)
    return raw


T = TypeVar("T")

Progress = Callable[[str, int, int | None], None]
"""Called now and then with what is being done, how much of it is done, and how much there is."""

CELLS = 1 << 17
"""Numbers that a thread works on at once: they stay in the cache of its core."""


ALONE = 1 << 18
"""Multiplications up to which OpenBLAS takes no second thread."""
_TOPICS = 256  # multiplied at once


def block_size(rows: int, *, least: int = 32, most: int = 1024) -> int:
    """Patterns to take at once, where each gives so many numbers."""
    return max(least, min(most, CELLS // max(rows, 1)))


def over_blocks(
    total: int,
    block: int,
    work: Callable[[int, int], T],
    *,
    progress: Progress | None = None,
    what: str = "resampling",
) -> Iterator[T]:
    """work(start, stop) for each block of the total, in order; NumPy lets threads run side by side.

    >>> list(over_blocks(5, 2, lambda start, stop: stop - start))
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
    """Each row as whole numbers of a small unit of its own, and the units: a row does not depend on the rows beside it."""
    largest = np.abs(values).max(axis=1, initial=0.0) * times
    units = np.ldexp(1.0, np.maximum(np.frexp(largest)[1] - 52, -1000))
    units[largest == 0] = 1.0
    return np.round(values / units[:, None]), units


def product(rows: NDArray[np.float64], patterns: NDArray[np.float64]) -> NDArray[np.float64]:
    """The product rows · patternsᵀ, in pieces so small that BLAS does each on the thread that asks.

    The blocks fill the cores already; threads of BLAS beside them would only wait in each other's way. Topics are
    added up some at a time, which changes no bit of sums of whole numbers.
    """
    products = np.zeros((len(rows), len(patterns)))
    for first in range(0, rows.shape[1], _TOPICS):
        columns = rows[:, first : first + _TOPICS]
        step = max(8, ALONE // max(columns.size, 1))
        for start in range(0, len(patterns), step):
            some = patterns[start : start + step, first : first + _TOPICS]
            products[:, start : start + step] += columns @ some.T
    return products


def _next(waiting: deque[tuple[int, Future[T]]], total: int, progress: Progress | None, what: str) -> T:
    stop, future = waiting.popleft()
    done = future.result()
    if progress:
        progress(what, stop, total)
    return done


def means(
    rows: NDArray[np.float64],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    progress: Progress | None = None,
    weights: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """The mean of each row over each resample of its columns, all rows on the same resamples: resamples × rows.

    weights  how much each column counts; it is drawn together with its weight: Σ w x / Σ w over the resample

    >>> means(np.array([[1.0, 1.0, 1.0], [0.0, 2.0, 4.0]]), resamples=4, seed=0)[:, 0]
    array([1., 1., 1., 1.])
    """
    if weights is not None:
        drawn = means(np.vstack([rows * weights, weights]), resamples=resamples, seed=seed, progress=progress)
        return drawn[:, :-1] / drawn[:, -1:]
    topics = rows.shape[1]
    numbers, units = whole_rows(rows, topics)
    resampled = np.empty((resamples, len(rows)))

    def draw(start: int, stop: int) -> None:
        resampled[start:stop] = product(numbers, counts(seed, topics, start, stop)).T

    for _ in over_blocks(
        resamples, block_size(max(len(rows), topics)), draw, progress=progress, what="bootstrap"
    ):
        pass
    resampled *= units
    resampled /= topics
    return resampled


def percentile(
    resampled: NDArray[np.float64], confidence: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The middle share of the resampled means (resamples × rows), as lower and upper ends."""
    tail = (1 - confidence) / 2
    low, high = np.quantile(resampled, [tail, 1 - tail], axis=0)
    return low, high


def bca(
    differences: NDArray[np.float64], resampled: NDArray[np.float64], confidence: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Bias-corrected and accelerated interval (Efron 1987, doi:10.1080/01621459.1987.10478410), row by row.

        ends at the quantiles  Φ( z0 + (z0 ± z) / (1 − a (z0 ± z)) )  of the resampled means
        z0 = Φ⁻¹(share of resampled means below the observed one)      a = Σ(d − d̄)³ / (6 (Σ(d − d̄)²)^1.5)

    differences  rows × topics
    resampled    resamples × rows
    """
    scipy = special()
    observed = differences.mean(axis=1)
    centred = differences - observed[:, None]
    spread = (centred**2).sum(axis=1)
    level = scipy.ndtri(1 - (1 - confidence) / 2)
    ends = (observed.copy(), observed.copy())
    for row in np.flatnonzero(np.ptp(differences, axis=1) > 0):
        ordered = np.sort(resampled[:, row])
        below = np.searchsorted(ordered, observed[row], "left") + np.searchsorted(
            ordered, observed[row], "right"
        )
        z0 = scipy.ndtri(below / 2 / len(ordered))
        a = (centred[row] ** 3).sum() / (6 * spread[row] ** 1.5)
        for end, z in zip(ends, (z0 - level, z0 + level), strict=True):
            with np.errstate(invalid="ignore"):  # z0 is infinite where all resampled means are on one side
                share = scipy.ndtr(z0 + z / (1 - a * z))
            end[row] = np.quantile(ordered, share) if np.isfinite(share) else np.nan
    return ends
