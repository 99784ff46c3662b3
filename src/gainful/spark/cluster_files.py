"""Judgments and runs from paths that Spark can read: Parquet, TREC text, CSV, JSON lines; directories of parts, globs.

Workers parse the lines by the rules that hold on one machine: they give the same rows, or the same error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import Any
from urllib.parse import unquote

from gainful._core import Fault, Rows
from gainful.errors import DataError, UsageError
from gainful.formats import qrels_by
from gainful.formats.fault_messages import COLUMNS, explain
from gainful.formats.ids import from_bytes, shown, to_bytes
from gainful.formats.layouts import Layout, layout_of, unlike
from gainful.formats.records import collected
from gainful.formats.registry import named
from gainful.formats.sources import LONGEST_LINE, Source
from gainful.formats.streams import BytesReader
from gainful.formats.types import COLLECTION, MARK, By, Kind
from gainful.spark.frames import asked_of_spark, functions, said
from gainful.spark.worker_messages import line_fault

HEAD = 50
"""Lines at the top of a file from which the layout is recognised."""

UNREAD = {"json": "one JSON document cannot be divided", "ranx": "what ranx saves cannot be divided"}
IDS = "topic binary, document binary, value double"


def refuse_unreadable(*given: str) -> None:
    """Raise for standard input and collections, which only this machine can read."""
    for path in given:
        if path == "-" or path.startswith(COLLECTION):
            raise UsageError(
                f"{shown(path)} cannot be read on a cluster; give a path that Spark can read, or leave out --engine."
            )


class Path:
    """A path with its layout, recognised by its first lines unless it is named.

    given  a file, a directory of parts, or a glob, as Spark takes them; compression is recognised by the ending
    """

    def __init__(self, session: Any, given: str, kind: Kind, layout: str | None = None) -> None:
        self.session, self.given, self.kind = session, given, kind
        self.head = [] if layout == "parquet" or given.rstrip("/").endswith(".parquet") else self._head()
        named = "parquet" if not self.head else layout
        try:
            self.layout = layout_of("\n".join(self.head).encode() + b"\n", kind, named)
        except DataError as fault:
            raise DataError(f"{shown(given)}: {fault}") from None
        if self.layout.name in UNREAD:
            raise UsageError(
                f"{shown(given)}: {UNREAD[self.layout.name]}; write it as parquet first: gainful convert {shown(given)} …"
            )

    @property
    def tag(self) -> str:
        """What the first line of a run in the layout of TREC calls it."""
        if self.kind != "run" or self.layout.name != "trec":
            return ""
        fields = next(
            (line.split(None, 5) for line in self.head if line.strip() and not line.startswith("#")), []
        )
        return fields[5].rstrip() if len(fields) > 5 else ""

    def frame(self, by: By | None = None) -> Any:
        """A DataFrame of its rows, with the column names that `frames` knows."""
        if self.layout.name == "parquet":
            return self._read(lambda read: read.parquet(self.given))
        if by is not None and self.layout.name != "trec":
            raise UsageError(
                f"judgments by {by} are read from TREC text or Parquet, not from {self.layout.name}."
            )
        if self.layout.name in ("csv", "tsv"):
            return self._table()
        return self._lines(by)

    def _head(self) -> list[str]:
        lines = next(filter(None, self._heads()), None)
        if lines is None:
            raise DataError(f"{shown(self.given)} holds no rows.")
        if lines[0].startswith(("\x1f", "\ufffd", "BZh", "(\ufffd")):
            raise DataError(
                f"{shown(self.given)} is compressed, and its ending does not say so; Spark goes by the ending (.gz, .bz2, .zst)."
            )
        return lines

    def _heads(self) -> Iterator[list[str]]:
        """The first lines of each file, by file name, where there are many; then the first that Spark returns."""
        text = self._text()
        files = sorted(text.inputFiles(), key=unquote)
        path = functions().col("_metadata.file_path")
        frames = [
            text.filter(path.isin(file, file.replace(":///", ":/"))) for file in files if len(files) > 1
        ]
        for frame in (*frames, text):
            yield [row[0] for row in asked_of_spark(frame.limit(HEAD).collect)]

    def _lines(self, by: By | None) -> Any:
        """Rows of lines that can be parsed one by one, in as many tasks as Spark makes of the file."""
        parser = LineParser(self.given, self.kind, self.layout, by, self.head)

        def parsed(batches: Iterator[Any]) -> Iterator[Any]:
            return map(parser.parsed, batches)

        aspects = "".join(f", {name} binary" for name in parser.aspects)
        text = self._text()
        frame = text.select(text["value"].cast("binary").alias("line")).mapInArrow(parsed, IDS + aspects)
        if self.layout.counting:
            self._check_ranks(frame)
        names = {} if by is None else {"aspect": qrels_by.COLUMNS[by][1]}
        return frame.withColumnsRenamed(
            {**names, "value": self._value if by is None else qrels_by.COLUMNS[by][-1]}
        )

    @property
    def _value(self) -> str:
        return "score" if self.kind == "run" else "grade"

    def _text(self) -> Any:
        return self._read(lambda read: read.text(self.given, lineSep="\n"))

    def _check_ranks(self, frame: Any) -> None:
        """Raise unless the third column is 1, 2, 3, … within each topic: else it may hold scores."""
        F, rank = functions(), -frame["value"]
        counts = frame.groupBy("topic").agg(
            F.count(rank).alias("rows"),
            F.countDistinct(rank).alias("different"),
            F.min(rank).alias("first"),
            F.max(rank).alias("last"),
            F.max(rank - F.floor(rank)).alias("fraction"),
        )
        counting = (F.col("first") == 1) & (F.col("last") == F.col("rows")) & (F.col("fraction") == 0)
        wrong = counts.filter(
            F.col("topic").isNotNull() & ~(counting & (F.col("different") == F.col("rows")))
        )
        first = asked_of_spark(lambda: wrong.orderBy("topic").limit(1).collect())
        if first:
            fault = Fault("rank", 0, first[0]["rows"], bytes(first[0]["topic"]), 1)
            raise explain(fault, shown(self.given), self.kind)

    def _table(self) -> Any:
        """Rows of CSV: the lines of a file go to one task, in their order, since a quoted field may hold the end of a line."""
        F, parser = functions(), LineParser(self.given, self.kind, self.layout, None, [])
        lines = self._text().select(
            F.col("value").cast("binary").alias("line"),
            F.col("_metadata.file_path").alias("file"),
            F.col("_metadata.file_block_start").alias("start"),
            F.monotonically_increasing_id().alias("place"),  # within its block
        )
        ordered = lines.repartition("file").sortWithinPartitions("file", "start", "place")
        frame = ordered.select("line", "file").mapInArrow(parser.tables, IDS)
        return frame.withColumnRenamed("value", self._value)

    def _read(self, how: Any) -> Any:
        from pyspark.errors import AnalysisException

        try:
            return asked_of_spark(lambda: how(self.session.read))
        except AnalysisException as fault:
            if "PATH_NOT_FOUND" in str(fault):
                raise DataError(f"{shown(self.given)}: there is no such file.") from None
            raise DataError(f"{shown(self.given)} cannot be read by Spark: {said(fault)}") from None


ROWS = 1 << 16
"""Rows of CSV with quoted fields in one batch."""


class LineParser:
    """Parses lines into rows of topic, document and value; a line that cannot be read becomes a row with its fault.

    path   as it was given, for messages
    by     what the second column of judgments names; adds a column `aspect`, and `part` for preferences in parts
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
        """The rows of lines from anywhere in a file."""
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
        """Topics, documents, values, and subtopics or judges."""
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
                counting=False,  # a topic may go on in another batch; see Path._check_ranks
                threads=1,
            )
        )

    # ---- CSV -------------------------------------------------------------------------------------------

    def _table(self, file: str, blocks: Iterator[list[bytes]]) -> Iterator[Any]:
        """The rows of one file: parsed by the core up to the first quotation mark, then by the reader of quoted fields."""
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
        """The rows that were read, without the first; or one row with the first fault and the number of faults."""
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
        message = line_fault(kind, count, self.path, columns, self.columns, to_bytes(text))
        return self._rows([[None], [message], [None], *([None] for _ in self.aspects)])

    def _rows(self, columns: list[Any]) -> Any:
        import pyarrow as pa

        types = [pa.binary(), pa.binary(), pa.float64(), *(pa.binary() for _ in self.aspects)]
        arrays = [pa.array(column, form) for column, form in zip(columns, types, strict=True)]
        return pa.RecordBatch.from_arrays(arrays, ("topic", "document", "value", *self.aspects))


class _Lines(Source):
    """Lines that Spark has read; their line numbers are unknown."""

    def __init__(self, path: str, lines: Iterable[bytes]) -> None:
        self.path, self.name, self._lines = path, shown(path), lines

    def reader(self) -> BytesReader:
        """What the core reads."""
        return BytesReader(b"\n".join([*self._lines, b""]))

    def lines(self, longest: int = LONGEST_LINE) -> Iterator[bytes]:
        """The content, line by line; a line that is too long is refused."""
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
