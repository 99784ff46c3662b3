"""Judgments and runs from paths that Spark can read: Parquet, TREC text, CSV, JSON lines; directories of parts, globs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gainful.errors import DataError, UsageError
from gainful.formats import qrels_by
from gainful.formats.ids import shown
from gainful.formats.layouts import Layout, layout_of, pick
from gainful.formats.rows import COLLECTION
from gainful.formats.types import By, Kind
from gainful.spark.lines import Numbers, Split
from gainful.spark.session import asked_of_spark, said

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
        return frame.withColumnsRenamed({**words, "value": value})

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
                comment="#",
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
