"""Supposing that open documents are relevant, one after the other: what becomes of a difference on a topic."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.unjudged.evidence import Evidence
from gainful.comparisons.unjudged.extremes import ideal_totals
from gainful.comparisons.unjudged.shapes import Linear, shape_of
from gainful.judging import JudgedRun, Ranking
from gainful.measures import Measure

Floats = NDArray[np.float64]

_CELLS = 1 << 20
"""Grades of a topic's documents, choice by choice, that are held at once."""


class Topic:
    """One topic: the difference of the two runs, with some of its open documents relevant.

    Of the documents only those that are judged or open are looked at.
    """

    def __init__(
        self, evidence: Evidence, measure: Measure, topic: int, runs: tuple[int, int], depth: int
    ) -> None:
        part = evidence.part(topic)
        opened = evidence.open(topic, runs, depth)
        kept = opened | (evidence.grade[part] >= 0)
        self.documents = np.flatnonzero(kept)
        self.measure, self.top = measure, evidence.top
        self.grade = np.where(opened, -1.0, evidence.grade[part])[kept]
        self.ranks = evidence.ranks[list(runs), part][:, kept]
        self.lengths = evidence.retrieved[list(runs), topic]
        self.open = np.flatnonzero(opened[kept])
        self.now = self._start()

    def _start(self) -> float:
        self.taken = np.zeros(0, np.int64)
        return float(self._of(np.zeros((1, 0), np.int64))[0])

    def effects(self) -> Floats:
        """How far each open document that is left moves the difference, alone."""
        return self._of(self.open[:, None]) - self.now

    def take(self, place: int, effect: float) -> None:
        """Call it relevant for good."""
        self.taken = np.append(self.taken, self.open[place])
        self.open = np.delete(self.open, place)
        self.now += effect

    def _of(self, extra: NDArray[np.int64]) -> Floats:
        """B − A for each row of documents that are relevant beside those taken already."""
        step = max(1, _CELLS // (len(self.grade) + 1))
        parts = [np.zeros(0)]
        for start in range(0, len(extra), step):
            some = extra[start : start + step]
            a, b = (self.measure(self._record(number, some)) for number in (0, 1))
            parts.append(b - a)
        return np.concatenate(parts)

    def _record(self, run: int, extra: NDArray[np.int64]) -> JudgedRun:
        """The run with each choice of relevant documents, one beside the other."""
        several = len(extra)
        grades = np.tile(self.grade, (several, 1))
        grades[:, self.taken] = self.top
        grades[np.arange(several)[:, None], extra] = self.top
        ranks = self.ranks[run]
        order = np.argsort(ranks, kind="stable")[: int(np.isfinite(ranks).sum())]
        judged, pools = grades[:, order] >= 0, grades >= 0
        return JudgedRun(
            _offsets(judged.sum(axis=1)),
            np.tile(ranks[order], (several, 1))[judged],
            grades[:, order][judged],
            pool=Ranking.best_first(_offsets(pools.sum(axis=1)), grades[pools], top=self.top),
            retrieved=np.full(several, self.lengths[run]),
            present=np.full(several, self.lengths[run] > 0),
        )


class LinearTopic(Topic):
    """The same for a measure that is a sum, or a sum as a share of the ideal: effects need no list."""

    def _start(self) -> float:
        shape = shape_of(self.measure, self.top)
        assert isinstance(shape, Linear)
        judged = self.grade >= 0
        self.worth = shape.weight(self.ranks[1]) - shape.weight(self.ranks[0])
        gain = shape.gain(self.grade[judged])
        self.best = float(shape.gain(np.array([self.top]))[0])
        self.above = float(self.worth[judged] @ gain)
        self.number = 0
        self.below: Floats | None = None
        if shape.ideal is not None:
            ideal = shape.ideal(np.arange(1.0, len(self.grade) + 1))
            self.below = ideal_totals(gain, self.best, len(self.open) + 1, ideal)
        return self.above / self._out_of(0)

    def _out_of(self, more: int) -> float:
        """What is divided by, with so many more taken."""
        return 1.0 if self.below is None else float(self.below[self.number + more]) or 1.0

    def effects(self) -> Floats:
        """How far each open document that is left moves the difference: above the line by itself, below it all alike."""
        if not len(self.open):
            return np.zeros(0)
        return (self.above + self.best * self.worth[self.open]) / self._out_of(1) - self.now

    def take(self, place: int, effect: float) -> None:
        """Call it relevant for good."""
        self.above += self.best * float(self.worth[self.open[place]])
        self.number += 1
        self.open = np.delete(self.open, place)
        self.now += effect


def _offsets(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(counts)))
