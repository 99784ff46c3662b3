"""Why documents were delivered: the terms that each shares with its profile, for a page of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gainful.filtering.expected_utility import places_of
from gainful.filtering.inbox.entry_selection import placeholders
from gainful.filtering.state.engine import Engine
from gainful.filtering.state.events import counts_of
from gainful.filtering.state.profile_index import Reader
from gainful.filtering.state.reader_answers import calibrated_threshold
from gainful.filtering.state.store import Store
from gainful.filtering.threshold_registry import Threshold
from gainful.filtering.vectors import Vector

MOST_FOR, MOST_AGAINST = 6, 3
"""Terms that are named of those that speak for a document, and of those against it."""

_LEAST = 0.1  # of the strongest term: what weighs less against a document is not worth naming

Pair = tuple[int, int]
"""The numbers of a profile and of a document."""


@dataclass(frozen=True)
class Reason:
    """Terms that speak for and against a document, the strongest first, its score, and the probability of being relevant.

    Everything is by the profile as it is now.
    """

    speak_for: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    score: float = 0.0
    probability: float | None = None


class Reasons:
    """Gives reasons, and remembers the thresholds that probabilities come from while they stay the same."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._thresholds: dict[int, tuple[Vector, int, int, Threshold | None]] = {}

    def of(self, engine: Engine, pairs: Sequence[Pair]) -> list[Reason]:
        """The reason of each pair; a profile that is gone gives none."""
        vectors = self._vectors(engine, sorted({document for _, document in pairs}))
        shared = [_shared(engine.readers.get(profile), vectors.get(document)) for profile, document in pairs]
        names = self._names({term for speak_for, against, _ in shared for term in (*speak_for, *against)})
        probabilities = self._probabilities(
            engine, [(profile, score) for (profile, _), (_, _, score) in zip(pairs, shared, strict=True)]
        )
        return [
            Reason(
                tuple(names[term] for term in speak_for),
                tuple(names[term] for term in against),
                score,
                chance,
            )
            for (speak_for, against, score), chance in zip(shared, probabilities, strict=True)
        ]

    def _vectors(self, engine: Engine, documents: Sequence[int]) -> dict[int, Vector]:
        if not documents:
            return {}
        query = f"SELECT document, terms, tf FROM counts WHERE document IN ({placeholders(documents)}) ORDER BY document"
        rows = list(self._store.rows(query, tuple(documents)))
        counts = counts_of(rows, "counts", self._store.damaged)
        weights, bounds = engine.idf.weighted(counts), counts.offsets.tolist()
        return {
            row[0]: Vector(counts.terms[start:stop], weights[start:stop])
            for row, start, stop in zip(rows, bounds[:-1], bounds[1:], strict=True)
        }

    def _names(self, numbers: set[int]) -> dict[int, str]:
        if not numbers:
            return {}
        query = f"SELECT number, term FROM terms WHERE number IN ({placeholders(numbers)})"
        return dict(self._store.rows(query, tuple(numbers)))

    def _probabilities(self, engine: Engine, scored: Sequence[tuple[int, float]]) -> list[float | None]:
        chances: list[float | None] = [None] * len(scored)
        for number in {profile for profile, _ in scored}:
            reader = engine.readers.get(number)
            threshold = None if reader is None else self._threshold(engine, reader)
            if threshold is None or threshold.calibration is None:
                continue
            places = [place for place, (profile, _) in enumerate(scored) if profile == number]
            scores = np.array([scored[place][1] for place in places])
            rarity = places_of(scores, threshold.seen.scores, threshold.seen.dropped)
            for place, chance in zip(places, threshold.calibration.probability(rarity).tolist(), strict=True):
                chances[place] = chance
        return chances

    def _threshold(self, engine: Engine, reader: Reader) -> Threshold | None:
        """The threshold with its calibration, as of the profile's last renewal."""
        known = self._thresholds.get(reader.number)
        if known is not None and known[0] is reader.vector and known[1:3] == (reader.seen, reader.known):
            return known[3]
        threshold = calibrated_threshold(engine, reader)
        self._thresholds[reader.number] = reader.vector, reader.seen, reader.known, threshold
        return threshold


def _shared(reader: Reader | None, document: Vector | None) -> tuple[list[int], list[int], float]:
    """Terms that speak for a document and against it, the strongest first, and its score."""
    if reader is None or document is None or not len(reader.vector.terms):
        return [], [], 0.0
    profile = reader.vector
    places = np.minimum(np.searchsorted(profile.terms, document.terms), len(profile.terms) - 1)
    there = profile.terms[places] == document.terms
    terms, adds = document.terms[there], document.weights[there] * profile.weights[places[there]]
    order = np.argsort(-adds, kind="stable")
    least = _LEAST * float(np.abs(adds).max(initial=0.0))
    speak_for = [place for place in order[:MOST_FOR].tolist() if adds[place] > 0]
    against = [place for place in order[::-1][:MOST_AGAINST].tolist() if adds[place] < -least]
    return terms[speak_for].tolist(), terms[against].tolist(), float(adds.sum())
