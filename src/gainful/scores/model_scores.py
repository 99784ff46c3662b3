"""Scores by people's judgments of some topics and models' labels of all of them.

People's topics say what the labels are worth, and the labels of the other topics make the mean surer
(`gainful.statistics.prediction_powered`). Where documents were drawn by chance within topics, labels enter the estimates
of each topic instead (`gainful.estimates.model_gains`), and nothing of this file is used.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gainful.arrays import NDArray, np
from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown, some
from gainful.presentation.text_style import counted, listed
from gainful.scores.score_set import RunScores, Scores
from gainful.statistics import prediction_powered
from gainful.statistics.intervals import cut_at_bounds
from gainful.statistics.prediction_powered import PoweredMean

if TYPE_CHECKING:
    from gainful.formats import Judgments
    from gainful.judging.settings import Settings
    from gainful.measures import Measure

CONFIDENCE = 0.95
MOST_LEFT = 0.05
"""Share of the labelled documents above a cutoff that people may have left unjudged in their topics."""


@dataclass(frozen=True, eq=False)
class ModelValues:
    """The values of runs by the labels of models.

    names      of the models
    topics     that the models labelled: first those that people judged, in their order, then the others
    people     how many of them people judged
    values     models × measures × runs × topics
    left       for each measure, the share of the labelled documents above its cutoff that people left unjudged
    """

    names: tuple[str, ...]
    topics: tuple[str, ...]
    people: int
    values: NDArray[np.float64]
    left: tuple[float, ...]

    def select(self, measures: Sequence[int], runs: Sequence[int]) -> ModelValues:
        """Some of the measures and runs, by their numbers."""
        return replace(
            self,
            values=self.values[:, measures][:, :, runs],
            left=tuple(self.left[number] for number in measures),
        )

    @property
    def others(self) -> int:
        """How many topics only the models labelled."""
        return len(self.topics) - self.people

    def parts(self, measure: int, pairs: Any = None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Models × runs × topics of one measure, for people's topics and for the others; of pairs, their differences."""
        values = self.values[:, measure]
        if pairs is not None:
            first, second = pairs
            values = values[:, second] - values[:, first]
        return values[:, :, : self.people], values[:, :, self.people :]

    @property
    def in_words(self) -> str:
        """Whose labels of how many topics stand beside people's of how many."""
        return (
            f"{counted(self.people, 'topic')} judged by people, {len(self.topics):,} labelled by "
            f"{listed(list(self.names))}"
        )

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {"names": list(self.names), "topics": len(self.topics), "topics_by_people": self.people}


@dataclass(frozen=True, eq=False)
class AssistedRun(RunScores):
    """Topics × measures for one run by people's judgments, with means that models' labels of more topics make surer."""

    models: ModelValues | None = None
    assisted: tuple[PoweredMean, ...] = ()
    """For each measure the estimated mean, with its standard error where there is one."""

    @property
    def mean(self) -> dict[str, float]:
        """Each measure over topics like these, from people's judgments and models' labels."""
        named = zip(self.measures, self.assisted, strict=True)
        return {str(measure): powered.estimate for measure, powered in named}

    def summary(self, name: str) -> dict[str, float]:
        """Each measure by another summary; only means rest on models' labels too, others are of people's topics."""
        return self.mean if name == "mean" else super().summary(name)

    @property
    def by_people(self) -> dict[str, float]:
        """The mean of each measure over the topics that people judged."""
        return {
            str(measure): float(self.counted(number).mean()) for number, measure in enumerate(self.measures)
        }

    @property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """The 95 % confidence interval that stands beside each mean."""
        ends = {str(measure): self.interval_of(number) for number, measure in enumerate(self.measures)}
        return {name: interval for name, interval in ends.items() if interval is not None}

    def interval_of(self, number: int, confidence: float = CONFIDENCE) -> tuple[float, float] | None:
        """The confidence interval of the mean of the measure of that number, within its bounds; None where it has none."""
        powered = self.assisted[number]
        ends = powered.interval(confidence)
        return None if ends is None else cut_at_bounds(ends, powered.estimate, self.measures[number].bounds)

    @property
    def stated_design(self) -> str:
        """What the numbers are, for the line that closes a table."""
        assert self.models is not None
        beside = " · in brackets: 95 % confidence intervals" if self.intervals else ""
        alone = " · single topics: those that people judged" if self.models.others else ""
        return f"{self.models.in_words}{beside}{alone}"

    def to_dict(self, *, per_topic: bool = True) -> dict[str, Any]:
        """The run's part of the JSON output, with intervals, and means by people alone."""
        assert self.models is not None
        output = super().to_dict(per_topic=per_topic)
        output["intervals"] = {name: list(ends) for name, ends in self.intervals.items()}
        output["mean_by_people"] = self.by_people
        return output


def people_alone(scores: Scores) -> str:
    """For a line that says how something was made which shows single topics: these are people's; "" without models' labels."""
    models = getattr(scores.runs[0], "models", None)
    if models is None or not models.others:
        return ""
    return f" · the {counted(models.people, 'topic')} that people judged alone, without the {models.others:,} labelled by models"


