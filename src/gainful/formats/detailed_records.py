"""Files whose values have names, as records or nested mappings: for judgments that say more than a grade."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from gainful.errors import DataError
from gainful.formats.ids import unshown
from gainful.formats.records import BLANKS, LIMIT, csv_rows, json_lines, whole_json
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
    names: list[str] | None = None
    for line, row in csv_rows(source, separator):
        if names is None:
            names = None if row[0].startswith("#") else row  # comments may stand before the names
        elif len(row) != len(names):
            raise DataError(f"{source.at(line)}: {len(row)} columns where {len(names)} are expected.")
        else:
            yield line, dict(zip(names, (field.strip(BLANKS) for field in row), strict=True))


def _unshown(found: Any) -> Any:
    """Ids as they are, at any depth, where `shown` had to write their bytes."""
    if isinstance(found, dict):
        return {unshown(key): _unshown(value) for key, value in found.items()}
    return unshown(found) if isinstance(found, str) else found
