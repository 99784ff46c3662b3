"""Reversals: how many open documents, found relevant, would turn the sign of a difference; and which to judge first.

Documents are taken one at a time, each time the one that moves the difference the furthest towards the other run
given those taken already, topic by topic. The number that comes out does reverse the sign; another choice may need
fewer, unless documents act each for itself (P, RBP, DCG).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.unjudged.evidence import Evidence
from gainful.comparisons.unjudged.value_bounds import depth_of
from gainful.estimates.grade_extremes import ideal_totals
from gainful.estimates.measure_shapes import Linear, shape_of
from gainful.formats.ids import shown
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
        self.taken = np.zeros(0, np.intp)
        return float(self._of(np.zeros((1, 0), np.intp))[0])

    def effects(self) -> Floats:
        """How far each open document that is left moves the difference, alone."""
        return self._of(self.open[:, None]) - self.now

    def take(self, place: int, effect: float) -> None:
        """Call it relevant for good."""
        self.taken = np.append(self.taken, self.open[place])
        self.open = np.delete(self.open, place)
        self.now += effect

    def _of(self, extra: NDArray[np.intp]) -> Floats:
        """B − A for each row of documents that are relevant beside those taken already."""
        step = max(1, _CELLS // (len(self.grade) + 1))
        parts = [np.zeros(0)]
        for start in range(0, len(extra), step):
            some = extra[start : start + step]
            a, b = (self.measure(self._record(number, some)) for number in (0, 1))
            parts.append(b - a)
        return np.concatenate(parts)

    def _record(self, run: int, extra: NDArray[np.intp]) -> JudgedRun:
        """The run with each choice of relevant documents, one beside the other."""
        choices = len(extra)
        grades = np.tile(self.grade, (choices, 1))
        grades[:, self.taken] = self.top
        grades[np.arange(choices)[:, None], extra] = self.top
        ranks = self.ranks[run]
        order = np.argsort(ranks, kind="stable")[: int(np.isfinite(ranks).sum())]
        judged, pools = grades[:, order] >= 0, grades >= 0
        return JudgedRun(
            _offsets(judged.sum(axis=1)),
            np.tile(ranks[order], (choices, 1))[judged],
            grades[:, order][judged],
            pool=Ranking.best_first(_offsets(pools.sum(axis=1)), grades[pools], top=self.top),
            retrieved=np.full(choices, self.lengths[run]),
            present=np.full(choices, self.lengths[run] > 0),
        )


class LinearTopic(Topic):
    """One topic under a measure that is a sum, or a sum as a share of the ideal: effects need no list."""

    def _start(self) -> float:
        shape = shape_of(self.measure, self.top)
        assert isinstance(shape, Linear)
        judged = self.grade >= 0
        self.worth = shape.weight(self.ranks[1]) - shape.weight(self.ranks[0])
        gain = shape.gain(self.grade[judged])
        self.best = float(shape.gain(np.array([self.top]))[0])
        self.above = math.fsum(self.worth[judged] * gain)  # exact, in whatever order documents are met
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


def _offsets(counts: NDArray[np.intp]) -> NDArray[np.intp]:
    return np.concatenate(([0], np.cumsum(counts)))


MOST = 200
"""Documents up to which it is worth counting."""

LEAST = 1e-12
"""What is less than this is rounding, and no difference."""


@dataclass(frozen=True, slots=True)
class ToJudge:
    """A document that nobody judged, and how much the mean difference B − A moves if it is wholly relevant.

    A rank is None where the run does not have the document.
    """

    topic: str
    document: str
    rank_a: int | None
    rank_b: int | None
    effect: float
    title: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "topic": shown(self.topic),
            "document": shown(self.document),
            **({} if self.title is None else {"title": shown(self.title)}),
            "rank_a": self.rank_a,
            "rank_b": self.rank_b,
            "effect": self.effect,
        }


@dataclass(frozen=True, slots=True)
class Reversal:
    """What it would take to turn the sign of a mean difference.

    open       documents that nobody judged in the top ranks of the two runs
    needed     so many of them, found relevant, turn the sign; None where none up to 200 were found that do
    documents  these, in the order in which they were taken
    first      documents whose judgment moves the difference most, either way, the largest effect first
    """

    open: int
    needed: int | None
    documents: tuple[ToJudge, ...]
    first: tuple[ToJudge, ...]

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "open": self.open,
            "needed": self.needed,
            "documents": [document.to_dict() for document in self.documents],
            "judge_first": [document.to_dict() for document in self.first],
        }


def reversal(
    evidence: Evidence,
    measure: Measure,
    a: int,
    b: int,
    topics: Sequence[int],
    shares: Floats,
    *,
    depth: int | None = None,
    first: int = 10,
) -> Reversal:
    """How many open documents, found relevant, would change the sign of the mean of B − A.

    topics, shares  numbers of the topics that count, and what share of the mean each has
    first           how many documents to judge first are listed
    """
    runs = (a, b)
    kind = LinearTopic if isinstance(shape_of(measure, evidence.top), Linear) else Topic

    def fresh() -> list[Topic]:
        return [kind(evidence, measure, topic, runs, depth_of(measure, depth)) for topic in topics]

    each = fresh()
    mean = math.fsum(share * topic.now for share, topic in zip(shares, each, strict=True))
    opened = sum(len(topic.open) for topic in each)
    moved = [topic.effects() * share for topic, share in zip(each, shares, strict=True)]
    foremost = _foremost(evidence, topics, runs, each, moved, first)
    # equal means are parted either way, by whichever needs fewer documents
    ways = (-1.0, 1.0) if abs(mean) <= LEAST else (-1.0,) if mean > 0 else (1.0,)
    taken = [_taken(evidence, topics, runs, fresh(), shares, mean, towards) for towards in ways]
    documents = min((chosen for chosen in taken if chosen), key=len, default=())
    return Reversal(opened, len(documents) or None, documents, foremost)


def _taken(
    evidence: Evidence,
    topics: Sequence[int],
    runs: tuple[int, int],
    each: Sequence[Topic],
    shares: Floats,
    mean: float,
    towards: float,
) -> tuple[ToJudge, ...]:
    """The documents that bring the mean to the other side, in the order in which they are taken; none if they do not."""
    heap: list[tuple[float, int]] = []
    left = [topic.effects() * share for topic, share in zip(each, shares, strict=True)]

    def offer(number: int) -> None:
        if len(left[number]):
            heapq.heappush(heap, (-float((towards * left[number]).max()), number))

    for number in range(len(each)):
        offer(number)
    taken: list[ToJudge] = []
    while heap and mean * towards <= LEAST and len(taken) < MOST:
        gain, number = heapq.heappop(heap)
        if -gain <= LEAST:
            break
        place = int(np.argmax(towards * left[number]))
        effect = float(left[number][place])
        document = int(each[number].documents[each[number].open[place]])
        taken.append(_to_judge(evidence, topics[number], document, runs, effect))
        each[number].take(place, effect / float(shares[number]))
        mean += effect
        left[number] = each[number].effects() * shares[number]
        offer(number)
    return tuple(taken) if mean * towards > LEAST else ()


def _foremost(
    evidence: Evidence,
    topics: Sequence[int],
    runs: tuple[int, int],
    each: Sequence[Topic],
    moved: Sequence[Floats],
    number: int,
) -> tuple[ToJudge, ...]:
    effects = np.concatenate([*moved, np.zeros(0)])
    topic = np.repeat(np.arange(len(topics)), [len(of_topic) for of_topic in moved])
    document = np.concatenate([*(state.documents[state.open] for state in each), np.zeros(0, np.intp)])
    order = np.argsort(-np.abs(effects), kind="stable")[:number]
    return tuple(
        _to_judge(evidence, topics[topic[at]], int(document[at]), runs, float(effects[at]))
        for at in order
        if abs(effects[at]) > LEAST
    )


def _to_judge(evidence: Evidence, topic: int, document: int, runs: tuple[int, int], effect: float) -> ToJudge:
    row = evidence.part(topic).start + document
    ranks = [evidence.ranks[run, row] for run in runs]
    rank_a, rank_b = (int(rank) if np.isfinite(rank) else None for rank in ranks)
    return ToJudge(evidence.topics[topic], evidence.documents(topic)[document], rank_a, rank_b, effect)
