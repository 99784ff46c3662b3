"""Inputs of a comparison, and compare: judgments with runs, saved results or tables of scores in; a comparison out."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from gainful.comparisons.comparison import Comparison, compare_scores
from gainful.comparisons.design_intervals import scored_table
from gainful.comparisons.groups import grouped, read_groups
from gainful.comparisons.method import LEAD, MATTERS, Method
from gainful.comparisons.saved_scores import read_input, read_inputs, read_table
from gainful.comparisons.score_table import ScoreTable, join, same_origin
from gainful.comparisons.topic_attributes import read_weights
from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown
from gainful.formats.judgments import Judgments, read_qrels, read_topics
from gainful.formats.runs import Run, runs_of
from gainful.formats.sources import file_type, is_path
from gainful.formats.texts import texts_of
from gainful.judging.settings import check_keywords
from gainful.measures import Measure, parse_many
from gainful.measures._needs import needed
from gainful.scores import Evaluating, Scores, evaluate
from gainful.statistics.resampling import RESAMPLES, SEED, Progress

MeasuresGiven = str | Measure | Iterable[str | Measure]


@dataclass(frozen=True, eq=False)
class Inputs:
    """What a comparison is made of: scores, and the lists behind them where there are any.

    judgments, runs, scores  None, or empty, where only scores were given
    saved                    names of the inputs that are scores already
    """

    table: ScoreTable
    judgments: Judgments | None = None
    runs: tuple[Run, ...] = ()
    scores: Scores | None = None
    saved: tuple[str, ...] = ()

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures that were scored."""
        return self.table.measures

    def lists(self, option: str) -> tuple[Judgments, tuple[Run, ...], Scores]:
        """Judgments, runs and their scores; refused where there are scores alone."""
        if self.judgments is None or self.scores is None or self.saved:
            which = f"{self.saved[0]} holds scores alone" if self.saved else "these are scores alone"
            raise UsageError(
                f"{option} looks at the documents of runs, and {which}: give judgments and the runs themselves."
            )
        return self.judgments, self.runs, self.scores


def load(
    qrels: Any,
    given: Sequence[Any],
    measures: MeasuresGiven,
    *,
    labels: Sequence[str] | None = None,
    progress: Progress | None = None,
    whole: bool = False,
    **settings: Any,
) -> Inputs:
    """Score runs with the judgments; a path to the JSON of `evaluate -q` stands for the runs in it.

    Saved results must come from the same judgments and settings, and have the measures asked for.

    labels  what messages call the inputs, if these have been read already; by default their paths
    whole   whether a measure that has no interval from a sample of documents is refused, rather than left out
    """
    duplicates, threads = settings.get("duplicates", "error"), settings.get("threads")
    asked = measures_of(measures, settings.get("rel"))
    judgments = read_qrels(
        qrels,
        by=needed(asked),
        duplicates=duplicates,
        threads=threads,
        design=settings.pop("design", None),
        sampled=True,
    )
    texts = judgments.texts(settings.pop("queries", None), settings.pop("documents", None))
    read = _read(given)
    if settings.get("model_qrels") is not None and any(isinstance(item, ScoreTable) for item in read):
        raise UsageError("labels by models need the runs themselves; a saved result holds scores alone.")
    runs = [item if isinstance(item, Run) else Run(item) for item in read if not isinstance(item, ScoreTable)]
    if settings.get("model_qrels") is not None or judgments.models:  # scored under each model's labels too
        runs = [run.in_memory() for run in runs]
    scores = evaluate(judgments, runs, measures, progress=progress, **settings) if runs else None
    fresh = None if scores is None else scored_table(scores, runs, whole=whole)
    if fresh is not None and len(fresh.measures) < len(asked):  # those that cannot be estimated have bounds
        asked = [measure for measure in asked if measure in fresh.measures]
    called = labels or [shown(os.fsdecode(item)) if is_path(item) else "" for item in given]
    tables, known_as, saved, number = [], [], [], 0
    for name, item in zip(called, read, strict=True):
        if isinstance(item, ScoreTable):
            name = name or ", ".join(map(shown, item.names))  # noqa: PLW2901 (what has no path has its systems' names)
            _same_judgments(item, judgments, name)
            tables.append(_having(item, asked, name))
            known_as.append(name)
            saved.append(name)
        elif fresh is not None:
            tables.append(_only(fresh, number))
            known_as.append(shown(fresh.names[number]))
            number += 1
    table = join(tables, known_as)
    if fresh is not None and not saved:
        table = replace(table, scores=fresh.scores, runs=fresh.runs)
    if texts is not None:  # else those that were saved with the scores
        table = replace(table, texts=texts)
    return Inputs(table, judgments, tuple(runs), scores, tuple(saved))


