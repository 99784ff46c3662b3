"""Parquet through arro3 or, where that is not installed, pyarrow: the one place that knows either."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from gainful._core import arrow_stream
from gainful.errors import DataError, UsageError

MISSING = "Parquet needs one more package: `pip install 'gainful[parquet]'`."
Column = tuple[str, Literal["u", "z", "g"], list[Any]]


class Table:
    """Columns that hand themselves out as an Arrow stream."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = columns

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return arrow_stream(list(self.columns))


def written(columns: Sequence[Column], metadata: Mapping[str, str]) -> bytes:
    """A Parquet file of columns: (name, "u" for text or "g" for numbers, values)."""
    file = io.BytesIO()
    try:
        from arro3.io import write_parquet
    except ImportError:
        return _written_by_pyarrow(columns, metadata)
    ids, numbers = _ids(columns), _numbers(columns)
    write_parquet(
        Table(columns),
        file,
        compression="zstd(1)",
        column_compression=dict.fromkeys(numbers, "uncompressed"),
        column_dictionary_enabled=dict.fromkeys([*ids, *numbers], False),
        column_encoding=dict.fromkeys(ids, "delta_length_byte_array"),
        key_value_metadata=dict(metadata),
    )
    return file.getvalue()


# What is read often should be quick to read: ids that hardly repeat gain nothing from a dictionary, and unpacking
# numbers takes longer than reading them. Such files are read in a third of the time.
def _ids(columns: Sequence[Column]) -> list[str]:
    return [name for name, kind, _ in columns if kind != "g" and name == "document"]


def _numbers(columns: Sequence[Column]) -> list[str]:
    return [name for name, kind, _ in columns if kind == "g"]


def _written_by_pyarrow(columns: Sequence[Column], metadata: Mapping[str, str]) -> bytes:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise UsageError(MISSING) from None
    file = io.BytesIO()
    table = pa.table(Table(columns)).replace_schema_metadata(dict(metadata))
    ids, numbers = _ids(columns), _numbers(columns)
    parquet.write_table(
        table,
        file,
        compression={name: "none" if name in numbers else "zstd" for name in table.column_names},
        use_dictionary=[name for name in table.column_names if name not in (*ids, *numbers)],
        column_encoding=dict.fromkeys(ids, "DELTA_LENGTH_BYTE_ARRAY") or None,
    )
    return file.getvalue()


def stream(file: str | io.BytesIO, name: str) -> Any:
    """The columns of a Parquet file, as an object with an Arrow stream."""
    try:
        if not _has_its_end(file):  # arro3 would print where it gave up
            raise ValueError("its end is missing; it is cut short or damaged")
        try:
            from arro3.io import read_parquet
        except ImportError:
            return _stream_of_pyarrow(file)
        return read_parquet(file, batch_size=1 << 15)
    except (UsageError, MemoryError, KeyboardInterrupt, SystemExit):
        raise
    except (
        BaseException
    ) as fault:  # each library has its own classes for a damaged file; a panic of arro3 is no Exception
        raise DataError(f"{name} is not a Parquet file that can be read: {fault}.") from None


def _has_its_end(file: str | io.BytesIO) -> bool:
    """Whether it ends as Parquet does: with a footer, how long that is, and the four letters again."""
    if isinstance(file, str):
        with Path(file).open("rb") as opened:
            size = opened.seek(0, io.SEEK_END)
            opened.seek(max(0, size - 8))
            end = opened.read()
    else:
        size, end = len(file.getbuffer()), bytes(file.getbuffer()[-8:])
    return end[4:] == b"PAR1" and int.from_bytes(end[:4], "little") + 12 <= size


def _stream_of_pyarrow(file: str | io.BytesIO) -> Any:
    try:
        from pyarrow import parquet
    except ImportError:
        raise UsageError(MISSING) from None
    return parquet.read_table(file)
