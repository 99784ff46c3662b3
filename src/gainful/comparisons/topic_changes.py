"""What changed: the topics that gained and lost most between two systems, and the documents credited with it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gainful._core import Rows
from gainful.comparisons.comparison import Comparison
from gainful.comparisons.pair import Pair
from gainful.comparisons.score_table import ScoreTable
from gainful.explaining.explanation import difference, explanations
from gainful.formats.ids import shown, to_bytes
from gainful.formats.judgments import Judgments
from gainful.formats.runs import Run
from gainful.judging.settings import Settings
from gainful.measures import Measure
from gainful.presentation.page import Brief


@dataclass(frozen=True, slots=True)
class Credit:
    """A document's part of the difference on a topic; a rank is None where a run does not have it, or below the cutoff."""

    document: str
    grade: float | None
    rank_a: int | None
    rank_b: int | None
    part: float
    title: str | None = None

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

    The pairs are those with the baseline; of more than two systems without one, the best and the next.

    >>> from gainful.comparisons import ScoreTable, compare_scores
    >>> table = ScoreTable.of_matrix([[0.1, 0.4, 0.3], [0.5, 0.4, 0.1]], systems=["old", "new"], measure="AP")
    >>> (found,) = moved(compare_scores(table))
    >>> [(one.topic, round(one.difference, 1)) for one in (*found.gained, *found.lost)]
    [('1', 0.4), ('3', -0.2)]
    """
    return tuple(
        _moved(comparison.table, pair, number)
        for measure in comparison.table.measures
        for pair in _pairs(comparison, measure)
    )


def credited(
    pairs: Sequence[PairMoved],
    judgments: Judgments,
    runs: Sequence[Run],
    names: Sequence[str],
    settings: Settings,
    *,
    documents: int = DOCUMENTS,
) -> tuple[PairMoved, ...]:
    """What changed, with the documents that made the difference on each topic; runs that are not in memory are read.

    names      what the systems are called, in the order of the runs
    documents  how many are named for each topic
    """
    wanted = {topic.topic for pair in pairs for topic in (*pair.gained, *pair.lost)}
    by_name = {
        name: Run(_rows_of(run, wanted), name=name)
        for name, run in zip(names, runs, strict=True)
        if any(name in (pair.a, pair.b) for pair in pairs)
    }
    with_credit = []
    for of_pair in pairs:
        run_a, run_b = by_name[of_pair.a], by_name[of_pair.b]

        def with_documents(
            topic: TopicMoved, measure: Measure = of_pair.measure, a: Run = run_a, b: Run = run_b
        ) -> TopicMoved:
            apart = difference(*explanations(judgments, [a, b], topic.topic, measure, settings))
            largest = [part for part in apart.documents if abs(part.difference) > _NOTHING][:documents]
            parts = tuple(
                Credit(part.document, part.grade, part.baseline_rank, part.candidate_rank, part.difference)
                for part in largest
            )
            rest = topic.difference - sum(part.part for part in parts)
            return replace(topic, documents=parts, rest=0.0 if abs(rest) < _NOTHING else rest)

        with_credit.append(
            replace(
                of_pair,
                gained=tuple(map(with_documents, of_pair.gained)),
                lost=tuple(map(with_documents, of_pair.lost)),
            )
        )
    return tuple(with_credit)


def titled(pairs: Sequence[PairMoved], comparison: Comparison) -> tuple[PairMoved, ...]:
    """What changed, with the titles of the documents that are known."""
    topics = [topic for pair in pairs for topic in (*pair.gained, *pair.lost)]
    titles = comparison.titles({credit.document for topic in topics for credit in topic.documents})

    def with_titles(topic: TopicMoved) -> TopicMoved:
        documents = (replace(credit, title=titles.get(credit.document)) for credit in topic.documents)
        return replace(topic, documents=tuple(documents))

    return tuple(
        replace(pair, gained=tuple(map(with_titles, pair.gained)), lost=tuple(map(with_titles, pair.lost)))
        for pair in pairs
    )


def _rows_of(run: Run, topics: Collection[str]) -> Rows:
    """The rows of these topics, in the order given."""
    rows, kept_topics = run.rows(), set(map(to_bytes, topics))
    kept = [
        row
        for row in zip(rows.topics, rows.documents, rows.values.tolist(), strict=True)
        if row[0] in kept_topics
    ]
    return (
        Rows.of_lists(*(list(column) for column in zip(*kept, strict=True)))
        if kept
        else Rows.of_lists([], [], [])
    )


def _pairs(comparison: Comparison, measure: Measure) -> list[Pair]:
    pairs = comparison.of(measure)
    if comparison.method.baseline is not None or len(pairs) == 1:
        return list(pairs)
    means = comparison.means[str(measure)]
    order = sorted(means, key=lambda name: means[name], reverse=not measure.less_is_better)
    return [pair for pair in pairs if {pair.a, pair.b} == set(order[:2])]


def _moved(table: ScoreTable, pair: Pair, number: int) -> PairMoved:
    rows, topics = table.of(pair.measure)
    a, b = (rows[table.names.index(name)] for name in (pair.a, pair.b))
    apart = b - a
    better = -1.0 if pair.less_is_better else 1.0
    order = np.argsort(-better * apart, kind="stable")
    every = [
        TopicMoved(topics[at], float(a[at]), float(b[at]), query=table.queries.get(topics[at]))
        for at in order
    ]
    gained = [topic for topic in every if better * topic.difference > _NOTHING]
    lost = [topic for topic in reversed(every) if better * topic.difference < -_NOTHING]
    return PairMoved(
        pair.measure,
        pair.a,
        pair.b,
        pair.difference,
        tuple(gained[:number]),
        tuple(lost[:number]),
        len(topics),
        _concentrated(table, topics, apart, pair.difference),
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