def _read(given: Sequence[Any], *, hold: bool = False) -> list[Any]:
    """The inputs, each path among them as what its file holds: saved scores, or a run; with `hold` in memory, if small."""
    paths = [os.fsdecode(item) for item in given if is_path(item)]
    read = iter(read_inputs(paths, hold=hold and are_small(paths)))
    return [next(read) if is_path(item) else item for item in given]


_SMALL = 64 << 20  # bytes, as text
_PACKED = {
    ".gz": 8,
    ".bz2": 10,
    ".xz": 12,
    ".zst": 9,
    ".lz4": 4,
    ".parquet": 4,
}  # how much longer text is, about


def are_small(paths: Iterable[str]) -> bool:
    """Whether all these files together are small enough to be held in memory, so that unjudged documents have ids."""
    size = 0
    for path in paths:
        if file_type(path) != stat.S_IFREG:
            return False
        size += Path(path).stat().st_size * _PACKED.get(Path(path).suffix, 1)
    return size <= _SMALL


def _in_memory(runs: list[Run]) -> list[Run]:
    """The runs, in memory if their files are small and were not opened yet."""
    paths = [run.path for run in runs if run.content is None and run.path is not None]
    return [run.in_memory() for run in runs] if are_small(paths) else runs


def load_saved(
    given: Sequence[str | ScoreTable],
    measures: MeasuresGiven | None = None,
    *,
    topics: str | os.PathLike[str] | Iterable[str] | None = None,
    names: Sequence[str] | None = None,
    queries: Any = None,
    documents: Any = None,
) -> ScoreTable:
    """Tables of topic × system, or saved results, read or as paths; several are put side by side.

    Tables of the same systems and different measures are put one after the other instead.

    names  what to call each table in a message; by default its path
    """
    names = [shown(str(item)) for item in given] if names is None else names
    tables = [item if isinstance(item, ScoreTable) else _scores_in(item) for item in given]
    for table, name in zip(tables, names, strict=True):
        _refuse_labels(table, name)
    if (
        len({table.measures for table in tables}) == len(tables) > 1
        and len({table.names for table in tables}) == 1
    ):
        joined = _stacked(tables, names)
    else:
        joined = join(tables, names)
    if topics is not None:
        joined = joined.only(read_topics(topics))
    if queries is not None or documents is not None:
        joined = replace(joined, texts=texts_of(queries, documents, qrels=None, topics=joined.topics))
    if measures is None:
        return joined
    wanted: list[str | Measure]
    if isinstance(measures, str):
        wanted = [name.strip() for name in measures.split(",")]  # a column's name need not be a measure's
    else:
        wanted = [measures] if isinstance(measures, Measure) else list(measures)
    there = set(map(str, joined.measures))
    return joined.select(
        wanted if all(str(name) in there for name in wanted) else measures_of(measures, None)
    )


def measures_of(measures: MeasuresGiven, rel: float | None) -> list[Measure]:
    """The measures asked for, each once; `rel` for those that leave it open.

    >>> measures_of("ndcg_cut_10, AP", rel=2)
    [nDCG@10, AP(rel=2)]
    """
    items = [measures] if isinstance(measures, str | Measure) else [*measures]
    parsed = [
        measure for item in items for measure in (parse_many(item) if isinstance(item, str) else [item])
    ]
    if rel is not None:
        parsed = [measure(rel=rel) if measure.leaves("rel") else measure for measure in parsed]
    if not parsed:
        raise UsageError("no measure is given.")
    return list(dict.fromkeys(parsed))


def _scores_in(path: str) -> ScoreTable:
    read = read_input(path)
    return read if isinstance(read, ScoreTable) else read_table(path)  # which says what is wrong with it


def _same_judgments(table: ScoreTable, judgments: Judgments, name: str) -> None:
    _refuse_labels(table, name)
    if table.qrels is None:
        raise UsageError(
            f"{name} is a table of scores; compare it by itself, without judgments: gainful compare {name}"
        )
    digest = table.qrels["digest"]
    if digest != judgments.digest:
        where = "these judgments" if judgments.path is None else shown(judgments.path)
        raise DataError(
            f"{name} was scored with other judgments than {where} (digest {str(digest)[:12]}, not {judgments.digest[:12]}).\n"
            f"Score it again with them (gainful evaluate QRELS RUN -q -f json); nothing was compared."
        )


