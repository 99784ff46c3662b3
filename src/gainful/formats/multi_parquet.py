"""A run in several Parquet files: judged while it is decoded, or in several passes if it does not fit into memory."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from gainful._core import Fault, Found, Rows, judge_stream
from gainful.errors import DataError
from gainful.formats.fault_messages import explain
from gainful.formats.ids import shown
from gainful.formats.multi_file import Parts
from gainful.formats.parquet import too_large
from gainful.formats.parquet_pages import TooLarge, rows_at_once
from gainful.formats.records import pick
from gainful.formats.rows import summed
from gainful.formats.run_queue import How, PendingInMemory
from gainful.formats.sources import unreadable
from gainful.formats.types import Kind, Progress

if TYPE_CHECKING:
    from gainful.formats.runs import Run

MEMORY = 1 << 30
"""Bytes of rows in memory at once; if topics are scattered over more, the files are read several times."""

_ROWS = 1 << 15  # decoded at once, where they are not wide
_OVERHEAD = 24  # bytes that a row takes beside its ids
_SAMPLED = 16  # files whose first rows tell how wide rows are

_Answer = TypeVar("_Answer")


class Tables:
    """Parquet files as one Arrow stream, decoded as it is read.

    bucket  only the topics of this bucket, of so many: (1, 4) is the second quarter of them
    """

    def __init__(self, source: Parts, kind: Kind, bucket: tuple[int, int] = (0, 1)) -> None:
        import pyarrow as pa

        self.source, self.bucket, self.fault = source, bucket, ""
        self.count = 0
        self._columns = []
        fields: list[Any] = []
        for path in source.paths:
            try:
                with _file(path) as file:
                    self.count += int(file.metadata.num_rows)
                    self._columns.append(_names(file.schema_arrow.names, kind))
                    fields = fields or [file.schema_arrow.field(name) for name in self._columns[0]]
            except (pa.ArrowException, OSError) as fault:
                raise DataError(f"{shown(path)} is not a readable Parquet file: {fault}.") from None
            except DataError as fault:
                raise DataError(f"{shown(path)}: {fault}") from None
        self.names = self._columns[0]
        self.schema = pa.schema(fields)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        import pyarrow as pa

        # not kept: it refers to this object, and the cycle would keep the file open as long as the process runs
        reader = pa.RecordBatchReader.from_batches(self.schema, self._batches())
        return reader.__arrow_c_stream__(requested_schema)

    @property
    def size(self) -> int:
        """Bytes that the rows would take in memory, estimated from the first rows of some files.

        Footers do not say: an id that repeats is stored once.
        """
        heads: list[Any] = []
        every = -(-len(self.source.paths) // _SAMPLED)
        for path, names in zip(self.source.paths[::every], self._columns[::every], strict=True):
            with _file(path) as file:
                rows = min(1 << 12, _rows_at_once(path, names))
                heads += islice(file.iter_batches(rows, columns=list(names)), 1)
        wide = sum(_nbytes(column) for batch in heads for column in batch.columns)
        return int(self.count * (_OVERHEAD + wide / max(1, sum(batch.num_rows for batch in heads))))

    def rows(self) -> Rows:
        """All rows of the bucket, in memory."""
        return self.asked(lambda: Rows.of_stream(self.__arrow_c_stream__(), *self.names))

    def asked(self, call: Callable[[], _Answer]) -> _Answer:
        """The result of a call that reads the stream; a fault in decoding, which arrives as a RuntimeError, is made readable."""
        try:
            return call()
        except RuntimeError as fault:
            raise DataError(
                self.fault or f"{self.source.name} is not a readable Parquet file: {fault}."
            ) from None

    def in_files(self, fault: Fault) -> Fault:
        """A fault in a row of the bucket, with the row number counted in all files."""
        import numpy as np

        kind, *numbers, text, count = fault.args
        in_files = dict.fromkeys(numbers, 0)
        seen = before = 0
        for batch in self._whole():
            places = np.flatnonzero(self._in_bucket(batch))
            for number in numbers:
                if seen < number <= seen + len(places):
                    in_files[number] = before + int(places[number - seen - 1]) + 1
            seen, before = seen + len(places), before + batch.num_rows
        return Fault(kind, *(in_files[number] for number in numbers), text, count)

    def _batches(self) -> Iterator[Any]:
        for batch in self._whole():
            yield batch if self.bucket[1] == 1 else batch.filter(self._in_bucket(batch))

    def _whole(self) -> Iterator[Any]:
        """The rows of all files, counted for each file."""
        import pyarrow as pa

        counts, self.source.chain.unit = self.source.chain.counts, "row"
        counts.clear()
        for path, names in zip(self.source.paths, self._columns, strict=True):
            counts.append(0)
            try:
                with _file(path) as file:
                    for batch in file.iter_batches(_rows_at_once(path, names), columns=list(names)):
                        counts[-1] += batch.num_rows
                        yield _cast(batch.select(names), self.schema)
            except (pa.ArrowException, OSError) as fault:
                self.fault = f"{shown(path)} cannot be read, or has columns of other types than the first file: {fault}."
                raise

    def _in_bucket(self, batch: Any) -> Any:
        """Which rows are in the bucket; a missing topic belongs to one, too, so that it is reported."""
        import pyarrow.compute as pc

        number, count = self.bucket
        topics = batch.column(0).dictionary_encode(null_encoding="encode")
        in_bucket = [_hash(topic) % count == number for topic in topics.dictionary.to_pylist()]
        return pc.take(in_bucket, topics.indices)


def _rows_at_once(path: str, names: tuple[str, ...]) -> int:
    with Path(path).open("rb") as file:
        size = file.seek(0, io.SEEK_END)
        try:
            return rows_at_once(file, size, _ROWS, lambda part, rows: _file(part).iter_batches(rows), names)
        except TooLarge as page:
            raise too_large(shown(path), page, size) from None


def _file(path: str | io.BytesIO) -> Any:
    """The open file; closed after reading, since there may be more files than may be open at once."""
    from pyarrow import parquet

    return parquet.ParquetFile(path)


class PendingTables(PendingInMemory):
    """A run in several Parquet files: read when its turn comes."""

    def __init__(self, run: Run, how: How, source: Parts) -> None:
        super().__init__(run, how)
        self.source = source

    def finish(self, progress: Progress | None = None) -> Found:
        """Judge each topic as it is read, if its rows are together; otherwise from memory, in as many passes as needed."""
        if progress:
            progress(self.run.name, 0, self.source.size)
        try:
            return self._at_once() or self._in_passes()
        except Fault as fault:
            raise explain(*self.source.place(fault, "row"), "run", unit="row") from None
        except OSError as fault:
            raise unreadable(self.source.name, fault) from None
        finally:
            self.cancel()

    def _at_once(self) -> Found | None:
        judgments, rules, threads = self.how
        tables = Tables(self.source, "run")
        return tables.asked(
            lambda: judge_stream(
                judgments.index,
                tables.__arrow_c_stream__(),
                tables.names,
                **rules._asdict(),
                threads=threads,
            )
        )

    def _in_passes(self) -> Any:
        count = -(-Tables(self.source, "run").size // MEMORY)
        if count <= 1:  # none where there are no rows
            return self.judged(Tables(self.source, "run").rows())
        passes, faults = [], []
        for number in range(count):
            tables = Tables(self.source, "run", (number, count))
            try:
                passes.append(self.judged(tables.rows()))
            except Fault as fault:
                if fault.kind != "empty":
                    faults.append(tables.in_files(fault))
        if faults:
            raise _first_of(faults)
        return joined(passes)

    def cancel(self) -> None:
        """Close the files."""
        self.source.close()


class Joined(NamedTuple):
    """The judged documents of several passes, with the fields of `Found`."""

    offsets: Any
    row: Any
    rank: Any
    first: Any
    last: Any
    retrieved: Any
    present: Any
    close_topic: Any
    close_first: Any
    close_last: Any
    top: Any
    dropped: int
    extra: list[bytes]
    rows: int
    tag: bytes
    digest: str


class JoinedTop:
    """The top documents of several passes over different topics, with the fields of `Top`."""

    def __init__(self, tops: list[Any]) -> None:
        import numpy as np

        lengths = np.array([np.diff(top.offsets) for top in tops])
        self.offsets = np.concatenate(([0], np.cumsum(lengths.sum(axis=0))))
        where = lengths.argmax(axis=0)
        spans = [(tops[part], *tops[part].offsets[t : t + 2].tolist()) for t, part in enumerate(where)]
        for name in ("score", "row", "first", "last"):
            parts = [getattr(top, name)[start:stop] for top, start, stop in spans]
            setattr(self, name, np.concatenate(parts))
        self.names = [document for top, start, stop in spans for document in top.documents(start, stop)]

    def documents(self, start: int, stop: int) -> list[bytes]:
        """Ids of the documents at some places."""
        return self.names[start:stop]


def joined(passes: list[Found]) -> Joined:
    """The judged documents of passes over different topics, as one."""
    import numpy as np

    from gainful._core.plain import topic_order

    lengths = [np.diff(part.offsets) for part in passes]
    topics = np.concatenate([np.repeat(np.arange(len(each)), each) for each in lengths])
    order = np.argsort(topics, kind="stable")
    row, rank, first, last = (
        np.concatenate([getattr(part, name) for part in passes])[order]
        for name in ("row", "rank", "first", "last")
    )
    return Joined(
        np.concatenate(([0], np.cumsum(sum(lengths)))),
        row,
        rank,
        first,
        last,
        sum(part.retrieved for part in passes),
        np.any([part.present for part in passes], axis=0),
        np.concatenate([part.close_topic for part in passes]),
        np.concatenate([part.close_first for part in passes]),
        np.concatenate([part.close_last for part in passes]),
        JoinedTop([part.top for part in passes]),
        sum(part.dropped for part in passes),
        sorted((topic for part in passes for topic in part.extra), key=topic_order),
        sum(part.rows for part in passes),
        b"",
        summed(part.digest for part in passes),
    )


def _names(names: list[str], kind: Kind) -> tuple[str, str, str]:
    topic, document, value, ranked = pick(names, kind)
    if ranked:
        raise DataError("there are ranks and no scores; add a column score (for example minus the rank).")
    return topic, document, value


def _cast(batch: Any, schema: Any) -> Any:
    """Rows of a later file, with the names and types of the first one."""
    import pyarrow as pa

    if batch.schema == schema:
        return batch
    return pa.RecordBatch.from_arrays(
        [column.cast(field.type) for column, field in zip(batch, schema, strict=True)], schema=schema
    )


def _nbytes(column: Any) -> int:
    """Bytes of a column, repeated values counted each time."""
    import pyarrow as pa

    plain = column.dictionary_decode() if isinstance(column, pa.DictionaryArray) else column
    return int(plain.nbytes)


def _first_of(faults: list[Fault]) -> Fault:
    """The fault to report: bad values before repeated documents, then the first row; with the count of its kind."""
    first = min(faults, key=lambda fault: (fault.kind == "duplicate", fault.args[1]))
    kind, line, other, text, _ = first.args
    return Fault(kind, line, other, text, sum(fault.args[4] for fault in faults if fault.kind == kind))


def _hash(topic: Any) -> int:
    return zlib.crc32(topic if isinstance(topic, bytes) else str(topic).encode("utf-8", "surrogateescape"))
