"""Runs scored in a dialect: another tool's names and numbers.

A run is read once for each rule that the core must know (how ties are ordered, how precise scores are, what happens to
documents that occur twice); the measures of a dialect rarely need more than one or two.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Unpack

from gainful.arrays import NDArray, np
from gainful.dialects.dialect_registry import HOLE, Column, Dialect, Grades, find
from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown, some
from gainful.formats.judgments import Judgments, read_qrels
from gainful.formats.runs import Run, runs_of
from gainful.formats.types import Progress
from gainful.judging import PerTopic
from gainful.judging.notes import Note
from gainful.judging.settings import Settings
from gainful.measures import Measure
from gainful.presentation.text_style import counted
from gainful.scores import DEFAULT, Evaluating, RunScores, Scores
from gainful.scores import evaluate as evaluate_plainly

GIVEN = ("topics", "known", "expected", "threads", "names", "queries", "documents", "depth")
"""What may be said beside a dialect; the other settings are the dialect's."""


@dataclass(frozen=True, eq=False)
class DialectRun(RunScores):
    """Topics × measures of one run in a dialect, whose measures may each have settings of their own.

    parts  for each measure, the scores it is from, and its number there
    """

    parts: tuple[tuple[RunScores, int], ...] = ()
    dialect: str | None = None

    @cached_property
    def evaluated(self) -> NDArray[np.bool_]:
        """The topics that count for any measure."""
        counting: NDArray[np.bool_] = np.logical_or.reduce([part.evaluated for part, _ in self.parts])
        return counting

    def counted(self, number: int) -> PerTopic:
        """The values of the measure of that number, for the topics that count."""
        part, row = self.parts[number]
        return part.counted(row)

    def counts(self, number: int) -> NDArray[np.bool_]:
        """The topics that count for the measure of that number."""
        part, row = self.parts[number]
        return part.counts(row)

    def settings_of(self, number: int) -> Settings:
        """The settings of the measure of that number."""
        return self.parts[number][0].settings

    def _summed(self, summary: str, number: int) -> float:
        part, row = self.parts[number]
        return part._summed(summary, row)

    @cached_property
    def tie_bounds(self) -> dict[str, tuple[float, float]]:
        """Nothing beside the numbers of the tool."""
        return {}

    @cached_property
    def notes(self) -> list[Note]:
        """What would surprise a reader of these numbers."""
        parts = {id(part): part for part, _ in self.parts}.values()
        return list(dict.fromkeys(note for part in parts for note in part.notes))


def evaluate(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT,
    *,
    dialect: str | Dialect | None = None,
    progress: Progress | None = None,
    **evaluating: Unpack[Evaluating],
) -> Scores:
    """Score one or several runs against judgments, in the conventions of Gainful or in those of another tool.

    qrels     judgments: a path, `read_qrels(...)`, or any object that it accepts (mapping, data frame, columns, rows)
    runs      a run in any of these forms; or several: a list, or a mapping from names to runs
    measures  as text (`"nDCG@10, AP"`) or as objects (`[nDCG @ 10, AP(rel=2)]`); with a dialect also as the tool spells them
    dialect   print another tool's names and numbers: "beir", "beir@2.2"; `gainful dialects` lists them
    progress  called repeatedly while a file is read, with its name, bytes read and total bytes
    topics    only these topics: a list, or a file with one per line
    known     documents that the user knew, for Coverage and Novelty: a path, {topic: [document, …]}, or one of these per user
    expected  relevant documents that users expected, for RelRecall and RecallEffort: a number, a path, {topic: number}
    threads   number of threads; by default all cores
    names     names of runs from files: "file" (default), "tag" (the last column of a TREC file) or "path"
    queries   texts of queries, shown beside their ids: {topic: text}, or a file
    documents  titles and texts of documents, shown beside their ids: {document: title}, or a file

    The conventions (ties, missing, undefined, unjudged, duplicates, pool, rel, depth, drop_self, scores, round_topics,
    round_mean, round_halves) are the fields of `gainful.Settings`; with a dialect they are the tool's, and only depth is taken.

    >>> evaluate({"q1": {"d1": 2, "d2": 1}}, {"q1": {"d2": 3.0, "d1": 2.0}}, "AP(rel=2)").mean
    {'AP(rel=2)': 0.5}
    >>> evaluate({"q1": {"d1": 2, "q1": 1}}, {"q1": {"q1": 3.0, "d1": 2.0}}, "NDCG@10", dialect="beir").mean
    {'NDCG@10': 0.76019}
    """
    if dialect is None:
        if not evaluating and type(qrels) is Judgments:  # as in a loop
            from gainful.scores.repeated_calls import repeated_call

            if (scores := repeated_call(qrels, runs, measures)) is not None:
                return scores
        return evaluate_plainly(qrels, runs, measures, progress=progress, **evaluating)
    spoken = dialect if isinstance(dialect, Dialect) else find(dialect)
    refuse_settings(evaluating)
    asked = None if measures is DEFAULT else as_texts(measures)
    return score_in(spoken, qrels, runs, asked, progress=progress, **evaluating)


