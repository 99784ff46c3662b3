"""Judgments and runs from paths that Spark can read: Parquet, TREC text, CSV, JSON lines; directories of parts, globs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gainful._core import Fault, Rows
from gainful._core.plain_rows import NUMBER
from gainful.errors import DataError, UsageError
from gainful.formats import qrels_by
from gainful.formats.fault_messages import COLUMNS, explain
from gainful.formats.ids import shown, to_bytes
from gainful.formats.layouts import Layout, pick
from gainful.formats.registry import layout_of
from gainful.formats.streams import BytesReader
from gainful.formats.types import COLLECTION, By, Kind
from gainful.spark.frames import asked_of_spark, functions, said
from gainful.spark.worker_messages import LINE, SEPARATOR

HEAD = 50
"""Lines that the layout is told from."""

UNREAD = {"json": "one JSON document cannot be divided", "ranx": "what ranx saves cannot be divided"}
IDS = "topic binary, document binary, value double"


def refuse_unreadable(*given: str) -> None:
    """Raise for what only this machine can read."""
    for one in given:
        if one == "-" or one.startswith(COLLECTION):
            raise UsageError(
                f"{shown(one)} cannot be read on a cluster; give a path that Spark can read, or leave out --engine."
            )


class Path:
    """A path with its layout, told from its first lines unless it is named.

    given  a file, a directory of parts, or a glob, as Spark takes them; what is compressed is told by its ending
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
        """A DataFrame of it, in names that are known."""
        if self.layout.name == "parquet":
            return self._read(lambda read: read.parquet(self.given))
        if by is not None and self.layout.name != "trec":
            raise UsageError(
                f"judgments by {by} are read from TREC text or Parquet, not from {self.layout.name}."
            )
        if self.layout.name == "jsonl":
            return self._json_lines()
        if self.layout.name in ("csv", "tsv"):
            return self._table()
        return self._lines(by)

    def _head(self) -> list[str]:
        rows = self._read(lambda read: read.text(self.given).limit(HEAD).collect())
        if not rows:
            raise DataError(f"{shown(self.given)} holds no rows.")
        lines = [row[0] for row in rows]
        if lines[0].startswith(("\x1f", "\ufffd", "BZh", "(\ufffd")):
            raise DataError(
                f"{shown(self.given)} is compressed, and its ending does not say so; Spark goes by the ending (.gz, .bz2, .zst)."
            )
        return lines

    def _lines(self, by: By | None) -> Any:
        text = self._read(lambda read: read.text(self.given))
        split = Split(
            self.given, self.kind, self.layout, by, in_parts=by == "preferences" and self._widest() >= 5
        )

        def parsed(batches: Iterator[Any]) -> Iterator[Any]:
            return map(split.parsed, batches)

        extra = ", ".join(f"{name} binary" for name in split.told_apart)
        frame = text.select(text["value"].cast("binary").alias("line")).mapInArrow(
            parsed, f"{IDS}{', ' + extra if extra else ''}"
        )
        words = {"aspect": qrels_by.COLUMNS[by][1]} if by else {}
        value = qrels_by.COLUMNS[by][-1] if by else "score" if self.kind == "run" else "grade"
        if self.layout.counting:
            self._check_ranks(frame)
        return frame.withColumnsRenamed({**words, "value": value})

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

    def _widest(self) -> int:
        return max(len(line.split()) for line in self.head)

    def _table(self) -> Any:
        layout = self.layout
        frame = self._read(
            lambda read: read.csv(
                self.given,
                sep=layout.separator,
                header=layout.header,
                inferSchema=False,
                enforceSchema=False,  # else the names of the first file are taken for those of all
                quote='"',
                escape='"',
                multiLine=True,  # a quoted field may hold the end of a line
                comment="#"
                if self.head[0].startswith("#")
                else None,  # before the names; else it begins a topic
            )
        )
        return self._numbered(frame, [frame.columns[place] for place in layout.places])

    def _json_lines(self) -> Any:
        import msgspec

        try:
            names = list(msgspec.json.decode(next(line for line in self.head if line.strip())))
        except (msgspec.DecodeError, StopIteration) as fault:
            raise DataError(f"{shown(self.given)}: not JSON: {fault}.") from None
        topic, document, value, ranked = pick(names, self.kind)
        self.layout = Layout("jsonl", ranked=ranked)
        schema = ", ".join(f"`{name}` string" for name in (topic, document, value))
        frame = self._read(lambda read: read.schema(schema).json(self.given))
        return self._numbered(frame, [topic, document, value])

    def _numbered(self, frame: Any, names: list[str]) -> Any:
        """Columns of text become ids and numbers."""
        numbers = Numbers(self.given, ranked=self.layout.ranked)

        def parsed(batches: Iterator[Any]) -> Iterator[Any]:
            return map(numbers.parsed, batches)

        columns = zip(names, ("topic", "document", "value"), strict=True)
        made = frame.select(*(frame[f"`{name}`"].cast("binary").alias(role) for name, role in columns))
        return made.mapInArrow(parsed, IDS).withColumnRenamed(
            "value", "score" if self.kind == "run" else "grade"
        )

    def _read(self, how: Any) -> Any:
        from pyspark.errors import AnalysisException

        try:
            return asked_of_spark(lambda: how(self.session.read))
        except AnalysisException as fault:
            if "PATH_NOT_FOUND" in str(fault):
                raise DataError(f"{shown(self.given)}: there is no such file.") from None
            raise DataError(f"{shown(self.given)} cannot be read by Spark: {said(fault)}") from None


