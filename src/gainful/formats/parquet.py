"""Parquet through arro3 or, where that is not installed, pyarrow: the one place that knows either."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
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
    write_parquet(Table(columns), file, compression="zstd(3)", key_value_metadata=dict(metadata))
    return file.getvalue()


def _written_by_pyarrow(columns: Sequence[Column], metadata: Mapping[str, str]) -> bytes:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise UsageError(MISSING) from None
    file = io.BytesIO()
    table = pa.table(Table(columns)).replace_schema_metadata(dict(metadata))
    parquet.write_table(table, file, compression="zstd")
    return file.getvalue()


def stream(file: str | io.BytesIO, name: str) -> Any:
    """The columns of a Parquet file, as an object with an Arrow stream."""
    try:
        try:
            from arro3.io import read_parquet
        except ImportError:
            return _stream_of_pyarrow(file)
        return read_parquet(file, batch_size=1 << 16)
    except (UsageError, MemoryError, KeyboardInterrupt, SystemExit):
        raise
    except (
        BaseException
    ) as fault:  # each library has its own classes for a damaged file; a panic of arro3 is no Exception
        raise DataError(f"{name} is not a Parquet file that can be read: {fault}.") from None


def _stream_of_pyarrow(file: str | io.BytesIO) -> Any:
    try:
        from pyarrow import parquet
    except ImportError:
        raise UsageError(MISSING) from None
    return parquet.read_table(file)
