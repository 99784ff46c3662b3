"""Faults that the core found, as sentences: where, what, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainful.errors import DataError
from gainful.formats.ids import from_bytes, shown

if TYPE_CHECKING:
    from gainful._core import Fault

COLUMNS = {
    "run": "topic, Q0, document, rank, score, tag",
    "qrels": "topic, iteration, document, grade",
    "subtopics": "topic, subtopic, document, grade",
    "judges": "topic, judge, document, grade",
    "preferences": "topic, judge, document, level",
}
VALUE = {kind: columns.split(", ")[-1] for kind, columns in COLUMNS.items()} | {"run": "score"}
LONGEST_SHOWN = 60
LONGEST_ID = 4 << 10
"""Bytes of an id in a file of text; the core and the reader of CSV refuse longer ones."""
IDS_WITH_BLANKS = (
    "If an id contains a space, write the file as CSV or Parquet with column names "
    "(topic, document, score or grade)."
)


def explain(fault: Fault, where: str, kind: str, *, unit: str = "line", columns: str = "") -> DataError:
    """The error to show for a fault in the run or judgments called `where`; places are lines, or rows in memory."""
    columns = columns or COLUMNS[kind]
    name, line, other, raw, count = fault.args
    text = shown(from_bytes(raw))
    if len(text) > LONGEST_SHOWN:
        text = text[:LONGEST_SHOWN] + "…"
    place = f"{where}, {unit} {line}" if line else where
    many = f" ({count:,} such {unit}s)" if count > 1 else ""
    value = VALUE[kind]
    match name:
        case "columns":
            most = len(columns.split(", "))
            needed = f"{most - 1} or {most}" if columns.endswith(", tag") else str(most)
            hint = f" {IDS_WITH_BLANKS}" if other > most and unit == "line" else _perhaps(kind, other, raw)
            return DataError(
                f"{place}: {other} column{'s' if other != 1 else ''} where {needed} are expected{many}.\n"
                f"Expected {columns}; nothing was evaluated.{hint}"
            )
        case "value":
            them = "them" if count > 1 else "it"
            return DataError(
                f"{place}: {value} '{text}' is not a number{many}.\nFix {them} in the file; nothing was evaluated."
            )
        case "nan":
            of = f" of {_pair(text)}" if b"\t" in raw else ""
            return DataError(
                f"{place}: {value}{of} is NaN, which cannot be ordered{many}.\nNothing was evaluated."
            )
        case "duplicate":
            first = f" and {unit} {other}" if other else ""
            return DataError(
                f"{place}{first}: {_pair(text)} is there twice{f' ({count:,} repetitions in all)' if count > 1 else ''}.\n"
                "Remove one, or choose which one counts with --duplicates first or --duplicates best (duplicates=... in Python)."
                + (
                    " If the second column names subtopics or judges, use --qrels-by."
                    if kind == "qrels"
                    else ""
                )
            )
        case "binary":
            return DataError(
                f"{place}: this is a binary file, not a {kind} file in TREC text format (plain, gz, bz2, xz, zst or lz4)."
            )
        case "empty":
            expected = f"; expected lines of {columns}" if unit == "line" else ""
            return DataError(f"{where} holds no rows{expected}.")
        case "null":
            return missing(place, raw if not line else raw.partition(b"\t")[0], many)
        case "type":
            return DataError(f"{place}: {_of_type(raw, value)}{many}.")
        case _:
            return DataError(f"{place}: {_of_line(name, text, other, columns)}".replace("(many)", many))


def missing(place: str, raw: bytes, many: str = "") -> DataError:
    """The error for a value that is missing; an id of nothing but blanks is missing, too.

    raw  topic, document or value; then TAB the topic, if the place does not tell the row
    """
    part, topic = (*(shown(from_bytes(field)) for field in raw.split(b"\t")), "")[:2]
    whose = f" of topic '{topic}'" if topic else ""
    return DataError(
        f"{place}: the {part or 'value'}{whose} is missing{many}.\n"
        "Fill it in, or remove the row; nothing was evaluated."
    )


def _of_line(name: str, text: str, other: int, columns: str) -> str:
    """The message for a line whose fields are not what they must be."""
    return {
        "uneven": f"{11 - other} columns, where the lines before have {other}.\n"
        f"Expected {columns}, the tag on all lines or on none; nothing was evaluated. {IDS_WITH_BLANKS}",
        "blank": f"'{text}' contains a space in a tab-separated line(many).\nNothing was evaluated. {IDS_WITH_BLANKS}",
        "rank": f"the third column of topic '{text}' is not 1, 2, 3, … ({other:,} rows), so it is unclear whether "
        "these are ranks or scores.\n"
        "Add a header line (topic, document, rank; or topic, document, score), or use "
        "--run-format marco (layout='marco' in Python) if they are ranks.",
        "id": f"an id longer than {LONGEST_ID:,} bytes(many).",
        "long": "a line longer than 1 MiB(many); this is not a file of judgments or of a run.",
    }.get(name, f"{name} {text}(many).")


def _perhaps(kind: str, columns: int, raw: bytes) -> str:
    """A hint at what a line with the wrong number of columns may be instead."""
    if kind == "run" and columns == 4:
        return " Are these judgments? A run is expected here; of both, the order is QRELS RUN."
    if columns == 1 and raw.count(b",") >= 2:
        return f" Is this CSV? It needs a header line, such as topic,document,{VALUE[kind]}."
    return ""


def _pair(text: str) -> str:
    topic, _, document = text.partition("\\x09")
    return f"document '{document}' of topic '{topic}'"


def _of_type(raw: bytes, value: str) -> str:
    """The message for a value of the wrong type; raw has its part, its type, and topic and document if known."""
    part, of_type, *ids = (shown(from_bytes(field)) for field in raw.split(b"\t"))
    what = {"value": f"the {value}", "mapping": "what should be a mapping"}.get(part, f"the {part}")
    whose = ""
    if ids:
        whose = f" of topic '{ids[0]}'" if len(ids) == 1 else f" of document '{ids[1]}' of topic '{ids[0]}'"
    expected = {"value": "a number", "mapping": "{document: value}"}.get(
        part, "text, bytes or a whole number"
    )
    return f"{what}{whose} is of type {of_type}; expected {expected}"
