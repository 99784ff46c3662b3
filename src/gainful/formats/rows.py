"""Rows of (topic, document, value) from whatever Python object holds them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeGuard

from gainful._core import Fault, Rows, columns
from gainful.errors import DataError, UsageError
from gainful.formats.fault_messages import explain
from gainful.formats.layouts import layout_of_source, read_source
from gainful.formats.records import pick
from gainful.formats.sources import is_path, opened, path_of
from gainful.formats.types import COLLECTION, WHAT, Kind


def rows_of(given: Any, kind: Kind, *, threads: int, layout: str | None = None) -> Rows:
    """The rows of a path, a nested mapping, an Arrow stream, three columns, or an iterable of triples."""
    path = path_of(given)
    if path is None or path.startswith(COLLECTION):
        return of_object(given, kind)
    with opened(path) as source:
        return read_source(source, kind, layout_of_source(source, kind, layout), threads=threads)


def eager(given: Any) -> Any:
    """A lazy data frame of polars or narwhals, collected; anything else as it is."""
    return given.collect() if hasattr(given, "collect_schema") and hasattr(given, "collect") else given


def of_object(given: Any, kind: Kind) -> Rows:
    """The rows of a Python object, or of the collection that ir_datasets knows by this name."""
    try:
        if is_path(given):
            name = os.fsdecode(given).removeprefix(COLLECTION)
            return _of_triples(_of_collection(name, kind), kind)
        given = eager(given)
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
    raise DataError(f"{WHAT[kind]} cannot be created from {type(given).__name__}; {_WAYS}")


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
            as_list: Callable[[], list[Any]] = getattr(column, name)
            return as_list
    return None


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
        raise DataError(f"{COLLECTION}{name}: ir_datasets has no collection of that name.") from None
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
