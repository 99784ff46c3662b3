"""Scores of one run: topics × measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gainful.errors import DataError
from gainful.formats.ids import shown, some
from gainful.judging import JudgedRun, PerTopic
from gainful.judging import notes as notice
from gainful.judging.notes import Note
from gainful.judging.settings import BY_RULE, Settings
from gainful.measures import Measure
from gainful.presentation.text_style import counted
from gainful.summaries import SUMMARIES

if TYPE_CHECKING:
    pass

_NAMED = 8  # measures that a repr names

CloseScores = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]


@dataclass(frozen=True, eq=False)
class RunScores:
    """Topics × measures for one run."""

    name: str
    path: str | None
    digest: str | None
    tag: str
    topics: tuple[str, ...]
    measures: tuple[Measure, ...]
    settings: Settings
    judged: JudgedRun
    extra: tuple[str, ...]
    values: NDArray[np.float64]
    """A row for each measure, a column for each topic."""
    nothing_to_find: NDArray[np.bool_]
    """Where the value is the one that the measure declares for a topic with nothing to find."""
    dropped: int = 0
    """Rows that were left out because the topic had their document already."""
    close: CloseScores | None = None
    """Topic, first and last rank of documents that are tied in 32 bits and not in 64; None where there are none."""
    tie_errors: NDArray[np.float64] | None = None
    """Standard errors of values that are means over a random sample of the orders of tied documents; None where none is."""
    user: str | None = None
    """Whose knowledge it was, where there are several users."""

    def __post_init__(self) -> None:
        if self.settings.missing == "error" and self.missing:
            raise DataError(
                f"{shown(self.path) if self.path else f'run {shown(self.name)!r}'}: "
                f"{counted(len(self.missing), 'judged topic')} not in the run: {some(self.missing)}. "
                "Add them, or choose --missing empty or --missing skip (missing=… in Python)."
            )

    @cached_property
    def evaluated(self) -> NDArray[np.bool_]:
        """The topics that count."""
        return self.judged.present if self.settings.missing == "skip" else np.ones(len(self.topics), bool)

    @cached_property
    def mean(self) -> dict[str, float]:
        """Each measure over the topics that count: its mean, or the summary that the measure names."""
        return {
            str(measure): self._summed(measure.summary, number)
            for number, measure in enumerate(self.measures)
        }

    def summary(self, name: str) -> dict[str, float]:
        """Each measure by another summary: mean, geometric, median, std or sum."""
        return {str(measure): self._summed(name, number) for number, measure in enumerate(self.measures)}

    def _summed(self, summary: str, number: int) -> float:
        over_topics = SUMMARIES[summary](self.counted(number))
        digits = self.settings.round_mean
        return over_topics if digits is None else self.settings.rounded(over_topics, digits)

    def counted(self, number: int) -> PerTopic:
        """The values of the measure of that number, for the topics that count."""
        values: PerTopic = self.values[number]
        if self.settings.missing != "skip" and self.settings.undefined != "skip":
            return values  # all of them
        return values[self.counts(number)]

    @cached_property
    def tie_bounds(self) -> dict[str, tuple[float, float]]:
        """Each measure with tied documents in the worst and in the best order; empty unless ties are "expected"."""
        if self.settings.ties != "expected":
            return {}
        from gainful.scores.topic_values import values_at_bounds

        worst, best = (bound.mean for bound in values_at_bounds(self))
        return {name: (worst[name], best[name]) for name in worst}

    @cached_property
    def per_topic(self) -> dict[str, dict[str, float]]:
        """`{topic: {measure: value}}` for the topics that count."""
        columns = self.values.T.tolist()
        counted = np.array([self.counts(number) for number in range(len(self.measures))]).T.tolist()
        names = [str(measure) for measure in self.measures]
        return {
            topic: {
                name: value
                for name, value, counts in zip(names, columns[number], counted[number], strict=True)
                if counts
            }
            for number, topic in enumerate(self.topics)
            if self.evaluated[number]
        }

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """Judged topics that the run does not have."""
        return tuple(
            topic for topic, there in zip(self.topics, self.judged.present, strict=True) if not there
        )

    @cached_property
    def undefined(self) -> dict[str, list[str]]:
        """For each measure, the topics in which there was nothing to find."""
        return {
            str(measure): [self.topics[topic] for topic in np.flatnonzero(where & self.evaluated)]
            for measure, where in zip(self.measures, self.nothing_to_find, strict=True)
            if (where & self.evaluated).any()
        }

    @property
    def extras(self) -> int:
        """How many topics of the run are not judged; `extra` names them."""
        return len(self.extra)

    @cached_property
    def notes(self) -> list[Note]:
        """What would surprise a reader of these numbers."""
        notes, topics = [], len(self.topics)
        cutoffs = {measure.cutoff for measure in self.measures if measure.cutoff}
        if self.missing:
            notes += notice.about_missing(self.missing, topics, self.settings)
        straddled = {cutoff: int(self.judged.straddled(cutoff).sum()) for cutoff in cutoffs}
        if self.settings.ties in BY_RULE and any(straddled.values()):
            notes += notice.about_ties(straddled, topics, self.settings)
        if self.tie_errors is not None:
            counting = [self.counts(number) for number in range(len(self.measures))]
            notes += notice.about_sampled_orders(self.tie_errors, tuple(map(str, self.measures)), counting)
        if self.extra:
            notes += notice.about_extra(self.extra, self.extras)
        if self.dropped:
            notes += notice.about_dropped(self.dropped, self.settings)
        if self.close is not None:
            notes += notice.about_close_scores(self.close, cutoffs, topics)
        if self.user is None and self.judged.knowledge is None:
            return notes
        from gainful.scores.users import MEAN, about_expectations

        # what holds for all users is said once
        return [*(notes if self.user in (None, MEAN) else []), *about_expectations(self)]

    def counts(self, number: int) -> NDArray[np.bool_]:
        """The topics that count for the measure of that number."""
        counted: NDArray[np.bool_] = self.evaluated
        return counted & ~self.nothing_to_find[number] if self.settings.undefined == "skip" else counted

    def settings_of(self, number: int) -> Settings:  # noqa: ARG002 (dialects have settings for each measure)
        """The settings of the measure of that number."""
        return self.settings

    def to_dict(self, *, per_topic: bool = True) -> dict[str, Any]:
        """The run's part of the JSON output."""
        output: dict[str, Any] = {
            "name": shown(self.name),
            "path": None if self.path is None else shown(self.path),
            "digest": self.digest,
            **({} if self.user is None else {"user": shown(self.user)}),
            "topics": {
                "evaluated": int(self.evaluated.sum()),
                "missing": list(map(shown, self.missing)),
                "extra": list(map(shown, self.extra)),
                "undefined": {
                    measure: list(map(shown, topics)) for measure, topics in self.undefined.items()
                },
            },
            "mean": self.mean,
        }
        if self.tie_bounds:
            output["ties"] = {
                name: {"worst": low, "best": high} for name, (low, high) in self.tie_bounds.items()
            }
        if per_topic:
            output["per_topic"] = {shown(topic): values for topic, values in self.per_topic.items()}
        return output

    def __repr__(self) -> str:
        return f"RunScores({shown(self.name)!r}, {counted(len(self.topics), 'topic')}: {named_measures(self.measures)})"

    def __str__(self) -> str:
        from gainful.scores.score_output import run_table

        return run_table(self).rstrip("\n")

    def _repr_html_(self) -> str:
        from gainful.scores.score_output import run_html

        return run_html(self)


def named_measures(measures: Sequence[Measure]) -> str:
    """The first measures, for a repr."""
    return ", ".join(map(str, measures[:_NAMED])) + (", …" if len(measures) > _NAMED else "")
