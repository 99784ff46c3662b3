"""Documents above the cutoff of two runs, of which some are drawn for judging: judged runs under such a design, made directly.

What a study of two runs asks people to judge (`gainful pool --strategy sample:change`), with labels of a model; many draws
of it can be looked at without writing and reading a study.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gainful.estimates import Estimate, estimate
from gainful.estimates.interval_rules import refusal_of_difference
from gainful.estimates.measure_shapes import Linear, shape_of
from gainful.formats.inclusion import Inclusion
from gainful.judging import JudgedRun
from gainful.judging.ranking import Booleans, Floats, Integers, PerTopic, Ranking, offsets_of
from gainful.judging.sampling import Sample
from gainful.measures import Measure
from gainful.statistics.survey_sampling import effect_sizes, shares_by_effect

Ranks = Mapping[str, int]


@dataclass(frozen=True, eq=False)
class DocumentDraws:
    """The documents of two runs' first ranks, topic by topic.

    offsets  documents of topic t are at offsets[t] to offsets[t + 1]
    ranks    in both runs; infinite where one lacks the document
    grade    by people; 0 where they did not judge it
    """

    offsets: Integers
    ranks: Floats
    grade: Floats

    @classmethod
    def of_runs(
        cls, runs: Sequence[Mapping[str, Ranks]], people: Mapping[str, Mapping[str, float]]
    ) -> tuple[DocumentDraws, list[tuple[str, str]]]:
        """The documents of two runs (rank by topic and document) in these topics; and which they are."""
        pairs = [
            (topic, document)
            for topic in people
            for document in runs[0].get(topic, {}) | runs[1].get(topic, {})  # type: ignore[operator]
        ]
        topics = list(people)
        place = {topic: number for number, topic in enumerate(topics)}
        counts = np.bincount([place[topic] for topic, _ in pairs], minlength=len(topics))
        ranks = [[run.get(topic, {}).get(document, np.inf) for topic, document in pairs] for run in runs]
        grade = [max(people[topic].get(document, 0.0), 0.0) for topic, document in pairs]
        return cls(offsets_of(counts), np.array(ranks, np.float64), np.array(grade, np.float64)), pairs

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def of_topics(self, order: NDArray[np.intp]) -> tuple[DocumentDraws, NDArray[np.intp]]:
        """The documents of these topics, in this order, and their places; a topic may be there several times."""
        rows = np.concatenate([np.arange(self.offsets[topic], self.offsets[topic + 1]) for topic in order])
        offsets = offsets_of(np.diff(self.offsets)[order])
        return DocumentDraws(offsets, self.ranks[:, rows], self.grade[rows]), rows

    def probabilities(self, shape: Linear, share: float) -> Floats:
        """The probability of each document where this share of each topic's is drawn, by its effect (`sample:change`)."""
        return shares_by_effect(effect_sizes(shape.weight(self.ranks)), self.offsets, share)

    def judged(
        self, drawn: Booleans, probability: Floats, labels: Floats | None
    ) -> tuple[JudgedRun, JudgedRun]:
        """Both runs, judged where a document was drawn, under the design of these probabilities.

        labels  by one model, or models × documents
        """
        grade = np.where(drawn, self.grade, -1.0)
        inclusion = Inclusion(
            probability,
            np.zeros(len(grade), np.int64),
            np.full(1, np.nan),
            listed=True,
            source="draws of a plan",
            by_effect=True,
            labels=None if labels is None else np.atleast_2d(labels),
        )
        sample = Sample(inclusion, grade, self.offsets)
        pool = Ranking.best_first(self.offsets, grade)
        first, second = (self._run(ranks, grade, pool, sample) for ranks in self.ranks)
        return first, second

    def _run(self, ranks: Floats, grade: Floats, pool: Ranking, sample: Sample) -> JudgedRun:
        topic = np.repeat(np.arange(len(self)), np.diff(self.offsets))
        row = np.lexsort((ranks, topic))
        row = row[np.isfinite(ranks[row])]
        retrieved = np.bincount(topic[row], minlength=len(self))
        return JudgedRun(
            offsets_of(retrieved),
            ranks[row],
            grade[row],
            pool=pool,
            retrieved=retrieved.astype(np.float64),
            present=np.ones(len(self), np.bool_),
            row=row,
            sample=sample,
        )


def estimated_difference(
    measure: Measure, runs: tuple[JudgedRun, JudgedRun]
) -> tuple[PerTopic, tuple[Estimate, Estimate]] | None:
    """B − A in each topic and both estimates; None where a comparison would have no interval.

    Where there is nothing to find for certain, both have the value that the measure declares.
    """
    first, second = (estimate(measure, run, "centred") for run in runs)
    apart = second.values - first.values
    apart[np.isnan(apart) & runs[0].require_sample().complete] = 0.0
    if first.refused or second.refused:
        return None
    if refusal_of_difference(*runs, shape_of(measure, runs[0].top), apart):
        return None
    return apart, (first, second)
