"""Judgments that say more than a grade for each document: by subtopic, by judge, or as preferences.

    by subtopics    topic, subtopic, document, grade
    by judges       topic, judge, document, grade
    by preferences  topic, judge, document, level: the judge prefers documents of a higher level
                    topic, judge, part, document, level: within a part only; for one who did not compare everything

trec_eval calls the last three qrels_jg, qrels_prefs and prefs. In TREC text the order of columns decides; in CSV,
JSON, JSON lines, Parquet and data frames their names do (NAMES). Python also takes rows, columns, or nested mappings,
`{topic: {subtopic: {document: grade}}}`, and so does JSON.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from gainful._core import Fault, Index, Rows, columns
from gainful.errors import DataError
from gainful.formats.fault_messages import explain
from gainful.formats.ids import from_bytes, shown, to_bytes
from gainful.formats.layouts import recognised
from gainful.formats.records import NAMES, column_named, number_of, pick_named
from gainful.formats.registry import named
from gainful.formats.rows import eager
from gainful.formats.sources import Source
from gainful.formats.types import By, JudgmentDuplicates

COLUMNS = {
    "subtopics": ("topic", "subtopic", "document", "grade"),
    "judges": ("topic", "judge", "document", "grade"),
    "preferences": ("topic", "judge", "document", "level"),
}
IN_PARTS = ("topic", "judge", "part", "document", "level")
LONGEST = 1 << 20  # bytes of a line, as in the core


@dataclass(frozen=True)
class Details:
    """What the judgments say row by row: topic, subtopic or judge, document, grade.

    parts  the partial order that each row belongs to; None if every judge gives one order
    """

    by: By
    topics: list[bytes]
    aspects: list[bytes]
    parts: list[bytes] | None
    documents: list[bytes]
    grades: list[float]
    digest: str


class Table:
    """Rows as columns: the line or row of each in its file, the ids (`words` says of what), and the grades."""

    def __init__(self, words: tuple[str, ...], unit: str) -> None:
        self.words = words
        self.unit = unit
        self.places: list[int] = []
        self.names: list[list[bytes]] = [[] for _ in words[:-1]]
        self.grades: list[float] = []

    def said(self, number: int) -> str:
        """The ids of a row, as a message names them."""
        pairs = zip(self.words, self.names, strict=False)
        return ", ".join(f"{word} '{shown(from_bytes(column[number]))}'" for word, column in pairs)

    def each_once(self, where: str, duplicates: JudgmentDuplicates) -> None:
        """Drop rows that repeat the ids of an earlier row, or refuse them."""
        first: dict[tuple[bytes, ...], int] = {}
        again = []
        for number, key in enumerate(zip(*self.names, strict=True)):
            before = first.setdefault(key, number)
            if before != number:
                again.append((number, before))
                if duplicates == "best":
                    self.grades[before] = max(self.grades[before], self.grades[number])
        if again and duplicates == "error":
            number, before = again[0]
            places = (
                f", {self.unit} {self.places[number]} and {self.unit} {self.places[before]}"
                if self.places
                else ""
            )
            raise DataError(
                f"{where}{places}: {self.said(number)} is there twice"
                f"{f' ({len(again):,} repetitions in all)' if len(again) > 1 else ''}.\n"
                "Remove one, or choose which one counts with --duplicates first or --duplicates best (duplicates=... in Python)."
            )
        if again:
            kept = list(first.values())
            self.names = [[column[number] for number in kept] for column in self.names]
            self.grades = [self.grades[number] for number in kept]


def read_details(
    given: Any,
    by: By,
    where: str,
    *,
    duplicates: JudgmentDuplicates,
    layout: str | None = None,
    placed: bool = True,
) -> tuple[Index, Details]:
    """The rows, and an index of the documents in them, each with its best grade.

    placed  whether messages name the numbers of rows
    """
    try:
        table = (
            _of_file(given, by, layout)
            if isinstance(given, str | bytes | os.PathLike)
            else _of_object(eager(given), by, where)
        )
    except Fault as fault:
        kind, _, _, text, count = fault.args
        fault = fault if placed else Fault(kind, 0, 0, text, count)
        raise explain(fault, where, "qrels", unit="row") from None
    if not placed:
        table.places = []
    table.each_once(where, duplicates)
    topics, aspects, *parts, documents = table.names
    if parts:
        _check_parts(table, where)
    best: dict[tuple[bytes, bytes], float] = {}
    for topic, document, grade in zip(topics, documents, table.grades, strict=True):
        best[topic, document] = max(grade, best.get((topic, document), grade))
    rows = Rows.of_lists([topic for topic, _ in best], [document for _, document in best], [*best.values()])
    named = [b"\t".join(names) for names in zip(*table.names[1:], strict=True)]
    digest = Rows.of_lists(topics, named, table.grades).digest
    details = Details(by, topics, aspects, parts[0] if parts else None, documents, table.grades, digest)
    return Index(rows, duplicates="error"), details


def _check_parts(table: Table, where: str) -> None:
    """Raise if the parts of one judge contradict each other: cyclic, or relevant in one and not relevant in another."""
    levels: dict[tuple[bytes, bytes], dict[bytes, dict[float, list[bytes]]]] = {}
    for topic, judge, part, document, level in zip(*table.names, table.grades, strict=True):
        of_part = levels.setdefault((topic, judge), {}).setdefault(part, {})
        of_part.setdefault(level, []).append(document)
    for (topic, judge), parts in levels.items():
        if len(parts) > 1:
            who = f"{where}: judge '{shown(from_bytes(judge))}' of topic '{shown(from_bytes(topic))}'"
            _check_zero(parts.values(), who)
            _check_circles(parts.values(), who)


def _check_zero(parts: Iterable[dict[float, list[bytes]]], who: str) -> None:
    relevant: dict[bytes, bool] = {}
    for part in parts:
        for level, documents in part.items():
            for document in documents:
                if relevant.setdefault(document, level > 0) != (level > 0):
                    raise DataError(
                        f"{who} gives document '{shown(from_bytes(document))}' level 0, not relevant, in one part "
                        "and a higher level in another."
                    )


def _check_circles(parts: Iterable[dict[float, list[bytes]]], who: str) -> None:
    from graphlib import CycleError, TopologicalSorter

    below: dict[bytes, set[bytes]] = {}
    for part in parts:
        ordered = [part[level] for level in sorted(part)]
        for lower, higher in pairwise(ordered):
            for document in higher:
                below.setdefault(document, set()).update(lower)
    try:
        TopologicalSorter(below).prepare()
    except CycleError as circle:
        names = " over ".join(shown(from_bytes(document)) for document in reversed(circle.args[1]))
        raise DataError(f"{who} has cyclic preferences: {names}.") from None


def _words(by: By, columns: int) -> tuple[str, ...]:
    """The names of the columns; preferences in parts have five."""
    return IN_PARTS if by == "preferences" and columns >= len(IN_PARTS) else COLUMNS[by]


# ---- files ------------------------------------------------------------------------------------------------


def _of_file(path: Any, by: By, layout: str | None) -> Table:
    with Source(os.fsdecode(path)) as source:
        source.hold()
        form = named(layout) if layout else recognised(source.head(line=True), "qrels")
        if form is None or form.named is None:
            table, fault = table_of_lines(source, by)
            if fault is not None:
                raise explain(fault, source.name, by, columns=", ".join(table.words))
            return table
        values, unit = form.named(source)
        return _of_named(values, unit, source, by)


def _of_named(content: Any, unit: str, source: Source, by: By) -> Table:
    """The rows of a file with named columns, or of nested mappings."""
    if not isinstance(content, list):
        return _of_object(content, by, source.name)
    heads = list(content[0][1])
    words = _words(by, len(IN_PARTS) if column_named(heads, NAMES["part"]) else 0)
    names = [pick_named(heads, word, source.name) for word in words]
    rows = []
    for place, record in content:
        try:
            rows.append([record[name] for name in names])
        except KeyError as missing:
            raise DataError(f"{source.name}, {unit} {place}: {missing} is missing.") from None
        if isinstance(grade := rows[-1][-1], str):
            rows[-1][-1] = number_of(to_bytes(grade))
        if not isinstance(rows[-1][-1], int | float) or isinstance(grade, bool):
            raise DataError(f"{source.name}, {unit} {place}: {grade!r:.60} is not a number.")
    table = _table_of([list(column) for column in zip(*rows, strict=True)], words)
    table.unit, table.places = unit, [place for place, _ in content]
    return table


def table_of_lines(source: Source, by: By) -> tuple[Table, Fault | None]:
    """The rows of TREC text, and the first fault in it."""
    table: Table | None = None
    faults: dict[str, tuple[int, int, bytes, int]] = {}

    def note(kind: str, line: int, other: int = 0, text: bytes = b"") -> None:
        first = faults.get(kind, (line, other, text, 0))
        faults[kind] = (*first[:3], first[3] + 1)

    for number, line in enumerate(source.lines(), 1):
        fields = line.split()
        if not fields or (line.startswith(b"#") and not _reads_as_row(fields, by)):
            continue
        table = table or Table(_words(by, len(fields)), "line")
        width = len(table.words)
        if len(line) > LONGEST or b"\0" in line:
            note("binary" if b"\0" in line else "long", number)
        elif len(fields) != width:
            note("columns", number, len(fields), line[:80])
        elif (grade := number_of(fields[width - 1])) is None or math.isnan(grade):
            note("value" if grade is None else "nan", number, 0, fields[width - 1])
        else:
            table.places.append(number)
            table.grades.append(grade)
            for column, field in zip(table.names, fields, strict=False):
                column.append(field)
    if table is None:
        return Table(_words(by, 0), "line"), Fault("empty", 0, 0, b"", 1)
    kind, first = min(faults.items(), key=lambda item: item[1][0], default=("", None))
    return table, None if first is None else Fault(kind, *first)


def _reads_as_row(fields: list[bytes], by: By) -> bool:
    """Whether a line that begins with # is a row whose topic id begins with #, and not a comment."""
    return (
        len(fields) == len(_words(by, len(fields)))
        and fields[0] != b"#"
        and number_of(fields[-1]) is not None
    )


