r"""Columns and records with named values, and triples, as rows: what readers of several formats share.

In JSON an id that is not UTF-8 is written with `\xNN` for each such byte, and read back as those bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from gainful._core import Rows
from gainful.errors import DataError
from gainful.formats.fault_messages import LONGEST_ID
from gainful.formats.ids import shown, to_bytes, unshown
from gainful.formats.sources import Source
from gainful.formats.types import WHAT, Kind

TOPIC = ("topic", "query_id", "qid", "query-id", "topic_id", "query", "q_id", "queryid")
DOCUMENT = (
    "document",
    "doc_id",
    "docno",
    "corpus-id",
    "docid",
    "document_id",
    "doc",
    "pid",
    "corpus_id",
    "_id",
)
GRADE = ("grade", "relevance", "rel", "label", "rating", "score", "judgment", "judgement")
SCORE = ("score", "sim", "similarity")
RANK = ("rank",)
NAMES = {
    "topic": TOPIC,
    "subtopic": ("subtopic", "subtopic_id", "iteration", "iter"),
    "judge": ("judge", "assessor", "annotator", "rater", "group", "iteration", "iter"),
    "part": ("part", "subgroup"),
    "document": DOCUMENT,
    "grade": GRADE,
    "level": ("level", *GRADE),
}
"""Of the columns of judgments by subtopic, by judge, or of preferences."""

LIMIT = 4 << 30
"""Bytes of content read into memory at once; larger files are refused before they fill it."""

BLANKS = " \t\r"
"""Stripped from both ends of a text field, as the core does."""

LONGEST_ROW = 1 << 20
"""Most bytes of a row of CSV; the core has the same limit for lines."""

Records = list[tuple[int, dict[str, Any]]]
"""Records with the line, or the row, that each is on."""


def pick(names: list[str], kind: Kind) -> tuple[str, str, str, bool]:
    """The names of the columns of topic, document and value, and whether the value is a rank.

    >>> pick(["qid", "docno", "rank", "score"], "run")
    ('qid', 'docno', 'score', False)
    """
    values = SCORE if kind == "run" else GRADE
    topic, document = _column(names, TOPIC, kind), _column(names, DOCUMENT, kind)
    if kind == "run" and not column_named(names, SCORE) and column_named(names, RANK):
        return topic, document, _column(names, RANK, kind), True
    return topic, document, _column(names, values, kind), False


def pick_named(heads: list[str], word: str, where: str) -> str:
    """The name of the column for topics, documents, grades or what else the word says."""
    name = column_named(heads, NAMES[word])
    if name is not None:
        return name
    raise DataError(
        f"{where}: no column named {' or '.join(NAMES[word][:3])} among {', '.join(map(shown, heads))}; "
        "rename the right one."
    )


def _column(names: list[str], accepted: tuple[str, ...], kind: Kind) -> str:
    column = column_named(names, accepted)
    if column is None:
        raise DataError(
            f"{WHAT[kind]}: no column named {accepted[0]} (or {', '.join(accepted[1:4])}) among {', '.join(map(shown, names))}; "
            "rename the right one."
        )
    return column


def column_named(names: list[str], accepted: tuple[str, ...]) -> str | None:
    """The first of the accepted names that a column has, spelled as in the file; case does not matter."""
    plain = {name.strip().strip('"').lower(): name for name in reversed(names)}
    return next((plain[name] for name in accepted if name in plain), None)


def header_separator(line: bytes) -> str | None:
    r"""The separator of column names in a first line; None if none of them names the column of topics.

    >>> header_separator(b"topic,document,grade"), header_separator(b"q1 0 d7 2")
    (',', None)
    """
    return next(
        (mark for mark in ("\t", ",", ";") if mark.encode() in line and names_topics(line, mark)), None
    )


def names_topics(line: bytes, separator: str) -> bool:
    """Whether one of the fields is a name of the column of topics."""
    fields = line.decode("utf-8", "surrogateescape").split(separator)
    return not {field.strip().strip('"').lower() for field in fields}.isdisjoint(TOPIC)


def csv_rows(source: Source, separator: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of CSV, each with the line it ends on; a row longer than LONGEST_ROW is refused before it is read whole."""
    import csv

    taken = 0  # bytes of the row that is being read

    def lines() -> Iterator[str]:
        nonlocal taken
        for number, line in enumerate(source.lines(LONGEST_ROW), 1):
            taken += len(line)
            if taken > LONGEST_ROW:
                raise DataError(
                    f"{source.at(number)}: a row longer than {LONGEST_ROW >> 20} MiB; is a quotation mark not closed?"
                )
            yield line.decode("utf-8", "surrogateescape")

    reader = csv.reader(lines(), delimiter=separator, strict=True, skipinitialspace=True)
    try:
        for row in reader:
            taken = 0
            if separator.join(row).strip(BLANKS):
                yield reader.line_num, row
    except csv.Error as fault:
        raise DataError(f"{source.at(reader.line_num)}: {fault}.") from None


