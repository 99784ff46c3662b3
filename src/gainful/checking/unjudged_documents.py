"""Documents that nobody judged in the top ranks of runs: those to judge next, the most useful first."""

from __future__ import annotations

import numpy as np

from gainful._core import Index, Top
from gainful.checking.checkup import Unjudged
from gainful.formats.ids import from_bytes


class Candidates:
    """Unjudged documents of the top ranks, gathered run by run.

    top  the last rank looked at
    """

    def __init__(self, index: Index, top: int) -> None:
        self.top = top
        self._topics = [from_bytes(topic) for topic in index.topics]
        self._ranks: dict[tuple[int, bytes], list[int]] = {}

    def add(self, first: Top) -> None:
        """Take in the first documents of every judged topic of a run, in the order of their ranks."""
        unjudged = np.flatnonzero(first.row < 0)
        topics = np.repeat(np.arange(len(self._topics)), np.diff(first.offsets))[unjudged]
        ranks = unjudged - first.offsets[topics] + 1
        documents = first.documents(0, len(first.row))
        for topic, rank, place in zip(topics.tolist(), ranks.tolist(), unjudged.tolist(), strict=True):
            self._ranks.setdefault((topic, documents[place]), []).append(rank)

    def listed(self) -> tuple[Unjudged, ...]:
        """By how many runs have them, then by their best rank, then by their mean rank."""
        order = sorted(
            self._ranks.items(),
            key=lambda item: (-len(item[1]), min(item[1]), sum(item[1]), *item[0]),
        )
        return tuple(
            Unjudged(
                self._topics[topic], from_bytes(document), len(ranks), min(ranks), sum(ranks) / len(ranks)
            )
            for (topic, document), ranks in order
        )
