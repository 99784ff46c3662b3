"""Scores that were saved: the JSON of `gainful evaluate -q -f json`, tables of topic × system in CSV, results of MTEB."""

from __future__ import annotations

import csv
import io
import math
import re
import stat
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import PurePath
from typing import Any, Literal, TypeVar

import msgspec
import numpy as np

from gainful.comparisons.mteb_results import read_results
from gainful.comparisons.score_table import ScoreTable, System, measure_named
from gainful.errors import DataError, UsageError
from gainful.formats.ids import in_order, shown, unshown
from gainful.formats.judgments import cores
from gainful.formats.layouts import layout_of_source, read_source
from gainful.formats.records import DOCUMENT, TOPIC
from gainful.formats.run_queue import most_open
from gainful.formats.runs import Run
from gainful.formats.sources import SNIFFED, Source, file_type, flows
from gainful.formats.texts import Texts
from gainful.judging.settings import Settings
from gainful.measures import Measure
from gainful.presentation.text_style import listed

T = TypeVar("T")

_SYSTEM = ("system", "run", "name", "model", "runid", "run_id")
_MEASURE = ("measure", "metric")
_VALUE = ("score", "value")
_SUMMARY = "all"
_COLUMNS = {*DOCUMENT, "rank"}
"""Columns that judgments and runs have, and scores do not."""


class _Run(msgspec.Struct):
    name: str
    mean: dict[str, float | None]
    path: str | None = None
    digest: str | None = None
    per_topic: dict[str, dict[str, float]] | None = None
    bounds: dict[str, Any] = {}


class _Qrels(msgspec.Struct):
    digest: str
    path: str | None = None
    topics: int | None = None
    judgments: int | None = None
    models: dict[str, Any] | None = None
    design: dict[str, Any] | None = None


class _Saved(msgspec.Struct):
    gainful: str
    settings: dict[str, Any]
    qrels: _Qrels
    runs: list[_Run]
    queries: dict[str, str] | None = None


def read_input(path: str, *, hold: bool = False) -> ScoreTable | Run:
    """Scores (Gainful's JSON, or a table) or a run, recognised by the first bytes of the file.

    hold  take the rows of a run into memory; otherwise it is read when it meets judgments
    """
    return _read(path, _of_saved, hold=hold)


def read_inputs(paths: Sequence[str], *, hold: bool = False) -> list[ScoreTable | Run]:
    """What each file holds. Runs stay open until they meet judgments, as many as may be, so that each is opened once."""
    most = most_open()
    return [_read(path, _of_saved, hold=hold, keep=number < most) for number, path in enumerate(paths)]


def read_means(path: str) -> dict[Measure, dict[str, float]] | Run:
    """The mean of each system by each measure, if the file holds scores; otherwise the run, in memory.

    Of a saved result the values of each topic need not be there.
    """
    read = _read(path, _means, hold=True)
    return (
        {measure: read.mean(measure) for measure in read.measures} if isinstance(read, ScoreTable) else read
    )


def _read(
    path: str, of_saved: Callable[[str, _Saved], T], *, hold: bool, keep: bool = False
) -> T | ScoreTable | Run:
    if file_type(path) == stat.S_IFDIR and (results := read_results(path)) is not None:
        return results
    if file_type(path) == stat.S_IFDIR or flows(path):
        run = Run(path)  # standard input, a pipe or a folder: read once, by who wants a run
        return run.in_memory() if hold else run
    with ExitStack() as stack:
        source = stack.enter_context(Source(path))
        kind = _kind(source)
        if kind == "saved":
            return of_saved(source.name, _decoded(source))
        if kind == "table":
            return _of_table(source, path)
        if keep and not hold:
            stack.pop_all()  # the run closes it
            return Run.of_source(source)
        run = Run(path)
        if not hold:
            return run
        return run.in_memory(
            read_source(source, "run", layout_of_source(source, "run", None), threads=cores())
        )


def read_table(path: str) -> ScoreTable:
    """A table of topic × system scores in CSV (comma, semicolon or tab), plain or compressed.

    Wide: a column for each system and a line for each topic, with or without a column named topic.
    Long: columns named system, topic, score and perhaps measure; so is `gainful evaluate -q -f csv`.
    """
    with Source(path) as source:
        return _of_table(source, path)


def read_saved(path: str) -> ScoreTable:
    """The result of `gainful evaluate -q -f json`."""
    with Source(path) as source:
        return _of_saved(source.name, _decoded(source))


