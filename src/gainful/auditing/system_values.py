"""Values of each system topic by topic: by people's judgments, and by a model's labels for these topics and for others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gainful.auditing.judged_pairs import Graded
from gainful.comparisons.comparison import refuse_other_summaries
from gainful.comparisons.judges.agreement_coefficients import Floats
from gainful.comparisons.score_table import ScoreTable, System
from gainful.errors import NothingInCommon, UsageError
from gainful.formats.runs import Run
from gainful.judging.settings import Settings
from gainful.measures import Measure
from gainful.measures._needs import needed
from gainful.scores import Scores, evaluate
from gainful.scores.evaluation import asked_for


@dataclass(frozen=True, eq=False)
class SystemValues:
    """Values under both judges.

    topics     judged by people and labelled by the model, that count for every system under both
    people     measures × systems × topics
    model      likewise
    elsewhere  measures × systems × topics that only the model labelled, of those that a run has
    notes      what evaluation noticed in the runs, in all topics that the model labelled
    """

    measures: tuple[Measure, ...]
    systems: tuple[System, ...]
    topics: tuple[str, ...]
    people: Floats
    model: Floats
    elsewhere: Floats
    settings: Settings
    notes: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(system.name for system in self.systems)


def system_values(
    people: Graded, model: Graded, runs: Sequence[Run], measures: Any, settings: Mapping[str, Any]
) -> SystemValues:
    """The runs, scored with people's judgments and with the model's labels.

    people, model  grades by topic and document, on one scale
    """
    asked = asked_for(measures, settings.get("rel"))
    if aspects := needed(asked):
        raise UsageError(
            f"{next(measure for measure in asked if measure.needs == aspects)} needs judgments by {aspects}, which labels are "
            "not; choose another measure."
        )
    common = {topic for topic in people if topic in model}
    by_people = evaluate(people, runs, asked, topics=common, **settings)
    by_model = evaluate(model, runs, asked, **settings)
    first, second = ScoreTable.of_scores(by_people), ScoreTable.of_scores(by_model)
    refuse_other_summaries(first.measures)
    place = {topic: number for number, topic in enumerate(second.topics)}
    same = second.values[:, :, [place[topic] for topic in first.topics]]
    counted = np.asarray(~np.isnan(first.values + same).any(axis=(0, 1)))
    if not counted.any():
        raise NothingInCommon(
            "no topic counts for every system under both judges; there is nothing to compare."
        )
    others = [
        place[topic] for topic in second.topics if topic not in common and _retrieved(by_model, place[topic])
    ]
    elsewhere = second.values[:, :, others]
    elsewhere = elsewhere[:, :, ~np.isnan(elsewhere).any(axis=(0, 1))]
    return SystemValues(
        first.measures,
        first.systems,
        tuple(topic for topic, counts in zip(first.topics, counted, strict=True) if counts),
        np.ascontiguousarray(first.values[:, :, counted]),
        np.ascontiguousarray(same[:, :, counted]),
        np.ascontiguousarray(elsewhere),
        by_people.settings,
        tuple(map(str, by_model.notes)),
    )


def _retrieved(scores: Scores, topic: int) -> bool:
    """Whether any run has the topic."""
    return any(bool(run.judged.present[topic]) for run in scores.runs)
