"""Results of a simulation: a row for each variant, with what it was worth and what it did over time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gainful.errors import UsageError
from gainful.filtering.experiment import Conditions, Experiment, Outcome, Variant
from gainful.filtering.replay import Replay
from gainful.filtering.theta_opt_and_zero import LinearUtility
from gainful.filtering.vectors import Floats, Integers
from gainful.formats.ids import shown
from gainful.formats.runs import Run
from gainful.measures import Measure
from gainful.presentation.page import Brief
from gainful.presentation.text_style import counted
from gainful.scores import RunScores, Scores, evaluate

NOTHING = "none"
HINDSIGHT = "hindsight"


def usual_measures(utility: LinearUtility) -> str:
    """What is measured when nothing is asked for; T11SU and T11U take the prices of the utility.

    They have no price for what is missed or avoided: a delivery is worth what it is worth beside not delivering.

    >>> usual_measures(LinearUtility(1, -1, missed=-2))
    'T11SU(credit=3,cost=-1),T11F,T11U(credit=3,cost=-1),SetP,SetR,NumRet'
    """
    usual = LinearUtility()
    same = (utility.won, utility.lost) == (usual.won, usual.lost)
    prices = "" if same else f"(credit={utility.won:.15g},cost={utility.lost:.15g})"
    return f"T11SU{prices},T11F,T11U{prices},SetP,SetR,NumRet"


def row_names(variants: Sequence[Variant]) -> list[str]:
    """What the rows will be called: the variants, delivering nothing, and hindsight on the first that delivers anything.

    >>> from gainful.filtering.simulation_run import variants_of
    >>> row_names(variants_of(["none", "ratio"]))
    ['none', 'ratio', 'hindsight: ratio']
    """
    nothing = [] if any(variant.rule.name == NOTHING for variant in variants) else [NOTHING]
    return [*map(str, variants), *nothing, f"{HINDSIGHT}: {variants[_looked_back_on(variants)]}"]


def _looked_back_on(variants: Sequence[Variant]) -> int:
    """The place of the variant whose scores are cut in hindsight."""
    return next((number for number, variant in enumerate(variants) if variant.rule.name != NOTHING), 0)


@dataclass(frozen=True, eq=False)
class Row:
    """One line of the table.

    name         the rule with its parameters, none, or hindsight
    variant      how it filtered; None for the rows that are no filters
    deliveries   for each topic the numbers of the documents delivered
    relevant     for each topic which of them are relevant
    thresholds   theta, theta_opt, theta_zero, alpha and n: topics × windows × 5; None for rows without
    best         for each topic the best single threshold in hindsight on the scores as they arrived
    """

    name: str
    variant: Variant | None
    scores: RunScores
    deliveries: tuple[Integers, ...]
    relevant: tuple[Integers, ...]
    thresholds: Floats | None
    best: tuple[float | None, ...]
    utility: LinearUtility
    edges: Integers

    @cached_property
    def silent(self) -> int:
        """Topics for which nothing was delivered."""
        return sum(len(delivered) == 0 for delivered in self.deliveries)

    @cached_property
    def negative(self) -> int:
        """Topics for which the reader would have been better off with nothing."""
        won, lost = self.utility.steps
        pairs = zip(self.deliveries, self.relevant, strict=True)
        return sum(won * len(good) + lost * (len(all_) - len(good)) < 0 for all_, good in pairs)

    @cached_property
    def over_time(self) -> list[dict[str, float | None]]:
        """All topics together, window by window: deliveries, those that are relevant, precision, utility, and theta."""
        delivered = sum(
            (np.histogram(numbers, self.edges)[0] for numbers in self.deliveries),
            np.zeros(len(self.edges) - 1),
        )
        relevant = sum(
            (np.histogram(numbers, self.edges)[0] for numbers in self.relevant), np.zeros(len(self.edges) - 1)
        )
        windows: list[dict[str, float | None]] = []
        for number, (all_, good) in enumerate(zip(delivered.tolist(), relevant.tolist(), strict=True)):
            windows.append(
                {
                    "from": int(self.edges[number]),
                    "to": int(self.edges[number + 1]),
                    "delivered": all_,
                    "relevant": good,
                    "precision": good / all_ if all_ else None,
                    "utility": self.utility.won * good + self.utility.lost * (all_ - good),
                    "theta": self._theta(number),
                }
            )
        return windows

    def _theta(self, window: int) -> float | None:
        """The middle theta of the topics at the end of a window."""
        if self.thresholds is None:
            return None
        theta = self.thresholds[:, window, 0]
        theta = theta[np.isfinite(theta)]
        return float(np.median(theta)) if len(theta) else None


@dataclass(frozen=True, eq=False, repr=False)
class Simulation(Brief):
    """Many variants on one judged stream.

    rows        a row for each variant, and those of delivering nothing and of the best threshold in hindsight
    scores      the same deliveries as runs, scored; for comparisons
    conditions  what was the same for all
    documents   ids of the stream, reference set first
    relevant    for each topic the numbers of its relevant documents
    examples    for each topic how many it began with
    vocabulary  the terms by their numbers; empty where documents carry their own vectors
    epoch_ends  how many documents had been seen when each idf epoch ended
    traces      everything that happened, for the topics that were traced: (name of the row, topic) → replay
    """

    rows: tuple[Row, ...]
    scores: Scores
    conditions: Conditions
    documents: list[str]
    topics: tuple[str, ...]
    relevant: tuple[frozenset[int], ...]
    vocabulary: list[str]
    epoch_ends: tuple[int, ...]
    traces: dict[tuple[str, str], Replay]
    nothing_to_find: tuple[str, ...]
    examples: tuple[int, ...]
    digest: str
    notes: tuple[str, ...]

    @classmethod
    def of(
        cls,
        experiment: Experiment,
        variants: Sequence[Variant],
        outcomes: Sequence[Sequence[Outcome]],
        measures: str | Measure | Iterable[str | Measure] | None,
        digest: str,
        notes: Sequence[str],
    ) -> Simulation:
        """Score what each variant delivered, and put the two rows beside that are always there."""
        conditions = experiment.conditions
        empty = [np.empty(0, np.int64) for _ in experiment.topics]
        delivered: dict[str, tuple[Variant | None, list[Integers], Sequence[Outcome]]]
        names = row_names(variants)
        delivered = dict.fromkeys(names, (None, empty, ()))
        for variant, of_topics in zip(variants, outcomes, strict=True):
            delivered[str(variant)] = variant, [outcome.deliveries for outcome in of_topics], of_topics
        looked_back_on = outcomes[_looked_back_on(variants)]
        delivered[names[-1]] = None, [outcome.hindsight for outcome in looked_back_on], ()
        runs = [Run(_as_run(experiment, of), name=name) for name, (_, of, _) in delivered.items()]
        asked = measures if measures is not None else usual_measures(conditions.utility)
        scores = evaluate(experiment.judgments, runs, asked, rel=conditions.rel, undefined="skip")
        places = {topic.id: number for number, topic in enumerate(experiment.topics)}
        order = [places[topic] for topic in scores.runs[0].topics]
        rows = tuple(
            _row(experiment, name, variant, of, of_topics, run, order)
            for (name, (variant, of, of_topics)), run in zip(delivered.items(), scores.runs, strict=True)
        )
        traces = {
            (str(variant), experiment.topics[number].id): outcome.replay
            for variant, of_topics in zip(variants, outcomes, strict=True)
            for number, outcome in enumerate(of_topics)
            if outcome.replay is not None
        }
        return cls(
            rows=rows,
            scores=scores,
            conditions=conditions,
            documents=experiment.collection.ids,
            topics=scores.runs[0].topics,
            relevant=tuple(experiment.relevant[number] for number in order),
            vocabulary=experiment.collection.vocabulary.names,
            epoch_ends=tuple(experiment.collection.stops),
            traces=traces,
            nothing_to_find=tuple(experiment.nothing_to_find),
            examples=tuple(len(experiment.examples[number]) for number in order),
            digest=digest,
            notes=tuple(notes),
        )

    def __getitem__(self, name: str) -> Row:
        for row in self.rows:
            if row.name == name:
                return row
        raise KeyError(f"no row named {name!r}; there are {', '.join(row.name for row in self.rows)}")

    @property
    def mean(self) -> dict[str, dict[str, float]]:
        """Means over topics: `{row: {measure: value}}`."""
        return {row.name: row.scores.mean for row in self.rows}

    def relevant_to(self, topic: str) -> frozenset[int]:
        """Numbers of the documents that are relevant to a topic."""
        return self.relevant[self.topics.index(topic)]

    def trace(self, name: str, topic: str) -> Replay:
        """Everything that happened to a topic that was traced."""
        try:
            return self.traces[name, topic]
        except KeyError:
            raise UsageError(
                f"'{shown(topic)}' was not traced for {name}; name it in trace when simulating"
            ) from None

    def to_dict(self, *, per_topic: bool = True) -> dict[str, Any]:
        """Everything, in the layout of the JSON output."""
        from gainful.filtering.simulation_output import simulation_dict

        return simulation_dict(self, per_topic=per_topic)

    def stated(self) -> str:
        """How it was made, in a line."""
        conditions = self.conditions
        said = [
            counted(len(self.topics), "topic"),
            f"{counted(len(self.documents) - conditions.reference, 'document')} after {conditions.reference:,} of reference",
            _examples(self.examples),
            f"utility {conditions.utility}",
        ]
        return " · ".join([*said, *conditions.feedback.stated()])


def _examples(counts: Sequence[int]) -> str:
    least, most = min(counts), max(counts)
    if most == 0:
        return "no examples"
    return f"{most if least == most else f'{least} to {most}'} example{'' if most == 1 else 's'} a topic"


def _as_run(experiment: Experiment, deliveries: Sequence[Integers]) -> dict[str, dict[str, float]]:
    """Deliveries as a run: the earlier, the higher."""
    ids = experiment.collection.ids
    return {
        topic.id: {ids[number]: -float(place) for place, number in enumerate(of.tolist())}
        for topic, of in zip(experiment.topics, deliveries, strict=True)
    }


def _row(
    experiment: Experiment,
    name: str,
    variant: Variant | None,
    deliveries: Sequence[Integers],
    outcomes: Sequence[Outcome],
    run: RunScores,
    order: Sequence[int],
) -> Row:
    relevant = [
        np.array([number for number in of.tolist() if number in good], np.int64)
        for of, good in zip(deliveries, experiment.relevant, strict=True)
    ]
    return Row(
        name=name,
        variant=variant,
        scores=run,
        deliveries=tuple(deliveries[number] for number in order),
        relevant=tuple(relevant[number] for number in order),
        thresholds=np.array([outcomes[number].thresholds for number in order]) if outcomes else None,
        best=tuple(outcomes[number].best for number in order) if outcomes else (),
        utility=experiment.conditions.utility,
        edges=experiment.edges,
    )
