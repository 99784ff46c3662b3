"""What changed: the topics that gained and lost most between two systems, and the documents credited with it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gainful.comparisons.comparison import Comparison
from gainful.comparisons.score_table import ScoreTable
from gainful.explaining.contributions import parts_of
from gainful.explaining.tracing import as_read
from gainful.formats.ids import from_bytes, shown
from gainful.judging import JudgedRun
from gainful.measures import Measure
from gainful.presentation.page import Brief
from gainful.presentation.text_style import UNDEFINED
from gainful.scores import Scores
from gainful.statistics.differences import differences


@dataclass(frozen=True, slots=True)
class Credit:
    """A judged document's part of the difference on a topic; a rank is None where a run does not have it."""

    document: str
    grade: float | None
    rank_a: int | None
    rank_b: int | None
    part: float
    title: str | None = None

    @property
    def ranks(self) -> str:
        """Its rank by A and by B, in a cell."""
        return " → ".join(UNDEFINED if rank is None else f"{rank:,}" for rank in (self.rank_a, self.rank_b))

    @property
    def called(self) -> str:
        """Its id, and its title where that is known."""
        return shown(self.document) if self.title is None else f"{shown(self.document)} {shown(self.title)}"

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "document": shown(self.document),
            **({} if self.title is None else {"title": shown(self.title)}),
            "grade": self.grade,
            "rank_a": self.rank_a,
            "rank_b": self.rank_b,
            "part": self.part,
        }


@dataclass(frozen=True, slots=True)
class TopicMoved:
    """A topic on which two systems differ.

    documents  what makes the difference, the largest part first; empty where no runs were given
    rest       the part of all other documents; with those of `documents` it sums to the difference
    """

    topic: str
    a: float
    b: float
    documents: tuple[Credit, ...] = ()
    rest: float | None = None
    query: str | None = None

    @property
    def difference(self) -> float:
        """The value of B minus that of A."""
        return self.b - self.a

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "topic": shown(self.topic),
            **({} if self.query is None else {"query": shown(self.query)}),
            "a": self.a,
            "b": self.b,
            "difference": self.difference,
            "documents": [credit.to_dict() for credit in self.documents],
            "rest": self.rest,
        }


@dataclass(frozen=True, slots=True, repr=False)
class PairMoved(Brief):
    """The topics on which B gained most over A, and those on which it lost most; to gain is to get better.

    concentrated  topics, the largest changes in the direction of the mean first, that make up half of all such changes;
                  None where there is no difference
    """

    measure: Measure
    a: str
    b: str
    difference: float
    gained: tuple[TopicMoved, ...]
    lost: tuple[TopicMoved, ...]
    topics: int
    concentrated: int | None

    def sentence(self) -> str:
        """How far the difference depends on few topics, in a sentence."""
        if self.concentrated is None:
            return f"{self.measure}: {shown(self.b)} and {shown(self.a)} have the same mean."
        topics_make = "1 topic makes" if self.concentrated == 1 else f"{self.concentrated:,} topics make"
        return (
            f"{self.measure}, {shown(self.b)} − {shown(self.a)}: {topics_make} up half of what moved in the "
            f"direction of the mean, of {self.topics:,} topics."
        )

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "measure": str(self.measure),
            "a": shown(self.a),
            "b": shown(self.b),
            "difference": self.difference,
            "topics": self.topics,
            "concentrated": self.concentrated,
            "gained": [topic.to_dict() for topic in self.gained],
            "lost": [topic.to_dict() for topic in self.lost],
        }


DOCUMENTS = 3
"""Default number of documents named for each topic."""

_NOTHING = 1e-12


def moved(comparison: Comparison, *, number: int = 5) -> tuple[PairMoved, ...]:
    """For each measure, the topics that moved most between two systems: `number` that gained, and `number` that lost.

    The pairs are those with the baseline, which is A; of more than two systems without one, the next best and the best,
    which is B.

    >>> from gainful.comparisons import ScoreTable, compare_scores
    >>> table = ScoreTable.of_matrix([[0.1, 0.4, 0.3], [0.5, 0.4, 0.1]], systems=["old", "new"], measure="AP")
    >>> (found,) = moved(compare_scores(table))
    >>> [(one.topic, round(one.difference, 1)) for one in (*found.gained, *found.lost)]
    [('1', 0.4), ('3', -0.2)]
    """
    return tuple(
        moved_between(comparison.table, measure, a, b, number)
        for measure in comparison.table.measures
        for a, b in pairs_moved(comparison, measure)
    )


