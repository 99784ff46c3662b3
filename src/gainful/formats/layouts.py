"""How a file is laid out, told from its first bytes; what the layout promises is checked for the whole file.

trec     topic, Q0, document, rank, score, tag; or topic, iteration, document, grade; any blanks between
marco    a run of three columns: topic, document, rank; ordered by rank, since there are no scores; ranks that nobody
         named as such must be 1, 2, 3, … within each topic
columns  judgments of three columns: topic, document, grade
csv, tsv a first line with the names of the columns (those of BEIR, PyTerrier, ir_measures, Quepid, … are known)
json     {topic: {document: value}}, or a list of records
jsonl    a record a line
parquet  a table
ranx     what ranx saves as .lz4
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, get_args

from gainful.errors import DataError, UsageError
from gainful.formats import registry
from gainful.formats.ids import shown
from gainful.formats.types import MARK, Kind

Name = Literal["trec", "marco", "columns", "csv", "tsv", "json", "jsonl", "parquet", "ranx"]
NAMES: tuple[str, ...] = get_args(Name)

SNIFFED = 1 << 14
"""Bytes of the content that are looked at."""

JSON = re.compile(rb'\{\s*(?:["}]|$)|\[\s*(?:[][{"\d-]|$)')
"""How JSON that can hold rows begins: an object or a list, and then what may stand in it."""

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


@dataclass(frozen=True, slots=True)
class Layout:
    """Where topic, document and value stand in a line of text, or what their columns are called."""

    name: str
    separator: str = ""  # any run of blanks
    places: tuple[int, int, int] = (0, 0, 0)
    header: bool = False
    ranked: bool = False  # the value is a rank: the smaller, the better
    quoted: bool = False  # a quote was seen: fields may hold separators and line ends
    columns: int = 3  # of every line, where places are used
    counting: bool = (
        False  # ranks must be 1, 2, 3, … within each topic, since nothing else says that they are ranks
    )

    def described(self, kind: Kind) -> str:
        """The columns that a line must have; empty for the usual ones."""
        if self.name == "trec":
            return ""
        value = "rank" if self.ranked else "score" if kind == "run" else "grade"
        names = dict(zip(self.places, ("topic", "document", value), strict=True))
        return ", ".join(names.get(place, "…") for place in range(self.columns))

    @property
    def unit(self) -> str:
        """What a place in it counts."""
        return "line" if self.streams else "row"

    @property
    def streams(self) -> bool:
        """Whether the core reads it line by line."""
        return self.name in ("trec", "marco", "columns", "csv", "tsv") and not self.quoted


def trec(kind: Kind) -> Layout:
    """The layout that TREC has used since its beginnings."""
    return Layout("trec", places=(0, 2, 4) if kind == "run" else (0, 2, 3))


def layout_of(head: bytes, kind: Kind, name: str | None = None) -> Layout:
    r"""The layout of a file that begins with these bytes; a name decides what the bytes leave open.

    >>> layout_of(b"q1 Q0 d7 1 12.5 bm25\n", "run").name
    'trec'
    >>> layout_of(b"1048585\t7187158\t1\n", "run").name
    'marco'
    >>> layout_of(b"query-id\tcorpus-id\tscore\nq1\td7\t2\n", "qrels").places
    (0, 1, 2)
    """
    if name is not None and name not in NAMES:
        if registry.find(name) is None:
            raise UsageError(f"a layout is one of {', '.join(NAMES)}; got {name!r}.")
        return Layout(name)
    text = head.removeprefix(MARK)
    if name in ("json", "jsonl", "parquet", "ranx"):
        return Layout(name)
    if name in ("csv", "tsv"):
        return _with_header(_first_line(text), text, kind, "," if name == "csv" else "\t", named=True)
    if name == "trec":
        _check_newlines(text)
        return trec(kind)
    if name in ("marco", "columns"):
        return Layout(name, places=(0, 1, 2), ranked=name == "marco")
    return _told(head, text, kind)


def with_names(head: bytes) -> tuple[Name, str] | None:
    r"""The layout, and its separator, of a file whose values have names; None where they are told by their order.

    >>> with_names(b"topic,judge,document,grade\nq1,ann,d7,2\n"), with_names(b"q1 ann d7 2\n")
    (('csv', ','), None)
    """
    if head.startswith(b"PAR1"):
        return "parquet", ""
    text = head.removeprefix(MARK)
    start = text.lstrip()
    if JSON.match(start) and not _reads_as_rows(text):
        return _json_or_lines(start), ""
    line = _first_line(text)
    for separator in ("\t", ",", ";"):
        if separator.encode() in line and _names(line, separator) & {*TOPIC}:
            return "tsv" if separator == "\t" else "csv", separator
    return None


def _told(head: bytes, text: bytes, kind: Kind) -> Layout:
    if head.startswith(b"\x04\x22\x4d\x18"):  # still lz4 after one unpacking
        return Layout("ranx")
    if own := registry.recognised(head, installed=False):
        return Layout(own.name)
    line = _first_line(text)
    if named := with_names(head):
        name, separator = named
        return _with_header(line, text, kind, separator, named=False) if separator else Layout(name)
    _check_newlines(text)
    fields = line.split()
    if kind == "qrels" and len(fields) >= 6 and fields[1].upper() == b"Q0" and _is_number(fields[4]):
        raise DataError(
            "this looks like a run, not like judgments; the order is QRELS RUN (--qrels-format trec, "
            "layout='trec' in Python, reads it anyhow)."
        )
    if len(fields) == 3 and _is_number(fields[2]):
        run = kind == "run"
        return Layout("marco" if run else "columns", places=(0, 1, 2), ranked=run, counting=run)
    value = 4 if kind == "run" else 3
    if not (len(fields) > value and _is_number(fields[value])) and (
        own := registry.recognised(head, installed=True)
    ):
        return Layout(own.name)
    return trec(kind)


def _check_newlines(text: bytes) -> None:
    """Raise where lines end as on very old machines, so that all would be read as one."""
    if b"\n" not in text and b"\r" in text.rstrip(b"\r"):
        raise DataError("lines end in a carriage return alone; write newlines: tr '\\r' '\\n' < FILE.")


def pick(names: list[str], kind: Kind) -> tuple[str, str, str, bool]:
    """The columns that hold topic, document and value, and whether the value is a rank.

    >>> pick(["qid", "docno", "rank", "score"], "run")
    ('qid', 'docno', 'score', False)
    """
    values = SCORE if kind == "run" else GRADE
    topic, document = _one(names, TOPIC, kind), _one(names, DOCUMENT, kind)
    if kind == "run" and not column_named(names, SCORE) and column_named(names, RANK):
        return topic, document, _one(names, RANK, kind), True
    return topic, document, _one(names, values, kind), False


def _one(names: list[str], wanted: tuple[str, ...], kind: Kind) -> str:
    found = column_named(names, wanted)
    if found is None:
        what = "a run" if kind == "run" else "judgments"
        raise DataError(
            f"{what}: no column named {wanted[0]} (or {', '.join(wanted[1:4])}) among {', '.join(map(shown, names))}; "
            "rename the one that is meant."
        )
    return found


def column_named(names: list[str], wanted: tuple[str, ...]) -> str | None:
    """The first of the wanted names that is there, as it is written there; case does not matter."""
    plain = {name.strip().strip('"').lower(): name for name in reversed(names)}
    return next((plain[name] for name in wanted if name in plain), None)


def _with_header(line: bytes, text: bytes, kind: Kind, separator: str, *, named: bool) -> Layout:
    import csv

    _check_newlines(text)
    names = next(csv.reader([line.decode("utf-8", "surrogateescape")], delimiter=separator), [])
    made = Layout("tsv" if separator == "\t" else "csv", separator, header=True, quoted=b'"' in text)
    if not _names(line, separator) & {*TOPIC} and named:
        # Named as a table but without names: the columns are taken in their order.
        return replace(made, places=(0, 1, 2), header=False, columns=max(len(names), 3))
    topic, document, value, ranked = pick(names, kind)
    places = (names.index(topic), names.index(document), names.index(value))
    return replace(made, places=places, ranked=ranked, columns=len(names))


def _names(line: bytes, separator: str) -> set[str]:
    return {
        field.strip().strip('"').lower() for field in line.decode("utf-8", "surrogateescape").split(separator)
    }


def _reads_as_rows(text: bytes) -> bool:
    """Whether every whole line is a row of columns that blanks divide: three, four (a grade), five or six (a score).

    A topic may look like JSON, but not like the beginning of it: a bracket, or what a colon or a comma follows.
    """
    whole = text[: text.rfind(b"\n") + 1] or text
    rows = [line.split() for line in whole.splitlines() if line.strip()]
    return bool(rows) and all(
        3 <= len(row) <= 6
        and _is_number(row[min(len(row), 5) - 1])
        and row[0] not in (b"{", b"[")
        and not row[0].endswith((b":", b","))
        for row in rows
    )


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _first_line(text: bytes) -> bytes:
    """The first line that holds something and is no comment; a comment where there is nothing else."""
    lines = [line.rstrip(b"\r") for line in text.split(b"\n") if line.strip()]
    return next((line for line in lines if not line.startswith(b"#")), lines[0] if lines else b"")


def _json_or_lines(start: bytes) -> Name:
    """A first line that is a record on its own is one of many; anything else is one document."""
    import msgspec

    line = start.partition(b"\n")[0]
    try:
        record = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return "json"
    if (
        isinstance(record, dict)
        and record
        and not any(isinstance(value, dict | list) for value in record.values())
    ):
        return "jsonl"
    return "json"
