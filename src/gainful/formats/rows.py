"""Rows of (topic, document, value) from whatever Python object holds them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeGuard

from gainful._core import Fault, Rows, columns
from gainful.errors import DataError, GainfulError, UsageError
from gainful.formats.fault_messages import explain
from gainful.formats.ids import shown
from gainful.formats.layouts import TREC, Layout, pick
from gainful.formats.multi_file import Parts, as_path, is_path, opened
from gainful.formats.registry import layout_of, named
from gainful.formats.sources import Source, unreadable
from gainful.formats.types import COLLECTION, WHAT, Kind


def rows_of(given: Any, kind: Kind, *, threads: int, layout: str | None = None) -> Rows:
    """The rows of a path, a nested mapping, an Arrow stream, three columns, or an iterable of triples."""
    return rows_and_places(given, kind, threads=threads, layout=layout)[0]


def rows_and_places(
    given: Any, kind: Kind, *, threads: int, layout: str | None = None
) -> tuple[Rows, Callable[[Fault], DataError]]:
    """The rows, and what makes an error of a fault that is found in them later: it knows files and lines."""
    given = as_path(given)
    if is_path(given) and not os.fsdecode(given).startswith(COLLECTION):
        with opened(os.fsdecode(given)) as source:
            told = told_layout(source, kind, layout)
            rows = read_source(source, kind, told, threads=threads)
        return rows, lambda fault: explain(*source.place(fault, told.unit), kind, unit=told.unit)
    where = shown(os.fsdecode(given)) if is_path(given) else WHAT[kind]
    return _of_object(given, kind), lambda fault: explain(fault, where, kind, unit="row")


def _of_object(given: Any, kind: Kind) -> Rows:
    try:
        if is_path(given):
            name = os.fsdecode(given).removeprefix(COLLECTION)
            return _of_triples(_of_collection(name, kind), kind)
        if isinstance(given, Mapping):
            return Rows.of_mapping(given)
        if hasattr(given, "__arrow_c_stream__"):
            return _of_stream(given, kind)
        if is_columns(given):
            return _of_columns(given, kind)
        if isinstance(given, Iterable):
            return _of_triples(given, kind)
    except Fault as fault:
        raise explain(fault, WHAT[kind], kind, unit="row") from None
    raise DataError(f"{WHAT[kind]} cannot be made of {type(given).__name__}; {_WAYS}")


_WAYS = (
    "give a path, a mapping {topic: {document: value}}, a data frame, "
    "three columns (topics, documents, values), or rows of (topic, document, value)."
)


def is_columns(given: object) -> TypeGuard[tuple[Any, Any, Any]]:
    """Whether these are three columns (and not three rows): a tuple of three sequences that are not strings.

    >>> is_columns((["q1", "q1"], ["d1", "d2"], [0.5, 0.4])), is_columns([("q1", "d1", 0.5)] * 3)
    (True, False)
    """
    return (
        isinstance(given, tuple)
        and len(given) == 3
        and all(
            (isinstance(column, Sequence) and not isinstance(column, str | bytes)) or _lister(column)
            for column in given
        )
    )


def _lister(column: Any) -> Callable[[], list[Any]] | None:
    """What makes a list of a column of NumPy or pandas, of polars, or of Arrow."""
    for name in ("tolist", "to_list", "to_pylist"):
        if hasattr(column, name):
            made: Callable[[], list[Any]] = getattr(column, name)
            return made
    return None


def told_layout(source: Source, kind: Kind, name: str | None) -> Layout:
    """The layout of an open file, told from its first bytes unless it is named."""
    head = source.opening()
    try:
        layout = layout_of(head, kind, name)
    except DataError as fault:
        raise DataError(f"{source.name}: {fault}") from None
    if isinstance(source, Parts):
        layout = replace(layout, quoted=_check_alike(source, kind, layout, name))
        source.chain.header = layout.header
    return layout


def _check_alike(source: Parts, kind: Kind, layout: Layout, name: str | None) -> bool:
    """Raise where the files of one run are laid out differently, or cannot be joined; tells whether any has quotes."""
    if not named(layout.name).joins:
        raise UsageError(
            f"{source.name}: files of {layout.name} cannot be read as one; give JSON lines or Parquet."
        )
    quoted, first = layout.quoted, ""
    for path in source.paths:
        with Source(path) as part:
            if not part.head(1):
                continue
            one = told_layout(part, kind, name)
        first = first or path
        quoted |= one.quoted
        if replace(one, quoted=layout.quoted) != layout:
            raise unlike(path, one, first, layout, kind)
    return quoted


def unlike(path: str, layout: Layout, first: str, wanted: Layout, kind: Kind) -> DataError:
    """What to say of a file whose layout is not that of the first, though they are read as one."""
    return DataError(
        f"{shown(path)} is laid out as {_described(layout, kind)}, and {shown(first)} as {_described(wanted, kind)}; "
        "files that are read as one must be alike."
    )


def _described(layout: Layout, kind: Kind) -> str:
    return f"{layout.name} ({layout.described(kind)})" if layout.header else layout.name


def read_source(source: Source, kind: Kind, layout: Layout, *, threads: int) -> Rows:
    """The rows of an open file in that layout, held in memory."""
    source.hold()
    if layout.separator and not source.can_rewind:  # should a quote come, it could not be read again
        layout = replace(layout, quoted=True)
    try:
        if layout.name == TREC:
            return Rows.read(source.handle, kind=kind, threads=threads)
        if not layout.streams:
            return _read_by_format(source, kind, layout)
        return Rows.read_table(
            source.handle,
            separator=layout.separator,
            places=layout.places,
            header=layout.header,
            ranked=layout.ranked,
            columns=layout.columns,
            counting=layout.counting,
            threads=threads,
        )
    except Fault as fault:
        if fault.args[0] == "quoted" and source.rewind():
            return read_source(source, kind, replace(layout, quoted=True), threads=threads)
        placed = source.place(fault, layout.unit)
        raise explain(*placed, kind, unit=layout.unit, columns=layout.described(kind)) from None
    except OSError as fault:
        raise unreadable(source.name, fault) from None


def _read_by_format(source: Source, kind: Kind, layout: Layout) -> Rows:
    """The rows of a file that the core does not read by itself."""
    from gainful.formats.records import collected

    form = named(layout.name)
    try:
        if layout.quoted and form.quoted is not None:
            return collected(form.quoted(source, layout), source, kind)
        assert form.read is not None
        rows = form.read(source, kind)
        if isinstance(rows, Rows | Mapping):
            return rows if isinstance(rows, Rows) else Rows.of_mapping(rows)
        return collected(rows, source, kind)
    except (GainfulError, Fault):
        raise
    except (ValueError, TypeError, KeyError, IndexError) as fault:
        raise DataError(f"{source.name} cannot be read as {form.name}: {shown(str(fault))}.") from None


def _of_collection(name: str, kind: Kind) -> Iterable[Any]:
    """Judgments of a collection that ir_datasets knows."""
    if kind != "qrels":
        raise UsageError(f"{COLLECTION}{name}: a collection has judgments, not runs.")
    try:
        import ir_datasets
    except ImportError:
        raise UsageError(f"{COLLECTION}{name}: needs `pip install ir-datasets`.") from None
    try:
        dataset = ir_datasets.load(name)
    except KeyError:
        raise DataError(f"{COLLECTION}{name}: ir_datasets knows no collection of that name.") from None
    if not dataset.has_qrels():
        raise DataError(f"{COLLECTION}{name}: this collection has no judgments.")
    return ((each.query_id, each.doc_id, each.relevance) for each in dataset.qrels_iter())


def _of_columns(given: tuple[Any, Any, Any], kind: Kind) -> Rows:
    topics, documents, values = (list((_lister(column) or column.__iter__)()) for column in given)
    if not len(topics) == len(documents) == len(values):
        raise DataError(
            f"{WHAT[kind]}: columns of different length: {len(topics)} topics, {len(documents)} documents, {len(values)} values."
        )
    return Rows.of_lists(topics, documents, values)


def _of_triples(triples: Iterable[Any], kind: Kind) -> Rows:
    topics, documents, values = [], [], []
    for number, triple in enumerate(triples, 1):
        try:
            topic, document, value = [] if isinstance(triple, str | bytes) else triple[:3]
        except (TypeError, ValueError, KeyError):
            raise DataError(
                f"{WHAT[kind]}, row {number}: {triple!r} is not (topic, document, value)."
            ) from None
        topics.append(topic)
        documents.append(document)
        values.append(value)
    return Rows.of_lists(topics, documents, values)


def _of_stream(frame: Any, kind: Kind) -> Rows:
    topic, document, value, ranked = pick(_column_names(frame), kind)
    if ranked:
        raise DataError(
            "a run: there are ranks and no scores; add a column score (for example minus the rank)."
        )
    return Rows.of_stream(frame.__arrow_c_stream__(), topic, document, value)


def _column_names(frame: Any) -> list[str]:
    for attribute in ("column_names", "columns"):
        names = getattr(frame, attribute, None)
        if names is not None and not callable(names):
            return [str(name) for name in names]
    return columns(frame.__arrow_c_stream__())


def summed(digests: Iterable[str | bytes]) -> str:
    """The digest of rows that were read in parts: each digest is a sum of what stands for a row, whatever the order.

    >>> summed(["ff", "01"])
    '00000000000000000000000000000100'
    """
    return f"{sum(int(digest, 16) for digest in digests) % (1 << 128):032x}"
