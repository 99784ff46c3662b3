"""All profiles in one index, against which documents are scored as they arrive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from gainful._core import ProfileIndex
from gainful.filtering.learner import Schedule
from gainful.filtering.state.events import ProfileSettings
from gainful.filtering.vectors import NOTHING, Counts, Idf, Vector
from gainful.formats.judgments import cores

_ENOUGH = 1 << 18  # pairs of documents and profiles from which a second thread is worth it

Decision = tuple[int, int, float, float]
"""Profile, document, score and theta of a delivery."""


@dataclass
class Reader:
    """One profile, as it is now.

    settings    what was given for it
    counts  the terms of its text
    changed  documents seen when it was added or last edited
    judged  what was said of documents: relevant or not
    places  how rare the scores of judged documents were when they were judged; for rules that ask for it
    sent    how rare the scores of delivered documents were when they arrived; for rules by which profiles learn from others
    of_another_kind  judged before the rule had its `nearness`: their places say nothing to other profiles
    vector  its terms and their weights
    theta   the score from which it is delivered to
    seen    documents seen when the threshold was last computed
    known   documents judged by then
    """

    number: int
    settings: ProfileSettings
    counts: Counts
    changed: int = 0
    judged: dict[int, bool] = field(default_factory=dict)
    places: dict[int, float] = field(default_factory=dict)
    sent: dict[int, float] = field(default_factory=dict)
    of_another_kind: set[int] = field(default_factory=set)
    vector: Vector = NOTHING
    theta: float = 0.0
    seen: int = 0
    known: int = 0


class ActiveProfiles:
    """Profiles by term, their thresholds, and when each is due again."""

    def __init__(self, readers: Mapping[int, Reader], schedule: Schedule) -> None:
        vectors = [reader.vector for reader in readers.values()]
        offsets = np.cumsum([0, *(len(vector.terms) for vector in vectors)], dtype=np.int64)
        terms = np.concatenate([NOTHING.terms, *(vector.terms for vector in vectors)])
        weights = np.concatenate([NOTHING.weights, *(vector.weights for vector in vectors)])
        self._index = ProfileIndex(offsets, terms, weights)
        self._schedule = schedule
        self._numbers = list(readers)
        self._places = {number: place for place, number in enumerate(readers)}
        self._theta = np.zeros(len(readers))
        self._due = np.zeros(len(readers), np.int64)
        self.place(readers.values())

    def place(self, readers: Iterable[Reader]) -> None:
        """Thresholds that are new; the profiles themselves are as they were."""
        for reader in readers:
            place = self._places[reader.number]
            self._theta[place] = reader.theta
            self._due[place] = self._schedule.after(reader.seen)

    def next_due(self) -> int | None:
        """How many documents will have been seen when a threshold must be recomputed; None without profiles."""
        return int(self._due.min()) if len(self._due) else None

    def due(self, seen: int) -> list[int]:
        """Profiles whose threshold must be recomputed now."""
        return [self._numbers[place] for place in np.flatnonzero(self._due <= seen).tolist()]

    def decide(self, counts: Counts, idf: Idf, first: int) -> list[Decision]:
        """What is delivered of these documents, the first of which has that number."""
        if not self._numbers or not len(counts):
            return []
        threads = cores() if len(counts) * len(self._numbers) >= _ENOUGH else 1
        documents, places, scores = self._index.reach(
            counts.offsets, counts.terms, idf.weighted(counts), self._theta, floor=0.0, threads=threads
        )
        decided = zip(places.tolist(), documents.tolist(), scores.tolist(), strict=True)
        return [
            (self._numbers[place], first + document, score, float(self._theta[place]))
            for place, document, score in decided
        ]
