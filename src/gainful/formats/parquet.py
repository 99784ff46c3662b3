"""Parquet through arro3 or, where that is not installed, pyarrow: the one place that knows either."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO, Literal, NamedTuple, TypeVar

from gainful._core import arrow_stream, say_on_abort
from gainful.errors import DataError, UsageError, printable
from gainful.formats.ids import shown
from gainful.formats.parquet_pages import (
    LARGEST_PAGE,
    Batches,
    TooLarge,
    Uncheckable,
    WrongHeader,
    check_headers,
    row_count,
    rows_at_once,
)
from gainful.formats.records import pick
from gainful.formats.streams import HELD_ANYHOW, HELD_TIMES
from gainful.formats.types import Kind

MISSING = "Parquet needs one more package: `pip install 'gainful[parquet]'`."
_UNCHECKABLE = "Brotli and long LZ4 pages need one more package: `pip install pyarrow`, or write the file with zstd or gzip."
_ROWS, _ROWS_OF_PYARROW = (
    1 << 12,
    1 << 15,
)  # decoded at once, where they are not wide: what is fast with each library
_OF_A_BATCH = 1 << 12  # bytes that a batch takes beside its rows
_Answer = TypeVar("_Answer")
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


class _Library(NamedTuple):
    """What decodes a file, makes a schema of fields, and a stream of a schema and batches."""

    batches: Callable[[Decoded], Iterator[Any]]
    schema: Callable[[list[Any]], Any]
    stream: Callable[[Any, Iterable[Any]], Any]


class Bound:
    """How much a file, or all files of one run, may decode to: 64 MiB and 32 times their size.

    An id that repeats is stored once, so that a small file may decode to very much.
    """

    def __init__(self, name: str, size: int) -> None:
        self.name, self.size, self.decoded = name, size, 0
        self.most = HELD_ANYHOW + HELD_TIMES * size

    def add(self, batch: Any) -> None:
        """Count a batch of rows, and raise an error where all batches together are too much."""
        self.decoded += batch.nbytes + _OF_A_BATCH
        if self.decoded > self.most:
            raise DataError(
                f"{self.name}: {self.size:,} bytes of Parquet decode to more than {self.decoded:,}, too many to hold in "
                f"memory (at most {HELD_ANYHOW >> 20} MiB and {HELD_TIMES} times the file).\n"
                "If such long or repetitive ids are intended, use TREC text."
            )


class Decoded:
    """A Parquet file as an Arrow stream, decoded while it is read, a few rows at a time; it can be read once.

    only   decode the three columns of a run or of judgments alone, if pyarrow is there, since arro3 decodes all
    bound  what it may decode to, where it is one of several files
    """

    def __init__(
        self, file: str | io.BytesIO, name: str, *, only: Kind | None = None, bound: Bound | None = None
    ) -> None:
        self.file, self.name, self.only = file, name, only
        self.fault: DataError | None = None
        self._last_words = printable(f"gainful: {self._damaged('its pages are damaged')}\n")
        self.size = self._checked_size()
        self.bound = bound or Bound(name, self.size)
        self.schema, self.library = self._careful(self._opened)

    def __iter__(self) -> Iterator[Any]:
        """Batches of rows."""
        # not kept: batches refer to this object, and the cycle would keep the file open
        batches = self.library.batches(self)
        while (batch := self._careful(partial(self._next, batches))) is not None:
            yield batch

    def _next(self, batches: Iterator[Any]) -> Any:
        batch = next(batches, None)
        if batch is not None:
            self.bound.add(batch)
        return batch

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.library.stream(self.schema, iter(self)).__arrow_c_stream__(requested_schema)

    def columns(self, kind: Kind) -> tuple[str, str, str]:
        """The names of the columns with topics, documents and values."""
        return self._columns(self.schema.names, kind)

    def _columns(self, names: Sequence[str], kind: Kind) -> tuple[str, str, str]:
        try:
            topic, document, value, ranked = pick(list(names), kind)
        except DataError as fault:
            raise DataError(f"{self.name}: {fault}") from None
        if ranked:
            raise DataError(
                f"{self.name} has ranks and no scores; add a column score (for example minus the rank)."
            )
        return topic, document, value

    def count(self) -> int:
        """How many rows the file says that it has."""
        with self._bytes() as file:
            return row_count(file, self.size)

    def asked(self, call: Callable[[], _Answer]) -> _Answer:
        """The result of a call that reads the stream; a fault in decoding, which arrives as a RuntimeError, is made readable."""
        try:
            return call()
        except RuntimeError as fault:
            raise self.fault or self._damaged(fault) from None

    def held(self) -> Any:
        """The whole table in memory, as an object that gives any number of Arrow streams."""
        return self.library.stream(self.schema, list(self)).read_all()

    def _opened(self) -> tuple[Any, _Library]:
        """The schema, and the library that decodes the file."""
        if self.only:
            with suppress(UsageError):
                return self._opened_by_pyarrow(MISSING)
        try:
            from arro3.core import RecordBatchReader, Schema
            from arro3.io import read_parquet
        except ImportError:
            return self._opened_by_pyarrow(MISSING)
        try:
            with self._bytes() as file:
                check_headers(file, self.size)
        except WrongHeader as page:
            raise self._damaged(page) from None
        except Uncheckable:
            return self._opened_by_pyarrow(f"{self.name}: {_UNCHECKABLE}")
        library = _Library(Decoded._batches_of_arro3, Schema, RecordBatchReader.from_batches)
        return read_parquet(self._whole_file()).schema, library

    def _opened_by_pyarrow(self, missing: str) -> tuple[Any, _Library]:
        try:
            from pyarrow import RecordBatchReader, schema
            from pyarrow.parquet import read_schema
        except ImportError:
            raise UsageError(missing) from None
        whole = read_schema(self._whole_file())
        names = self._columns(whole.names, self.only) if self.only else whole.names
        library = _Library(Decoded._batches_of_pyarrow, schema, RecordBatchReader.from_batches)
        return schema([field for field in whole if field.name in names]), library

    def _batches_of_arro3(self) -> Iterator[Any]:
        from arro3.io import read_parquet

        rows = self._rows_at_once(_ROWS, lambda file, rows: iter(read_parquet(file, batch_size=rows)))
        yield from read_parquet(self._whole_file(), batch_size=rows)

    def _batches_of_pyarrow(self) -> Iterator[Any]:
        from pyarrow.parquet import ParquetFile

        names = self.schema.names if self.only else None
        rows = self._rows_at_once(
            _ROWS_OF_PYARROW, lambda file, rows: ParquetFile(file).iter_batches(rows), names
        )
        with ParquetFile(self._whole_file()) as file:
            yield from file.iter_batches(rows, columns=names)

    def _rows_at_once(self, most: int, batches: Batches, names: Collection[str] | None = None) -> int:
        with self._bytes() as file:
            try:
                return rows_at_once(file, self.size, most, batches, names)
            except TooLarge as page:
                raise DataError(
                    f"{self.name}: {self.size:,} bytes of Parquet hold {page}, too many to hold in memory (at most "
                    f"{LARGEST_PAGE >> 20} MiB and 2 times the file for a page, {HELD_ANYHOW >> 20} MiB and {HELD_TIMES} "
                    "times the file for dictionaries).\nWrite it with smaller pages, or use TREC text."
                ) from None

    def _bytes(self) -> AbstractContextManager[BinaryIO]:
        return Path(self.file).open("rb") if isinstance(self.file, str) else nullcontext(self.file)

    def _whole_file(self) -> str | io.BytesIO:
        if not isinstance(self.file, str):
            self.file.seek(0)
        return self.file

    def _careful(self, call: Callable[[], _Answer]) -> _Answer:
        """The result of a call to the library; its faults become our errors, and what it prints of them is dropped.

        A panic of arro3 in a damaged page cannot be caught: it aborts the process, which then ends with our sentence.
        """
        try:
            with _quiet:
                say_on_abort(self._last_words, _quiet.saved, DataError.exit_code)
                return call()
        except DataError as fault:
            self.fault = fault
            raise
        except (UsageError, MemoryError, KeyboardInterrupt, SystemExit):
            raise
        except (
            BaseException
        ) as fault:  # each library has classes of its own; a panic of arro3 is no Exception
            self.fault = self._damaged(fault)
            raise self.fault from None
        finally:
            say_on_abort("", -1, 0)

    def _damaged(self, fault: object) -> DataError:
        said = shown(str(fault))
        said = f"{said[:200]}…" if len(said) > 200 else said.removesuffix(".")
        return DataError(f"{self.name} is not a readable Parquet file: {said}.")

    def _checked_size(self) -> int:
        """Bytes of the file, if it ends as Parquet does: with a footer, how long that is, and the four letters again."""
        try:
            with self._bytes() as opened:
                size = opened.seek(0, io.SEEK_END)
                opened.seek(max(0, size - 8))
                end = opened.read()
        except OSError as fault:
            raise DataError(f"{self.name} cannot be read: {fault.strerror}.") from None
        if end[4:] != b"PAR1" or int.from_bytes(end[:4], "little") + 12 > size:
            raise self._damaged("its end is missing; it is cut short or damaged")
        return size


class _Quiet:
    """While any thread is inside, what is written to standard error by its number is dropped."""

    def __init__(self) -> None:
        self.lock, self.inside, self.saved = Lock(), 0, -1

    def __enter__(self) -> None:
        with self.lock:
            self.inside += 1
            if self.inside == 1:
                nowhere = os.open(os.devnull, os.O_WRONLY)
                self.saved = os.dup(2)
                os.dup2(nowhere, 2)
                os.close(nowhere)

    def __exit__(self, *exception: object) -> None:
        with self.lock:
            self.inside -= 1
            if self.inside == 0:
                os.dup2(self.saved, 2)
                os.close(self.saved)


_quiet = _Quiet()