def _kind(source: Source) -> Literal["saved", "table", "run"]:
    """What an open file holds, recognised by its first bytes, which stay unread."""
    head = source.head(SNIFFED)
    if b"\0" in head:
        return "run"
    text = head.decode("utf-8-sig", "surrogateescape").lstrip()
    if re.match(r'\{\s*"gainful"\s*:', text):
        return "saved"
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return "table" if lines and not text.startswith(("{", "[")) and _delimiter(lines[0]) else "run"


def _of_table(source: Source, path: str) -> ScoreTable:
    name, text = source.name, _bytes(source).decode("utf-8-sig", "surrogateescape")
    lines = text.splitlines()
    delimiter = _delimiter(lines[0]) if lines else None
    if delimiter is None:
        raise DataError(
            f"{name} is not a table: its first line has to name the columns, with commas, semicolons or tabs between."
        )
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, strict=True)
    try:
        rows = list(reader)
    except csv.Error as fault:
        raise DataError(f"{name}, line {reader.line_num}: {fault}.") from None
    heads = [head.strip() for head in rows[0]]
    body = [(number, row) for number, row in enumerate(rows[1:], 2) if any(cell.strip() for cell in row)]
    for number, row in body:
        if len(row) != len(heads):
            raise DataError(f"{name}, line {number}: {len(row)} columns where the header has {len(heads)}.")
    if not body:
        raise DataError(f"{name} has a header but no rows.")
    lower = [head.lower() for head in heads]
    system, topic, value = (_column(lower, names) for names in (_SYSTEM, TOPIC, _VALUE))
    if system is not None and topic is not None and value is not None:
        summaries = "settings" in lower  # the CSV of evaluate has a line for all topics too
        measure = _column(lower, _MEASURE)
        return _long(name, body, system, topic, value, measure, summaries=summaries, measure_name=_stem(path))
    return _wide(name, heads, body, topic, _stem(path))


def _of_saved(name: str, saved: _Saved) -> ScoreTable:
    for run in saved.runs:
        if run.per_topic is None:
            raise DataError(
                f"{name} has only means; save the values of each topic too: gainful evaluate -q -f json."
            )
    if not saved.runs:
        raise DataError(f"{name} holds no runs.")
    names = [
        measure
        for measure in saved.runs[0].mean
        if all(measure in run.mean and measure not in run.bounds for run in saved.runs)
    ]
    if not names:
        raise DataError(
            f"{name} has no measure that every run has; those with bounds have no interval and no test."
        )
    topics = in_order({unshown(topic) for run in saved.runs for topic in run.per_topic or {}})
    place = {topic: number for number, topic in enumerate(topics)}
    values = np.full((len(names), len(saved.runs), len(topics)), np.nan)
    for number, run in enumerate(saved.runs):
        for topic, scores in (run.per_topic or {}).items():
            column = place[unshown(topic)]
            for row, measure in enumerate(names):
                values[row, number, column] = scores.get(measure, math.nan)
    from gainful import __version__

    left_out = sorted({measure for run in saved.runs for measure in run.bounds})
    notes = (
        [f"{listed(left_out)} of {name} has bounds in place of an interval, and is left out"]
        if left_out
        else []
    )
    made_by = f"{name} was made by gainful {saved.gainful}; this is {__version__}"
    return ScoreTable(
        measures_named(names, name),
        tuple(
            System(unshown(run.name), None if run.path is None else unshown(run.path), run.digest)
            for run in saved.runs
        ),
        tuple(topics),
        values,
        _settings(name, saved),
        _of_judgments(saved),
        (*([] if saved.gainful == __version__ else [made_by]), *notes),
        texts=None
        if saved.queries is None
        else Texts({unshown(topic): unshown(text) for topic, text in saved.queries.items()}),
    )


def _of_judgments(saved: _Saved) -> dict[str, Any]:
    """What is known of the judgments; of a design only where there is one."""
    known: dict[str, Any] = msgspec.to_builtins(saved.qrels)
    if known["design"] is None:
        del known["design"]
    return known


def _settings(name: str, saved: _Saved) -> Settings:
    """How the runs of a saved result were judged; what an older version did not say is as it was then, the default."""
    try:
        return Settings(
            **{key: saved.settings[key] for key in Settings.__dataclass_fields__ if key in saved.settings}
        )
    except UsageError as fault:
        raise DataError(f"{name}, settings: {fault}") from None


def _means(name: str, saved: _Saved) -> dict[Measure, dict[str, float]]:
    """Each measure's mean for each run."""
    names = list(dict.fromkeys(measure for run in saved.runs for measure in run.mean))
    return {
        measure: {unshown(run.name): value for run in saved.runs if (value := run.mean.get(text)) is not None}
        for text, measure in zip(names, measures_named(names, name), strict=True)
    }


