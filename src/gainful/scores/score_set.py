"""Scores: runs × topics × measures, which know how they were made."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gainful.arrays import NDArray, np
from gainful.errors import UsageError
from gainful.formats import Judgments
from gainful.formats.ids import shown
from gainful.judging import JudgedRun, PerTopic, Ranking
from gainful.judging import notes as notice
from gainful.judging.notes import Note
from gainful.judging.record import pool_of
from gainful.judging.settings import BY_RULE, Settings
from gainful.measures import Measure
from gainful.presentation.text_style import counted
from gainful.summaries import SUMMARIES

if TYPE_CHECKING:
    from gainful._core import Found
    from gainful.formats.texts import Texts
    from gainful.judging.knowledge import Knowledge

_NAMED = 8  # measures that a repr names

CloseScores = tuple[NDArray["np.int32"], NDArray["np.int32"], NDArray["np.int32"]]


def close_scores(found: Found, kept: NDArray[np.bool_] | None) -> CloseScores:
    """Close scores of the topics that are kept, with topics numbered among these."""
    close = found.close_topic, found.close_first, found.close_last
    if kept is None:
        return close
    topic, first, last = (column[kept[found.close_topic]] for column in close)
    return (kept.cumsum(dtype="int32") - 1)[topic], first, last


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
        """Each measure with tied documents in the worst and in the best order; empty unless ties are "expected".

        A standard deviation has none: with every topic at its worst it is not the least there is.
        """
        if self.settings.ties != "expected":
            return {}
        from gainful.scores.evaluation import values_at_bounds

        worst, best = (bound.mean for bound in values_at_bounds(self))
        spread = {str(measure) for measure in self.measures if measure.summary == "std"}
        return {name: (worst[name], best[name]) for name in worst if name not in spread}

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

    @property
    def number_evaluated(self) -> int:
        """How many topics count."""
        return int(self.evaluated.sum())

    @property
    def lengths(self) -> list[float]:
        """How many documents the run has for each topic that it has."""
        lengths: list[float] = self.judged.retrieved[self.judged.present].tolist()
        return lengths

    @property
    def knowledge(self) -> Knowledge | None:
        """What the user knew and expected; None where that was not said."""
        return self.judged.knowledge

    def straddled(self, rank: int) -> int:
        """In how many topics tied scores, with a judged document among them, straddle this rank."""
        return int(self.judged.straddled(rank).sum())

    def judged_share(self, cutoff: int) -> float:
        """Judged documents among the top ranks of all topics, as a share of the documents there."""
        return self.judged.judged_share(cutoff)

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
        straddled = {cutoff: self.straddled(cutoff) for cutoff in cutoffs}
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
        if self.user is None and self.knowledge is None:
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
        from gainful.scores.score_output import run_dict

        return run_dict(self, per_topic=per_topic)

    def __repr__(self) -> str:
        return f"RunScores({shown(self.name)!r}, {counted(len(self.topics), 'topic')}: {named_measures(self.measures)})"

    def __str__(self) -> str:
        from gainful.scores.score_output import run_table

        return run_table(self).rstrip("\n")

    def _repr_html_(self) -> str:
        from gainful.scores.score_output import run_html

        return run_html(self)


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of runs × topics × measures, with the settings used.

    >>> from gainful import evaluate
    >>> scores = evaluate({"q1": {"d1": 1, "d2": 0}}, {"q1": {"d2": 0.9, "d1": 0.4}}, "RR, P@1")
    >>> scores.mean
    {'RR': 0.5, 'P@1': 0.0}
    """

    runs: tuple[RunScores, ...]
    measures: tuple[Measure, ...]
    settings: Settings
    judgments: Judgments
    texts: Texts | None = None
    """Where texts of queries and documents come from; None where there are none."""
    dialect: str | None = None
    """The tool and version whose names and conventions these are, as in beir@2.2.0; None for our own."""
    pool_of_some: Ranking | None = None
    """Every grade of the topics that were scored, best first; None where these are all topics of the judgments."""

    @staticmethod
    def merge(*parts: Scores) -> Scores:
        """Scores of disjoint topics as one; to the last bit what one evaluation of all of them gives.

        The parts have the same measures, settings and runs. Their judgments are the same, and each part had some of the
        topics (`topics=`), or they are of different topics: any scheduler can divide the work.

        >>> from gainful import evaluate
        >>> qrels, run = {"q1": {"d1": 1}, "q2": {"d2": 1}}, {"q1": {"d1": 1.0}, "q2": {"d1": 1.0}}
        >>> Scores.merge(*(evaluate(qrels, run, "RR", topics=[topic]) for topic in qrels)).mean
        {'RR': 0.5}
        """
        from gainful.scores.merging import merged

        return merged(parts)

    def __getitem__(self, name: str) -> RunScores:
        for run in self.runs:
            if run.name == name:
                return run
        raise KeyError(f"no run named {name!r}; there are {', '.join(run.name for run in self.runs)}")

    @property
    def pool(self) -> Ranking:
        """Every judged grade of each topic, best first."""
        return pool_of(self.judgments) if self.pool_of_some is None else self.pool_of_some

    def __iter__(self) -> Iterator[RunScores]:
        return iter(self.runs)

    def __len__(self) -> int:
        return len(self.runs)

    @property
    def mean(self) -> dict[str, float]:
        """Of the only run: each measure over the topics that count."""
        return self._only.mean

    @property
    def per_topic(self) -> dict[str, dict[str, float]]:
        """Of the only run: `{topic: {measure: value}}`."""
        return self._only.per_topic

    @property
    def _only(self) -> RunScores:
        if len(self.runs) != 1:
            names = ", ".join(run.name for run in self.runs)
            raise UsageError(
                f"these are scores of {len(self.runs)} runs ({names}); choose one: scores[{self.runs[0].name!r}]"
            )
        return self.runs[0]

    @cached_property
    def queries(self) -> Mapping[str, str]:
        """`{topic: text}` of the topics whose queries are known."""
        return {} if self.texts is None else self.texts.of_queries(self.judgments.topics)

    @cached_property
    def grades(self) -> tuple[float, float]:
        """The lowest and the highest grade judged."""
        if self.pool_of_some is None:
            lowest, highest = self.judgments.index.grades
            return lowest, highest if highest >= 0 else -math.inf
        judged = self.pool.grade[self.pool.grade >= 0]
        return float(judged.min(initial=np.inf)), float(judged.max(initial=-np.inf))

    @cached_property
    def one_subtopic(self) -> bool:
        """Whether the judgments name subtopics, and no topic has more than one."""
        aspects = self.runs[0].judged.aspects if self.runs and self.judgments.details is not None else None
        return aspects is not None and len(aspects.topics) > 1 and bool((np.diff(aspects.topics) <= 1).all())

    @cached_property
    def notes(self) -> list[Note]:
        """What would surprise a reader of these numbers, run by run; `gainful.judging.notes.grouped` says it in few sentences."""
        notes: list[Note] = []
        lowest, highest = self.grades
        if lowest == 1 < highest:
            notes += notice.GRADES_FROM_1
        if self.judgments.dropped:
            notes += notice.about_dropped(self.judgments.dropped, self.settings, " of the judgments")
        if any(measure.needs == "subtopics" for measure in self.measures) and self.one_subtopic:
            notes += notice.ONE_SUBTOPIC
        if getattr(self.judgments, "inclusion", None) is not None:
            from gainful.scores.design_notes import about_design

            notes += about_design(self.runs, self.judgments.models)
        elif getattr(self.judgments, "models", ()):
            from gainful.scores.model_notes import about_models

            notes += about_models(self)
        known = [run.knowledge.notes for run in self.runs if run.knowledge is not None]
        notes += map(Note, dict.fromkeys(note for of_run in known for note in of_run))
        notes += [note.about(shown(run.name)) for run in self.runs for note in run.notes]
        if len(self.runs) > 1:
            lists = {shown(run.name): run.lengths for run in self.runs}
            depths = {name: notice.median(lengths) for name, lengths in lists.items() if lengths}
            notes += notice.about_unlike(
                depths, {shown(run.name): run.judged_share(notice.TOP) for run in self.runs}
            )
        return notes

    def to_dict(self, *, per_topic: bool = True) -> dict[str, Any]:
        """Everything, in the layout of the JSON output."""
        from gainful.scores.score_output import as_dict

        return as_dict(self, per_topic=per_topic)

    def to_flat_dict(self) -> dict[str, float]:
        """Means by names that experiment trackers accept (letters, digits, `_ . -`), the run's name first if there are several.

        >>> from gainful import evaluate
        >>> evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, "nDCG@10, AP(rel=2)").to_flat_dict()
        {'nDCG_at_10': 1.0, 'AP.rel_2': 0.0}
        """
        from gainful.scores.score_output import flat_dict

        return flat_dict(self)

    def rows(self) -> Iterator[tuple[str, str, str, float]]:
        """Run, topic, measure and value, for every topic that counts."""
        for run in self.runs:
            for topic, values in run.per_topic.items():
                for measure, value in values.items():
                    yield run.name, topic, measure, value

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        from gainful.scores.score_output import arrow

        return arrow(self)

    def __repr__(self) -> str:
        size = f"{counted(len(self.runs), 'run')}, {counted(len(self.judgments.topics), 'topic')}"
        return f"Scores({size}: {named_measures(self.measures)})"

    def __str__(self) -> str:
        from gainful.scores.score_output import table

        return table(self, per_topic=False, places=4).rstrip("\n")

    def _repr_html_(self) -> str:
        from gainful.scores.score_output import html

        return html(self)


def named_measures(measures: Sequence[Measure]) -> str:
    """The first measures, for a repr."""
    return ", ".join(map(str, measures[:_NAMED])) + (", …" if len(measures) > _NAMED else "")
