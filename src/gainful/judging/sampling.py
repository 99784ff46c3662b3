"""A sample of documents: with which probability each judged document of a judged run was drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gainful.arrays import np
from gainful.judging.ranking import Booleans, Floats, Integers, PerTopic, Ranking, offsets_of

if TYPE_CHECKING:
    from gainful.formats.inclusion import Inclusion
    from gainful.judging.record import JudgedRun


class Sample:
    """The documents of each topic that were drawn for judging, or could have been.

    inclusion  probability and stratum of every document, by its place in the judgments
    grade      of every document, by its place in the judgments; below 0 where it was not drawn
    offsets    documents of topic t are rows[offsets[t]] to rows[offsets[t + 1]]
    rows       places in the judgments
    """

    def __init__(
        self, inclusion: Inclusion, grade: Floats, offsets: Integers, rows: Integers | None = None
    ) -> None:
        self.inclusion = inclusion
        self.grade = grade
        self.offsets = offsets
        self.rows = np.arange(len(grade)) if rows is None else rows

    @cached_property
    def pool(self) -> Ranking:
        """The documents of each topic as they stand in the judgments, for sums by topic; ranks mean nothing."""
        return Ranking(self.offsets, np.ones(len(self.rows)), self.grade[self.rows])

    @cached_property
    def drawn(self) -> Booleans:
        """For each document of the pool, whether it was drawn by chance, or taken for certain, and judged."""
        return (self.grade[self.rows] >= 0) & ~np.isnan(self.inclusion.probability[self.rows])

    @cached_property
    def weight(self) -> Floats:
        """For each document of the pool, how many it stands for: 1 / probability; 0 where it was not drawn."""
        return np.where(self.drawn, 1.0 / self.inclusion.probability[self.rows], 0.0)

    @cached_property
    def of_fixed_size(self) -> Booleans:
        """For each document of the pool, whether a fixed number was drawn of its stratum, and not all."""
        probability, stratum = self.inclusion.probability[self.rows], self.inclusion.stratum[self.rows]
        fixed: Booleans = np.isfinite(self.inclusion.size[stratum]) & (probability < 1)
        return fixed

    @cached_property
    def complete(self) -> Booleans:
        """The topics in which every document was taken for certain."""
        uncertain: Booleans = ~(self.inclusion.probability[self.rows] == 1)
        complete: Booleans = self.pool.total(where=uncertain) == 0
        return complete

    def at_hits(self, judged: JudgedRun) -> tuple[Floats, Integers]:
        """Weight and place in the pool of each hit of a judged run."""
        place = self._places[judged.row]
        return self.weight[place], place

    @cached_property
    def _places(self) -> Integers:
        """Where each document of the judgments stands in the pool; −1 for those of other topics."""
        places = np.full(len(self.grade), -1, dtype=np.intp)
        places[self.rows] = np.arange(len(self.rows))
        return places

    def totals(self, x: Floats) -> PerTopic:
        """Sum over the pool of each topic: of each document its x times its weight."""
        return self.pool.total(x * self.weight)

    def select(self, start: int, stop: int) -> Sample:
        """Topics start to stop; documents keep their places in the judgments."""
        offsets = self.offsets[start : stop + 1]
        return Sample(self.inclusion, self.grade, offsets - offsets[0], self.rows[offsets[0] : offsets[-1]])

    def keep(self, kept: Booleans) -> Sample:
        """Some of the topics; documents keep their places in the judgments."""
        counts = np.diff(self.offsets)
        return Sample(
            self.inclusion, self.grade, offsets_of(counts[kept]), self.rows[np.repeat(kept, counts)]
        )


def sampled_run(ranked: Sequence[str], judged: Mapping[str, Sequence[Any]]) -> JudgedRun:
    """A judged run of one topic made by hand, whose documents were drawn with known probabilities.

    ranked  ids of the documents, in rank order
    judged  by id, the grade, the probability and, if any, the stratum; a grade below 0 is a document that was not drawn

    >>> run = sampled_run("abc", {"a": (1, 0.5), "c": (0, 0.25)})
    >>> run.rank, run.require_sample().weight
    (array([1., 3.]), array([2., 4.]))
    """
    from gainful.formats.inclusion import (  # which needs the native core, as measures do not
        Inclusion,
        strata_sizes,
    )
    from gainful.judging.record import JudgedRun

    documents = list(judged)
    grade = np.array([judged[document][0] for document in documents], dtype=np.float64)
    probability = np.array([judged[document][1] for document in documents], dtype=np.float64)
    names = ["".join(map(str, judged[document][2:])) for document in documents]
    strata = sorted(set(names))
    stratum = np.array([strata.index(name) for name in names], dtype=np.intp)
    size = strata_sizes(probability, stratum, grade >= 0, np.array([bool(name) for name in strata], bool))
    inclusion = Inclusion(probability, stratum, size, bool((grade < 0).any()), "a sample made by hand")
    offsets = np.array([0, len(documents)])
    hits = [
        (rank, documents.index(document)) for rank, document in enumerate(ranked, 1) if document in judged
    ]
    row = np.array([place for _, place in hits], dtype=np.intp)
    return JudgedRun(
        np.array([0, len(hits)]),
        np.array([rank for rank, _ in hits], dtype=np.float64),
        grade[row],
        pool=Ranking.best_first(offsets, grade),
        retrieved=np.array([float(len(ranked))]),
        present=np.ones(1, dtype=np.bool_),
        row=row,
        sample=Sample(inclusion, grade, offsets),
    )