# ---- Python objects ---------------------------------------------------------------------------------------


def _of_object(given: Any, by: By, where: str) -> Table:
    if hasattr(given, "__arrow_c_stream__"):
        return _of_frame(given, by, where)
    values = _columns(given, by, where)
    return _table_of(values, _words(by, len(values)))


def _table_of(values: list[list[Any]], words: tuple[str, ...]) -> Table:
    topics, *names, grades = values
    return _table(words, names, lambda ids: Rows.of_lists(topics, ids, grades))


def _of_frame(frame: Any, by: By, where: str) -> Table:
    heads = columns(frame.__arrow_c_stream__())
    words = _words(by, len(IN_PARTS) if column_named(heads, NAMES["part"]) else 0)
    topic, *names, grade = (pick_named(heads, word, where) for word in words)
    return _table(words, names, lambda ids: Rows.of_stream(frame.__arrow_c_stream__(), topic, ids, grade))


def _table(words: tuple[str, ...], names: list[Any], rows_with: Callable[[Any], Rows]) -> Table:
    """A table from rows with the same topics and values; each has another column of ids as its documents."""
    table, rows = Table(words, "row"), []
    for word, ids in zip(words[1:], names, strict=False):
        try:
            rows.append(rows_with(ids))
        except Fault as fault:
            kind, row, other, text, count = fault.args
            if kind in ("null", "type") and text.startswith(b"document\t"):
                text = text.replace(b"document", word.encode(), 1)
            raise Fault(kind, row, other, text, count) from None
    table.places = list(range(1, len(rows[0]) + 1))
    table.names = [rows[0].topics, *(of_column.documents for of_column in rows)]
    table.grades = rows[0].values.tolist()
    return table


