"""Files whose values have names, as records or nested mappings: for judgments that say more than a grade."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from gainful.errors import DataError
from gainful.formats.ids import unshown
from gainful.formats.records import BLANKS, LIMIT, json_lines, whole_json
from gainful.formats.sources import Source

Records = list[tuple[int, dict[str, Any]]]
"""Each with its line, or its number."""


def read_named(source: Source, layout: str, separator: str) -> tuple[Any, str]:
    """What an open file holds, and what a place in it counts: records, a nested mapping, or an Arrow stream."""
    if layout == "parquet":
        return _parquet(source), "row"
    if layout == "json":
        return _json(source)
    found = json_lines(source) if layout == "jsonl" else _csv(source, separator)
    return _records(found, source, "line"), "line"


def _parquet(source: Source) -> Any:
    """The table in memory; it is gone through once for each column."""
    from gainful.formats.parquet import Decoded

    table = Decoded(io.BytesIO(source.read_all(LIMIT)), source.name)
    return table.asked(table.held)


def _json(source: Source) -> tuple[Any, str]:
    whole, _ = whole_json(source)
    if isinstance(whole, list):
        return _records(enumerate(whole, 1), source, "record"), "record"
    return _unshown(whole), "row"


def _records(found: Any, source: Source, unit: str) -> Records:
    made: Records = []
    for number, record in found:
        if not isinstance(record, dict):
            raise DataError(
                f"{source.name}, {unit} {number}: expected an object with named values, not {record!r:.60}."
            )
        made.append((number, _unshown(record)))
    if not made:
        raise DataError(f"{source.name} holds no rows of judgments.")
    return made


def _csv(source: Source, separator: str) -> Iterator[tuple[int, dict[str, Any]]]:
    import csv

    text = io.TextIOWrapper(source.raw(), "utf-8-sig", "surrogateescape", newline="")
    reader = csv.reader(text, delimiter=separator, strict=True, skipinitialspace=True)
    names: list[str] | None = None
    try:
        for row in reader:
            if not row or row[0].startswith("#"):
                continue
            if names is None:
                names = row
            elif len(row) < len(names):
                raise DataError(f"{source.name}, line {reader.line_num}: {len(row)} columns, too few.")
            else:
                yield reader.line_num, dict(zip(names, (field.strip(BLANKS) for field in row), strict=False))
    except csv.Error as fault:
        raise DataError(f"{source.name}, line {reader.line_num}: {fault}.") from None


def _unshown(found: Any) -> Any:
    """Ids as they are, at any depth, where `shown` had to write their bytes."""
    if isinstance(found, dict):
        return {unshown(key): _unshown(value) for key, value in found.items()}
    return unshown(found) if isinstance(found, str) else found
