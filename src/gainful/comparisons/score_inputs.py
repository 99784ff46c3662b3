"""Inputs of a comparison: runs to be scored, results that were saved, tables of scores."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from gainful.comparisons.saved_scores import kind, read_saved, read_table
from gainful.comparisons.score_table import ScoreTable, join, same_origin
from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown
from gainful.formats.judgments import Judgments, read_qrels
from gainful.formats.multi_file import is_path
from gainful.formats.runs import Run
from gainful.formats.topics import read_topics
from gainful.formats.types import Progress
from gainful.measures import Measure, parse_many
from gainful.scores import evaluate
from gainful.scores.needs import needed

Asked = str | Measure | Iterable[str | Measure]


def load(
    qrels: Any,
    given: Sequence[Any],
    measures: Asked,
    *,
    progress: Progress | None = None,
    **settings: Any,
) -> ScoreTable:
    """Runs scored with the judgments; a path to the JSON of `evaluate -q` stands for the runs that it holds.

    Saved results must come from the same judgments and settings, and have the measures asked for.
    """
    duplicates, threads = settings.get("duplicates", "error"), settings.get("threads")
    parsed = measures_of(measures, settings.get("rel"))
    judgments = read_qrels(qrels, by=needed(parsed), duplicates=duplicates, threads=threads)
    saved = [_saved(one) for one in given]
    runs = [
        one if isinstance(one, Run) else Run(one)
        for one, table in zip(given, saved, strict=True)
        if table is None
    ]
    scored = evaluate(judgments, runs, measures, progress=progress, **settings) if runs else None
    fresh = None if scored is None else ScoreTable.of_scores(scored)
    tables, names, number = [], [], 0
    for one, table in zip(given, saved, strict=True):
        if table is not None:
            _same_judgments(table, judgments, shown(os.fsdecode(one)))
            tables.append(_having(table, parsed, shown(os.fsdecode(one))))
            names.append(shown(os.fsdecode(one)))
        elif fresh is not None:
            tables.append(_only(fresh, number))
            names.append(shown(fresh.names[number]))
            number += 1
    return join(tables, names)


def load_saved(
    paths: Sequence[str],
    measures: Asked | None = None,
    *,
    topics: str | os.PathLike[str] | Iterable[str] | None = None,
) -> ScoreTable:
    """Tables of topic × system, or saved results; several are put side by side.

    Tables of the same systems and different measures are put one after the other instead.
    """
    tables = [read_saved(path) if kind(path) == "saved" else read_table(path) for path in paths]
    names = [shown(path) for path in paths]
    if (
        len({table.measures for table in tables}) == len(tables) > 1
        and len({table.names for table in tables}) == 1
    ):
        joined = _stacked(tables, names)
    else:
        joined = join(tables, names)
    if topics is not None:
        joined = joined.only(read_topics(topics))
    if measures is None:
        return joined
    wanted: list[str | Measure]
    if isinstance(measures, str):
        wanted = [one.strip() for one in measures.split(",")]  # a column's name need not be a measure's
    else:
        wanted = [measures] if isinstance(measures, Measure) else list(measures)
    there = set(map(str, joined.measures))
    return joined.select(wanted if all(str(one) in there for one in wanted) else measures_of(measures, None))


def measures_of(measures: Asked, rel: float | None) -> list[Measure]:
    """The measures asked for, each once; `rel` for those that leave it open.

    >>> measures_of("ndcg_cut_10, AP", rel=2)
    [nDCG@10, AP(rel=2)]
    """
    items = [measures] if isinstance(measures, str | Measure) else [*measures]
    parsed = [one for item in items for one in (parse_many(item) if isinstance(item, str) else [item])]
    if rel is not None:
        parsed = [one(rel=rel) if one.leaves("rel") else one for one in parsed]
    if not parsed:
        raise UsageError("no measure was asked for.")
    return list(dict.fromkeys(parsed))


def is_saved(given: Any) -> bool:
    """Whether this is a path to a result that `gainful evaluate -f json` saved."""
    return is_path(given) and kind(os.fsdecode(given)) == "saved"


def _saved(given: Any) -> ScoreTable | None:
    if is_saved(given):
        return read_saved(os.fsdecode(given))
    if is_path(given) and kind(os.fsdecode(given)) == "table":
        path = shown(os.fsdecode(given))
        raise UsageError(
            f"{path} is a table of scores; compare it by itself, without judgments: gainful compare {path}"
        )
    return None


def _same_judgments(table: ScoreTable, judgments: Judgments, name: str) -> None:
    digest = table.qrels["digest"] if table.qrels else None
    if digest != judgments.digest:
        where = "these judgments" if judgments.path is None else shown(judgments.path)
        raise DataError(
            f"{name} was scored with other judgments than {where} (digest {str(digest)[:12]}, not {judgments.digest[:12]}).\n"
            f"Score it again with them (gainful evaluate QRELS RUN -q -f json); nothing was compared."
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
    from dataclasses import replace

    return replace(
        table,
        systems=table.systems[number : number + 1],
        values=table.values[:, number : number + 1],
        tied=None if table.tied is None else table.tied[:, number : number + 1],
        notes=table.notes if number == 0 else (),
    )


def _stacked(tables: Sequence[ScoreTable], names: Sequence[str]) -> ScoreTable:
    """Tables of the same systems and topics, one measure after the other."""
    from dataclasses import replace

    import numpy as np

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