def measures_named(names: Sequence[str], where: str) -> tuple[Measure, ...]:
    """The measures that the columns of a file name; refused where two names are of one measure."""
    seen: dict[Measure, str] = {}
    for name in names:
        measure = measure_named(name)
        if measure in seen:
            raise DataError(
                f"{where}: '{seen[measure]}' and '{name}' are the same measure; keep one of them."
            )
        seen[measure] = name
    return tuple(seen)


def _decoded(source: Source) -> _Saved:
    try:
        return msgspec.json.decode(_bytes(source), type=_Saved)
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise DataError(
            f"{source.name} is not a result that `gainful evaluate -q -f json` saved: {fault}."
        ) from None


def _long(
    name: str,
    body: Sequence[tuple[int, list[str]]],
    system: int,
    topic: int,
    value: int,
    measure: int | None,
    *,
    summaries: bool,
    measure_name: str,
) -> ScoreTable:
    scores: dict[tuple[str, str, str], float] = {}
    for number, row in body:
        if summaries and row[topic] == _SUMMARY:
            continue
        key = (measure_name if measure is None else row[measure], unshown(row[system]), unshown(row[topic]))
        if key in scores:
            raise DataError(
                f"{name}, line {number}: system '{shown(key[1])}' has topic '{shown(key[2])}' twice."
            )
        scores[key] = _number(name, number, row[value], f"system '{shown(key[1])}', topic '{shown(key[2])}'")
    if not scores:
        raise DataError(f"{name} has no line for a single topic; save them with: gainful evaluate -q -f csv.")
    measures, systems = (list(dict.fromkeys(key[part] for key in scores)) for part in (0, 1))
    topics = in_order({key[2] for key in scores})
    places = [{name: number for number, name in enumerate(names)} for names in (measures, systems, topics)]
    values = np.full((len(measures), len(systems), len(topics)), np.nan)
    for key, score in scores.items():
        values[tuple(place[name] for place, name in zip(places, key, strict=True))] = score
    return ScoreTable(measures_named(measures, name), tuple(map(System, systems)), tuple(topics), values)


def _wide(
    name: str, heads: Sequence[str], body: Sequence[tuple[int, list[str]]], topic: int | None, measure: str
) -> ScoreTable:
    if topic is None and heads[0] == "":
        topic = 0  # a column of row names, as R writes it
    columns = [column for column in range(len(heads)) if column != topic]
    systems = [heads[column] for column in columns]
    repeated = sorted({system for system in systems if systems.count(system) > 1})
    if repeated:
        raise DataError(f"{name}: the header names system '{shown(repeated[0])}' twice.")
    topics = [
        row[topic].strip() if topic is not None else str(number) for number, (_, row) in enumerate(body, 1)
    ]
    if len(set(topics)) < len(topics):
        again = next(topic for topic in topics if topics.count(topic) > 1)
        raise DataError(f"{name}: topic '{shown(again)}' has two lines.")
    values = [
        [_number(name, number, row[column], f"system '{shown(heads[column])}'") for column in columns]
        for number, row in body
    ]
    table = ScoreTable.of_matrix(np.array(values).T, systems=systems, topics=topics, measure=measure)
    order = in_order(topics)
    place = {topic: number for number, topic in enumerate(topics)}
    return replace(table, topics=tuple(order), values=table.values[:, :, [place[topic] for topic in order]])


def _number(name: str, line: int, text: str, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise DataError(
            f"{name}, line {line}: score '{shown(text[:60])}' of {what} is not a number."
        ) from None
    if not math.isfinite(value):
        raise DataError(
            f"{name}, line {line}: score of {what} is {text.strip()}; a comparison needs a number for every topic."
        )
    return value


def _column(heads: Sequence[str], names: Sequence[str]) -> int | None:
    return next((heads.index(name) for name in names if name in heads), None)


def _delimiter(line: str) -> str | None:
    """What stands between the columns of a table's head; None for a line of judgments or of a run, or their head."""
    counted = {mark: line.count(mark) for mark in (",", ";", "\t")}
    most = max(counted, key=lambda mark: counted[mark])
    heads = [head.strip().strip('"').lower() for head in line.split(most)]
    if not counted[most] or _COLUMNS & set(heads):
        return None
    named = heads[0] in (*TOPIC, *_SYSTEM)
    return most if named or not any(map(_is_number, line.replace(most, " ").split())) else None


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _stem(path: str) -> str:
    pure = PurePath(path)
    while pure.suffix.lower() in {".csv", ".tsv", ".txt", ".gz", ".bz2", ".xz", ".zst"} and pure.stem:
        pure = pure.with_suffix("")
    return pure.name


def _bytes(source: Source) -> bytes:
    """The content."""
    return source.raw().read()
