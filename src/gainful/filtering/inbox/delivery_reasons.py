"""Why documents were delivered: the terms that each shares with its profile, for a page of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gainful.filtering.reliability import places_among_seen
from gainful.filtering.state.engine import Engine
from gainful.filtering.state.events import counts_of
from gainful.filtering.state.profile_index import Reader
from gainful.filtering.state.reader_answers import calibrated_threshold
from gainful.filtering.state.store import Store, question_marks
from gainful.filtering.threshold_registry import Threshold
from gainful.filtering.vectors import Idf, Vector

MOST_FOR, MOST_AGAINST = 6, 3
"""Terms that are named of those that speak for a document, and of those against it."""

_REMEMBERED = 20_000  # reasons
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
    """Reasons for documents, remembered while their profiles stay the same."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[Pair, tuple[Vector, Idf, Reason]] = {}
        self._thresholds: dict[int, tuple[Vector, int, int, Threshold | None]] = {}

    def of(self, engine: Engine, pairs: Sequence[Pair]) -> list[Reason]:
        """The reason of each pair; a profile that is gone gives none."""
        self._explain(engine, [pair for pair in pairs if not self._is_known(engine, pair)])
        reasons = [self._known[pair][2] if pair in self._known else Reason() for pair in pairs]
        scored = [(profile, reason.score) for (profile, _), reason in zip(pairs, reasons, strict=True)]
        probabilities = self._probabilities(engine, scored)
        return [
            replace(reason, probability=probability)
            for reason, probability in zip(reasons, probabilities, strict=True)
        ]

    def _is_known(self, engine: Engine, pair: Pair) -> bool:
        known, reader = self._known.get(pair), engine.readers.get(pair[0])
        return (
            known is not None and reader is not None and known[0] is reader.vector and known[1] is engine.idf
        )

    def _explain(self, engine: Engine, pairs: Sequence[Pair]) -> None:
        """Compute and remember the terms of these pairs."""
        if len(self._known) + len(pairs) > _REMEMBERED:
            self._known.clear()
        vectors = self._vectors(engine, sorted({document for _, document in pairs}))
        shared = {
            (profile, document): _shared(engine.readers[profile].vector, vectors[document])
            for profile, document in pairs
            if profile in engine.readers
        }
        names = self._names({term for terms, against, _ in shared.values() for term in (*terms, *against)})
        for pair, (terms, against, score) in shared.items():
            reason = Reason(
                tuple(map(names.__getitem__, terms)), tuple(map(names.__getitem__, against)), score
            )
            self._known[pair] = engine.readers[pair[0]].vector, engine.idf, reason

    def _vectors(self, engine: Engine, documents: Sequence[int]) -> dict[int, Vector]:
        if not documents:
            return {}
        query = f"SELECT document, terms, tf FROM counts WHERE document IN ({question_marks(documents)}) ORDER BY document"
        rows = list(self._store.rows(query, tuple(documents)))
        if len(rows) < len(documents):
            missing = min(set(documents) - {row[0] for row in rows})
            raise self._store.damaged(f"table counts, row {missing} is missing")
        counts = counts_of(rows, "counts", self._store.damaged)
        weights, bounds = engine.idf.weighted(counts), counts.offsets.tolist()
        return {
            row[0]: Vector(counts.terms[start:stop], weights[start:stop])
            for row, start, stop in zip(rows, bounds[:-1], bounds[1:], strict=True)
        }

    def _names(self, numbers: set[int]) -> dict[int, str]:
        if not numbers:
            return {}
        query = f"SELECT number, term FROM terms WHERE number IN ({question_marks(numbers)})"
        names: dict[int, str] = dict(self._store.rows(query, tuple(numbers)))
        if len(names) < len(numbers):
            raise self._store.damaged(f"table terms: number {min(numbers - names.keys())} is missing")
        return names

    def _probabilities(self, engine: Engine, scored: Sequence[tuple[int, float]]) -> list[float | None]:
        probabilities: list[float | None] = [None] * len(scored)
        for number in {profile for profile, _ in scored}:
            reader = engine.readers.get(number)
            threshold = None if reader is None else self._threshold(engine, reader)
            if threshold is None or threshold.calibration is None or not len(threshold.seen.relevant):
                continue  # without a relevant answer there is a guess, and no estimate
            places = [place for place, (profile, _) in enumerate(scored) if profile == number]
            scores = np.array([scored[place][1] for place in places])
            estimates = threshold.calibration.probability(places_among_seen(threshold, scores)).tolist()
            for place, probability in zip(places, estimates, strict=True):
                probabilities[place] = probability
        return probabilities

    def _threshold(self, engine: Engine, reader: Reader) -> Threshold | None:
        """The threshold with its calibration, as of the profile's last renewal."""
        known = self._thresholds.get(reader.number)
        if known is not None and known[0] is reader.vector and known[1:3] == (reader.seen, reader.known):
            return known[3]
        threshold = calibrated_threshold(engine, reader)
        self._thresholds[reader.number] = reader.vector, reader.seen, reader.known, threshold
        return threshold


def _shared(profile: Vector, document: Vector) -> tuple[list[int], list[int], float]:
    """Terms that speak for a document and against it, the strongest first, and its score."""
    if not len(profile.terms):
        return [], [], 0.0
    places = np.minimum(np.searchsorted(profile.terms, document.terms), len(profile.terms) - 1)
    there = profile.terms[places] == document.terms
    terms, adds = document.terms[there], document.weights[there] * profile.weights[places[there]]
    order = np.argsort(-adds, kind="stable")
    least = _LEAST * float(np.abs(adds).max(initial=0.0))
    speak_for = [place for place in order[:MOST_FOR].tolist() if adds[place] > 0]
    against = [place for place in order[::-1][:MOST_AGAINST].tolist() if adds[place] < -least]
    return terms[speak_for].tolist(), terms[against].tolist(), float(adds.sum())
