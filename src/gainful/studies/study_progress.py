"""The next step of a study: stop, wait for answers, or judge these documents; and how many more to expect."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.unjudged.evidence import OPEN, Evidence
from gainful.errors import UsageError
from gainful.formats.ids import shown
from gainful.formats.texts import Given
from gainful.measures import Measure
from gainful.presentation.text_style import NARROW, Screen
from gainful.statistics.sequential_flips import FLIPS, SequentialFlips
from gainful.studies.candidates import candidates_of, pairs_of, with_grades
from gainful.studies.label_uncertainty import labels_of
from gainful.studies.pooling import next_batch, situation_of
from gainful.studies.sample_estimates import DrawnSample, estimated_differences
from gainful.studies.sequential_decision import (
    Decision,
    compared_runs,
    current_differences,
    decide_now,
    open_counts,
    share_drawn,
    topic_bounds,
)
from gainful.studies.strategies import Floats, Strategy, strategy_of
from gainful.studies.strategies.decide import relevance_chances
from gainful.studies.study_folder import Pair, Study
from gainful.studies.study_records import Pooled

IMPUTATIONS = 5
"""Simulated ways in which the open documents may turn out, whose median is the number of judgments to expect."""

_FLIPS = 2_000  # of a simulated test
_MOST_BATCHES = 1_000
_ALL = 1 << 40
_CLOSE = 1e-9
_FAR = 1e9  # stands for the rank of a document that a run does not have


@dataclass(frozen=True, eq=False)
class NextStep:
    """What to do next in a study.

    decision   whether the two runs differ, by what was judged so far
    documents  to judge next: those of the last batch that wait for answers, or a new batch
    expected   judgments until the decision, about; None where it is made, or no simulation came to one
    study      with the new batch, which is not written yet
    """

    decision: Decision
    documents: tuple[Pooled, ...]
    expected: int | None
    study: Study
    notes: tuple[str, ...] = ()

    @property
    def is_new(self) -> bool:
        """Whether the documents are a new batch."""
        return self.decision.status == "judge more" and bool(self.documents)

    def sentence(self, places: int = 4) -> str:
        """The step in words."""
        said = self.decision.sentence(places)
        if not self.documents:
            return said
        batch = self.documents[0].batch
        what = f"judge {len(self.documents):,} more document{'s' if len(self.documents) > 1 else ''} (batch {batch})"
        more = "" if self.expected is None else f"; about {self.expected:,} judgments to a decision"
        return f"{said}\nnext: {what}{more}"

    def text(self, screen: Screen = NARROW) -> str:
        """The step in lines that fit."""
        return "\n".join(screen.filled(line, indent="  ") for line in self.sentence().split("\n"))

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<NextStep: {self.sentence()}>"

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return self.decision.to_dict() | {
            "expected": self.expected,
            "next": [
                {"topic": shown(row.topic), "document": shown(row.document), "reason": shown(row.reason)}
                for row in self.documents
            ],
            "notes": [*self.decision.notes, *self.notes],
        }


def next_step(
    study: Study,
    a: str | None = None,
    b: str | None = None,
    measure: str | Measure | None = None,
    alpha: float = 0.05,
    *,
    flips: int = FLIPS,
    given_up: Collection[Pair] = (),
    documents: Given | None = None,
    model_qrels: Any = None,
) -> NextStep:
    """What to do next in a study: whether two runs differ is decided, or which documents to judge now.

    study      with the judgments collected so far; nothing is written (`study_folder.write_batch` writes the new batch)
    a, b       names of runs of the study, baseline first, or files of other runs; by default those that it compares
    measure    by default the study's
    alpha      significance level, for all looks together
    flips      patterns of signs of the test
    given_up   documents that assessors skipped or could not tell about: nobody waits for them
    documents  texts for a new batch; by default the file that the study was made from
    model_qrels  labels by a model, in any form that judgments have: the strategy "decide" then asks where it is least sure
    """
    a, b = _pair(study, a, b)
    runs = compared_runs(study, a, b)
    topics = [row.topic for row in study.topics]
    evidence = candidates_of(runs, study.judged(), best=study.best_grade, topics=topics)
    labels = None
    if model_qrels is not None:
        _refuse_labels(study)
        labels = labels_of(evidence, model_qrels)
    decision = decide_now(
        study, a, b, measure, alpha=alpha, flips=flips, given_up=given_up, evidence=evidence
    )
    if decision.status in ("decided", "no difference"):
        return NextStep(decision, (), None, study)
    notes: tuple[str, ...] = ()
    longer = study
    documents_next = decision.waiting
    if not decision.waiting:
        longer, notes = _longer(study, evidence, decision, documents, labels)
        documents_next = tuple(row for row in longer.pool if row.batch > study.batches)
    expected = expected_judgments(longer, evidence, decision)
    return NextStep(decision, documents_next, expected, longer, notes)


def _refuse_labels(study: Study) -> None:
    """Raise where a model's labels may not say what comes next: inclusion probabilities must not depend on what was found."""
    if strategy_of(study.manifest.strategy)[0].name != "decide":
        raise UsageError(
            f"labels by a model say what to ask next for the strategy decide; this study is by {study.manifest.strategy}. "
            "Make one with gainful pool --strategy decide, or leave the labels out."
        )


