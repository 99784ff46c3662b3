"""The greatest value of a measure, or of a difference, over all grades that open documents of a topic may turn out to have.

The least value is minus the greatest of the opposite, so that only the greatest is computed, one topic at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gainful.estimates.measure_shapes import Average, First, Linear, Shape
from gainful.judging import JudgedRun, Ranking
from gainful.measures import Measure

Floats = NDArray[np.float64]

_STEPS = 50
_CLOSE = 1e-13


def most_of_sum(base: float, worth: Floats) -> float:
    """The base plus Σ worth over the open documents whose worth is positive; each is independent of the others."""
    return base + float(np.maximum(worth, 0.0).sum())


def most_of_ratio(
    judged_worth: Floats, judged_gain: Floats, open_worth: Floats, best: float, ideal: Floats
) -> float:
    """The greatest Σ gain · worth / Σ ideal · gains best first, over gains of open documents from 0 to best.

    judged_worth, judged_gain  what a unit of gain adds above the line, and the gain, of every judged document
    open_worth                 the same of open documents
    ideal                      what a unit of gain adds below the line at rank 1, 2, …, as many as there are documents

    A sum of gains is an integral over thresholds t of what has a gain above t, above the line and below it, for the
    ideal list is the same at every threshold. At each threshold it pays to call relevant the open documents with the
    largest worth, for some number of them; from threshold to threshold that number does not rise, so that such gains
    exist. The ratio c is the greatest when the best of (above − c · below) is 0 (Dinkelbach 1967). Where every choice
    is below zero the greatest is among choices of 0 and best alone, for then the function is convex.

    One relevant document judged at rank 2 of nDCG, rank 1 open: 1, whatever its gain from 1 on.

    >>> discount = 1 / np.log2(np.arange(1, 4) + 1)
    >>> most_of_ratio(discount[1:2], np.ones(1), discount[:1], 3.0, discount)
    1.0
    """
    if best <= 0:
        return 0.0
    worth = np.sort(open_worth)[::-1]
    above = np.concatenate(([0.0], np.cumsum(worth)))
    below = np.concatenate(([0.0], np.cumsum(ideal)))
    base = float(judged_worth @ judged_gain)
    number = len(above)
    total = ideal_totals(judged_gain, best, number, ideal)
    ratio = float(np.max(np.divide(base + best * above, total, out=np.zeros(number), where=total > 0)))
    if ratio < 0 or (ratio == 0 and not (worth > 0).any()):
        return ratio
    levels = np.unique(np.append(judged_gain[judged_gain > 0], best))
    heights = np.diff(levels, prepend=0.0)
    reached = judged_gain[None, :] >= levels[:, None]
    bases = reached @ judged_worth
    counts = reached.sum(axis=1)[:, None] + np.arange(number)
    lines, rows = below[counts], np.arange(len(levels))
    for _ in range(_STEPS):
        chosen = np.argmax(above - ratio * lines, axis=1)
        under = float(heights @ lines[rows, chosen])
        value = float(heights @ (bases + above[chosen])) / under if under > 0 else 0.0
        if value <= ratio + _CLOSE:
            return max(ratio, value)
        ratio = value
    return ratio


def ideal_totals(judged_gain: Floats, best: float, number: int, ideal: Floats) -> Floats:
    """Σ ideal · gains best first, with 0, 1, 2, … documents of the best gain beside the judged ones.

    >>> ideal_totals(np.array([1.0, 0.0]), 2.0, 3, np.array([1.0, 0.5, 0.25, 0.125]))  # 1, 2 + 1/2, 2 + 2/2 + 1/4
    array([1.  , 2.5 , 3.25])
    """
    gains = np.sort(judged_gain[judged_gain > 0])[::-1]
    below = np.concatenate(([0.0], np.cumsum(ideal)))
    if not len(gains):
        return best * below[:number]
    return best * below[:number] + np.correlate(ideal[: number + len(gains) - 1], gains, "valid")


def first_ranks(worth: Floats, here: float, there: float, other: Floats) -> float:
    """The greatest worth of the first relevant document less the other run's, one open document called relevant or none.

    worth, other  what each open document would be worth as the first, in the one run and in the other
    here, there   what the first judged one is worth
    """
    none = here - there
    if not len(worth):
        return none
    return max(none, float((np.maximum(worth, here) - np.maximum(other, there)).max()))


def precision_from_top(judged: Floats, unjudged: Floats) -> Floats:
    """Σ precision at relevant ranks, with the first 0, 1, 2, … of the open documents relevant.

    judged, unjudged  ranks of relevant and of open documents, rising

    Ranks 1 and 4 relevant, rank 2 open: 1/1 + 2/4, then 1/1 + 2/2 + 3/4

    >>> precision_from_top(np.array([1.0, 4.0]), np.array([2.0]))
    array([1.5 , 2.75])
    """
    before = np.searchsorted(judged, unjudged)
    number = np.arange(1.0, len(unjudged) + 1)
    return _grown(judged, (before + number) / unjudged + _inverses_below(judged, before))


def precision_from_bottom(judged: Floats, unjudged: Floats) -> Floats:
    """Σ precision at relevant ranks, with the last 0, 1, 2, … of the open documents relevant.

    >>> precision_from_bottom(np.array([1.0]), np.array([2.0, 4.0]))  # 1, 1 + 2/4, 1 + 2/2 + 3/4
    array([1.  , 1.5 , 2.75])
    """
    last = unjudged[::-1]
    before = np.searchsorted(judged, last)
    added = np.concatenate(([0.0], np.cumsum(1 / last)[:-1])) if len(last) else last
    return _grown(judged, (before + 1) / last + _inverses_below(judged, before) + added)


def _inverses_below(judged: Floats, before: NDArray[np.intp]) -> Floats:
    """Σ 1/rank over the relevant documents further down."""
    sums = np.concatenate(([0.0], np.cumsum(1 / judged)))
    return np.asarray(sums[-1] - sums[before])


def _grown(judged: Floats, added: Floats) -> Floats:
    start = float((np.arange(1.0, len(judged) + 1) / judged).sum())
    return start + np.concatenate(([0.0], np.cumsum(added)))


@dataclass(frozen=True, slots=True, eq=False)
class TopicGrades:
    """The documents of a topic, those of them that are open, and the measure."""

    shape: Shape
    measure: Measure
    grade: Floats
    opened: NDArray[np.bool_]
    top: float

    def most(self, ranks: Floats, other: Floats) -> float:
        """The greatest value of the run with these ranks less that of the other."""
        if isinstance(self.shape, Linear):
            return self._linear(self.shape, ranks, other)
        if isinstance(self.shape, Average):
            return self._average(self.shape, ranks, other)
        if isinstance(self.shape, First):
            return self._first(self.shape, ranks, other)
        return self._value(ranks, self.top) - self._value(other, 0.0)

    def _linear(self, shape: Linear, ranks: Floats, other: Floats) -> float:
        judged = self.grade >= 0
        worth = shape.weight(ranks) - shape.weight(other)
        gain = shape.gain(self.grade[judged])
        if shape.ideal is None:
            return most_of_sum(float(worth[judged] @ gain), shape.best * worth[self.opened])
        ideal = shape.ideal(np.arange(1.0, len(self.grade) + 1))
        return most_of_ratio(worth[judged], gain, worth[self.opened], shape.best, ideal)

    def _average(self, shape: Average, ranks: Floats, other: Floats) -> float:
        """For each number of relevant documents: the best places here, the worst ones there."""
        relevant = self.grade >= shape.rel
        opened = self.opened if self.top >= shape.rel else np.zeros_like(self.opened)
        mine = precision_from_top(*_sorted_ranks(ranks, relevant, opened, shape.cutoff))
        others = precision_from_bottom(*_sorted_ranks(other, relevant, opened, shape.cutoff))
        number = np.arange(int(opened.sum()) + 1)
        best = mine[np.minimum(number, len(mine) - 1)]
        elsewhere = number[-1] - (len(others) - 1)
        worst = others[np.maximum(number - elsewhere, 0)]
        out_of = np.minimum(relevant.sum() + number, shape.most)
        return float(np.divide(best - worst, out_of, out=np.zeros(len(number)), where=out_of > 0).max())

    def _first(self, shape: First, ranks: Floats, other: Floats) -> float:
        relevant = self.grade >= shape.rel
        opened = self.opened if self.top >= shape.rel else np.zeros_like(self.opened)
        mine, others = shape.worth(ranks), shape.worth(other)
        return first_ranks(
            mine[opened],
            float(mine[relevant].max(initial=0.0)),
            float(others[relevant].max(initial=0.0)),
            others[opened],
        )

    def _value(self, ranks: Floats, grade: float) -> float:
        """The value with the open documents all of this grade."""
        grades = np.where(self.opened, grade, self.grade)
        return float(self.measure(record(ranks, grades, self.top))[0])


def record(ranks: Floats, grade: Floats, top: float, retrieved: float | None = None) -> JudgedRun:
    """One topic's documents with these ranks, as a judged run; those with a grade below 0 are not judged.

    retrieved  how many documents the list has; by default its last rank here
    """
    judged = grade >= 0
    there = np.flatnonzero(judged & np.isfinite(ranks))
    there = there[np.argsort(ranks[there], kind="stable")]
    length = float(ranks[np.isfinite(ranks)].max(initial=0.0)) if retrieved is None else retrieved
    pool = grade[judged]
    return JudgedRun(
        np.array([0, len(there)]),
        ranks[there],
        grade[there],
        pool=Ranking.best_first(np.array([0, len(pool)]), pool, top=top),
        retrieved=np.array([length]),
        present=np.array([length > 0]),
    )


def _sorted_ranks(
    ranks: Floats, relevant: NDArray[np.bool_], opened: NDArray[np.bool_], cutoff: float
) -> tuple[Floats, Floats]:
    within = (ranks <= cutoff) & np.isfinite(ranks)
    return np.sort(ranks[relevant & within]), np.sort(ranks[opened & within])
