"""Bounds: between which values a run, and the difference of two, can lie once open documents are judged.

Open are the documents that nobody judged and that stand in the top ranks of the runs in question: down to the
measure's cutoff, or to rank 100 where it has none. Each may turn out to have any grade from 0 to the best in the
judgments; nothing else is judged anew. A document that both runs have is one document: it cannot be relevant for one
and not for the other.

    exact     some judgment of the open documents reaches the bound
    outer     no judgment goes beyond it, and perhaps none reaches it
    declared  nothing is known of the measure but its least and greatest value
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.unjudged.evidence import Evidence
from gainful.comparisons.unjudged.extremes import (
    first_ranks,
    most_of_ratio,
    most_of_sum,
    precision_from_bottom,
    precision_from_top,
)
from gainful.comparisons.unjudged.shapes import Average, First, Linear, Rising, Shape, shape_of
from gainful.judging import JudgedRun, Ranking
from gainful.measures import Measure

Floats = NDArray[np.float64]
Kind = Literal["exact", "outer", "declared"]

DEPTH = 100
"""Ranks of the lists whose documents are open, for measures without a cutoff."""


@dataclass(frozen=True, slots=True, eq=False)
class Bounds:
    """Least and greatest value, topic by topic."""

    low: Floats
    high: Floats
    kind: Kind


def depth_of(measure: Measure, depth: int | None = None) -> int:
    """Down to which rank documents are open."""
    return depth or measure.cutoff or DEPTH


def bounds_of_run(
    evidence: Evidence, measure: Measure, run: int, topics: Sequence[int], *, depth: int | None = None
) -> Bounds:
    """Of one run, over judgments of its own open documents."""
    found = [_ends(evidence, measure, topic, run, None, depth_of(measure, depth)) for topic in topics]
    return _made(found, _kind(evidence, measure, pair=False))


def bounds_of_difference(
    evidence: Evidence,
    measure: Measure,
    a: int,
    b: int,
    topics: Sequence[int],
    *,
    depth: int | None = None,
) -> Bounds:
    """Of B − A, over judgments of the open documents of both."""
    found = [_ends(evidence, measure, topic, b, a, depth_of(measure, depth)) for topic in topics]
    return _made(found, _kind(evidence, measure, pair=True))


def _made(found: Sequence[tuple[float, float]], kind: Kind) -> Bounds:
    ends = np.array(found).reshape(-1, 2)
    return Bounds(ends[:, 0], ends[:, 1], kind)


def _kind(evidence: Evidence, measure: Measure, *, pair: bool) -> Kind:
    shape = shape_of(measure, evidence.top)
    if shape is None:
        return "declared"
    return "outer" if pair and isinstance(shape, Average | Rising) else "exact"


def _ends(
    evidence: Evidence, measure: Measure, topic: int, run: int, other: int | None, depth: int
) -> tuple[float, float]:
    """Least and greatest value of the run, or of the run less the other, on a topic."""
    shape = shape_of(measure, evidence.top)
    if shape is None:
        low, high = measure.bounds
        return (low, high) if other is None else (low - high, high - low)
    part = evidence.part(topic)
    opened = evidence.open(topic, [run] if other is None else [run, other], depth)
    kept = opened | (evidence.grade[part] >= 0)  # the others count for nothing
    ranks = evidence.ranks[run, part][kept]
    against = np.full_like(ranks, np.inf) if other is None else evidence.ranks[other, part][kept]
    one = _Topic(shape, measure, evidence.grade[part][kept], opened[kept], evidence.top)
    return -one.most(against, ranks), one.most(ranks, against)


@dataclass(frozen=True, slots=True, eq=False)
class _Topic:
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

    retrieved  how many documents the list has; as many as its last rank here, unless said
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