def _pair(study: Study, a: str | None, b: str | None) -> tuple[str, str]:
    if a is not None and b is not None:
        return a, b
    if not study.manifest.compare:
        raise UsageError("the study does not say which runs to decide between; name them with --compare A B.")
    return study.manifest.compare[0], study.manifest.compare[1]


def _longer(
    study: Study, evidence: Evidence, decision: Decision, documents: Given | None, labels: Floats | None
) -> tuple[Study, tuple[str, ...]]:
    """The study with the next batch; by `decide` where its own strategy has no more documents."""
    pair = decision.a, decision.b
    strategy, _ = strategy_of(study.manifest.strategy)
    if {*pair} <= {*study.runs}:
        own = pair if strategy.pair else ()
        longer = next_batch(
            study,
            evidence=evidence,
            documents=documents,
            compare=own,
            measure=decision.measure,
            labels=labels,
        )
        if longer is not study:
            return longer, longer.notes[len(study.notes) :]
    longer = next_batch(
        study,
        evidence=evidence,
        documents=documents,
        strategy="decide",
        compare=pair,
        measure=decision.measure,
        labels=labels,
    )
    note = f"{study.manifest.strategy} has no more documents; the next are those that can change the difference most"
    return longer, (note, *longer.notes[len(study.notes) :])


def expected_judgments(study: Study, evidence: Evidence, decision: Decision) -> int | None:
    """About how many judgments it takes until the decision, those of waiting documents included.

    Open documents get the best grade with the chance of relevance of their ranks in the two runs, or 0, and the study is
    followed to its decision; the median of a few such simulations.
    """
    random = np.random.default_rng([study.manifest.seed, 7])
    names = list(evidence.names)
    pair = names.index(decision.a), names.index(decision.b)
    chances = side_chances(evidence, pair)
    strategy, _ = strategy_of(study.manifest.strategy)
    simulated = _Simulated(study, evidence, decision, pair, strategy)
    numbers = []
    for _ in range(IMPUTATIONS):
        grades = np.where(random.random(len(chances)) < chances, evidence.top, 0.0)
        numbers.append(simulated.number(np.where(evidence.grade >= 0, evidence.grade, grades)))
    return int(np.median(numbers)) if numbers else None


