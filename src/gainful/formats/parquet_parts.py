"""A run in several Parquet files: judged while it is decoded, or in passes over the files where memory would not do."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from gainful._core import Fault, Found, Rows, judge_rows, judge_stream
from gainful.errors import DataError
from gainful.formats.digests import summed
from gainful.formats.faults import explain
from gainful.formats.kinds import Kind, Progress
from gainful.formats.layouts import pick
from gainful.formats.parts import Parts
from gainful.formats.pending import How, PendingHeld

if TYPE_CHECKING:
    from gainful.formats.runs import Run

MEMORY = 1 << 30
"""Bytes of rows that are held at once; where topics are scattered over more, the files are read several times."""

_OVERHEAD = 24  # bytes that a row takes beside its ids


class Tables:
    """Parquet files as one Arrow stream, decoded as it is read.

    bucket  only the topics of this bucket, of so many: (1, 4) is the second quarter of them
    """

    def __init__(self, source: Parts, kind: Kind, bucket: tuple[int, int] = (0, 1)) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        self.source, self.bucket = source, bucket
        self.files = []
        for path in source.paths:
            try:
                self.files.append(parquet.ParquetFile(path))
            except (pa.ArrowException, OSError) as fault:
                raise DataError(f"{path} is not a Parquet file that can be read: {fault}.") from None
        try:
            self.names = _names(self.files[0].schema_arrow.names, kind)
        except DataError as fault:
            raise DataError(f"{source.paths[0]}: {fault}") from None
        self.schema = pa.schema([self.files[0].schema_arrow.field(name) for name in self.names])
        self._capsule = pa.RecordBatchReader.from_batches(self.schema, self._batches())

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._capsule.__arrow_c_stream__(requested_schema)

    @property
    def size(self) -> int:
        """Bytes that the rows would take in memory, about."""
        columns = (
            group.column(place).total_uncompressed_size
            for file in self.files
            for group in (file.metadata.row_group(number) for number in range(file.metadata.num_row_groups))
            for place in range(group.num_columns)
        )
        # Topics that repeat are stored once: they are counted as if each were as long as a document.
        rows = sum(int(file.metadata.num_rows) for file in self.files)
        return 2 * int(sum(columns)) + _OVERHEAD * rows

    def _batches(self) -> Iterator[Any]:
        counts = self.source.chain.counts
        counts.clear()
        for path, file in zip(self.source.paths, self.files, strict=True):
            counts.append(0)
            for batch in file.iter_batches(batch_size=1 << 15, columns=list(self.names)):
                counts[-1] += batch.num_rows
                if batch.schema != self.schema:
                    batch = _cast(batch, self.schema, path)  # noqa: PLW2901 (the same rows)
                yield batch if self.bucket[1] == 1 else self._of_bucket(batch)

    def _of_bucket(self, batch: Any) -> Any:
        import pyarrow.compute as pc

        number, count = self.bucket
        topics = batch.column(0).dictionary_encode()
        wanted = [_hash(topic) % count == number for topic in topics.dictionary.to_pylist()]
        return batch.filter(pc.take(wanted, topics.indices))


class PendingTables(PendingHeld):
    """A run in several Parquet files: read when its turn comes."""

    def __init__(self, run: Run, how: How, source: Parts) -> None:
        super().__init__(run, how)
        self.source = source

    def finish(self, progress: Progress | None = None) -> Found:
        """Judges the topics as they come, where each stands together; else from memory, as much at once as may be held."""
        if progress:
            progress(self.run.name, 0, self.source.size)
        try:
            return self._at_once() or self._in_passes()
        except Fault as fault:
            raise explain(*self.source.place(fault, "row"), "run", unit="row") from None
        finally:
            self.cancel()

    def _at_once(self) -> Found | None:
        judgments, ties, duplicates, threads, drop_self = self.how
        tables = Tables(self.source, "run")
        return judge_stream(
            judgments.index,
            tables.__arrow_c_stream__(),
            tables.names,
            ties=ties,
            duplicates=duplicates,
            threads=threads,
            drop_self=drop_self,
        )

    def _in_passes(self) -> Any:
        count = -(-Tables(self.source, "run").size // MEMORY)
        found = [one for number in range(count) if (one := self._pass(number, count)) is not None]
        return found[0] if count == 1 else joined(found)

    def _pass(self, number: int, count: int) -> Found | None:
        judgments, ties, duplicates, threads, drop_self = self.how
        tables = Tables(self.source, "run", (number, count))
        try:
            rows = Rows.of_stream(tables.__arrow_c_stream__(), *tables.names)
        except Fault as fault:
            if fault.kind == "empty" and count > 1:
                return None
            raise
        return judge_rows(
            judgments.index, rows, ties=ties, duplicates=duplicates, threads=threads, drop_self=drop_self
        )

    def cancel(self) -> None:
        """The files are closed."""
        self.source.close()


class Joined(NamedTuple):
    """What was found in passes, as `Found` has it."""

    offsets: Any
    row: Any
    rank: Any
    first: Any
    last: Any
    retrieved: Any
    present: Any
    extra: list[bytes]
    rows: int
    tag: bytes
    digest: str


def joined(passes: list[Found]) -> Joined:
    """What was found of different topics, as one."""
    import numpy as np

    from gainful._core.plain import topic_order

    lengths = [np.diff(one.offsets) for one in passes]
    topics = np.concatenate([np.repeat(np.arange(len(each)), each) for each in lengths])
    order = np.argsort(topics, kind="stable")
    row, rank, first, last = (
        np.concatenate([getattr(one, name) for one in passes])[order]
        for name in ("row", "rank", "first", "last")
    )
    return Joined(
        np.concatenate(([0], np.cumsum(sum(lengths)))),
        *(row, rank, first, last),
        sum(one.retrieved for one in passes),
        np.any([one.present for one in passes], axis=0),
        sorted((topic for one in passes for topic in one.extra), key=topic_order),
        sum(one.rows for one in passes),
        b"",
        summed(one.digest for one in passes),
    )


def _names(found: list[str], kind: Kind) -> tuple[str, str, str]:
    topic, document, value, ranked = pick(found, kind)
    if ranked:
        raise DataError("there are ranks and no scores; add a column score (for example minus the rank).")
    return topic, document, value


def _cast(batch: Any, schema: Any, path: str) -> Any:
    import pyarrow as pa

    try:
        return pa.RecordBatch.from_arrays(
            [column.cast(field.type) for column, field in zip(batch, schema, strict=True)], schema=schema
        )
    except pa.ArrowException as fault:
        raise DataError(f"{path}: its columns are not of the types of the first file: {fault}.") from None


def _hash(topic: Any) -> int:
    return zlib.crc32(topic if isinstance(topic, bytes) else str(topic).encode("utf-8", "surrogateescape"))
