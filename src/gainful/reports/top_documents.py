"""Tops: the first documents of a run, judged or not, in the order that it is evaluated in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from gainful._core import Rows
from gainful.formats import Run
from gainful.formats.ids import from_bytes, to_bytes
from gainful.formats.judgments import cores
from gainful.formats.rows import rows_of
from gainful.judging.settings import Settings


def tops(run: Run, wanted: Sequence[str], depth: int, settings: Settings) -> dict[str, list[str]]:
    """Of each topic, the documents with the highest scores in the run's order, judged or not; enough for the top ranks."""
    rows = run.held if isinstance(run.held, Rows) else _rows(run)
    names = rows.topics
    of_topic: dict[bytes, list[int]] = {}
    for start, stop in _stretches(names):
        of_topic.setdefault(names[start], []).extend(range(start, stop))
    documents, values = rows.documents, rows.values
    made = {}
    for topic in wanted:
        places = np.array(of_topic.get(to_bytes(topic), []), np.int64)
        made[topic] = list(_top(topic, places, documents, values, depth, settings))
    return made


def _rows(run: Run) -> Rows:
    given: Any = run.path if run.path is not None else run.held
    return rows_of(given, "run", threads=cores(), layout=run.layout if run.path is not None else None)


def _stretches(names: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    """First and last place of rows of one topic that stand together."""
    start = 0
    for _, same in groupby(names):
        stop = start + len(list(same))
        yield start, stop
        start = stop


def _top(
    topic: str, places: Any, documents: Sequence[bytes], values: Any, depth: int, settings: Settings
) -> Iterator[str]:
    """Documents of one topic in the run's order: the first `depth`, and all with the score of the last of them."""
    if settings.duplicates == "first":
        places = np.array(list(_firsts(places.tolist(), documents)), np.int64)
    order = places[np.argsort(-values[places], kind="stable")]
    seen: set[bytes] = {to_bytes(topic)} if settings.drop_self else set()
    dropped = len(seen)
    last: float | None = None
    group: list[bytes] = []
    for place in order.tolist():
        score = values[place]
        if score != last:
            yield from _in_order(group, settings)
            if len(seen) - dropped >= depth:
                return
            group, last = [], score
        if documents[place] not in seen:
            seen.add(documents[place])
            group.append(documents[place])
    yield from _in_order(group, settings)


def _firsts(places: Sequence[int], documents: Sequence[bytes]) -> Iterator[int]:
    """The first row of each document."""
    seen: set[bytes] = set()
    for place in places:
        if documents[place] not in seen:
            seen.add(documents[place])
            yield place


def _in_order(group: list[bytes], settings: Settings) -> Iterator[str]:
    """Documents of one score by the tie rule."""
    return map(from_bytes, sorted(group, reverse=True) if settings.ties != "input" else group)
