"""Judgments that are told apart by subtopic or by judge, as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gainful.judging.pairs import Aspects

if TYPE_CHECKING:
    from gainful._core import Index
    from gainful.formats.qrels_by import Details


def told_apart(index: Index, details: Details) -> Aspects:
    """The rows of the details, each pointing to its document in the index.

    Aspects of a topic stand in the order of their names and documents in that of their ids, so that the order of rows
    in a file does not matter.
    """
    number = {topic: place for place, topic in enumerate(index.topics)}
    offsets = index.offsets.tolist()
    documents = index.documents(0, len(index))
    row: dict[tuple[int, bytes], int] = {}
    ids = np.empty(len(documents), dtype=np.int64)
    for topic, start in enumerate(offsets[:-1]):
        named = documents[start : offsets[topic + 1]]
        row.update(((topic, document), start + place) for place, document in enumerate(named))
        ids[start + np.array(sorted(range(len(named)), key=named.__getitem__))] = np.arange(len(named))

    topic_of = [number[topic] for topic in details.topics]
    rows = np.array([row[key] for key in zip(topic_of, details.documents, strict=True)], dtype=np.int64)
    topics = np.array(topic_of, dtype=np.int64)
    aspects = _numbered(details.aspects)
    parts = np.zeros(len(rows), dtype=np.int64) if details.parts is None else _numbered(details.parts)
    order = np.lexsort((ids[rows], parts, aspects, topics))
    topics, aspects = topics[order], aspects[order]
    begins = np.ones(len(order), dtype=np.bool_)
    begins[1:] = (topics[1:] != topics[:-1]) | (aspects[1:] != aspects[:-1])
    first = np.flatnonzero(begins)
    return Aspects(
        np.searchsorted(topics[first], np.arange(len(number) + 1)),
        np.append(first, len(order)),
        rows[order],
        np.array(details.grades, dtype=np.float64)[order],
        ids=ids,
        part=None if details.parts is None else parts[order],
    )


def _numbered(names: list[bytes]) -> np.ndarray:
    """A number for each name, in the order of names."""
    numbers = {name: number for number, name in enumerate(sorted(set(names)))}
    return np.array([numbers[name] for name in names], dtype=np.int64)
