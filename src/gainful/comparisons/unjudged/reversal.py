"""Reversal: how many open documents, found relevant, would turn the sign of a difference; and which to judge first.

Documents are taken one at a time, each time the one that moves the difference the furthest towards the other run
given those taken already, topic by topic. The number that comes out does reverse the sign; another choice may need
fewer, unless documents act each for itself (P, RBP, DCG).
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.unjudged.bounds import depth_of
from gainful.comparisons.unjudged.evidence import Evidence
from gainful.comparisons.unjudged.shapes import Linear, shape_of
from gainful.comparisons.unjudged.supposing import LinearTopic, Topic
from gainful.formats.ids import shown
from gainful.measures import Measure

Floats = NDArray[np.float64]

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

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "topic": shown(self.topic),
            "document": shown(self.document),
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
            "documents": [one.to_dict() for one in self.documents],
            "judge_first": [one.to_dict() for one in self.first],
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
    """What would turn the sign of the mean of B − A.

    topics, shares  numbers of the topics that count, and what share of the mean each has
    first           how many documents to judge first are listed
    """
    runs = (a, b)
    kind = LinearTopic if isinstance(shape_of(measure, evidence.top), Linear) else Topic

    def fresh() -> list[Topic]:
        return [kind(evidence, measure, topic, runs, depth_of(measure, depth)) for topic in topics]

    each = fresh()
    mean = float(sum(share * one.now for share, one in zip(shares, each, strict=True)))
    opened = sum(len(one.open) for one in each)
    moved = [one.effects() * share for one, share in zip(each, shares, strict=True)]
    foremost = _foremost(evidence, topics, runs, each, moved, first)
    # equal means are parted either way, by whichever needs fewer documents
    ways = (-1.0, 1.0) if abs(mean) <= LEAST else (-1.0,) if mean > 0 else (1.0,)
    found = [_taken(evidence, topics, runs, fresh(), shares, mean, towards) for towards in ways]
    documents = min((one for one in found if one), key=len, default=())
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
    left = [one.effects() * share for one, share in zip(each, shares, strict=True)]

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
    topic = np.repeat(np.arange(len(topics)), [len(one) for one in moved])
    document = np.concatenate([*(one.documents[one.open] for one in each), np.zeros(0, np.int64)])
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
