"""Arrow streams in the plain twin, as in native/arrow.cpp: read and made by PyArrow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from math import isnan
from typing import Any

from gainful._core.faults import Fault
from gainful._core.plain_lines import BLANKS, ID_LIMIT, Faults
from gainful._core.plain_rows import as_id, missing_text
from gainful.errors import UsageError

BYTES = (
    "string",
    "large_string",
    "string_view",
    "binary",
    "large_binary",
    "binary_view",
    "fixed_size_binary",
)


def pyarrow() -> Any:
    """The library that reads Arrow here, where the native core needs none."""
    try:
        return import_module("pyarrow")
    except ImportError:
        raise UsageError(
            "without its native core, Gainful reads data frames and Parquet by one more package: pip install pyarrow"
        ) from None


def cells(capsule: object, names: Mapping[str, str]) -> list[list[Any]]:
    """Topics, documents and values of an Arrow stream, whose columns have these names."""
    arrow = pyarrow()
    table = arrow.RecordBatchReader._import_from_c_capsule(capsule).read_all()
    for name in names.values():
        if name not in table.column_names:
            raise KeyError(name)
    faults, lists = Faults(), []
    for role, name in names.items():
        column = table.column(table.column_names.index(name))
        kind = column.type.value_type if arrow.types.is_dictionary(column.type) else column.type
        tests = ("floating", "integer") if role == "value" else ("integer", *BYTES)
        known = any(getattr(arrow.types, f"is_{test}")(kind) for test in tests)
        if not arrow.types.is_null(kind) and (not known or (role == "value" and kind != column.type)):
            raise Fault("type", 0, 0, f"{role}\t{kind}".encode(), 1)
        if role != "value" and "string" in str(kind):  # ids need not be UTF-8
            column = arrow.chunked_array([c.cast(kind) for c in column.chunks], type=kind)
            column = column.cast("large_binary" if "large" in str(kind) else "binary")
        lists.append(column.to_pylist())
    for line, row in enumerate(zip(*lists, strict=True), 1):
        for role, cell in zip(names, row, strict=True):
            if cell is None:
                faults.note("null", line, 0, role.encode())
                break
        else:
            if isnan(row[2]):
                faults.note("nan", line, 0, b"%s\t%s" % (as_id(row[0]), as_id(row[1])))
            elif max(len(as_id(cell) or b"") for cell in row[:2]) > ID_LIMIT:
                faults.note("id", line, 0, b"")
            elif not all((as_id(cell) or b"").strip(BLANKS) for cell in row[:2]):
                faults.note("null", line, 0, missing_text(as_id(row[0]) or b"", as_id(row[1]) or b""))
    faults.check()
    return lists


def columns(capsule: object) -> list[str]:
    """Names of an Arrow stream's columns; here the capsule is used up, as pyarrow cannot look without taking it."""
    names: list[str] = pyarrow().RecordBatchReader._import_from_c_capsule(capsule).schema.names
    return names


def arrow_stream(columns: Sequence[tuple[str, str, Sequence[Any]]]) -> object:
    """Columns of text (u), bytes (z) or numbers (g) as an Arrow stream."""
    arrow = pyarrow()
    kinds = {"u": arrow.large_string(), "z": arrow.large_binary(), "g": arrow.float64()}
    arrays = [arrow.array(values, kinds[kind]) for _, kind, values in columns]
    table: object = arrow.Table.from_arrays(
        arrays, names=[name for name, _, _ in columns]
    ).__arrow_c_stream__()
    return table
