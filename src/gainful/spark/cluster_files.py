"""Judgments and runs from paths that Spark can read: Parquet, TREC text, CSV, JSON lines; directories of parts, globs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from gainful._core import Fault
from gainful.errors import DataError, UsageError
from gainful.formats import qrels_by
from gainful.formats.fault_messages import explain
from gainful.formats.ids import shown
from gainful.formats.registry import layout_of
from gainful.formats.types import COLLECTION, By, Kind
from gainful.spark.frames import asked_of_spark, functions, said
from gainful.spark.line_parser import LineParser

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
        """The first lines of each of several files, in the order of their names; then those that Spark comes to first."""
        text = self._text()
        files = sorted(text.inputFiles(), key=unquote)
        path = functions().col("_metadata.file_path")
        frames = [
            text.filter(path.isin(file, file.replace(":///", ":/"))) for file in files if len(files) > 1
        ]
        for frame in (*frames, text):
            yield [row[0] for row in asked_of_spark(frame.limit(HEAD).collect)]

    def _lines(self, by: By | None) -> Any:
        """Lines that can be read wherever they stand in the file, in as many tasks as Spark makes of it."""
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
