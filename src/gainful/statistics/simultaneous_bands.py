"""A band that holds a whole curve of differences at once: the bootstrap of the largest standardised deviation.

    d = first − second,  topic by topic       n topics,  d̄ and s² = Σ(d − d̄)² at each point

    se   = √( (s² + 2δ²) / (n (n − 1)) )       δ² = mean square of the differences that are not zero
    t*   = |d̄* − d̄| / se*                      that of resampled topics, n of n with replacement; δ² stays
    c    = quantile of the largest t* over all points and pairs, at least Student's t for one point
    band = d̄ ± c · se

Topics are drawn whole, so that the points of a sweep and the pairs of systems stay correlated as they are. The 2δ² are two
imagined topics, one on either side, that differ as topics do that differ: where all topics agree but few, or all of
them, the spread is not nothing because it was not seen. Where fewer than ten topics differ (or than half of them) there
is no band: of what is rare, these topics say too little.

Efron & Tibshirani 1993, chapter 12 (the bootstrap-t); Montiel Olea & Plagborg-Møller 2019, doi:10.1002/jae.2656 (bands of
the largest t); Agresti & Coull 1998, doi:10.1080/00031305.1998.10480550 (imagined observations).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gainful.errors import UsageError
from gainful.statistics import resampling, special
from gainful.statistics.exact_sums import exact_sums
from gainful.statistics.resampling import Progress

Floats = NDArray[np.float64]
Index = NDArray[np.intp]

LEAST = 10
"""Topics that must differ for a point to have a band, or half of them where there are fewer than twenty."""
IMAGINED = 2
NOISE = 1e-12
"""Differences up to this share of the values are rounding."""
_AT_ONCE = 1 << 22  # counts held while resampling


class Bands(NamedTuple):
    """Bands of all pairs: pairs × points; NaN where there is none.

    means     systems × points
    critical  standard errors from the difference to the edge
    """

    means: Floats
    difference: Floats
    low: Floats
    high: Floats
    critical: float


def simultaneous(
    values: Floats,
    first: Index,
    second: Index,
    *,
    level: float = 0.95,
    resamples: int = resampling.BAND_RESAMPLES,
    seed: int = resampling.SEED,
    progress: Progress | None = None,
) -> Bands:
    """Bands around the mean differences of pairs of systems that hold all of them at once.

    values         systems × points × topics
    first, second  the systems of each pair; differences are of the first less the second

    >>> ones, zeros = np.ones((1, 50)), np.zeros((1, 50))
    >>> made = simultaneous(np.stack([ones, zeros]), np.array([0]), np.array([1]))
    >>> float(made.difference[0, 0]), bool(0.9 < made.low[0, 0] < 1)
    (1.0, True)
    """
    _check(level, resamples, seed)
    systems, points, topics = values.shape
    if topics < 2:
        raise UsageError(f"a spread needs two topics or more; got {topics}.")
    rows = values.reshape(systems * points, topics)
    place = np.arange(points)
    pairs = ((first[:, None] * points + place).ravel(), (second[:, None] * points + place).ravel())
    spread = _Spread.of(rows, *pairs)
    largest = _largest(rows, pairs, spread, resamples, seed, progress)
    critical = max(_quantile(largest, level), _student(topics - 1, level)) if spread.known.any() else math.nan
    reach = np.where(spread.known, critical * np.sqrt(spread.square / (topics * (topics - 1))), np.nan)
    means = exact_sums(rows).reshape(systems, points) / topics  # the bits that `evaluate` gives a mean
    difference, reach = means[first] - means[second], reach.reshape(len(first), points)
    return Bands(means, difference, difference - reach, difference + reach, critical)


class _Spread(NamedTuple):
    """Of each row of differences: the sum of squares with the imagined topics, theirs alone, and whether enough differ."""

    square: Floats
    imagined: Floats
    known: NDArray[np.bool_]

    @classmethod
    def of(cls, rows: Floats, first: Index, second: Index) -> _Spread:
        topics = rows.shape[1]
        square, imagined, known = np.zeros(len(first)), np.zeros(len(first)), np.zeros(len(first), np.bool_)
        step = resampling.block_size(topics)
        for start in range(0, len(first), step):
            here = slice(start, start + step)
            apart = _apart(rows, first[here], second[here])
            differ = np.count_nonzero(apart, axis=1)
            imagined[here] = IMAGINED * np.square(apart).sum(axis=1) / np.maximum(differ, 1)
            square[here] = np.square(apart - apart.mean(axis=1, keepdims=True)).sum(axis=1) + imagined[here]
            known[here] = differ >= min(LEAST, -(-topics // 2))
        return cls(square, imagined, known)


def _apart(rows: Floats, first: Index, second: Index) -> Floats:
    """Differences, topic by topic; those within rounding error are 0."""
    first_values, second_values = rows[first], rows[second]
    apart = first_values - second_values
    apart[np.abs(apart) <= NOISE * np.maximum(np.abs(first_values), np.abs(second_values))] = 0
    return apart


def _largest(
    rows: Floats,
    pairs: tuple[Index, Index],
    spread: _Spread,
    resamples: int,
    seed: int,
    progress: Progress | None,
) -> Floats:
    """The largest t* of each resample, over all rows that have a spread."""
    used = np.flatnonzero(spread.known)
    first, second, imagined = pairs[0][used], pairs[1][used], spread.imagined[used]
    topics = rows.shape[1]
    whole = np.empty(resamples)
    times = resampling.band_counts(seed, topics, resamples)
    chunk = max(1, _AT_ONCE // topics)
    for begin in range(0, resamples, chunk):
        drawn = times[begin : begin + chunk].astype(np.float64)

        def of_block(start: int, stop: int, drawn: Floats = drawn) -> Floats:
            apart = _apart(rows, first[start:stop], second[start:stop])
            largest: Floats = _squared_t(apart, imagined[start:stop], drawn).max(axis=0, initial=0.0)
            return largest

        of_chunk = np.zeros(len(drawn))
        step = resampling.block_size(max(len(drawn), topics), least=8)
        for largest in resampling.over_blocks(len(used), step, of_block, progress=progress, what="readers"):
            np.maximum(of_chunk, largest, out=of_chunk)
        whole[begin : begin + len(drawn)] = of_chunk
    return np.sqrt(whole)


def _squared_t(apart: Floats, imagined: Floats, drawn: Floats) -> Floats:
    """t*² of each row in each resample: rows × resamples. Sums are exact, so that no order of adding changes a bit."""
    topics = apart.shape[1]
    centred = apart - apart.mean(axis=1, keepdims=True)
    numbers, unit = resampling.whole_rows(centred, topics)
    squares, square_unit = resampling.whole_rows(np.square(centred), topics)
    moved = resampling.product(numbers, drawn)
    moved *= unit[:, None]
    np.square(moved, out=moved)  # (n (d̄* − d̄))²
    spread = resampling.product(squares, drawn)
    spread *= square_unit[:, None]
    spread -= moved / topics
    np.maximum(spread, 0, out=spread)
    spread += imagined[:, None]
    moved *= (topics - 1) / topics
    return np.divide(moved, spread, out=moved)


def _quantile(largest: Floats, level: float) -> float:
    """The smallest value that is not exceeded in the share `level`, the observed one counted among them."""
    place = min(math.ceil(level * (len(largest) + 1)), len(largest))
    return float(np.partition(largest, place - 1)[place - 1])


def _student(freedom: int, level: float) -> float:
    return float(special().stdtrit(freedom, (1 + level) / 2))


def _check(level: float, resamples: int, seed: int) -> None:
    if not 0 < level < 1:
        raise UsageError(f"level must lie between 0 and 1, such as 0.95; got {level:g}.")
    if resamples < 1:
        raise UsageError(f"resamples must be 1 or more; got {resamples}.")
    if seed < 0:
        raise UsageError(f"seed must be 0 or more; got {seed}.")