def side_chances(evidence: Evidence, pair: tuple[int, int]) -> Floats:
    """The mean grade to expect of each document, as a share of the best: of those that the same run ranks higher.

    A run whose documents were found better so far is taken to have better ones among the open documents too. Five documents
    with the chance of their ranks alone stand beside those that were judged.
    """
    chances, judged = relevance_chances(evidence), evidence.grade >= 0
    side = 1 + np.sign(
        evidence.ranks[pair[0]].clip(max=_FAR) - evidence.ranks[pair[1]].clip(max=_FAR)
    ).astype(int)
    found = np.bincount(side[judged], evidence.grade[judged] / evidence.top, 3)
    expected = np.bincount(side[judged], chances[judged], 3)
    counts = np.bincount(side[judged], minlength=3)
    prior = 5 * np.divide(expected, counts, out=np.ones(3), where=counts > 0)
    return np.asarray(np.minimum(1.0, chances * ((found + prior) / (expected + prior))[side]))


class _Simulated:
    """A study that is followed to its decision with grades that are made up."""

    def __init__(
        self, study: Study, evidence: Evidence, decision: Decision, pair: tuple[int, int], strategy: Strategy
    ) -> None:
        self.study, self.evidence, self.decision, self.pair = study, evidence, decision, pair
        self.strategy = strategy
        place = {row: number for number, row in enumerate(pairs_of(evidence))}
        pooled = [place[row.pair] for row in study.pool if row.pair in place]
        self.asked = np.zeros(len(evidence.grade), np.bool_)
        self.asked[pooled] = True
        self.waiting = np.flatnonzero(self.asked & (evidence.grade < 0))

    def number(self, grades: Floats) -> int:
        """Judgments until the decision, if these are the grades."""
        if self.strategy.probabilities is not None and self.decision.looks:
            return self._of_sample(grades)
        order = self.order
        low, high = 0, len(order)
        while low < high:  # what is settled with some judgments stays so with more
            middle = (low + high) // 2
            if self._settled(order[:middle], grades):
                high = middle
            else:
                low = middle + 1
        return high

    def _settled(self, rows: NDArray[np.int64], grades: Floats) -> bool:
        evidence = with_grades(self.evidence, rows.tolist(), grades[rows].tolist())
        measure = self.decision.measure
        opened = open_counts(evidence, measure, self.pair)
        current = current_differences(evidence, measure, self.pair)
        bounds = topic_bounds(evidence, measure, self.pair, opened, current)
        test = SequentialFlips(len(evidence.topics), self.decision.alpha, flips=_FLIPS)
        return test.foreseen(bounds.low, bounds.high) is not None

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """Documents in the order in which they will be judged, as far as it can be told now."""
        situation = replace(situation_of(self.study, evidence=self.evidence), size=_ALL)
        if self.strategy.pair:
            situation = replace(situation, compared=self.pair, measure=self.decision.measure)
        chosen = [choice.row for choice in self.strategy.choose(situation)]
        decide, _ = strategy_of("decide")
        situation = replace(situation, compared=self.pair, measure=self.decision.measure, parameters="")
        rest = [choice.row for choice in decide.choose(situation)]
        return np.array(list(dict.fromkeys([*self.waiting.tolist(), *chosen, *rest])), np.int64)

    def _of_sample(self, grades: Floats) -> int:
        """Batch after batch, each with a look."""
        probabilities = self.strategy.probabilities
        assert probabilities is not None
        decision, measure = self.decision, self.decision.measure
        judged = self.evidence.grade >= 0
        before = judged & ~self.asked
        base = situation_of(self.study, evidence=replace(self.evidence, grade=np.where(before, grades, OPEN)))
        base = replace(base, asked=np.zeros(len(grades), np.bool_))
        evidence = replace(self.evidence, grade=grades)
        test = SequentialFlips(len(evidence.topics), decision.alpha, flips=_FLIPS)
        for batch in range(1, _MOST_BATCHES):
            situation = replace(base, batch=batch)
            chances = np.where(before, 1.0, probabilities(situation))
            drawn = before.copy()
            drawn[[choice.row for choice in self.strategy.choose(situation)]] = True
            share = share_drawn(evidence, measure, self.pair, chances, before)
            estimate = estimated_differences(evidence, measure, self.pair, DrawnSample(chances, drawn, share))
            full = share == test.share or share >= 1 - _CLOSE
            if estimate is None or test.look(estimate, share).side or full:
                break
        return int((drawn & ~judged).sum())
