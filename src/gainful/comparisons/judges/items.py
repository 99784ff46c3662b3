"""What several judges said of the same documents, as one table."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.judges.agreement import Floats, Places
from gainful.comparisons.judges.reading import rows_of_judge
from gainful.formats.ids import from_bytes, in_order
from gainful.formats.judgments import Judgments


@dataclass(frozen=True, eq=False)
class Items:
    """Documents of topics × judges.

    topic    of each item, counted from 0 in the usual order of topics, so that draws do not depend on who comes first
    ratings  items × judges; NaN where a judge has not judged the document
    """

    judges: tuple[str, ...]
    topic: Places
    ratings: Floats

    def __len__(self) -> int:
        return len(self.topic)

    @classmethod
    def of(cls, judges: Mapping[str, Judgments], topics: Collection[str] | None = None) -> Items:
        """Everything that any judge judged, of these topics."""
        numbers: dict[bytes, int] = {}
        places: dict[tuple[bytes, bytes], int] = {}
        of_item: list[int] = []
        cells: list[tuple[int, int, float]] = []
        for judge, judgments in enumerate(judges.values()):
            for key, grade in rows_of_judge(judgments):
                place = places.setdefault(key, len(places))
                if place == len(of_item):
                    of_item.append(numbers.setdefault(key[0], len(numbers)))
                cells.append((place, judge, grade))
        ratings = np.full((len(of_item), len(judges)), np.nan)
        for place, judge, grade in cells:
            ratings[place, judge] = grade
        ids = [from_bytes(topic) for topic in numbers]
        order = {topic: number for number, topic in enumerate(in_order(ids))}
        place_of = np.array([order[topic] for topic in ids], np.int64)
        made = cls(tuple(judges), place_of[np.array(of_item, np.int64)], ratings)
        if topics is None:
            return made
        return made.where(np.array([topic in topics for topic in order], bool)[made.topic])

    @property
    def judged(self) -> Places:
        """How many judges each item has."""
        return np.asarray((~np.isnan(self.ratings)).sum(axis=1))

    def where(self, kept: NDArray[np.bool_]) -> Items:
        """Only these items; topics without any are numbered out."""
        _, topic = np.unique(self.topic[kept], return_inverse=True)
        return Items(self.judges, topic, self.ratings[kept])

    def of_judges(self, *judges: int) -> Items:
        """Only items that all of these judges judged, and only what they said."""
        both = self.where(np.asarray(~np.isnan(self.ratings[:, judges]).any(axis=1)))
        return Items(tuple(self.judges[judge] for judge in judges), both.topic, both.ratings[:, judges])

    @property
    def topics(self) -> int:
        """How many topics have items."""
        return int(self.topic.max(initial=-1)) + 1
