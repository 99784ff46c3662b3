"""Systems × topics × measures, from scores just made, from a saved result, or from a table of numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.comparison_notes import tied_means
from gainful.comparisons.topic_attributes import weights_of_topics
from gainful.errors import DataError, MeasureError, NothingInCommon, UsageError
from gainful.formats.ids import in_order, shown, some
from gainful.formats.runs import Run
from gainful.formats.texts import Texts
from gainful.judging import JudgedRun, PerTopic
from gainful.judging.settings import Settings
from gainful.measures import Measure, measure, parse
from gainful.presentation.page import Brief
from gainful.scores import RunScores, Scores
from gainful.statistics.differences import weighted_mean
from gainful.summaries import mean

_NAMED = 5


@dataclass(frozen=True, slots=True)
class System:
    """One of the systems compared."""

    name: str
    path: str | None = None
    digest: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "name": shown(self.name),
            "path": None if self.path is None else shown(self.path),
            "digest": self.digest,
        }


@dataclass(frozen=True, eq=False, repr=False)
class ScoreTable(Brief):
    """Systems × topics for each measure, and where they come from.

    values    measures × systems × topics; NaN where a topic does not count for a system
    settings  how runs were judged; None where that is not known
    weights   how much each topic counts; None where all count alike
    tied      measures × systems × 2, the mean under the tie rule that is worst for the system and under the best; NaN
              where that is not known
    texts     where texts of queries and documents come from; None where there are none
    scores    what it was made of, with the judged documents of each list; None where only numbers were given
    runs      by name, those in memory: with them, unjudged documents have ids

    >>> table = ScoreTable.of_matrix([[0.1, 0.2], [0.3, 0.1]], systems=["a", "b"], measure="AP")
    >>> table.of("AP")[0].tolist()
    [[0.1, 0.2], [0.3, 0.1]]
    """

    measures: tuple[Measure, ...]
    systems: tuple[System, ...]
    topics: tuple[str, ...]
    values: NDArray[np.float64]
    settings: Settings | None = None
    qrels: Mapping[str, Any] | None = None
    notes: tuple[str, ...] = ()
    weights: NDArray[np.float64] | None = None
    tied: NDArray[np.float64] | None = None
    texts: Texts | None = None
    scores: Scores | None = None
    runs: Mapping[str, Run] = field(default_factory=dict)

    @cached_property
    def queries(self) -> Mapping[str, str]:
        """`{topic: text}` of the topics whose queries are known."""
        return {} if self.texts is None else self.texts.of_queries(self.topics)

    def titles(self, documents: Collection[str]) -> Mapping[str, str]:
        """Titles of these documents, of those that are known; a document without one has the beginning of its text."""
        return {} if self.texts is None else self.texts.titles(documents)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(system.name for system in self.systems)

    @classmethod
    def of_matrix(
        cls,
        values: Any,
        *,
        systems: Sequence[str] | None = None,
        topics: Sequence[str] | None = None,
        measure: str | Measure = "score",
    ) -> ScoreTable:
        """From systems × topics as numbers; both are numbered from 1 unless named."""
        matrix = np.asarray(values, np.float64)
        if matrix.ndim != 2:
            raise UsageError(f"scores must be systems × topics, two dimensions; got {matrix.ndim}.")
        if not np.isfinite(matrix).all():
            system, topic = np.argwhere(~np.isfinite(matrix))[0]
            raise DataError(
                f"score of system {system + 1}, topic {topic + 1} is {matrix[system, topic]}; every score must be a number."
            )
        names = [str(name) for name in systems or [f"system {n}" for n in range(1, len(matrix) + 1)]]
        ids = [str(name) for name in topics or range(1, matrix.shape[1] + 1)]
        if (len(names), len(ids)) != matrix.shape:
            raise UsageError(
                f"{len(names)} systems and {len(ids)} topics are named for {len(matrix)} × {matrix.shape[1]} scores."
            )
        for what, given in (("system", names), ("topic", ids)):
            if len(set(given)) < len(given):
                twice = next(name for name in given if given.count(name) > 1)
                raise UsageError(f"{what} '{shown(twice)}' is named twice; names must be unique.")
        column = measure if isinstance(measure, Measure) else measure_named(measure)
        return cls((column,), tuple(map(System, names)), tuple(ids), matrix[None])

    @classmethod
    def of_scores(cls, scores: Scores, runs: Sequence[Run] = ()) -> ScoreTable:
        """From scores that `evaluate` made; `runs` are those that were scored, in their order."""
        scored = scores.runs
        values = np.stack([_counted(run) for run in scored], axis=1)
        scored_runs = (
            zip(scored, runs, strict=True) if len(scored) == len(runs) else ()
        )  # not where users are several
        return cls(
            scores.measures,
            tuple(System(run.name, run.path, run.digest) for run in scored),
            scored[0].topics,
            values,
            scores.settings,
            scores.to_dict(per_topic=False)["qrels"],
            tuple(scores.notes),
            tied=tied_means(scores),
            texts=scores.texts,
            scores=scores,
            runs={score.name: run for score, run in scored_runs if run.content is not None},
        )

    def place_of(self, measure: str | Measure) -> int:
        """The place of a measure among those that were scored, given itself or as its text."""
        for place, scored in enumerate(self.measures):
            if scored is measure or str(scored) == str(measure):
                return place
        raise UsageError(
            f"{measure} is not among the scores; there are {', '.join(map(str, self.measures))}."
        )

    def of(self, measure: str | Measure) -> tuple[NDArray[np.float64], tuple[str, ...]]:
        """Systems × topics of one measure, and the topics; refused if the systems were not judged on the same ones."""
        rows = self.values[self.place_of(measure)]
        counted = ~np.isnan(rows)
        everywhere = counted.all(axis=0)
        if not everywhere.any():
            raise NothingInCommon(
                f"{measure}: no topic is common to all systems; there is nothing to compare."
            )
        if not (counted == counted[0]).all():
            raise _unequal(measure, self, counted)
        return np.ascontiguousarray(rows[:, everywhere]), tuple(np.array(self.topics, object)[everywhere])

    def select(self, measures: Sequence[str | Measure]) -> ScoreTable:
        """Only these measures; one that is given as itself says what it is, whatever a file knew of it."""
        places = [self.place_of(given) for given in measures]
        return replace(
            self,
            measures=tuple(
                given if isinstance(given, Measure) else self.measures[place]
                for given, place in zip(measures, places, strict=True)
            ),
            values=self.values[places],
            tied=None if self.tied is None else self.tied[places],
        )

    def only(self, topics: Collection[str]) -> ScoreTable:
        """Only these topics."""
        unknown = sorted(set(topics) - set(self.topics))
        if unknown:
            raise UsageError(f"{len(unknown)} of the topics asked for have no scores: {some(unknown)}.")
        kept = [number for number, topic in enumerate(self.topics) if topic in topics]
        return replace(
            self,
            topics=tuple(self.topics[number] for number in kept),
            values=self.values[:, :, kept],
            weights=None if self.weights is None else self.weights[kept],
            tied=self.tied if len(kept) == len(self.topics) else None,
        )

    def weighted(self, weights: Mapping[str, float]) -> ScoreTable:
        """Topics counted by these weights; one that has none, or 0, is left out."""
        weight_of_each, notes = weights_of_topics(weights, self.topics)
        kept = self.only(
            {topic for topic, weight in zip(self.topics, weight_of_each, strict=True) if weight > 0}
        )
        return replace(
            kept, weights=weight_of_each[weight_of_each > 0], notes=(*self.notes, *notes), tied=None
        )

    def weights_of(self, topics: Sequence[str]) -> NDArray[np.float64] | None:
        """The weights of these topics, in their order; None where all count alike."""
        if self.weights is None:
            return None
        weight_of = dict(zip(self.topics, self.weights.tolist(), strict=True))
        return np.array([weight_of[topic] for topic in topics])

    def mean(self, measure: str | Measure) -> dict[str, float]:
        """The mean of each system over the topics that count."""
        rows, topics = self.of(measure)
        weights = self.weights_of(topics)
        means = [mean(row) for row in rows] if weights is None else weighted_mean(rows, weights).tolist()
        return dict(zip(self.names, means, strict=True))


def measure_named(name: str) -> Measure:
    """The measure that a column of a table names; where there is none of that name, one that is only a name.

    Of such a column more is better and topics are averaged; it has no formula.

    >>> measure_named("ndcg_cut_10"), measure_named("click rate")
    (nDCG@10, click rate)
    """
    try:
        return parse(name)
    except MeasureError:

        def column(_judged: JudgedRun) -> PerTopic:
            raise MeasureError(f"{name} is a column of a table of scores; it cannot be computed")

        column.__name__ = name
        return measure(column)


def _counted(run: RunScores) -> NDArray[np.float64]:
    """Measures × topics, NaN where a topic does not count."""
    counts = np.array([run.counts(number) for number in range(len(run.measures))])
    return np.where(counts, run.values, np.nan)


def _unequal(measure: str | Measure, table: ScoreTable, counted: NDArray[np.bool_]) -> DataError:
    """The error that names the topics which count for some systems and not for others."""
    ids = np.array(table.topics, object)
    lines = []
    for system, row in zip(table.systems, counted, strict=True):
        lacking = list(ids[counted.any(axis=0) & ~row])
        if lacking:
            lines.append(f"  {shown(system.name)} lacks {len(lacking)}: {some(lacking)}")
    shown_lines = lines[:_NAMED] + (
        [f"  and {len(lines) - _NAMED} more systems"] if len(lines) > _NAMED else []
    )
    way_out = "Score missing topics as empty lists (--missing empty)"
    if table.settings is None:
        way_out = "Give every system a score for each of them"
    return DataError(
        f"{measure}: the systems were evaluated on different topics; a paired comparison needs the same ones.\n"
        + "\n".join(shown_lines)
        + f"\n{way_out}, or name the topics to use with --topics."
    )


def join(tables: Sequence[ScoreTable], names: Sequence[str]) -> ScoreTable:
    """Tables of different systems side by side; they must come from the same judgments, settings and measures.

    names  what to call each table in a message
    """
    first = tables[0]
    for table, name in zip(tables[1:], names[1:], strict=True):
        same_origin(first, table, names[0], name)
    measures = [measure for measure in first.measures if all(measure in table.measures for table in tables)]
    if not measures:
        listed = "; ".join(
            f"{name} has {', '.join(map(str, table.measures))}"
            for table, name in zip(tables, names, strict=True)
        )
        raise UsageError(f"no measure is common to all: {listed}.")
    topics = in_order({topic for table in tables for topic in table.topics})
    place = {topic: number for number, topic in enumerate(topics)}
    systems = tuple(system for table in tables for system in table.systems)
    values = np.full((len(measures), len(systems), len(topics)), np.nan)
    start = 0
    for table in tables:
        columns = [place[topic] for topic in table.topics]
        stop = start + len(table.systems)
        values[:, start:stop, columns] = table.select(measures).values
        start = stop
    notes = tuple(dict.fromkeys(note for table in tables for note in table.notes))
    return ScoreTable(
        tuple(measures),
        named_apart(systems),
        tuple(topics),
        values,
        first.settings,
        first.qrels,
        notes,
        tied=_tied([table.select(measures) for table in tables]),
        texts=next((table.texts for table in tables if table.texts is not None), None),
    )


def _tied(tables: Sequence[ScoreTable]) -> NDArray[np.float64] | None:
    """The means at the worst and the best order of ties, of all systems side by side."""
    if all(table.tied is None for table in tables):
        return None
    unknown = [np.full((*table.values.shape[:2], 2), np.nan) for table in tables]
    known = [
        table.tied if table.tied is not None else nan for table, nan in zip(tables, unknown, strict=True)
    ]
    return np.concatenate(known, axis=1)


def named_apart(systems: Iterable[System]) -> tuple[System, ...]:
    """Systems of the same name get a number."""
    seen: dict[str, int] = {}
    apart = []
    for system in systems:
        times = seen[system.name] = seen.get(system.name, 0) + 1
        apart.append(replace(system, name=f"{system.name}#{times}") if times > 1 else system)
    return tuple(apart)


def same_origin(first: ScoreTable, other: ScoreTable, first_name: str, other_name: str) -> None:
    """Raise if two tables come from different judgments or settings."""
    if first.qrels is not None and other.qrels is not None and first.qrels["digest"] != other.qrels["digest"]:
        raise DataError(
            f"{other_name} was scored with other judgments than {first_name} "
            f"(digest {other.qrels['digest'][:12]}, not {first.qrels['digest'][:12]}).\n"
            "Score it again with the same judgments; nothing was compared."
        )
    if first.settings is not None and other.settings is not None:
        unlike = [
            f"{name} {of_other}, not {of_first}"
            for (name, of_first), of_other in zip(
                first.settings.to_dict().items(), other.settings.to_dict().values(), strict=True
            )
            if of_first != of_other
        ]
        if unlike:
            raise DataError(
                f"{other_name} was scored with other settings than {first_name}: {'; '.join(unlike)}.\n"
                "Score it again with the same settings; nothing was compared."
            )
