"""A run in several Parquet files: judged while it is decoded, or in several passes if it does not fit into memory."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from gainful._core import Fault, Found, Rows, judge_stream
from gainful.errors import DataError, GainfulError, UsageError
from gainful.formats.fault_messages import explain
from gainful.formats.ids import shown
from gainful.formats.multi_file import Parts
from gainful.formats.parquet import Bound, Decoded
from gainful.formats.rows import summed
from gainful.formats.run_queue import How, PendingInMemory
from gainful.formats.sources import unreadable
from gainful.formats.types import Kind, Progress

if TYPE_CHECKING:
    from gainful.formats.runs import Run

MEMORY = 1 << 30
"""Bytes of rows in memory at once; if topics are scattered over more, the files are read several times."""

_OVERHEAD = 40  # bytes that a row takes beside its ids
_SAMPLED = 16  # files whose first rows tell how wide rows are

_Answer = TypeVar("_Answer")


class Tables:
    """Parquet files as one Arrow stream, decoded as it is read.

    bucket  only the topics of this bucket, of so many: (1, 4) is the second quarter of them
    """

    def __init__(self, source: Parts, kind: Kind, bucket: tuple[int, int] = (0, 1)) -> None:
        self.source, self.kind, self.bucket = source, kind, bucket
        self.fault: GainfulError | None = None
        first = Decoded(source.paths[0], shown(source.paths[0]), only=kind)
        self.names = first.columns(kind)
        self.library = first.library
        self.schema = first.library.schema(
            [first.schema.field(name).with_nullable(True) for name in self.names]
        )

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        # not kept: it refers to this object, and the cycle would keep the file open as long as the process runs
        return self.library.stream(self.schema, self._batches()).__arrow_c_stream__(requested_schema)

    @property
    def size(self) -> int:
        """Bytes that the rows would take in memory, estimated from the first rows of some files.

        Footers do not say: an id that repeats is stored once.
        """
        every = -(-len(self.source.paths) // _SAMPLED)
        seen = taken = count = size = 0
        for path in self.source.paths[::every]:
            table = Decoded(path, shown(path), only=self.kind)
            count, size = count + table.count(), size + table.size
            with suppress(Fault):  # found again, with its place, when all is read
                head = table.asked(partial(_first_rows, table, self.kind))
                seen += len(head)
                taken += sum(map(len, (*head.topics, *head.documents)))
        bound = self._bound()
        estimated = bound.size / max(1, size) * count * (_OVERHEAD + taken / max(1, seen))
        return int(min(estimated, 2 * bound.most))  # a footer may name any number of rows

    def rows(self) -> Rows:
        """All rows of the bucket, in memory."""
        return self.asked(lambda: Rows.of_stream(self.__arrow_c_stream__(), *self.names))

    def asked(self, call: Callable[[], _Answer]) -> _Answer:
        """The result of a call that reads the stream; a fault in decoding, which arrives as a RuntimeError, is made readable."""
        try:
            return call()
        except RuntimeError as fault:
            raise (
                self.fault or DataError(f"{self.source.name} is not a readable Parquet file: {fault}.")
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
        counts, self.source.chain.unit = self.source.chain.counts, "row"
        counts.clear()
        bound = self._bound()
        try:
            for path in self.source.paths:
                counts.append(0)
                table = Decoded(path, shown(path), only=self.kind, bound=bound)
                names = table.columns(self.kind)
                types = [table.schema.field(name).type for name in names]
                alike = types == [self.schema.field(name).type for name in self.names]
                for batch in table:
                    counts[-1] += batch.num_rows
                    columns = [batch.column(name) for name in names]
                    columns = columns if alike else self._cast(columns, table.name)
                    yield type(batch).from_arrays(columns, schema=self.schema)
        except GainfulError as fault:
            self.fault = fault
            raise

    def _cast(self, columns: list[Any], name: str) -> list[Any]:
        """Columns of a later file, with the types of the first one."""
        differs = f"{name} has columns of other types than the first file"
        pa = _pyarrow(differs)
        try:
            return [column.cast(field.type) for column, field in zip(columns, self.schema, strict=True)]
        except pa.ArrowException as fault:
            raise DataError(f"{differs}: {fault}.") from None

    def _bound(self) -> Bound:
        return Bound(self.source.name, self.source.size or 0)

    def _in_bucket(self, batch: Any) -> Any:
        """Which rows are in the bucket; a missing topic belongs to one, too, so that it is reported."""
        import pyarrow as pa

        number, count = self.bucket
        topics = batch.column(0).dictionary_encode(null_encoding="encode")
        in_bucket = [_hash(topic) % count == number for topic in topics.dictionary.to_pylist()]
        return pa.array(in_bucket).take(topics.indices)


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
        _pyarrow(f"{self.source.name}: topics are scattered over more rows than fit into memory")
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

    from gainful._core.plain_index import topic_order

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


def _first_rows(table: Decoded, kind: Kind) -> Rows:
    stream = table.library.stream(table.schema, islice(table, 1))
    return Rows.of_stream(stream.__arrow_c_stream__(), *table.columns(kind))


def _pyarrow(why: str) -> Any:
    try:
        import pyarrow as pa
    except ImportError:
        raise UsageError(f"{why}; this needs one more package: `pip install pyarrow`.") from None
    return pa


def _first_of(faults: list[Fault]) -> Fault:
    """The fault to report: bad values before repeated documents, then the first row; with the count of its kind."""
    first = min(faults, key=lambda fault: (fault.kind == "duplicate", fault.args[1]))
    kind, line, other, text, _ = first.args
    return Fault(kind, line, other, text, sum(fault.args[4] for fault in faults if fault.kind == kind))


def _hash(topic: Any) -> int:
    return zlib.crc32(topic if isinstance(topic, bytes) else str(topic).encode("utf-8", "surrogateescape"))