def scored_with_models(
    people: Scores, under: Callable[[Judgments], Scores], models: Sequence[Any], settings: Settings
) -> Scores:
    """People's scores with means and intervals that models' labels make surer.

    under  gives the scores of the same runs under other judgments
    """
    refuse_settings(people.measures, settings)
    by_model = [under(model.as_grades(people.judgments)) for model in models]
    values = _values(people, by_model, [model.name for model in models])
    rows = [np.stack([run.values[number] for run in people.runs]) for number in range(len(people.measures))]
    estimates = [
        _levels(values, number, rows[number], diagnostic=measure.diagnostic)
        for number, measure in enumerate(people.measures)
    ]
    fields, labelled = list(RunScores.__dataclass_fields__), set(values.topics)
    runs = tuple(
        AssistedRun(
            **{name: getattr(run, name) for name in fields}
            | {"extra": tuple(topic for topic in run.extra if topic not in labelled)},
            models=values,
            assisted=tuple(of_measure[place] for of_measure in estimates),
        )
        for place, run in enumerate(people.runs)
    )
    return Scores(
        runs,
        people.measures,
        people.settings,
        people.judgments,
        people.texts,
        pool_of_some=people.pool_of_some,
    )


def refuse_settings(measures: Sequence[Measure], settings: Settings) -> None:
    """Raise where a setting or a measure does not go with models' labels."""
    for name in ("missing", "undefined"):
        if getattr(settings, name) == "skip":
            raise UsageError(
                f"--{name} skip leaves out topics by what people found there, which models' labels of other topics cannot "
                "follow; leave it out, or leave the labels out."
            )
    if settings.unjudged == "condense" or settings.round_mean is not None:
        raise UsageError(
            "--unjudged condense and --round-mean do not go together with models' labels; leave them out."
        )
    for measure in measures:
        if measure.needs is not None or measure.summary != "mean":
            raise UsageError(
                f"{measure} cannot be estimated with models' labels: it is no mean over topics of grades."
            )


def _values(people: Scores, by_model: Sequence[Scores], names: Sequence[str]) -> ModelValues:
    """The models' values, people's topics first; only topics that all models labelled count."""
    common = set.intersection(*(set(scores.runs[0].topics) for scores in by_model))
    judged = people.runs[0].topics
    lacking = [topic for topic in judged if topic not in common]
    if lacking:
        raise DataError(
            f"{counted(len(lacking), 'topic')} that people judged {'has' if len(lacking) == 1 else 'have'} no label by some "
            f"model: {some(lacking)}.\nGive labels of these topics too, or leave them out with --topics."
        )
    known = set(judged)
    others = _answered(
        by_model[0], [topic for topic in by_model[0].runs[0].topics if topic in common - known]
    )
    topics = (*judged, *others)
    values = []
    for scores in by_model:
        place = {topic: number for number, topic in enumerate(scores.runs[0].topics)}
        columns = [place[topic] for topic in topics]
        values.append(np.stack([run.values[:, columns] for run in scores.runs], axis=1))
    left = tuple(
        max(_left_unjudged(people, labelled, measure) for labelled in by_model) for measure in people.measures
    )
    return ModelValues(tuple(names), topics, len(judged), np.stack(values), left)


def _answered(labelled: Scores, others: list[str]) -> list[str]:
    """The topics of the models alone for which there are lists; refused where only some runs have them."""
    there = [set(run.topics) - set(run.missing) for run in labelled.runs]
    somewhere = [topic for topic in others if any(topic in topics for topics in there)]
    for run, topics in zip(labelled.runs, there, strict=True):
        lacking = [topic for topic in somewhere if topic not in topics]
        if lacking:
            raise DataError(
                f"{shown(run.name)} has no list for {counted(len(lacking), 'topic')} that models labelled and other runs have: "
                f"{some(lacking)}.\nGive complete runs, or leave these topics out with --topics."
            )
    return somewhere


def _left_unjudged(people: Scores, labelled: Scores, measure: Measure) -> float:
    """The share of labelled documents above the cutoff, in people's topics, that people did not judge."""
    number = missing = 0
    place = {topic: at for at, topic in enumerate(labelled.runs[0].topics)}
    for by_people, by_model in zip(people.runs, labelled.runs, strict=True):
        ours, theirs = by_people.judged.cut(measure.cutoff), by_model.judged.cut(measure.cutoff)
        for at, topic in enumerate(by_people.topics):
            there = place[topic]
            seen = ours.rank[ours.offsets[at] : ours.offsets[at + 1]]
            said = theirs.rank[theirs.offsets[there] : theirs.offsets[there + 1]]
            number += len(said)
            missing += len(np.setdiff1d(said, seen, assume_unique=True))
    return missing / number if number else 0.0


def _levels(
    values: ModelValues, number: int, people: NDArray[np.float64], *, diagnostic: bool
) -> list[PoweredMean]:
    """The mean of each run by one measure; without an error where people judged what they chose, or it is about judging."""
    if values.left[number] > MOST_LEFT or diagnostic:
        return [PoweredMean(float(row.mean()), math.nan, math.nan) for row in people]
    powered = []
    models, elsewhere = values.parts(number)
    for place, row in enumerate(people):  # each by itself: the same alone and beside others
        mine = row[None], models[:, place : place + 1], elsewhere[:, place : place + 1]
        model, others = prediction_powered.combined(*mine)
        powered += prediction_powered.over_topics(mine[0], model, others).each()
    return powered