def _columns(given: Any, by: By, where: str) -> list[list[Any]]:
    if (
        isinstance(given, tuple)
        and given
        and not isinstance(given[0], str | bytes)
        and _are_columns(given, by)
    ):
        values = [column.tolist() if hasattr(column, "tolist") else list(column) for column in given]
        if len({len(column) for column in values}) > 1:
            lengths = zip(_words(by, len(values)), map(len, values), strict=True)
            said = ", ".join(f"{length} {word}s" for word, length in lengths)
            raise DataError(f"{where}: columns of different length: {said}.")
        return values
    if not isinstance(given, Iterable):
        raise DataError(
            f"{where} cannot be created from {type(given).__name__}; give a path, rows or columns of "
            f"{', '.join(COLUMNS[by])}, a data frame, or nested mappings."
        )
    rows = list(_flattened(given)) if isinstance(given, Mapping) else list(given)
    if not rows:
        raise DataError(f"{where} holds no rows.")
    words = _words(by, len(rows[0]) if isinstance(rows[0], Sequence) else 0)
    for number, row in enumerate(rows, 1):
        if isinstance(row, str | bytes) or not isinstance(row, Sequence) or len(row) < len(words):
            raise DataError(f"{where}, row {number}: {row!r} is not ({', '.join(words)}).")
    return [[row[place] for row in rows] for place in range(len(words))]


def _are_columns(given: tuple[Any, ...], by: By) -> bool:
    """Whether a tuple is columns and not rows: as many as there are names, and none of them a tuple."""
    columns = len(given) == len(_words(by, len(given)))
    return columns and all(hasattr(item, "__len__") and not isinstance(item, tuple) for item in given)


def _flattened(nested: Mapping[Any, Any], *above: Any) -> Iterator[tuple[Any, ...]]:
    for key, value in nested.items():
        if isinstance(value, Mapping):
            yield from _flattened(value, *above, key)
        else:
            yield (*above, key, value)
