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
    "parts": "topic, judge, part, document, level",
}
VALUE = {kind: columns.split(", ")[-1] for kind, columns in COLUMNS.items()} | {"run": "score"}
LONGEST_SHOWN = 60


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
            needed = len(columns.split(", ")) - columns.endswith(", tag")
            hint = _perhaps(kind, other, raw)
            return DataError(
                f"{place}: {other} column{'s' if other != 1 else ''} where at least {needed} are needed{many}.\n"
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
                f"{place}: {value}{of} is NaN, which has no place in an order{many}.\nNothing was evaluated."
            )
        case "duplicate":
            first = f" and {unit} {other}" if other else ""
            return DataError(
                f"{place}{first}: {_pair(text)} is there twice{f' ({count:,} repetitions in all)' if count > 1 else ''}.\n"
                "Remove one, or say which counts with --duplicates first or --duplicates best (duplicates=... in Python)."
                + (
                    " If the second column names subtopics or judges, say so with --qrels-by."
                    if kind == "qrels"
                    else ""
                )
            )
        case "long":
            return DataError(
                f"{place}: the line is longer than 1 MiB; this is not a {kind} file in TREC format."
            )
        case "binary":
            return DataError(
                f"{place}: this is a binary file, not a {kind} file in TREC text format (plain, gz, bz2, xz, zst or lz4)."
            )
        case "empty":
            expected = f"; expected lines of {columns}" if unit == "line" else ""
            return DataError(f"{where} holds no rows{expected}.")
        case "quoted":
            return DataError(f"{place}: a quoted field, which can be read from a file only, not from a pipe.")
        case "null":
            return DataError(f"{place}: {text or 'a value'} is missing (null){many}.")
        case "type":
            return DataError(f"{place}: {_of_type(raw, value)}{many}.")
        case _:
            return DataError(f"{place}: {name} {text}{many}.")


def _perhaps(kind: str, found: int, raw: bytes) -> str:
    """What a line with too few columns may be instead."""
    if kind == "run" and found == 4:
        return " Are these judgments? The order is QRELS RUN."
    if found == 1 and raw.count(b",") >= 2:
        return f" Is this CSV? It needs a first line of names, such as topic,document,{VALUE[kind]}."
    return ""


def _pair(text: str) -> str:
    topic, _, document = text.partition("\\x09")
    return f"document '{document}' of topic '{topic}'"


def _of_type(raw: bytes, value: str) -> str:
    """What has a type that cannot be used: the core names the part, the type, and the topic and document if known."""
    part, found, *ids = (shown(from_bytes(one)) for one in raw.split(b"\t"))
    what = {"value": f"the {value}", "mapping": "what should be a mapping"}.get(part, f"the {part}")
    whose = ""
    if ids:
        whose = f" of topic '{ids[0]}'" if len(ids) == 1 else f" of document '{ids[1]}' of topic '{ids[0]}'"
    wanted = {"value": "a number is", "mapping": "{document: value} is"}.get(
        part, "text, bytes or a whole number are"
    )
    return f"{what}{whose} is of type {found}; {wanted} wanted"
