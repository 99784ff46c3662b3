"""What a user knew before searching, and how much she expected to find."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from gainful.arrays import np
from gainful.judging.ranking import Booleans, Floats, Integers, PerTopic, Ranking

if TYPE_CHECKING:
    from gainful.judging.record import JudgedRun


class Knowledge:
    """Which judged documents a user knew, and how many relevant ones she expected to find, topic by topic.

    rows      for each judged document, by its place in the judgments, whether she knew it; None: it was not said
    pool      the grades of those that she knew, best first
    expected  for each topic, how many relevant documents she expected; NaN where she did not say; None: it was not said
    notes     what would surprise a reader of it
    """

    __slots__ = ("expected", "notes", "pool", "rows")

    def __init__(
        self,
        rows: Booleans | None,
        pool: Ranking | None,
        expected: PerTopic | None = None,
        notes: tuple[str, ...] = (),
    ) -> None:
        self.rows = rows
        self.pool = pool
        self.expected = expected
        self.notes = notes

    @classmethod
    def of(
        cls,
        offsets: Integers,
        grade: Floats,
        known: Booleans | None,
        expected: PerTopic | None = None,
        notes: tuple[str, ...] = (),
    ) -> Knowledge:
        """Of judgments: those of topic t are offsets[t] to offsets[t + 1]."""
        if known is None:
            return cls(None, None, expected, notes)
        before = np.concatenate(([0], np.cumsum(known)))
        top = max(0.0, float(grade.max())) if len(grade) else 0.0
        return cls(known, Ranking.best_first(before[offsets], grade[known], top=top), expected, notes)

    def select(self, start: int, stop: int) -> Knowledge:
        """Topics start to stop; documents keep their places in the judgments."""
        pool = None if self.pool is None else self.pool.select(start, stop)
        expected = None if self.expected is None else self.expected[start:stop]
        return Knowledge(self.rows, pool, expected, self.notes)

    def keep(self, kept: Booleans) -> Knowledge:
        """Some of the topics; documents keep their places in the judgments."""
        pool = self.pool
        if pool is not None:
            counts = np.diff(pool.offsets)
            hits = np.repeat(kept, counts)
            offsets = np.concatenate(([0], np.cumsum(counts[kept])))
            pool = Ranking(offsets, pool.rank[hits], pool.grade[hits], top=pool.top)
        expected = None if self.expected is None else self.expected[kept]
        return Knowledge(self.rows, pool, expected, self.notes)


def known_by(
    ranked: Iterable[str],
    judged: Mapping[str, float],
    known: Iterable[str] | None = None,
    *,
    expected: float | None = None,
) -> JudgedRun:
    """A judged run of one topic made by hand, with what its user knew.

    ranked    ids of the documents, in rank order
    judged    grades by id
    known     ids of the documents that the user knew
    expected  how many relevant documents she expected to find

    >>> known_by("axb", {"a": 1, "b": 1, "c": 1}, known="ac").known.count(1)
    array([2.])
    """
    from gainful.judging.record import JudgedRun

    documents = list(judged)
    grade = np.array([judged[document] for document in documents], dtype=np.float64)
    offsets = np.array([0, len(documents)])
    listed = list(ranked)
    hits = [
        (rank, documents.index(document)) for rank, document in enumerate(listed, 1) if document in judged
    ]
    row = np.array([place for _, place in hits], dtype=np.intp)
    knew = None if known is None else np.isin(documents, list(known))
    hoped = None if expected is None else np.array([float(expected)])
    return JudgedRun(
        np.array([0, len(hits)]),
        np.array([rank for rank, _ in hits], dtype=np.float64),
        grade[row],
        pool=Ranking.best_first(offsets, grade),
        retrieved=np.array([float(len(listed))]),
        present=np.ones(1, dtype=np.bool_),
        row=row,
        knowledge=Knowledge.of(offsets, grade, knew, hoped),
    )
