"""Difficulty: what systems reach on each topic, and how far they are apart there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gainful.comparisons.score_table import ScoreTable
from gainful.formats.ids import shown
from gainful.measures import Measure


@dataclass(frozen=True, slots=True)
class TopicSpread:
    """One topic over all systems.

    median, spread  of the systems' values; spread is their standard deviation (n − 1)
    best            the system with the best value, the first of several
    """

    measure: Measure
    topic: str
    median: float
    spread: float
    least: float
    most: float
    best: str

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {name: getattr(self, name) for name in self.__slots__} | {
            "measure": str(self.measure),
            "topic": shown(self.topic),
            "best": shown(self.best),
        }


def difficulty(table: ScoreTable) -> tuple[TopicSpread, ...]:
    """Every topic of every measure, the hardest first: that with the worst median over systems.

    >>> table = ScoreTable.of_matrix([[0.1, 0.8], [0.2, 0.6], [0.6, 0.7]], systems=["a", "b", "c"], measure="AP")
    >>> [(one.topic, one.median, one.best) for one in difficulty(table)]
    [('1', 0.2, 'c'), ('2', 0.7, 'a')]
    """
    made: list[TopicSpread] = []
    for measure in table.measures:
        rows, topics = table.of(measure)
        spread = rows.std(axis=0, ddof=1) if len(rows) > 1 else np.full(len(topics), np.nan)
        best = rows.argmin(axis=0) if measure.less_is_better else rows.argmax(axis=0)
        middle, least, most = np.median(rows, axis=0), rows.min(axis=0), rows.max(axis=0)
        found = [
            TopicSpread(
                measure,
                topic,
                float(middle[at]),
                float(spread[at]),
                float(least[at]),
                float(most[at]),
                table.names[best[at]],
            )
            for at, topic in enumerate(topics)
        ]
        made += sorted(found, key=lambda one: one.median, reverse=measure.less_is_better)
    return tuple(made)
