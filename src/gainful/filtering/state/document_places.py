"""How rare the scores of documents were: when they arrived and were delivered, and when they were judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gainful.filtering.relevance_calibration import places_of
from gainful.filtering.sibling_profiles import Siblings
from gainful.filtering.state import derived
from gainful.filtering.state.profile_index import Reached, Reader

if TYPE_CHECKING:
    from gainful.filtering.state.engine import Engine


class _Silent(NamedTuple):
    """Deliveries to profiles of one rule, which have no answer yet: columns side by side, as there are many.

    siblings  profiles that learn from each other
    known     places of all deliveries of the batch, as far as they are known
    """

    siblings: Siblings
    known: list[float]
    profiles: list[int]
    documents: list[int]
    places: list[float]


def note_arrivals(engine: Engine, reached: Reached, stop: int) -> None:
    """Count deliveries by their places, where profiles learn from each other.

    stop  how many documents have been seen when all of these have
    """
    by_rule: dict[str, _Silent | None] = {}
    decisions, higher, readers = reached.decisions, reached.higher.tolist(), engine.readers
    by_profile = sorted(range(len(decisions)), key=[decision[0] for decision in decisions].__getitem__)
    for at in by_profile:  # as the table is
        number, document, _, _ = decisions[at]
        reader = readers[number]
        name = reader.settings.rule
        if name not in by_rule:
            rule, siblings = engine.learning(reader)[0], engine.siblings.of(reader)
            known = [] if siblings is None else reached.places(rule.nearness).tolist()
            by_rule[name] = None if siblings is None else _Silent(siblings, known, [], [], [])
        if (silent := by_rule[name]) is not None:
            place = silent.known[at] if higher[at] >= 0 else _arrival_place(engine, reader, document, stop)
            silent.profiles.append(number)
            silent.documents.append(document)
            silent.places.append(place)
            reader.sent[document] = place
    for silent in filter(None, by_rule.values()):
        silent.siblings.count_silent(silent.profiles, np.array(silent.places))
        derived.keep_arrivals(
            engine.store, zip(silent.profiles, silent.documents, silent.places, strict=True)
        )


def _arrival_place(engine: Engine, reader: Reader, document: int, stop: int) -> float:
    """The place of a document when it arrived; the highest scores of the profile are kept from now on."""
    scores = engine.history.scores(reader.vector, engine.held + stop - engine.seen)
    engine.highest.keep(reader.number, scores)
    held = engine.held + document - engine.seen + 1
    nearness = engine.learning(reader)[0].nearness
    return float(places_of(scores[held - 1 : held], scores[:held], engine.dropped, nearness)[0])


def place_when_judged(engine: Engine, reader: Reader, document: int, *, example: bool) -> float | None:
    """The place of a document by the profile as it is; None for an example, or where the rule does not ask.

    A verdict that is changed keeps its place: the profile has learned from the document since.
    """
    if document in reader.judged:
        return reader.places.get(document)
    rule = engine.learning(reader)[0]
    if example or not rule.calibrates or not len(reader.vector.terms):
        return None
    if not derived.in_history(engine.store, document):
        return None
    scores = engine.history.scores(reader.vector, engine.held)
    row = engine.history.rows([document])
    return float(places_of(scores[row], scores, engine.dropped, rule.nearness)[0])
