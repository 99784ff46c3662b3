"""Records from files: JSON lines, CSV or Parquet, plain or compressed, each with the place where it stands."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from gainful.errors import DataError
from gainful.formats.ids import to_bytes, unshown
from gainful.formats.records import LIMIT
from gainful.formats.sources import Source
from gainful.formats.streams import Content
from gainful.formats.types import Progress

ID = ("id", "_id", "docid", "docno", "doc_id")
"""What the id of a document may be called."""

LONGEST = 64 << 20
"""Characters of a cell in CSV; what is longer is no document."""

_EVERY = 1000  # lines between two reports of progress
_COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
_ESCAPED = re.compile("[\udc80-\udcff]")  # what stands for bytes that are not UTF-8


@dataclass(frozen=True)
class Place:
    """Where a record stands, for messages."""

    name: str
    unit: str
    number: int

    def fault(self, what: str) -> DataError:
        """An error that names the place."""
        return DataError(f"{self.name}, {self.unit} {self.number}: {what}")


def records(path: str, progress: Progress | None = None) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    """The records of a file, in order. The name says CSV (.csv, .tsv) or Parquet (.parquet); JSON lines otherwise."""
    with Source(path) as source:
        yield from records_in(source, form_of(source) or "jsonl", progress)


def form_of(source: Source) -> str | None:
    """What the name, or the first bytes, say of the content: parquet, csv or tsv; None where they say nothing."""
    ending = _ending(source.path)
    if ending == ".parquet" or source.head(4) == b"PAR1":
        return "parquet"
    return ending[1:] if ending in (".csv", ".tsv") else None


def records_in(
    source: Source, form: str, progress: Progress | None = None
) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    """The records of an open file that holds jsonl, csv, tsv or parquet."""
    if form == "parquet":
        yield from _parquet(source, progress)
    elif form in ("csv", "tsv"):
        yield from _csv(source, "\t" if form == "tsv" else ",", progress)
    else:
        yield from _json_lines(source, progress)


def given_id(place: Place, record: Mapping[str, Any], what: str, names: Sequence[str] = ID) -> str:
    """The id of a record, under one of these names; by default id, _id, docid, docno or doc_id."""
    for key in names:
        if key in record:
            value = record[key]
            if isinstance(value, str) and value.strip():
                return _whole(place, key, unshown(value))
            if isinstance(value, int) and not isinstance(value, bool):
                return str(value)
            raise place.fault(f"{key} must be a text or a whole number, and not empty; got {value!r:.60}.")
    raise place.fault(f'{what} without an id; give it one under the name "{names[0]}".')


def _whole(place: Place, key: str, name: str) -> str:
    """An id that has bytes."""
    try:
        to_bytes(name)
    except UnicodeEncodeError:
        raise place.fault(
            f"{key} {name!a:.60} is not text: half of a surrogate pair stands alone in it."
        ) from None
    return name


def given_text(place: Place, record: Mapping[str, Any], key: str) -> str:
    """A text of a record; nothing where there is none."""
    value = record.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise place.fault(f"{key} must be a text; got {value!r:.60}.")
    return value


def lines(source: Source, progress: Progress | None = None) -> Iterator[tuple[int, str]]:
    """Each line that is not blank, with its number; a byte-order mark at the start is skipped."""
    read = 0
    for number, raw in enumerate(source.lines(), 1):
        read += len(raw)
        if progress and number % _EVERY == 0:
            progress(source.name, source.bytes_taken(read), source.size)
        try:
            text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as fault:
            place = Place(source.name, "line", number)
            raise place.fault(f"byte {fault.start + 1} is not UTF-8; write the file in UTF-8.") from None
        if not text.isspace():
            yield number, text


def _json_lines(source: Source, progress: Progress | None) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    import msgspec

    decode = msgspec.json.Decoder().decode
    for number, line in lines(source, progress):
        place = Place(source.name, "line", number)
        try:
            record = decode(line)
        except (msgspec.DecodeError, ValueError, RecursionError) as fault:
            record = _with_nan(line)
            if record is None:
                raise place.fault(f"this is not JSON ({fault}); one object a line is expected.") from None
        if not isinstance(record, dict):
            raise place.fault('an object is expected, such as {"id": "d1", "text": "..."}.')
        yield place, record


def _with_nan(line: str) -> Any:
    """The record, where it is no JSON only because of NaN or Infinity, so that the value can be named; None otherwise."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _csv(
    source: Source, separator: str, progress: Progress | None
) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    others_limit = csv.field_size_limit(
        LONGEST
    )  # of the whole process: texts are longer than fields of other files
    content = Content(source.handle)
    text = io.TextIOWrapper(io.BufferedReader(content), "utf-8-sig", "surrogateescape", newline="")
    rows = csv.reader(_in_utf8(text, source.name), delimiter=separator, strict=True)
    try:
        heads = [head.strip().lower() for head in next(rows, [])]
        if not heads:
            raise DataError(
                f"{source.name} is empty; expected a line of column names, id and text at the least."
            )
        for number, row in enumerate(rows, 1):
            if progress and number % _EVERY == 0:
                progress(source.name, source.bytes_taken(content.place), source.size)
            if not row:
                continue
            place = Place(source.name, "line", rows.line_num)
            if len(row) != len(heads):
                raise place.fault(f"{len(row)} columns where the first line names {len(heads)}.")
            yield (
                place,
                {
                    head: value
                    for head, value in zip(heads, row, strict=True)
                    if value != "" or head == "text"
                },
            )
    except csv.Error as fault:
        raise Place(source.name, "line", rows.line_num).fault(f"this is not CSV ({fault}).") from None
    finally:
        csv.field_size_limit(others_limit)


def _in_utf8(text: Iterable[str], name: str) -> Iterator[str]:
    """The lines of a text as they are; the first with bytes that are not UTF-8 is a fault."""
    for number, line in enumerate(text, 1):
        if not line.isascii() and _ESCAPED.search(line):
            raise Place(name, "line", number).fault("not UTF-8; write the file in UTF-8.")
        yield line


def _parquet(source: Source, progress: Progress | None) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    """Rows as records; what is decoded is no share of the file, so that progress does not know the whole."""
    number = decoded = 0
    for batch in _batches(source):
        names = [str(name).lower() for name in batch.schema.names]
        columns = [batch.column(name).to_pylist() for name in batch.schema.names]
        for at, values in enumerate(zip(*columns, strict=True), 1):
            number += 1
            if progress and number % _EVERY == 0:
                progress(source.name, decoded + batch.nbytes * at // batch.num_rows, None)
            row = zip(names, values, strict=True)
            record = {name: value for name, value in row if value is not None or name == "text"}
            yield Place(source.name, "row", number), record
        decoded += batch.nbytes


def _batches(source: Source) -> Iterator[Any]:
    from gainful.formats.parquet import Decoded

    yield from Decoded(source.path if source.on_disk else io.BytesIO(source.read_all(LIMIT)), source.name)


def _ending(path: str) -> str:
    pure = PurePath(path.lower())
    return PurePath(pure.stem).suffix if pure.suffix in _COMPRESSED else pure.suffix
