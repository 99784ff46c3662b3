"""Corrections for multiple comparisons.

    bonferroni   p · m: the probability of any false positive is at most alpha
    holm         the smallest p · m, the next · (m − 1), …, never falling: the same guarantee, with more power
    bh           p · m / rank, never falling from below: the expected share of false discoveries is at most alpha
    none         each comparison by itself

Two more use the dependence between the comparisons of a family; the probability of any false positive is at most alpha:

    max_t        flips the signs of whole topics, for all pairs of systems (and all measures) at once, and asks how large
                 the largest statistic gets by chance
    tukey        shuffles the systems within each topic and asks how far apart the best and the worst mean get by chance
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gainful.statistics import resampling
from gainful.statistics.flips import Flips, share
from gainful.statistics.resampling import Progress
from gainful.statistics.sign_flip_tail import TOLERANCE


def none(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """No correction: the p-values as they are."""
    return p.copy()


def bonferroni(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bonferroni: p times the number of comparisons.

    >>> bonferroni(np.array([0.01, 0.4, 0.03])).round(6).tolist()
    [0.03, 1.0, 0.09]
    """
    return np.minimum(p * len(p), 1)


def holm(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Holm 1979: 0.01 · 3, then 0.03 · 2, then 0.4 · 1.

    >>> holm(np.array([0.01, 0.4, 0.03])).round(6).tolist()
    [0.03, 0.4, 0.06]
    """
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)), 1)
    return adjusted


def bh(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Benjamini and Hochberg 1995: 0.4 · 3/3, then 0.03 · 3/2, then 0.01 · 3/1.

    >>> bh(np.array([0.01, 0.4, 0.03])).round(6).tolist()
    [0.03, 0.4, 0.045]
    """
    order = np.argsort(-p, kind="stable")
    ranks = np.arange(len(p), 0, -1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.minimum.accumulate(p[order] * len(p) / ranks), 1)
    return adjusted


DEFAULT = 10_000
"""Default number of shared flips or shuffles: an adjusted p-value of 0.05 is then within 0.0044, 19 times of 20."""

_PAIRS = 64
_ROWS = 4096


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """One measure's part of a family: systems × topics, and the pairs to compare.

    All members have the same topics; one that a measure does not count has the same value (0) for all systems.
    """

    rows: NDArray[np.float64]
    first: NDArray[np.intp]
    second: NDArray[np.intp]


def max_t(
    family: Sequence[Member], flips: Flips, *, progress: Progress | None = None
) -> list[NDArray[np.float64]]:
    """Step-down max-T p-values (Westfall & Young 1993, algorithm 4.1 on shared sign flips), member by member.

    The statistic of a pair is |Σd| / √Σd², which orders as |t| does; Σd² is the same under every flip. Pairs are
    taken from the largest statistic to the smallest, each against the largest of itself and the smaller ones.
    """
    numbers = [resampling.whole(member.rows, 2 * member.rows.shape[1])[0] for member in family]
    starts = np.cumsum([0, *(len(member.rows) for member in family)])
    first = np.concatenate([member.first + start for member, start in zip(family, starts, strict=False)])
    second = np.concatenate([member.second + start for member, start in zip(family, starts, strict=False)])
    rows = np.concatenate(numbers)
    norms = np.sqrt(
        np.concatenate([_squares(values, member) for values, member in zip(numbers, family, strict=True)])
    )
    scale = np.divide(1.0, norms, out=np.zeros_like(norms), where=norms > 0)
    totals = rows.sum(axis=1)
    observed = np.abs(totals[second] - totals[first]) * scale

    order = np.argsort(observed, kind="stable")  # the smallest first, as the maxima are gathered
    first, second, scale = first[order], second[order], scale[order, None]
    limits = (observed[order] - TOLERANCE * math.sqrt(rows.shape[1]))[:, None]
    chunks = [slice(start, start + _PAIRS) for start in range(0, len(order), _PAIRS)]

    def count(start: int, stop: int) -> NDArray[np.intp]:
        sums = totals[:, None] - 2 * resampling.product(rows, flips.flipped(start, stop))
        largest = np.zeros(stop - start)
        hits_in_block = np.empty(len(order), np.intp)
        for some in chunks:  # so few that they stay in the cache; the largest so far goes on to the next
            apart = sums[second[some]]
            apart -= sums[first[some]]
            np.abs(apart, out=apart)
            apart *= scale[some]
            np.maximum(apart[0], largest, out=apart[0])
            np.maximum.accumulate(apart, axis=0, out=apart)
            hits_in_block[some] = np.count_nonzero(apart >= limits[some], axis=1)
            largest = apart[-1]
        return hits_in_block

    hits = np.zeros(len(order), np.intp)
    for in_block in resampling.over_blocks(
        flips.number,
        resampling.block_size(max(len(rows), rows.shape[1] // 2)),
        count,
        progress=progress,
        what="max-T",
    ):
        hits += in_block
    stepped = np.maximum.accumulate(flips.p(hits)[::-1])[::-1]
    adjusted = np.empty_like(stepped)
    adjusted[order] = stepped
    return np.split(adjusted, np.cumsum([len(member.first) for member in family])[:-1])


def tukey(
    family: Sequence[Member],
    *,
    shuffles: int = DEFAULT,
    seed: int = resampling.SEED,
    progress: Progress | None = None,
) -> list[NDArray[np.float64]]:
    """Randomised Tukey HSD p-values (Carterette 2012, doi:10.1145/2094072.2094076), member by member.

        p = (shuffles whose largest mean − smallest mean ≥ |difference of the pair|, + 1) / (shuffles + 1)

    With several measures the ranges are put on one scale, the spread of the systems within topics, and the largest counts;
    systems are shuffled alike for all of them.
    """
    systems, topics = family[0].rows.shape
    numbers = [resampling.whole(member.rows, 2 * topics)[0] for member in family]
    spreads = [_spread(values) for values in numbers]

    def ranges(start: int, stop: int) -> NDArray[np.float64]:
        orders = resampling.orders(seed, topics, systems, start, stop)
        largest = np.zeros(stop - start)
        for values, spread in zip(numbers, spreads, strict=True):
            sums = np.zeros((stop - start, systems))
            for topic in range(topics):
                sums += values[:, topic].take(orders[:, topic])
            np.maximum(largest, np.ptp(sums, axis=1) / spread, out=largest)
        return largest

    block = resampling.block_size(topics * systems // 4, least=1)
    drawn = np.sort(
        np.concatenate(
            list(resampling.over_blocks(shuffles, block, ranges, progress=progress, what="Tukey HSD"))
        )
    )
    adjusted = []
    for values, spread, member in zip(numbers, spreads, family, strict=True):
        totals = values.sum(axis=1)
        apart = np.abs(totals[member.second] - totals[member.first]) / spread
        slack = TOLERANCE * math.sqrt(topics) + topics / spread  # rounding to whole numbers is no difference
        hits = shuffles - np.searchsorted(drawn, apart - slack, "left")
        adjusted.append(share(hits, shuffles, exact=False))
    return adjusted


def _squares(numbers: NDArray[np.float64], member: Member) -> NDArray[np.float64]:
    """Σd² of each pair; 0 where the two differ by no more than the rounding to whole numbers."""
    parts = [np.zeros(0)]
    for start in range(0, len(member.first), _ROWS):
        some = slice(start, start + _ROWS)
        apart = np.abs(numbers[member.second[some]] - numbers[member.first[some]])
        parts.append(np.where(apart.max(axis=1, initial=0) > 1, np.square(apart).sum(axis=1), 0.0))
    return np.concatenate(parts)


def _spread(numbers: NDArray[np.float64]) -> float:
    """How far systems are from the mean of their topic, root of the sum of squares over systems and topics."""
    return math.sqrt(np.square(numbers - numbers.mean(axis=0)).sum()) or 1.0


def _by_flips(family: Sequence[Member], draws: int, seed: int, progress: Progress | None) -> OfFamily:
    flips = Flips(family[0].rows.shape[1], draws, seed)
    return max_t(family, flips, progress=progress), flips.smallest


def _by_shuffles(family: Sequence[Member], draws: int, seed: int, progress: Progress | None) -> OfFamily:
    systems, topics = family[0].rows.shape
    # The two that lie furthest apart may stand in any two places, topic by topic; the same two in all is what was seen.
    least = 1 / (systems * (systems - 1)) ** min(topics - 1, 100)
    p = tukey(family, shuffles=draws, seed=seed, progress=progress)
    return p, max(least, 1 / (draws + 1))


OfFamily = tuple[list[NDArray[np.float64]], float]
"""p-values of the members of a family, and the smallest that this number of draws can give."""


@dataclass(frozen=True, eq=False)
class Correction:
    """A correction for many comparisons; it has a function of p-values, or one of the scores themselves.

    title       in words: "Holm"
    function    from p-values to corrected ones; a larger p-value must never become a smaller one
    of_family   from the scores of a family, the number of flips or shuffles to draw, a random seed and a callback for
                progress to corrected p-values, and the smallest one possible
    by_number   whether it multiplies the smallest p-value by the number of comparisons
    """

    title: str
    function: Callable[[NDArray[np.float64]], NDArray[np.float64]] | None = None
    of_family: Callable[[Sequence[Member], int, int, Progress | None], OfFamily] | None = None
    by_number: bool = False

    @property
    def shared(self) -> bool:
        """Whether it draws flips or shuffles for the whole family."""
        return self.of_family is not None

    def times(self, comparisons: int) -> int:
        """By how much the smallest p-value that a test can give is multiplied.

        >>> CORRECTIONS["holm"].times(190), CORRECTIONS["bh"].times(190)  # under bh, where all are as small, once
        (190, 1)
        """
        return comparisons if self.by_number else 1


CORRECTIONS = {
    "holm": Correction("Holm", holm, by_number=True),
    "bonferroni": Correction("Bonferroni", bonferroni, by_number=True),
    "bh": Correction("Benjamini-Hochberg", bh),
    "max-t": Correction("step-down max-T", of_family=_by_flips),
    "tukey": Correction("randomised Tukey HSD", of_family=_by_shuffles),
    "none": Correction("no correction", none),
}
"""Every correction by name; one of your own is added to it, and `Method(correction=…)` takes its name."""