def credited(
    pairs: Sequence[PairMoved], scores: Scores, *, documents: int = DOCUMENTS
) -> tuple[PairMoved, ...]:
    """What changed, with the judged documents that made the difference on each topic; no run is read.

    scores     of the systems compared
    documents  how many are named for each topic
    """
    places = {topic: place for place, topic in enumerate(scores.runs[0].topics)}

    def with_documents(topic: TopicMoved, pair: PairMoved) -> TopicMoved:
        place = places[topic.topic]
        a, b = (
            _contributions(scores[name].judged.select(place, place + 1), pair.measure)
            for name in (pair.a, pair.b)
        )
        apart = {row: b.get(row, _ABSENT)[1] - a.get(row, _ABSENT)[1] for row in {**a, **b}}
        largest = sorted(apart, key=lambda row: -abs(apart[row]))[:documents]
        index = scores.judgments.index
        parts = tuple(
            Credit(
                from_bytes(index.documents(row, row + 1)[0]),
                float(index.grade[row]),
                a.get(row, _ABSENT)[0],
                b.get(row, _ABSENT)[0],
                apart[row],
            )
            for row in largest
            if abs(apart[row]) > _NOTHING
        )
        rest = topic.difference - math.fsum(part.part for part in parts)
        return replace(topic, documents=parts, rest=0.0 if abs(rest) < _NOTHING else rest)

    return tuple(
        replace(
            pair,
            gained=tuple(with_documents(topic, pair) for topic in pair.gained),
            lost=tuple(with_documents(topic, pair) for topic in pair.lost),
        )
        for pair in pairs
    )


_ABSENT: tuple[int | None, float] = (None, 0.0)
"""Rank and contribution of a document that a run does not have."""


def _contributions(judged: JudgedRun, measure: Measure) -> dict[int, tuple[int | None, float]]:
    """Rank and contribution of each judged document of one topic's list, by its row in the judgments."""
    measure, read = as_read(measure, judged)
    contributions = parts_of(measure, read).contributions.tolist()
    contributed = {row: contributions[rank - 1] for row, rank in zip(*_rows_and_ranks(read), strict=True)}
    return {
        row: (rank, contributed.get(row, 0.0)) for row, rank in zip(*_rows_and_ranks(judged), strict=True)
    }


def _rows_and_ranks(judged: JudgedRun) -> tuple[list[int], list[int]]:
    return judged.row.tolist(), judged.rank.astype(int).tolist()


def titled(pairs: Sequence[PairMoved], table: ScoreTable) -> tuple[PairMoved, ...]:
    """What changed, with the titles of the documents that are known."""
    topics = [topic for pair in pairs for topic in (*pair.gained, *pair.lost)]
    titles = table.titles({credit.document for topic in topics for credit in topic.documents})

    def with_titles(topic: TopicMoved) -> TopicMoved:
        documents = (replace(credit, title=titles.get(credit.document)) for credit in topic.documents)
        return replace(topic, documents=tuple(documents))

    return tuple(
        replace(pair, gained=tuple(map(with_titles, pair.gained)), lost=tuple(map(with_titles, pair.lost)))
        for pair in pairs
    )


def pairs_moved(comparison: Comparison, measure: Measure) -> list[tuple[str, str]]:
    """A and B of the pairs that are followed: those with the baseline, the only one, or the next best and the best."""
    pairs = comparison.of(measure)
    if comparison.method.baseline is not None or len(pairs) == 1:
        return [(pair.a, pair.b) for pair in pairs]
    means = comparison.means[str(measure)]
    best, following = sorted(means, key=lambda name: means[name], reverse=not measure.less_is_better)[:2]
    return [(following, best)]


def moved_between(table: ScoreTable, measure: Measure, a: str, b: str, number: int = 5) -> PairMoved:
    """The topics that moved most between two systems by one measure: `number` that gained, and `number` that lost."""
    rows, topics = table.of(measure)
    at_a, at_b = (table.names.index(name) for name in (a, b))
    values_a, values_b = rows[at_a], rows[at_b]
    apart = differences(rows, np.array([at_a]), np.array([at_b]))[0]
    means = table.mean(measure)
    difference = means[b] - means[a]
    better = -1.0 if measure.less_is_better else 1.0

    def foremost(gain: Any) -> tuple[TopicMoved, ...]:
        order = np.argsort(-gain, kind="stable")[:number].tolist()
        return tuple(
            TopicMoved(
                topics[at], float(values_a[at]), float(values_b[at]), query=table.queries.get(topics[at])
            )
            for at in order
            if gain[at] > _NOTHING
        )

    return PairMoved(
        measure,
        a,
        b,
        difference,
        foremost(better * apart),
        foremost(-better * apart),
        len(topics),
        _concentrated(table, topics, apart, difference),
    )


def _concentrated(table: ScoreTable, topics: Sequence[str], apart: Any, difference: float) -> int | None:
    """The fewest topics that have half of what moved in the direction of the difference."""
    if abs(difference) < _NOTHING:
        return None
    weights = table.weights_of(topics)
    towards = np.sort(np.maximum(apart * np.sign(difference) * (1.0 if weights is None else weights), 0.0))[
        ::-1
    ]
    return int(np.searchsorted(np.cumsum(towards), towards.sum() / 2)) + 1
