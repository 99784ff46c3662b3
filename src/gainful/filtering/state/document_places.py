"""How rare the scores of documents were: when they arrived and were delivered, and when they were judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainful.filtering.relevance_calibration import places_of
from gainful.filtering.sibling_profiles import SILENT, Siblings
from gainful.filtering.state import derived
from gainful.filtering.state.profile_index import Reached, Reader

if TYPE_CHECKING:
    from gainful.filtering.state.engine import Engine


def note_arrivals(engine: Engine, reached: Reached, stop: int) -> None:
    """Count deliveries by their places, where profiles learn from each other.

    stop  how many documents have been seen when all of these have
    """
    by_rule: dict[str, tuple[Siblings | None, list[float]]] = {}  # siblings, and the places of all decisions
    arrivals = []
    decisions, higher, readers = reached.decisions, reached.higher.tolist(), engine.readers
    by_profile = sorted(range(len(decisions)), key=[decision[0] for decision in decisions].__getitem__)
    for at in by_profile:  # as the table is
        number, document, _, _ = decisions[at]
        reader = readers[number]
        name = reader.settings.rule
        if name not in by_rule:
            rule = engine.learning(reader)[0]
            places = reached.places(rule.nearness).tolist() if rule.siblings else []
            by_rule[name] = engine.siblings.of(reader), places
        siblings, places = by_rule[name]
        if siblings is not None:
            place = places[at] if higher[at] >= 0 else _arrival_place(engine, reader, document, stop)
            siblings.count(number, SILENT, place)
            reader.sent[document] = place
            arrivals.append((number, document, place))
    derived.keep_arrivals(engine.store, arrivals)


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