def collected(triples: Iterable[tuple[Any, Any, Any]], source: Source, kind: Kind) -> Rows:
    """The rows of (topic, document, value); a file without any is refused."""
    topics, documents, values = [], [], []
    for topic, document, value in triples:
        topics.append(topic)
        documents.append(document)
        values.append(value)
    if not topics:
        raise DataError(f"{source.name} holds no rows of {WHAT[kind]}.")
    return Rows.of_lists(topics, documents, values)


def from_records(records: Any, source: Source, kind: Kind, unit: str) -> Iterator[tuple[Any, Any, Any]]:
    """Topic, document and value of each record; the names in the first one say which these are."""
    names: tuple[str, str, str, bool] | None = None
    for number, record in records:
        if not isinstance(record, dict):
            raise DataError(
                f"{source.at(number, unit)}: expected an object with named values, not {record!r:.60}."
            )
        if names is None:
            try:
                names = pick(list(record), kind)
            except DataError as fault:
                raise DataError(f"{source.at(number, unit)}: {fault}") from None
        topic, document, value, ranked = names
        try:
            score_or_grade = record[value]
            if ranked:
                score_or_grade = -as_number(score_or_grade, source, number, unit)
            elif isinstance(score_or_grade, bool):
                raise no_number(score_or_grade, source, number, unit)
            yield as_id(record[topic], source), as_id(record[document], source), score_or_grade
        except KeyError as missing:
            raise DataError(f"{source.at(number, unit)}: {missing} is missing.") from None


def named_records(numbered: Iterable[tuple[int, Any]], source: Source, unit: str) -> Records:
    """Records with all that they name, for judgments that say more than a grade."""
    records: Records = []
    for number, record in numbered:
        if not isinstance(record, dict):
            raise DataError(
                f"{source.name}, {unit} {number}: expected an object with named values, not {record!r:.60}."
            )
        records.append((number, ids_as_they_are(record)))
    if not records:
        raise DataError(f"{source.name} holds no rows of judgments.")
    return records


def ids_as_they_are(content: Any) -> Any:
    """Undo `shown` for all ids in the content, at any depth."""
    if isinstance(content, dict):
        return {unshown(key): ids_as_they_are(value) for key, value in content.items()}
    return unshown(content) if isinstance(content, str) else content


def as_id(id_: Any, source: Source) -> Any:
    """An id as it is where `shown` had to write its bytes; one that is too long is refused."""
    if not isinstance(id_, str):
        return id_
    if len(id_) > LONGEST_ID:
        raise DataError(f"{source.name}: an id longer than {LONGEST_ID:,} bytes, '{shown(id_[:60])}…'.")
    return unshown(id_)


def as_number(value: Any, source: Source, place: int, unit: str) -> float:
    """A value that must be a number."""
    number: float | None
    try:
        number = number_of(to_bytes(value)) if isinstance(value, str) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None:
        raise no_number(value, source, place, unit)
    return number


def no_number(value: Any, source: Source, place: int, unit: str) -> DataError:
    """What to say of a value that is no number."""
    return DataError(f"{source.at(place, unit)}: {value!r:.60} is not a number.")


def number_of(field: bytes) -> float | None:
    """The number that a field of text is, as the core reads it: no digits of other scripts, and no 1_000."""
    try:
        return None if b"_" in field else float(field)
    except ValueError:
        return None