def _refuse_labels(table: ScoreTable, name: str) -> None:
    """Raise where saved scores had means that rest on models' labels: the file holds those of people's topics alone."""
    if table.qrels is not None and table.qrels.get("models"):
        raise UsageError(
            f"{name} was scored with labels by models, which a saved result does not hold; compare the runs themselves."
        )


def _having(table: ScoreTable, asked: Sequence[Measure], name: str) -> ScoreTable:
    there = list(map(str, table.measures))
    lacking = [str(measure) for measure in asked if str(measure) not in there]
    if lacking:
        raise DataError(
            f"{name} has no {', '.join(lacking)}; it has {', '.join(there)}.\n"
            f"Score it again with: gainful evaluate -m {','.join(map(str, asked))} -q -f json"
        )
    return table.select(asked)


def _only(table: ScoreTable, number: int) -> ScoreTable:
    """One system of a table; what was noticed about all of them stays with the first."""
    return replace(
        table,
        systems=table.systems[number : number + 1],
        values=table.values[:, number : number + 1],
        tied=None if table.tied is None else table.tied[:, number : number + 1],
        notes=table.notes if number == 0 else (),
    )


def _stacked(tables: Sequence[ScoreTable], names: Sequence[str]) -> ScoreTable:
    """Tables of the same systems and topics, one measure after the other."""
    first = tables[0]
    whose: dict[Measure, str] = {}
    for table, name in zip(tables, names, strict=True):
        if table.topics != first.topics:
            raise DataError(
                f"{name} has other topics than {names[0]}; tables of several measures need the same ones."
            )
        same_origin(first, table, names[0], name)
        for measure in table.measures:
            if measure in whose:
                raise DataError(f"{name} and {whose[measure]} both have {measure}.")
            whose[measure] = name
    return replace(
        first,
        measures=tuple(whose),
        values=np.concatenate([table.values for table in tables]),
        notes=tuple(note for table in tables for note in table.notes),
        tied=None,
    )


def compare(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = LEAD,
    *,
    baseline: str | None = None,
    test: str = "signflip",
    interval: str = "t",
    correction: str = "holm",
    family: str = "measure",
    alpha: float = 0.05,
    power: float = 0.8,
    flips: int | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    matters: float = MATTERS,
    groups: Any = None,
    weights: Any = None,
    progress: Progress | None = None,
    **evaluating: Unpack[Evaluating],
) -> Comparison:
    """Compare two or more runs: differences, confidence intervals and significance tests.

    qrels, runs, measures and the keywords topics, known, expected, threads, ties, … are those of `gainful.evaluate`; in a
    list of runs, a path can also name a result saved by `gainful evaluate -q -f json`.
    groups   also compare within these groups of topics: {topic: group}, or a file of topic and group
    weights  weight of each topic: {topic: weight}, or a file of topic and weight
    The other keywords are explained at `gainful.comparisons.Method`.

    >>> qrels = {f"q{n}": {"d": 1} for n in range(6)}
    >>> good, bad = ({topic: {"d": d, "x": 1.0} for topic in qrels} for d in (2.0, 0.5))
    >>> print(compare(qrels, {"bad": bad, "good": good}, "RR").pairs[0].p_value)  # 2/2⁶
    0.03125
    """
    check_keywords(compare, evaluating, Evaluating)
    method = Method(
        test, interval, correction, family, baseline, alpha, power, flips, resamples, seed, matters
    )
    read = _read(runs, hold=True) if isinstance(runs, list | tuple) and any(map(is_path, runs)) else runs
    if isinstance(read, list) and any(isinstance(run, ScoreTable) for run in read):
        table = load(qrels, read, measures, **evaluating).table
    else:
        in_memory = _in_memory(runs_of(read, evaluating.get("names")))
        table = scored_table(evaluate(qrels, in_memory, measures, **evaluating), in_memory)
    if weights is not None:
        table = table.weighted(read_weights(weights))
    comparison = compare_scores(table, method, progress=progress)
    return comparison if groups is None else grouped(comparison, read_groups(groups), progress=progress)
