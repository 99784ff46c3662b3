"""All profiles in one index, against which documents are scored as they arrive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from gainful._core import HighestScores, ProfileIndex
from gainful.filtering.learner import Schedule
from gainful.filtering.relevance_calibration import ranked_places
from gainful.filtering.state.events import ProfileSettings
from gainful.filtering.vectors import NOTHING, Counts, Floats, Idf, Integers, Vector
from gainful.formats.judgments import cores

_ENOUGH = 1 << 18  # pairs of documents and profiles from which a second thread is worth it

NOTHING_REACHED: Integers = np.empty(0, np.int64)

Decision = tuple[int, int, float, float]
"""Profile, document, score and theta of a delivery."""


@dataclass(eq=False, slots=True)
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


@dataclass(frozen=True, eq=False)
class Reached:
    """Deliveries in the order of documents and then of profiles.

    decisions  what is delivered
    higher     for each, how many earlier documents of the history score higher; −1 where that is not known
    """

    decisions: list[Decision]
    higher: Integers

    def places(self, nearness: float) -> Floats:
        """How rare the score of each was when it arrived (`relevance_calibration`), where it is known."""
        seen, scores = (np.array([decision[part] for decision in self.decisions]) for part in (1, 2))
        return ranked_places(np.maximum(self.higher, 0), scores, seen + 1, nearness)


class ActiveProfiles:
    """Profiles by term, their thresholds, and when each is due again.

    highest  the highest scores of each profile, which documents join as they arrive
    """

    def __init__(self, readers: Mapping[int, Reader], schedule: Schedule, highest: HighestScores) -> None:
        vectors = [reader.vector for reader in readers.values()]
        self._index = ProfileIndex(
            [vector.terms for vector in vectors], [vector.weights for vector in vectors]
        )
        self._schedule = schedule
        self._highest = highest
        self._numbers = np.fromiter(readers, np.int64, len(readers))
        self._places = {number: place for place, number in enumerate(readers)}
        self._theta = np.zeros(len(readers))
        self._due = np.zeros(len(readers), np.int64)
        self.place(readers.values())

    def place(self, readers: Iterable[Reader]) -> None:
        """Thresholds that are new; the profiles themselves are as they were."""
        made = list(readers)
        places = [self._places[reader.number] for reader in made]
        after = {seen: self._schedule.after(seen) for seen in {reader.seen for reader in made}}
        self._theta[places] = [reader.theta for reader in made]
        self._due[places] = [after[reader.seen] for reader in made]

    def next_due(self) -> int | None:
        """How many documents will have been seen when a threshold must be recomputed; None without profiles."""
        return int(self._due.min()) if len(self._due) else None

    def due(self, seen: int) -> list[int]:
        """Profiles whose threshold must be recomputed now."""
        return [int(number) for number in self._numbers[self._due <= seen]]

    def arrive(self, counts: Counts, idf: Idf, first: int, *, deliverable: bool) -> Reached:
        """Documents join the history, the first of them with that number; what is delivered of them."""
        if not len(self._numbers) or not len(counts):
            return Reached([], NOTHING_REACHED)
        threads = cores() if len(counts) * len(self._numbers) >= _ENOUGH else 1
        documents, places, scores, higher = self._index.arrive(
            counts.offsets,
            counts.terms,
            idf.weighted(counts),
            self._theta if deliverable else np.full(len(self._theta), np.inf),
            floor=0.0,
            threads=threads,
            highest=self._highest,
            numbers=self._numbers,
        )
        columns = (self._numbers[places], documents + first, scores, self._theta[places])
        decisions = list(zip(*(column.tolist() for column in columns), strict=True))
        return Reached(decisions, higher)
