"""Rows of (topic, document, value) from whatever Python object holds them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeGuard

from gainful._core import Fault, Rows, columns
from gainful.errors import DataError
from gainful.formats.faults import explain
from gainful.formats.kinds import Kind
from gainful.formats.sources import Source

TOPIC = ("topic", "query_id", "qid", "query-id", "topic_id", "query", "q_id")
DOCUMENT = ("document", "doc_id", "docno", "corpus-id", "docid", "document_id", "doc", "pid", "corpus_id")
VALUE = {
    "run": ("score", "sim", "similarity"),
    "qrels": ("grade", "relevance", "rel", "label", "rating", "score", "judgment"),
}
WHAT = {"run": "a run", "qrels": "judgments"}


def rows_of(given: Any, kind: Kind, *, threads: int) -> Rows:
    """The rows of a path, a nested mapping, an Arrow stream, three columns, or an iterable of triples."""
    try:
        if is_path(given):
            return _read(os.fspath(given), kind, threads)
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


def is_path(given: object) -> TypeGuard[str | bytes | os.PathLike[str]]:
    """Whether this names a file."""
    return isinstance(given, str | bytes | os.PathLike)


def is_columns(given: object) -> TypeGuard[tuple[Any, Any, Any]]:
    """Whether these are three columns (and not three rows): a tuple of three sequences that are not strings.

    >>> is_columns((["q1", "q1"], ["d1", "d2"], [0.5, 0.4])), is_columns([("q1", "d1", 0.5)] * 3)
    (True, False)
    """
    return (
        isinstance(given, tuple)
        and len(given) == 3
        and all(
            (isinstance(column, Sequence) and not isinstance(column, str | bytes))
            or hasattr(column, "tolist")
            for column in given
        )
    )


def _read(path: str | bytes, kind: Kind, threads: int) -> Rows:
    with Source(os.fsdecode(path)) as source:
        try:
            return Rows.read(source.handle, kind=kind, threads=threads)
        except Fault as fault:
            raise explain(fault, source.name, kind) from None


def _of_columns(given: tuple[Any, Any, Any], kind: Kind) -> Rows:
    topics, documents, values = (
        column.tolist() if hasattr(column, "tolist") else list(column) for column in given
    )
    if not len(topics) == len(documents) == len(values):
        raise DataError(
            f"{WHAT[kind]}: columns of different length: {len(topics)} topics, {len(documents)} documents, {len(values)} values."
        )
    return Rows.of_lists(topics, documents, values)


def _of_triples(triples: Iterable[Any], kind: Kind) -> Rows:
    topics, documents, values = [], [], []
    for number, triple in enumerate(triples, 1):
        try:
            topic, document, value = triple[:3]
        except (TypeError, ValueError, KeyError):
            raise DataError(
                f"{WHAT[kind]}, row {number}: {triple!r} is not (topic, document, value)."
            ) from None
        topics.append(topic)
        documents.append(document)
        values.append(value)
    return Rows.of_lists(topics, documents, values)


def _of_stream(frame: Any, kind: Kind) -> Rows:
    names = _column_names(frame)
    topic, document, value = (_pick(names, wanted, kind) for wanted in (TOPIC, DOCUMENT, VALUE[kind]))
    return Rows.of_stream(frame.__arrow_c_stream__(), topic, document, value)


def _column_names(frame: Any) -> list[str]:
    for attribute in ("column_names", "columns"):
        names = getattr(frame, attribute, None)
        if names is not None and not callable(names):
            return [str(name) for name in names]
    return columns(frame.__arrow_c_stream__())


def _pick(names: list[str], wanted: tuple[str, ...], kind: Kind) -> str:
    for name in wanted:
        if name in names:
            return name
    raise DataError(
        f"{WHAT[kind]}: no column named {wanted[0]} (or {', '.join(wanted[1:4])}) among {', '.join(names)}; "
        "rename the one that is meant."
    )
