"""Documents that nobody judged in the top ranks of runs: those to judge next, the most useful first."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gainful._core import Index
from gainful.checking.checkup import Unjudged
from gainful.checking.id_arrays import Integers
from gainful.checking.run_scan import Scan
from gainful.formats.ids import from_bytes

Texts = Callable[[Integers], list[bytes]]
"""Rows, in rising order, to the ids of their documents."""


class Candidates:
    """Unjudged documents of the top ranks, gathered run by run."""

    def __init__(self, index: Index, top: int) -> None:
        self.top = top
        self.places: dict[bytes, int] = {topic: place for place, topic in enumerate(index.topics)}
        self._index = index
        self._ranks: dict[tuple[bytes, bytes], list[int]] = {}

    def add(self, scan: Scan, values: NDArray[np.float64], texts: Texts) -> None:
        """Take in the top ranks of a run."""
        judged_topics = [number for number, name in enumerate(scan.names) if name in self.places]
        rows = {number: _top_rows(scan, values, number, self.top) for number in judged_topics}
        wanted = np.unique(np.concatenate([*rows.values(), np.zeros(0, np.int64)]))
        document = dict(zip(wanted.tolist(), texts(wanted), strict=True))
        for number, of_topic in rows.items():
            name = scan.names[number]
            judged = self._judged(name)
            for rank, found in enumerate(_ranked(of_topic, values, document)[: self.top], 1):
                if found not in judged:
                    self._ranks.setdefault((name, found), []).append(rank)

    def listed(self) -> tuple[Unjudged, ...]:
        """By how many runs have them, then by their best rank, then by their mean rank."""
        order = sorted(
            self._ranks.items(),
            key=lambda item: (-len(item[1]), min(item[1]), sum(item[1]), self.places[item[0][0]], item[0][1]),
        )
        return tuple(
            Unjudged(from_bytes(topic), from_bytes(document), len(ranks), min(ranks), sum(ranks) / len(ranks))
            for (topic, document), ranks in order
        )

    def _judged(self, topic: bytes) -> set[bytes]:
        start, stop = self._index.offsets[self.places[topic] : self.places[topic] + 2].tolist()
        return set(self._index.documents(start, stop))


def _top_rows(scan: Scan, values: NDArray[np.float64], topic: int, top: int) -> Integers:
    """Rows that may be among the first: those with a score no lower than that of rank `top`."""
    rows = scan.rows_of(topic)
    score = values[rows]
    if len(rows) > top:
        least = np.partition(score, len(rows) - top)[len(rows) - top]
        rows = rows[score >= least]
    return rows


def _ranked(rows: Integers, values: NDArray[np.float64], document: dict[int, bytes]) -> list[bytes]:
    """The documents by score, then by their ids, both descending; each once."""
    scored = [(score, document[row]) for score, row in zip(values[rows].tolist(), rows.tolist(), strict=True)]
    return list(dict.fromkeys(name for _, name in sorted(scored, reverse=True)))