class Numbers:
    """Columns of ids and of numbers as text.

    path    as it was given, for messages
    ranked  the numbers are ranks: the smaller, the better
    """

    def __init__(self, path: str, *, ranked: bool = False) -> None:
        self.path = path
        self.ranked = ranked

    def parsed(self, batch: Any) -> Any:
        """Topic, document and value, and the other columns as they are."""
        import pyarrow as pa

        values, wrong = _numbers(batch["value"])
        columns = {name: batch[name] for name in batch.schema.names}
        columns["value"] = pa.array(
            -values if self.ranked else values, mask=np.array(batch["value"].is_null())
        )
        made = pa.RecordBatch.from_pydict(columns)
        if not wrong:
            return made
        good = np.ones(batch.num_rows, bool)
        good[list(wrong)] = False
        texts = [batch["value"][row].as_py() for row in wrong]
        return _with_faults(made.filter(pa.array(good)), [self.fault("value", 0, text) for text in texts])

    def fault(self, kind: str, columns: int, text: bytes, count: int = 1) -> bytes:
        """What stands in place of a document."""
        parts = [LINE + kind.encode(), b"%d" % count, to_bytes(self.path), b"%d" % columns, text[:80]]
        return SEPARATOR.join(parts)


class Split(Numbers):
    """Lines with blanks between their columns: the core reads them, by the rule of one machine.

    Judgments by subtopic, by judge or as preferences have a column more, which the core does not read.
    """

    def __init__(
        self, path: str, kind: Kind, layout: Layout, by: By | None = None, *, in_parts: bool = False
    ) -> None:
        super().__init__(path, ranked=layout.ranked)
        self.kind, self.layout = kind, layout
        topic, document, value = layout.places
        self.told_apart: tuple[str, ...] = ()
        if by is not None:
            self.told_apart = ("aspect", "part") if in_parts else ("aspect",)
            document, value = (3, 4) if in_parts else (2, 3)
        self.places = {"topic": topic, "document": document, "value": value}
        self.places |= {name: place for place, name in enumerate(self.told_apart, 1)}
        columns = layout.described(kind) or COLUMNS["parts" if in_parts else by or kind]
        self.needed = len(columns.split(", ")) - columns.endswith(", tag")

    def parsed(self, batch: Any) -> Any:
        """Topic, document, value, and what tells them apart."""
        import pyarrow as pa
        import pyarrow.compute as pc

        lines = batch["line"].view(pa.string())  # bytes that are not text stay as they are
        lines = pc.if_else(pc.starts_with(lines, "\ufeff"), pc.binary_replace_slice(lines, 0, 3, ""), lines)
        if not self.told_apart:
            return self._read(lines.view(pa.binary()))
        lines = lines.filter(pc.invert(pc.starts_with(lines, "#")))  # after a blank it is a topic's
        lines = pc.ascii_trim(lines, " \t\r")
        lines = lines.filter(pc.greater(pc.binary_length(lines), 0))
        fields = _split(lines, max(self.places.values()) + 1)
        enough = pc.greater_equal(pc.list_value_length(fields), self.needed)
        short = [
            self.fault("columns", len(line.split()), line)
            for line in lines.filter(pc.invert(enough)).view(pa.binary()).to_pylist()
        ]
        fields = fields.filter(enough)
        columns = {
            name: pc.list_element(fields, place).view(pa.binary()) for name, place in self.places.items()
        }
        made = super().parsed(pa.RecordBatch.from_pydict(columns))
        return _with_faults(made, short)

    def _read(self, lines: Any) -> Any:
        """The rows of these lines; where some cannot be read, a row that tells of the first, and how many there are."""
        import pyarrow as pa

        columns: Any = ([], [], [])
        faults = []
        try:
            rows = self._rows(BytesReader(b"\n".join(lines.to_pylist()) + b"\n"))
            columns = (rows.topics, rows.documents, rows.values)
        except Fault as fault:
            kind, _, other, text, count = fault.args
            if kind != "empty":  # there may be nothing but comments in a batch
                faults = [self.fault(kind, other, text, count)]
        types = (pa.binary(), pa.binary(), pa.float64())
        arrays = [pa.array(values, form) for values, form in zip(columns, types, strict=True)]
        made = pa.RecordBatch.from_arrays(arrays, ("topic", "document", "value"))
        return _with_faults(made, faults)

    def _rows(self, source: BytesReader) -> Rows:
        layout = self.layout
        if layout.name == "trec":
            return Rows.read(source, kind=self.kind, threads=1)
        return Rows.read_table(
            source,
            separator="",
            places=layout.places,
            header=False,
            ranked=layout.ranked,
            columns=layout.columns,
            counting=False,  # a topic may go on in another batch; see Path
            threads=1,
        )


