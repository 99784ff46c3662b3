"""Tables of text, csv and tsv, with the names of the columns in the first line (also BEIR's); fields may be quoted."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from gainful._core import Rows
from gainful.errors import DataError
from gainful.formats.fault_messages import LONGEST_ID, missing
from gainful.formats.ids import from_bytes, shown, to_bytes
from gainful.formats.layouts import Layout, check_newlines, first_line
from gainful.formats.output_files import number_text, triples, value_names
from gainful.formats.records import (
    BLANKS,
    as_number,
    csv_rows,
    header_separator,
    named_records,
    names_topics,
    pick,
)
from gainful.formats.registry import Format, register
from gainful.formats.sources import Source
from gainful.formats.types import MARK, Kind

_CONTROL = re.compile(rb"[\x00-\x1f\x7f]")


def _recognise(head: bytes, *, tabs: bool) -> bool:
    separator = header_separator(first_line(head.removeprefix(MARK)))
    return separator is not None and (separator == "\t") == tabs


def _layout(head: bytes, kind: Kind, *, default: str, named: bool) -> Layout:
    text = head.removeprefix(MARK)
    check_newlines(text)
    separator, line = _separator(text, default), first_line(text)
    names = next(csv.reader([line.decode("utf-8", "surrogateescape")], delimiter=separator), [])
    layout = Layout("tsv" if separator == "\t" else "csv", separator, header=True, quoted=b'"' in text)
    if not names_topics(line, separator) and named:
        # Named as a table but without names: the columns are taken in their order.
        return replace(layout, places=(0, 1, 2), header=False, columns=max(len(names), 3))
    topic, document, value, ranked = pick(names, kind)
    places = (names.index(topic), names.index(document), names.index(value))
    return replace(layout, places=places, ranked=ranked, columns=len(names))


def _separator(text: bytes, default: str) -> str:
    """The separator of columns; csv is separated by commas unless the names in its first line are by semicolons."""
    separator = header_separator(first_line(text))
    return separator if separator is not None and (separator == "\t") == (default == "\t") else default


def _quoted(source: Source, layout: Layout) -> Iterator[tuple[Any, Any, Any]]:
    topic, document, value = layout.places
    header = layout.header
    for line, row in csv_rows(source, layout.separator):
        if header:
            header = row[0].startswith("#")  # comments may stand before the names
            continue
        if len(row) != layout.columns:
            raise DataError(f"{source.at(line)}: {len(row)} columns where {layout.columns} are expected.")
        ids = row[topic].strip(BLANKS), row[document].strip(BLANKS)
        for name, text in zip(("topic", "document"), ids, strict=True):
            if not text:
                raise missing(source.at(line), name.encode())
            if len(text) > LONGEST_ID or len(to_bytes(text)) > LONGEST_ID:
                raise DataError(f"{source.at(line)}: an id longer than {LONGEST_ID:,} bytes.")
        number = as_number(row[value], source, line, "line")
        yield *ids, -number if layout.ranked else number


def _named(source: Source, *, default: str) -> tuple[Any, str]:
    separator = _separator(source.head(line=True).removeprefix(MARK), default)
    return named_records(_records(source, separator), source, "line"), "line"


def _records(source: Source, separator: str) -> Iterator[tuple[int, dict[str, Any]]]:
    names: list[str] | None = None
    for line, row in csv_rows(source, separator):
        if names is None:
            names = None if row[0].startswith("#") else row  # comments may stand before the names
        elif len(row) != len(names):
            raise DataError(f"{source.at(line)}: {len(row)} columns where {len(names)} are expected.")
        else:
            yield line, dict(zip(names, (field.strip(BLANKS) for field in row), strict=True))


def _written(rows: Rows, kind: Kind, tag: str, *, separator: str, names: tuple[str, ...] = ()) -> bytes:  # noqa: ARG001
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    writer.writerow(names or value_names(kind))
    for topic, document, value in triples(rows):
        writer.writerow([_cell(topic), _cell(document), number_text(value)])
    return text.getvalue().encode("utf-8", "surrogateescape")


def _cell(id_: bytes) -> str:
    text = from_bytes(id_)
    if text != text.strip() or not text or text.startswith("#") or _CONTROL.search(id_):
        raise DataError(
            f"the id '{shown(text)}' cannot be written to a text table and read back; write json or parquet."
        )
    return text


for _name, _mark in (("csv", ","), ("tsv", "\t")):
    register(
        Format(
            _name,
            recognise=partial(_recognise, tabs=_mark == "\t"),
            layout=partial(_layout, default=_mark),
            quoted=_quoted,
            named=partial(_named, default=_mark),
            write=partial(_written, separator=_mark),
            endings=(f".{_name}",),
        )
    )
register(Format("beir", write=partial(_written, separator="\t", names=("query-id", "corpus-id", "score"))))