def refuse_settings(said: Iterable[str]) -> None:
    """Raise where a setting was said that a dialect decides."""
    for name in said:
        if name not in GIVEN:
            raise UsageError(f"a dialect has its own {name}; leave {name} out, or the dialect.")


def score_in(
    dialect: Dialect,
    qrels: Any,
    runs: Any,
    asked: Sequence[str] | None = None,
    **evaluating: Any,
) -> Scores:
    """Scores of runs in a dialect; `asked` are measures as the tool spells them, or as we do."""
    columns = dialect.columns(asked)
    depth = evaluating.pop("depth", None)
    _check_depth(dialect, depth)
    judgments = read_qrels(qrels, threads=evaluating.get("threads"))
    check_grades(dialect, columns, judgments)
    check_ideal(dialect, columns, judgments)
    given = [_held(run) for run in runs_of(runs, evaluating.pop("names", None))]
    by_settings: dict[Settings, list[Column]] = {}
    for column in columns:
        by_settings.setdefault(replace(dialect.settings_of(column.spelled), depth=depth), []).append(column)
    parts: dict[str, tuple[Scores, int]] = {}
    for settings, alike in by_settings.items():
        measures = tuple(dict.fromkeys(column.measure for column in alike))
        said = settings.to_dict()
        scores = evaluate_plainly(judgments, given, list(measures), **said, **evaluating)
        _check_ties(dialect, alike, scores, judgments, given, said)
        parts |= {column.name: (scores, measures.index(column.measure)) for column in alike}
    return _together(dialect, columns, parts, replace(dialect.conventions, depth=depth))


def _held(run: Run) -> Run:
    """A run that can be read more than once."""
    return run.in_memory() if run.path == "-" else run


def _together(
    dialect: Dialect, columns: Sequence[Column], parts: dict[str, tuple[Scores, int]], settings: Settings
) -> Scores:
    """One set of scores of all columns, under the names that the tool has for them."""
    named = tuple(renamed(column.measure, column.name) for column in columns)
    first, _ = parts[columns[0].name]
    runs = []
    for place, run in enumerate(first.runs):
        each = [(parts[column.name][0].runs[place], parts[column.name][1]) for column in columns]
        _check_undefined(dialect, run.name, each)
        facts = {
            name: getattr(run, name)
            for name in ("name", "path", "digest", "tag", "topics", "judged", "extra")
        }
        runs.append(
            DialectRun(
                **facts,
                measures=named,
                settings=settings,
                values=np.array([part.values[row] for part, row in each]),
                nothing_to_find=np.array([part.nothing_to_find[row] for part, row in each]),
                dropped=run.dropped,
                parts=tuple(each),
                dialect=dialect.title,
            )
        )
    return Scores(
        tuple(runs), named, settings, first.judgments, first.texts, dialect.title, first.pool_of_some
    )


def renamed(measure: Measure, name: str) -> Measure:
    """The measure under the name that another tool has for it."""
    other = object.__new__(Measure)
    other.__dict__.update(measure.__dict__)
    other.__dict__["_text"] = name
    return other


def as_texts(measures: str | Measure | Iterable[str | Measure]) -> list[str]:
    """The names in a list of measures, as they are written."""
    if isinstance(measures, str):
        return [piece for piece in _pieces(measures) if piece]
    if isinstance(measures, Measure):
        return [str(measures)]
    return [text for each in measures for text in as_texts(each)]


def _pieces(text: str) -> list[str]:
    """Names between commas outside brackets."""
    pieces, depth = [""], 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += letter
    return [piece.strip() for piece in pieces]


