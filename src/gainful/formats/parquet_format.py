"""Parquet: a table with named columns, judged while it is decoded where its topics stand together."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from gainful._core import Found, Rows, judge_stream
from gainful.formats import parquet
from gainful.formats.layouts import Layout
from gainful.formats.multi_file import Parts
from gainful.formats.output_files import value_names
from gainful.formats.parquet import Decoded
from gainful.formats.records import LIMIT
from gainful.formats.registry import Format, register
from gainful.formats.run_queue import How, Pending, PendingTable
from gainful.formats.sources import Source
from gainful.formats.types import Kind

if TYPE_CHECKING:
    from gainful.formats.runs import Run


def _read(source: Source, kind: Kind) -> Rows:
    if isinstance(source, Parts):
        from gainful.formats.multi_parquet import Tables

        return Tables(source, kind).rows()
    table = Decoded(source.path if source.on_disk else io.BytesIO(source.read_all(LIMIT)), source.name)
    names = table.columns(kind)
    return table.asked(lambda: Rows.of_stream(table.__arrow_c_stream__(), *names))


def _named(source: Source) -> tuple[Any, str]:
    """The table in memory, since it is read once for each column."""
    table = Decoded(io.BytesIO(source.read_all(LIMIT)), source.name)
    return table.asked(table.held), "row"


def _judged(source: Source, how: How) -> Found | None:
    """What a file holds of the judged documents, found while it is decoded; None where its topics are scattered."""
    if not source.on_disk:
        return None
    table = Decoded(source.path, source.name)
    names = table.columns("run")
    return table.asked(
        lambda: judge_stream(
            how.judgments.index, table.__arrow_c_stream__(), names, **how.rules._asdict(), threads=how.threads
        )
    )


def _write(rows: Rows, kind: Kind, tag: str) -> bytes:  # noqa: ARG001 (writers are called alike)
    topic, document, value = value_names(kind)
    values: list[Any] = rows.values.tolist()
    return parquet.written(
        [_ids(topic, rows.topics), _ids(document, rows.documents), (value, "g", values)], {}
    )


def _ids(name: str, ids: list[bytes]) -> Any:
    """Text where all ids are UTF-8, bytes otherwise."""
    try:
        return name, "u", [id_.decode() for id_ in ids]
    except UnicodeDecodeError:
        return name, "z", ids


def _begin(run: Run, how: How, source: Source) -> Pending:
    if isinstance(source, Parts):
        from gainful.formats.multi_parquet import PendingTables

        return PendingTables(run, how, source)
    return PendingTable(run, how, source, Layout("parquet"), _judged)


register(
    Format(
        "parquet",
        _read,
        recognise=lambda head: head.startswith(b"PAR1"),
        write=_write,
        endings=(".parquet",),
        named=_named,
        begin=_begin,
    )
)
