"""Sign flips: if A and B were equally good, each topic could as well have favoured the other.

The paired difference of each topic keeps its size and gets a random sign; the p-value is the share of patterns of
signs whose sum is as extreme as the observed one.

    p = hits / 2^n               all patterns, where they are not more than the flips asked for (exact)
    p = (hits + 1) / (flips + 1) otherwise; the observed pattern is one of them

As extreme means |sum| ≥ |observed| − 1e-9 · Σ|d|: values such as P@10 give many equal sums, which would
differ by rounding alone. Sums are of whole numbers and exact, see `resampling.whole`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gainful.errors import UsageError
from gainful.statistics import resampling
from gainful.statistics.paired_tests import PValues
from gainful.statistics.resampling import Progress
from gainful.statistics.sign_flip_tail import TOLERANCE, tail_p

DEFAULT = 100_000
"""Default number of flips: a p-value of 0.05 is then within 0.0014, 19 times of 20."""

FEWER = 10_000
"""Flips of a family of more than 20,000 pairs: what decides there, small p-values, comes from the tail."""

MANY = 20_000

HELD = 10_000_000
"""Most flips for bounds, which need all of them in memory."""

CLEAR = 100
"""Hits after which a p-value is sharp enough."""

_PAIRS = 64
_TAILS = 1 << 14


@dataclass(frozen=True, slots=True)
class Flips:
    """Patterns of signs over the topics: all of them, or a number of random ones.

    >>> Flips(topics=3, asked=1000, seed=0)
    Flips(topics=3, asked=1000, seed=0)
    >>> Flips(topics=3, asked=1000, seed=0).number, Flips(topics=50, asked=1000, seed=0).number
    (8, 1000)
    """

    topics: int
    asked: int
    seed: int

    def __post_init__(self) -> None:
        if self.asked < 1:
            raise UsageError(f"flips must be 1 or more; got {self.asked}.")
        if self.seed < 0:
            raise UsageError(f"seed must be 0 or more; got {self.seed}.")

    @property
    def exact(self) -> bool:
        """Whether all patterns are taken."""
        return self.topics < 62 and 2**self.topics <= self.asked

    @property
    def number(self) -> int:
        """How many patterns are taken."""
        return 2**self.topics if self.exact else self.asked

    def flipped(self, start: int, stop: int) -> NDArray[np.float64]:
        """1 where a topic changes its sign, a row for each pattern."""
        if self.exact:
            return resampling.every(self.topics, start, stop)
        return resampling.chosen(self.seed, self.topics, start, stop)

    def p(self, hits: NDArray[np.intp]) -> NDArray[np.float64]:
        """The p-value of each number of hits."""
        return share(hits, self.number, exact=self.exact)

    @property
    def smallest(self) -> float:
        """The smallest p-value (two-sided) that these flips can give."""
        return 2 / self.number if self.exact else 1 / (self.number + 1)


def share(hits: NDArray[np.intp], number: int, *, exact: bool) -> NDArray[np.float64]:
    """Hits as a p-value; patterns drawn by chance get the observed one added."""
    return hits / number if exact else (hits + 1) / (number + 1)


def sign_flip(
    differences: NDArray[np.float64], *, flips: int = DEFAULT, seed: int = resampling.SEED
) -> float:
    """The p-value (two-sided) of one row of paired differences.

    Of the 2³ patterns of 1, 2, 3 two have a sum as far from zero as 6: p = 2/8.

    >>> sign_flip(np.array([1.0, 2.0, 3.0]))
    0.25
    """
    rows = np.stack([np.zeros_like(differences), differences])
    pairs = (np.array([0]), np.array([1]))
    return float(sign_flips(rows, pairs, Flips(len(differences), flips, seed)).p[0])


def sign_flips(
    rows: NDArray[np.float64],
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]],
    flips: Flips,
    *,
    resolve: float = 0.0,
    progress: Progress | None = None,
) -> PValues:
    """p-values (two-sided) of pairs of systems.

    rows     systems × topics
    pairs    the first and the second system of each pair
    resolve  the p-value that has to be distinguished from smaller ones. Where this number of flips cannot do so, the
             p-values of pairs with fewer than 100 hits are computed from the tail, see `sign_flip_tail`.
    """
    return sign_flips_of([(rows, pairs)], flips, resolve=resolve, progress=progress)[0]


def sign_flips_of(
    families: Sequence[tuple[NDArray[np.float64], tuple[NDArray[np.intp], NDArray[np.intp]]]],
    flips: Flips,
    *,
    resolve: float = 0.0,
    progress: Progress | None = None,
) -> list[PValues]:
    """p-values (two-sided) of families of pairs, such as those of several measures, which all meet the same flips.

    Each family is tested as if it were alone: a number of hits does not depend on the families beside it.
    """
    answers = []
    for (rows, pairs), hits in zip(families, _hits(families, flips, progress), strict=True):
        p, ways = flips.p(hits), np.full(len(hits), "exact" if flips.exact else "flips", "<U11")
        if not flips.exact and flips.smallest > resolve > 0:
            unclear = np.flatnonzero(hits < CLEAR)
            for some in (unclear[start : start + _TAILS] for start in range(0, len(unclear), _TAILS)):
                p[some], counted = tail_p(rows[pairs[1][some]] - rows[pairs[0][some]])
                ways[some] = np.where(counted, "exact", "saddlepoint")
        answers.append(PValues(p, ways, np.full(len(hits), flips.number)))
    return answers


def _hits(
    families: Sequence[tuple[NDArray[np.float64], tuple[NDArray[np.intp], NDArray[np.intp]]]],
    flips: Flips,
    progress: Progress | None,
) -> list[NDArray[np.intp]]:
    """How many of the flips are as extreme as what was observed, for each pair of each family."""
    numbers = [resampling.whole(rows, 2 * rows.shape[1])[0] for rows, _ in families]
    limits = np.concatenate(
        [
            _limits(values[second[at : at + _PAIRS]] - values[first[at : at + _PAIRS]])
            for values, (_, (first, second)) in zip(numbers, families, strict=True)
            for at in range(0, len(first), _PAIRS)
        ]
    )
    ends = np.cumsum([len(first) for _, (first, _) in families])
    starts = np.cumsum([0, *(len(rows) for rows, _ in families)])
    firsts, seconds = (
        np.concatenate([pairs[which] + start for (_, pairs), start in zip(families, starts, strict=False)])
        for which in (0, 1)
    )
    of_all = np.concatenate(numbers)
    totals = of_all.sum(axis=1)
    chunks = [slice(begin, begin + _PAIRS) for begin in range(0, len(firsts), _PAIRS)]

    def count(begin: int, end: int) -> NDArray[np.intp]:
        sums = totals[:, None] - 2 * resampling.product(of_all, flips.flipped(begin, end))
        hits = np.empty(len(limits), np.intp)
        room = np.empty((2, _PAIRS, end - begin))
        for some in chunks:
            first, second = firsts[some], seconds[some]
            apart = np.take(sums, second, axis=0, out=room[0, : len(second)], mode="clip")
            apart -= np.take(sums, first, axis=0, out=room[1, : len(first)], mode="clip")
            np.abs(apart, out=apart)
            hits[some] = np.count_nonzero(apart >= limits[some, None], axis=1)
        return hits

    block = resampling.block_size(max(len(of_all), of_all.shape[1] // 2))
    what = f"sign flips of {len(limits):,} pairs"
    total = np.zeros(len(limits), np.intp)
    for in_block in resampling.over_blocks(flips.number, block, count, progress=progress, what=what):
        total += in_block
    return np.split(total, ends[:-1])


def _limits(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """What a sum must reach to be as extreme as the one observed, from differences in whole units.

    A unit for each topic is taken off besides the tolerance: where nothing but rounding differs, everything is equal.
    """
    slack = TOLERANCE * np.abs(numbers).sum(axis=1) + numbers.shape[1]
    return np.asarray(np.abs(numbers.sum(axis=1)) - slack)


@dataclass(frozen=True, slots=True)
class OneSided:
    """Sign flips of one row of differences against any supposed difference, and the bounds that follow.

    Supposing the true difference to be δ, flipping the signs of d − δ on a subset of topics gives a larger sum just
    when the mean of d over that subset is δ or less. So one pass over the flips answers for all δ at once: the
    p-value is a share of subset means, and the bound, the δ at which the test stops rejecting, one of their
    quantiles (Hartigan 1969).
    """

    differences: NDArray[np.float64]
    flips: Flips
    sums: NDArray[np.float64]
    sizes: NDArray[np.float64]

    @classmethod
    def of(cls, differences: NDArray[np.float64], flips: Flips) -> OneSided:
        """Sum and number of the flipped topics, for each pattern; the pattern without flips is one of them."""
        if flips.number > HELD:
            raise UsageError(
                f"bounds by sign flips hold every flip; ask for {HELD:,} at the most, not {flips.number:,}."
            )
        numbers, unit = resampling.whole(differences, len(differences))
        columns = np.stack([numbers, np.ones_like(numbers)])

        def count(start: int, stop: int) -> NDArray[np.float64]:
            return resampling.product(columns, flips.flipped(start, stop)).T

        block = resampling.block_size(len(differences) // 2)
        parts = [] if flips.exact else [np.zeros((1, 2))]
        parts += resampling.over_blocks(flips.number, block, count)
        totals = np.concatenate(parts)
        return cls(differences, flips, totals[:, 0] * unit, totals[:, 1])

    def p_above(self, supposed: float) -> float:
        """The p-value of "the true difference is no more than supposed", against more.

        >>> OneSided.of(np.array([1.0, 2.0, 3.0]), Flips(3, 1000, 0)).p_above(0.0)  # no flip: 1 of 8
        0.125
        """
        slack = self._slack(supposed)
        return float(np.mean(self.sums - supposed * self.sizes <= slack))

    def p_below(self, supposed: float) -> float:
        """The p-value of "the true difference is no less than supposed", against less."""
        slack = self._slack(supposed)
        return float(np.mean(self.sums - supposed * self.sizes >= -slack))

    def _slack(self, supposed: float) -> float:
        """Half of the tolerance (flipping a topic moves a sum by twice its difference), and what rounding may do."""
        moved = math.fsum(np.abs(self.differences - supposed))
        return (TOLERANCE * moved + 1e-13 * (moved + 2 * abs(supposed) * len(self.differences))) / 2

    def lower(self, alpha: float) -> float:
        """The supposed difference up to which `p_above` is alpha or less; −inf where there is none."""
        return self._quantile(alpha, -math.inf)

    def upper(self, alpha: float) -> float:
        """The supposed difference from which `p_below` is alpha or less; inf where there is none."""
        return self._quantile(alpha, math.inf)

    def _quantile(self, alpha: float, without: float) -> float:
        """The mean over the flipped topics that alpha of the patterns leave behind, counted from the end of `without`."""
        means = np.full(len(self.sums), without)
        np.divide(self.sums, self.sizes, out=means, where=self.sizes > 0)
        place = math.floor(alpha * len(means) + TOLERANCE)
        if without > 0:
            place = len(means) - 1 - place
        return float(np.partition(means, place)[place])