_FINE: dict[Grades, tuple[str, Any]] = {
    "any": ("", lambda grades: np.ones(len(grades), bool)),
    "whole": ("whole grades", lambda grades: grades == np.floor(grades)),
    "whole, up to 4": ("whole grades up to 4", lambda grades: (grades == np.floor(grades)) & (grades <= 4)),
    "not negative": ("grades of 0 or more", lambda grades: grades >= 0),
    "whole, not negative": (
        "whole grades of 0 or more",
        lambda grades: (grades == np.floor(grades)) & (grades >= 0),
    ),
    "0 and 1": ("grades of 0 and 1", lambda grades: (grades == 0) | (grades == 1)),
}


def check_grades(dialect: Dialect, columns: Sequence[Column], judgments: Judgments) -> None:
    """Raise where the tool would refuse a grade, or read it as another."""
    grades = judgments.index.grade
    for column in columns:
        takes, fine = _FINE[column.spelled.grades or dialect.grades]
        wrong = ~fine(grades)
        if wrong.any():
            raise DataError(
                f"{dialect.title} takes {takes} for {column.name}, and {counted(int(wrong.sum()), 'judgment')} "
                f"{'has' if wrong.sum() == 1 else 'have'} others, such as {grades[wrong][0]:g}."
            )


def _check_depth(dialect: Dialect, depth: int | None) -> None:
    """Raise where a depth is asked of a tool that averages over the orders of tied documents."""
    if depth is not None and dialect.conventions.ties == "expected":
        cut = next(spelled.at("10").name for spelled in dialect.measures if HOLE in spelled.name)
        raise UsageError(
            f"{dialect.title} averages over the orders of tied documents, and which of them a depth of {depth} keeps "
            f"depends on their order; leave --depth out, and give its measures a cutoff, as in {cut}."
        )


def check_ideal(dialect: Dialect, columns: Sequence[Column], judgments: Judgments) -> None:
    """Raise where the tool divides by an ideal list that is worth less than nothing."""
    index = judgments.index
    for column in columns:
        if not column.spelled.signed or not (index.grade < 0).any():
            continue
        for topic, start, stop in zip(judgments.topics, index.offsets, index.offsets[1:], strict=False):
            grades = np.sort(index.grade[start:stop])[::-1]
            last = None if column.measure.params["ideal"] == "uncut" else column.measure.cutoff
            worth = (np.exp2(grades) - 1) / np.log2(np.arange(2, len(grades) + 2))
            if worth[:last].sum() < 0:
                raise DataError(
                    f"{dialect.title} divides {column.name} of topic {shown(topic)} by an ideal list that is worth less than "
                    "nothing, so that bad lists rise; leave the topic out (--topics), or raise its negative grades."
                )


def _check_undefined(dialect: Dialect, run: str, parts: Sequence[tuple[RunScores, int]]) -> None:
    """Raise where the tool stops at a topic with nothing relevant."""
    if not dialect.stops_at_undefined:
        return
    topics = [
        part.topics[topic]
        for part, row in parts
        for topic in np.flatnonzero(part.nothing_to_find[row] & part.evaluated)
    ]
    if topics:
        raise DataError(
            f"run '{shown(run)}': {dialect.title} stops at topics with nothing relevant: {some(sorted(set(topics)))}."
        )


def _check_ties(
    dialect: Dialect,
    columns: Sequence[Column],
    scores: Scores,
    judgments: Judgments,
    runs: list[Run],
    said: dict[str, Any],
) -> None:
    """Raise where the number depends on an order of tied documents that the tool leaves to chance."""
    open_columns = [column for column in columns if column.spelled.no_rule]
    tied = any((run.judged.first < run.judged.last).any() for run in scores.runs)
    if not open_columns or not tied:
        return
    measures = list(dict.fromkeys(column.measure for column in open_columns))
    worst, best = (
        evaluate_plainly(judgments, runs, measures, **{**said, "ties": ties}) for ties in ("worst", "best")
    )
    for low, high in zip(worst.runs, best.runs, strict=True):
        apart = (low.values != high.values).any(axis=1)
        for column in open_columns:
            if apart[measures.index(column.measure)]:
                raise DataError(
                    f"run '{shown(low.name)}': {dialect.title} has no reproducible order of tied scores "
                    f"({column.spelled.no_rule}), and ties decide {column.name} here; it is exact where they do not."
                )
