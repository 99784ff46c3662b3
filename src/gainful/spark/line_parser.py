"""Lines of a file, read by the worker that has them, by the rules of one machine: the same rows, or the same refusal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import Any
from urllib.parse import unquote

from gainful._core import Fault, Rows
from gainful.errors import DataError
from gainful.formats import qrels_by
from gainful.formats.fault_messages import COLUMNS
from gainful.formats.ids import from_bytes, shown, to_bytes
from gainful.formats.layouts import Layout
from gainful.formats.records import collected
from gainful.formats.registry import layout_of, named
from gainful.formats.rows import unlike
from gainful.formats.sources import LONGEST_LINE, Source
from gainful.formats.streams import BytesReader
from gainful.formats.types import MARK, By, Kind
from gainful.spark.worker_messages import line_fault

ROWS = 1 << 16
"""Rows of CSV with quoted fields that are handed on at once."""


class LineParser:
    """Lines become rows of topic, document and value; what cannot be read becomes a row that tells of it.

    path   as it was given, for messages
    by     what the second column of judgments tells apart; adds a column `aspect`, and `part` for preferences in parts
    begin  the first lines of the file. The first that is a row is read before every batch, and then dropped: what it
           says of all lines (whether there is a tag, the names in a record) holds for every batch
    """

    def __init__(self, path: str, kind: Kind, layout: Layout, by: By | None, begin: Sequence[str]) -> None:
        self.path, self.kind, self.by = path, kind, by
        self.layout = replace(layout, quoted=False)  # each file is looked at for quotation marks
        self.first, columns = self._first_row(begin)
        self.aspects = ("aspect", "part")[: max(0, columns - 3)]
        in_parts = ", ".join(qrels_by.IN_PARTS) if len(self.aspects) > 1 else ""
        self.columns = layout.described(kind) or in_parts or COLUMNS[by or kind]

    def parsed(self, batch: Any) -> Any:
        """The rows of lines that stand anywhere in a file."""
        lines = [line.removeprefix(MARK) for line in batch["line"].to_pylist()]
        return self._batch(lambda: self._columns([*self.first, *lines]), dropped=len(self.first))

    def tables(self, batches: Iterator[Any]) -> Iterator[Any]:
        """The rows of whole files of CSV; batches have the lines of a file together, in their order."""
        for file, blocks in groupby(_blocks(batches), key=itemgetter(0)):
            yield from self._table(file, (lines for _, lines in blocks))

    # ---- lines anywhere --------------------------------------------------------------------------------

    def _first_row(self, begin: Sequence[str]) -> tuple[list[bytes], int]:
        """The first line that is a row, and how many columns of it are read."""
        for line in begin:
            raw = to_bytes(line).removeprefix(MARK)
            try:
                return [raw], len(self._columns([raw]))
            except (Fault, DataError):
                continue  # a comment, or a line that a worker will refuse
        return [], 3 if self.by is None else 4

    def _columns(self, lines: list[bytes]) -> list[Any]:
        """Topics, documents, values, and what tells judgments apart."""
        layout, source = self.layout, _Lines(self.path, lines)
        if self.by is not None:
            table, fault = qrels_by.table_of_lines(source, self.by)
            if fault is not None:
                raise fault
            topics, *aspects, documents = table.names
            return [topics, documents, table.grades, *aspects]
        if layout.name == "trec":
            return _of_rows(Rows.read(source.reader(), kind=self.kind, threads=1))
        if not layout.streams:
            read = named(layout.name).read
            assert read is not None
            return _of_rows(collected(read(source, self.kind), source, self.kind))  # type: ignore[arg-type]
        return _of_rows(
            Rows.read_table(
                source.reader(),
                separator=layout.separator,
                places=layout.places,
                header=False,
                ranked=layout.ranked,
                columns=layout.columns,
                counting=False,  # a topic may go on in another batch; see cluster_files
                threads=1,
            )
        )

    # ---- CSV -------------------------------------------------------------------------------------------

    def _table(self, file: str, blocks: Iterator[list[bytes]]) -> Iterator[Any]:
        """The rows of one file: by the core up to the first quotation mark, from there on by the reader of quoted fields."""
        named_columns = not self.layout.header
        for lines in blocks:
            if not named_columns:
                head = next((place for place, line in enumerate(lines) if _holds_something(line)), None)
                if head is None:
                    continue
                named_columns = True
                yield from self._refused(file, lines[head])
                lines = lines[head + 1 :]  # noqa: PLW2901 (the rest of them)
            if any(b'"' in line for line in lines):
                yield from self._quoted(chain(lines, chain.from_iterable(blocks)))
                return
            yield self._batch(lambda rows=lines: self._columns(rows))

    def _refused(self, file: str, head: bytes) -> Iterator[Any]:
        """A row that says so, where the columns of this file are not those of the first one."""
        try:
            layout = layout_of(head + b"\n", self.kind, self.layout.name)
        except DataError as fault:
            yield self._faulty(b"error", f"{shown(unquote(file))}: {fault}")
            return
        if replace(layout, quoted=False) != self.layout:
            yield self._faulty(
                b"error", str(unlike(unquote(file), layout, self.path, self.layout, self.kind))
            )

    def _quoted(self, lines: Iterable[bytes]) -> Iterator[Any]:
        source = _Lines(self.path, lines)
        quoted = named(self.layout.name).quoted
        assert quoted is not None
        rows = quoted(source, replace(self.layout, header=False))
        going = True

        def columns() -> list[Any]:
            nonlocal going
            part = list(islice(rows, ROWS))
            going = len(part) == ROWS
            return _of_rows(Rows.of_lists(*zip(*part, strict=True))) if part else [[], [], []]

        while going:
            going = False  # unless it is read without a fault
            yield self._batch(columns)

    # ---- rows ------------------------------------------------------------------------------------------

    def _batch(self, columns: Any, *, dropped: int = 0) -> Any:
        """What is read, without the first rows; or a row that tells of the first fault, and how many there are."""
        try:
            return self._rows([column[dropped:] for column in columns()])
        except DataError as fault:
            return self._faulty(b"error", str(fault))
        except Fault as fault:
            kind, _, other, text, count = fault.args
            if kind == "empty":  # there may be nothing but comments in a batch
                return self._rows([[]] * (3 + len(self.aspects)))
            return self._faulty(kind.encode(), from_bytes(text), other, count)

    def _faulty(self, kind: bytes, text: str, columns: int = 0, count: int = 1) -> Any:
        told = line_fault(kind, count, self.path, columns, self.columns, to_bytes(text))
        return self._rows([[None], [told], [None], *([None] for _ in self.aspects)])

    def _rows(self, columns: list[Any]) -> Any:
        import pyarrow as pa

        types = [pa.binary(), pa.binary(), pa.float64(), *(pa.binary() for _ in self.aspects)]
        arrays = [pa.array(column, form) for column, form in zip(columns, types, strict=True)]
        return pa.RecordBatch.from_arrays(arrays, ("topic", "document", "value", *self.aspects))


class _Lines(Source):
    """Lines that Spark has read; nobody knows their numbers."""

    def __init__(self, path: str, lines: Iterable[bytes]) -> None:
        self.path, self.name, self._lines = path, shown(path), lines

    def reader(self) -> BytesReader:
        """What the core reads."""
        return BytesReader(b"\n".join([*self._lines, b""]))

    def lines(self, longest: int = LONGEST_LINE) -> Iterator[bytes]:
        """The content, line by line; a line beyond all measure is refused."""
        for line in self._lines:
            if len(line) > longest:
                raise DataError(f"{self.name}: longer than {longest >> 20} MiB.")
            yield line + b"\n"

    def at(self, number: int, unit: str = "line") -> str:  # noqa: ARG002 (sources are asked alike)
        """The name of the file."""
        return self.name


def _of_rows(rows: Rows) -> list[Any]:
    return [rows.topics, rows.documents, rows.values]


def _holds_something(line: bytes) -> bool:
    return bool(line.strip()) and not line.removeprefix(MARK).startswith(b"#")


def _blocks(batches: Iterator[Any]) -> Iterator[tuple[str, list[bytes]]]:
    """The lines of each batch, file by file."""
    import pyarrow.compute as pc

    for batch in batches:
        for file in batch["file"].unique().to_pylist():
            yield file, batch.filter(pc.equal(batch["file"], file))["line"].to_pylist()
