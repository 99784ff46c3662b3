"""Records from files: JSON lines, CSV or Parquet, plain or compressed, each with the place where it stands."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from gainful.errors import DataError
from gainful.formats.ids import shown
from gainful.formats.sources import Source

Progress: TypeAlias = Callable[[str, int, int | None], None]
"""Told now and then, while a file is read: its name, bytes read, bytes in all (None where that is not known)."""

LONGEST = 64 << 20
"""Bytes of a line; what is longer is no document."""

_EVERY = 1000  # records between two reports of progress
_COMPRESSED = (".gz", ".bz2", ".xz", ".zst")


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
    ending = _ending(path)
    with Source(path) as source:
        if ending == ".parquet" or _is_parquet(source):
            found = _parquet(source)
        elif ending in (".csv", ".tsv"):
            found = _csv(source, "\t" if ending == ".tsv" else ",")
        else:
            found = _json_lines(source)
        for number, record in enumerate(found):
            if progress and number % _EVERY == 0:
                progress(source.name, _taken(source), source.size)
            yield record


def lines(source: Source) -> Iterator[tuple[int, str]]:
    """Each line that is not blank, with its number; a byte-order mark at the start is skipped."""
    reader = _buffered(source)
    number = 0
    while raw := reader.readline(LONGEST + 1):
        number += 1
        if len(raw) > LONGEST:
            raise DataError(
                f"{source.name}, line {number}: the line is longer than 64 MiB; this is no stream of documents."
            )
        try:
            text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as fault:
            place = f"{source.name}, line {number}"
            raise DataError(
                f"{place}: byte {fault.start + 1} is not UTF-8; write the file in UTF-8."
            ) from None
        if not text.isspace():
            yield number, text


def _json_lines(source: Source) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    import msgspec

    decode = msgspec.json.Decoder().decode
    for number, line in lines(source):
        place = Place(source.name, "line", number)
        try:
            record = decode(line)
        except (msgspec.DecodeError, ValueError) as fault:
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


def _csv(source: Source, separator: str) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    csv.field_size_limit(LONGEST)
    text = io.TextIOWrapper(_buffered(source), "utf-8-sig", newline="")
    rows = csv.reader(text, delimiter=separator, strict=True)
    try:
        heads = [head.strip().lower() for head in next(rows, [])]
        if not heads:
            raise DataError(
                f"{source.name} is empty; expected a line of column names, id and text at the least."
            )
        for row in rows:
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
        raise DataError(f"{source.name}, line {rows.line_num}: this is not CSV ({fault}).") from None
    except UnicodeDecodeError:
        raise DataError(
            f"{source.name}, after line {rows.line_num}: not UTF-8; write the file in UTF-8."
        ) from None


def _parquet(source: Source) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    number = 0
    for batch in _batches(source):
        names = [str(name) for name in getattr(batch, "column_names", None) or batch.schema.names]
        columns = [batch.column(name).to_pylist() for name in names]
        for values in zip(*columns, strict=True):
            number += 1
            record = {
                name.lower(): value for name, value in zip(names, values, strict=True) if value is not None
            }
            yield Place(source.name, "row", number), record


def _batches(source: Source) -> Iterator[Any]:
    whole = isinstance(source.handle, int) and source.path != "-"
    given: Any = source.path if whole else io.BytesIO(_buffered(source).read())
    try:
        from arro3.io import read_parquet
    except ImportError:
        try:
            from pyarrow import parquet
        except ImportError:
            message = f"{source.name} is a Parquet file; reading it needs pip install 'gainful[parquet]'."
            raise DataError(message) from None

        def read_parquet(file: Any) -> Any:
            return parquet.ParquetFile(file).iter_batches()

    try:
        yield from read_parquet(given)
    except DataError:
        raise
    except Exception as fault:  # each library has its own classes for damaged files
        raise DataError(f"{source.name} is not a Parquet file that can be read: {fault}.") from None


class _Bytes(io.RawIOBase):
    """The bytes of a source, decompressed."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.read_so_far = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        handle = self.source.handle
        count = os.readv(handle, [buffer]) if isinstance(handle, int) else handle.readinto(buffer)
        self.read_so_far += count
        return count


def _buffered(source: Source) -> io.BufferedReader:
    raw = _Bytes(source)
    source.reader = raw  # type: ignore[attr-defined]
    return io.BufferedReader(raw, 1 << 18)


def _taken(source: Source) -> int:
    reader: _Bytes | None = getattr(source, "reader", None)
    return source.bytes_taken(reader.read_so_far) if reader else 0


def _is_parquet(source: Source) -> bool:
    return isinstance(source.handle, int) and source.path != "-" and os.pread(source.handle, 4, 0) == b"PAR1"


def _ending(path: str) -> str:
    stem, ending = os.path.splitext(shown(path).lower())
    return os.path.splitext(stem)[1] if ending in _COMPRESSED else ending
