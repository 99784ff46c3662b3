"""Scores of runs that the core scored: what else they know is made when somebody asks for it.

Where the measures are programs and the settings leave the record as it is, no array is needed, and NumPy is not imported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gainful._core import Found
from gainful.formats.ids import from_bytes
from gainful.judging.record import judge
from gainful.judging.settings import BY_RULE, Settings
from gainful.programs.recorded_measures import recorded
from gainful.scores.score_set import RunScores, close_scores
from gainful.summaries import SUMMARIES

if TYPE_CHECKING:
    from gainful._core import ScoredRun, Scorer
    from gainful.formats.judgments import Judgments
    from gainful.formats.runs import Run
    from gainful.measures import Measure

OF_LISTS = ("mean", "sum")
"""Summaries that need no array."""


class LazyRunScores(RunScores):
    """Topics × measures for one run, of which the core keeps what nobody has asked for yet; every topic counts."""

    _scored: ScoredRun
    _judgments: Judgments

    def __new__(cls, *given: Any, **named: Any) -> Any:
        """Scores whose fields are all given are no lazy ones."""
        return RunScores(*given, **named)

    if not TYPE_CHECKING:  # the fields are known

        def __getattr__(self, name: str) -> Any:
            """A field that is made of what the core found."""
            if name not in LATER:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            value = self.__dict__[name] = LATER[name](self, self._scored)
            return value

    @classmethod
    def of(cls, known: Mapping[str, Any], scored: ScoredRun, judgments: Judgments) -> LazyRunScores:
        """Of the fields that are known already, and of what the core found."""
        scores = object.__new__(cls)
        scores.__dict__.update(known, _scored=scored, _judgments=judgments)
        if scored.close:
            scores.__dict__["close"] = close_scores(scored.found, None)
        return scores

    def _summed(self, summary: str, number: int) -> float:
        if summary not in OF_LISTS:
            return super()._summed(summary, number)
        values: Any = self._scored.row(number)
        over_topics = SUMMARIES[summary](values)
        digits = self.settings.round_mean
        return over_topics if digits is None else self.settings.rounded(over_topics, digits)

    @property
    def number_evaluated(self) -> int:
        """How many topics count."""
        return len(self.topics)

    @cached_property
    def per_topic(self) -> dict[str, dict[str, float]]:
        """`{topic: {measure: value}}`."""
        names = [str(measure) for measure in self.measures]
        columns = zip(*map(self._scored.row, range(len(names))), strict=True)
        return {
            topic: dict(zip(names, values, strict=True))
            for topic, values in zip(self.topics, columns, strict=True)
        }

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """Judged topics that the run does not have."""
        return tuple(self.topics[place] for place in self._scored.found.absent)

    @cached_property
    def undefined(self) -> dict[str, list[str]]:
        """For each measure, the topics in which there was nothing to find."""
        places = {
            str(measure): self._scored.undefined_topics(number)
            for number, measure in enumerate(self.measures)
        }
        return {name: [self.topics[place] for place in where] for name, where in places.items() if where}

    @property
    def lengths(self) -> list[float]:
        """How many documents the run has for each topic that it has."""
        return [*self._scored.found.lengths]

    @property
    def knowledge(self) -> None:
        """What the user knew: that was not said."""

    def straddled(self, rank: int) -> int:
        """In how many topics tied scores, with a judged document among them, straddle this rank."""
        return self._scored.found.straddled(rank)

    def judged_share(self, cutoff: int) -> float:
        """Judged documents among the top ranks of all topics, as a share of the documents there."""
        return self._scored.found.judged_share(self._judgments.index, cutoff)

    def __reduce__(self) -> tuple[Any, ...]:
        """With all fields made: what the core keeps stays in this process."""
        return RunScores, tuple(getattr(self, field.name) for field in fields(self))


LATER: dict[str, Callable[[LazyRunScores, ScoredRun], Any]] = {
    "judged": lambda run, scored: judge(run._judgments, scored.found, run.settings),
    "extra": lambda _, scored: tuple(map(from_bytes, scored.found.extra)),
    "values": lambda _, scored: scored.values,
    "nothing_to_find": lambda _, scored: scored.undefined,
}
"""Fields that are made when somebody asks for them."""


class CoreScoring:
    """Judgments and measures that the core scores runs with; kept as long as runs of one call are scored."""

    def __init__(self, judgments: Judgments, measures: Sequence[Measure], settings: Settings) -> None:
        self._judgments, self._measures, self._settings = judgments, tuple(measures), settings
        self._scorer = scorer_of(judgments, self._measures) if takes_lists_as_they_are(settings) else None

    def scored(self, run: Run, found: Found) -> LazyRunScores | None:
        """The scores of a run; None where arrays have to be asked."""
        if self._scorer is None or not isinstance(found, Found):  # of several passes over a file
            return None
        scored = self._scorer.score_found(found)
        if scored is None and self._scorer.too_deep:
            deeper = scorer_of(self._judgments, self._measures, self._scorer.too_deep)
            if deeper is not None:
                self._scorer, scored = deeper, deeper.score_found(found)
        if scored is None:
            return None
        known = {
            **{
                "name": run.name,
                "path": run.path,
                "digest": found.digest or None,
                "tag": from_bytes(found.tag),
            },
            **{"topics": self._judgments.topics, "measures": self._measures, "settings": self._settings},
            "dropped": found.dropped,
        }
        return LazyRunScores.of(known, scored, self._judgments)


def takes_lists_as_they_are(settings: Settings) -> bool:
    """Whether every topic counts, and its value is the measure's for the list of documents as it was read."""
    return (
        settings.ties in BY_RULE
        and settings.missing != "skip"
        and settings.undefined == "keep"
        and settings.unjudged == "nonrelevant"
        and settings.pool == "judged"
        and settings.depth is None
        and settings.round_topics is None
    )


def scorer_of(judgments: Judgments, measures: tuple[Measure, ...], deepest: float = 0) -> Scorer | None:
    """What scores runs in the core; None where these measures or judgments need more than a program has.

    deepest  a rank that tables have to reach
    """
    by_more = judgments.details is not None or judgments.inclusion is not None or bool(judgments.models)
    if by_more or any(measure.unjudged != "nonrelevant" for measure in measures):
        return None
    judgments.check_grades()
    program = recorded(measures).program(max(0.0, judgments.index.grades[1]))
    return None if program is None else program.scorer(judgments.index, deepest)