def _split(lines: Any, most: int) -> Any:
    """The fields of each line, which blanks and tabs divide and no other spaces: these may stand in an id."""
    import pyarrow.compute as pc

    if any(pc.any(pc.match_substring(lines, other)).as_py() for other in "\v\f"):
        return pc.split_pattern_regex(lines, "[ \t]+", max_splits=most)
    return pc.ascii_split_whitespace(lines, max_splits=most)


def _numbers(texts: Any) -> tuple[np.ndarray, list[int]]:
    """The numbers, and the places of what is none; missing ones are NaN."""
    import pyarrow as pa

    try:
        return texts.view(pa.string()).cast(pa.float64()).to_numpy(zero_copy_only=False), []
    except pa.ArrowInvalid:
        pass
    values, wrong = np.full(len(texts), np.nan), []
    for row, text in enumerate(texts.to_pylist()):
        field = None if text is None else NUMBER.fullmatch(text.strip())
        if text is not None and field is None:
            wrong.append(row)
        elif field is not None and not field["nan"]:
            values[row] = float(field[0])
    return values, wrong


def _with_faults(batch: Any, faults: list[bytes]) -> Any:
    import pyarrow as pa

    if not faults:
        return batch
    columns = {
        name: pa.concat_arrays(
            [batch[name], pa.array(faults if name == "document" else [None] * len(faults), batch[name].type)]
        )
        for name in batch.schema.names
    }
    return pa.RecordBatch.from_pydict(columns)
