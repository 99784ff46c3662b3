"""How many documents people must judge, drawn in each labelled topic by their effect, for a wanted width or decision.

The pilot's topics are those in which people judged the documents above the cutoff of either system. Of each topic's documents
a share is drawn again and again (`sample:change`), and the difference is estimated from each draw, as the comparison does with
`--design`, with the labels and without. The spread of the estimates between topics holds both sources of chance: with all N
labelled topics drawn from like this,

    width = 2 · t(N − 1) · spread / √N
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from gainful.auditing.document_draws import DocumentDraws, estimated_difference
from gainful.auditing.judged_pairs import Graded
from gainful.auditing.judgment_savings import POWER, Drawn, PairSaving, Savings
from gainful.estimates.interval_rules import LEAST_TOPICS
from gainful.estimates.measure_shapes import Linear, shape_of
from gainful.judging.ordered_lists import OrderedLists
from gainful.judging.ranking import Floats
from gainful.measures import Measure
from gainful.statistics import special
from gainful.statistics.differences import power
from gainful.statistics.resampling import SEED

DRAWS = 20


@dataclass(frozen=True, eq=False)
class DocumentPlan:
    """The documents of the pilot, to be drawn from.

    topics   number of topics of which documents would be drawn
    spreads  that were simulated, by the percentage of the documents, and whether labels were used
    """

    measure: Measure
    shape: Linear
    documents: DocumentDraws
    labels: Floats
    topics: int
    confidence: float
    spreads: dict[tuple[int, bool], float] = field(default_factory=dict)

    def spread(self, percent: int, *, labels: bool) -> float:
        """The standard deviation between topics of what is estimated from so many documents; infinite without an interval."""
        if (percent, labels) not in self.spreads:
            self.spreads[percent, labels] = self._drawn_spread(percent, self.labels if labels else None)
        return self.spreads[percent, labels]

    @cached_property
    def _uniform(self) -> Floats:
        """A random number for each document and draw; a larger share draws the documents of a smaller one, and more."""
        return np.random.default_rng(SEED).random((DRAWS, len(self.labels)))

    def _drawn_spread(self, percent: int, labels: Floats | None) -> float:
        probability = self.documents.probabilities(self.shape, percent / 100)
        variances = []
        for uniform in self._uniform:
            made = estimated_difference(
                self.measure, self.documents.judged(uniform < probability, probability, labels)
            )
            if made is not None:
                known = made[0][~np.isnan(made[0])]
                variances.append(float(known.var(ddof=1)))
        return math.sqrt(np.mean(variances)) if 2 * len(variances) > DRAWS else math.inf

    @property
    def total(self) -> int:
        """About how many documents all topics have: as many in each as in those of the pilot."""
        return math.ceil(len(self.labels) / len(self.documents) * self.topics)

    def for_width(self, width: float) -> Drawn:
        """For an interval of this full width."""
        reach = (
            2 * float(special().stdtrit(self.topics - 1, (1 + self.confidence) / 2)) / math.sqrt(self.topics)
        )
        return self._fewest(lambda spread: reach * spread <= width)

    def for_decision(self, difference: float) -> Drawn:
        """To find a difference as large as this one with the wanted power."""

        def decides(spread: float) -> bool:
            if not spread:
                return bool(difference)
            return bool(power(abs(difference) / spread, self.topics, alpha=1 - self.confidence) >= POWER)

        return self._fewest(decides)

    def _fewest(self, enough: Callable[[float], bool]) -> Drawn:
        people, both = (self._percent(enough, labels=labels) for labels in (False, True))
        return Drawn(people, both, self.total)

    def _percent(self, enough: Callable[[float], bool], *, labels: bool) -> int | None:
        low, high = 1, 100

        def suffices(percent: int) -> bool:
            spread = self.spread(percent, labels=labels)
            return math.isfinite(spread) and enough(spread)

        if not suffices(high):
            return None
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if suffices(middle) else (middle + 1, high)
        return low


def document_plan(
    saving: Savings, pair: PairSaving, lists: Mapping[str, OrderedLists], people: Graded, labels: Graded
) -> DocumentPlan | None:
    """The plan of one pair; None where the measure is no sum over documents above a cutoff, or its share of the best such sum,
    or where the pilot has fewer topics than an interval from drawn documents needs.

    people, labels  grades by people, and labels as the model gave them, by topic and document
    """
    cutoff = saving.measure.cutoff
    if cutoff is None or any(name not in lists for name in (pair.a, pair.b)):
        return None
    runs = [_ranks(lists[name], cutoff, people) for name in (pair.a, pair.b)]
    pilot = {
        topic: people[topic] for topic in people if topic in labels and any(topic in run for run in runs)
    }
    if len(pilot) < LEAST_TOPICS:
        return None
    documents, pairs = DocumentDraws.of_runs(runs, pilot)
    shape = shape_of(saving.measure, float(documents.grade.max(initial=0.0)))
    if not isinstance(shape, Linear):
        return None
    said = np.array([labels[topic].get(document, np.nan) for topic, document in pairs])
    return DocumentPlan(saving.measure, shape, documents, said, saving.labelled, saving.confidence)


def _ranks(listed: OrderedLists, cutoff: int, people: Graded) -> dict[str, dict[str, int]]:
    return {
        topic: {document: rank for rank, document in enumerate(listed.documents(topic)[:cutoff], 1)}
        for topic in listed.topics
        if topic in people
    }


def with_documents(
    saving: Savings,
    lists: Mapping[str, OrderedLists],
    people: Graded,
    labels: Graded,
    *,
    width: float | None,
    decide: bool,
) -> Savings:
    """What the model saves, with the plan by documents where one pair is looked at."""
    pairs: Sequence[PairSaving] = saving.pairs
    if len(pairs) != 1 or (width is None and not decide):
        return saving
    plan = document_plan(saving, pairs[0], lists, people, labels)
    if plan is None:
        return saving
    planned = replace(
        pairs[0],
        width_drawn=None if width is None else plan.for_width(width),
        decide_drawn=plan.for_decision(pairs[0].difference) if decide else None,
    )
    return replace(saving, pairs=(planned,))
