"""Documents that were not delivered: what another threshold would have delivered, and what came near the threshold."""

from __future__ import annotations

import math
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from gainful.errors import UsageError
from gainful.filtering.reliability import probability_at
from gainful.filtering.state.engine import Engine
from gainful.filtering.state.events import moment, said, stamp
from gainful.filtering.state.filter_results import NearMiss, Preview, Previewed
from gainful.filtering.state.profile_index import Reader
from gainful.filtering.state.reader_answers import calibrated_threshold, named_document
from gainful.filtering.state.store import Store
from gainful.filtering.vectors import Floats, Integers
from gainful.formats.ids import from_bytes


def preview(
    store: Store, engine: Engine, reader: Reader, threshold: float, *, since: datetime | None = None
) -> Preview:
    """What a threshold would have done on the history, or on what of it arrived since a time."""
    if math.isnan(threshold):
        raise UsageError("a threshold must be a number; got nan")
    documents, scores = engine.scores(reader)
    first = 0 if since is None else _first(store, since, engine.seen)
    scores, documents = scores[documents >= first], documents[documents >= first]
    delivered = _delivered(store, reader)
    comes = (scores >= threshold) & (scores > 0)
    was = np.isin(documents, list(delivered))
    would_come = [
        _previewed(store, reader, delivered, *scored) for scored in _highest(documents, scores, comes)
    ]
    lost = [
        _previewed(store, reader, delivered, *scored) for scored in _highest(documents, scores, ~comes & was)
    ]
    relevant = sum(document.verdict == "relevant" for document in would_come)
    other = sum(document.verdict == "not-relevant" for document in would_come)
    utility = engine.learning(reader)[2]
    missed = sum(good for document, good in reader.judged.items() if document >= first) - relevant
    others = len(would_come) - relevant
    return Preview(
        profile=reader.settings.name,
        threshold=threshold,
        would_come=tuple(would_come),
        gained=sum(not document.delivered for document in would_come),
        lost=tuple(lost),
        relevant=relevant,
        other=other,
        unjudged=others - other,
        missed=missed,
        utility=float(utility(relevant, others, missed, len(documents) - len(would_come) - missed)),
        history=len(documents),
    )


def near_misses(
    store: Store, engine: Engine, reader: Reader, *, most: int, last: int | None
) -> list[NearMiss]:
    """The highest-scored documents that were neither delivered nor judged, among the last ones seen."""
    for name, number in (("most", most), ("last", last)):
        if number is not None and number < 1:
            raise UsageError(f"{name} must be 1 document or more; got {number}")
    documents, scores = engine.scores(reader)
    known = [*_delivered(store, reader), *reader.judged]
    chosen = (scores > 0) & ~np.isin(documents, known)
    if last is not None:
        chosen &= documents >= engine.seen - last
    highest = _highest(documents, scores, chosen)[:most]
    threshold = calibrated_threshold(engine, reader)
    query = "SELECT id, title, text, link, date FROM documents WHERE number = ?"
    misses = []
    for document, score in highest:
        raw, title, text, link, date = store.needed(f"table documents, row {document}", query, document)
        misses.append(
            NearMiss(
                reader.settings.name,
                from_bytes(raw),
                title,
                text,
                link,
                None if date is None else moment(date),
                score,
                reader.theta,
                None if threshold is None else probability_at(threshold, score),
                document + 1,
                reader.number,
            )
        )
    return misses


def _first(store: Store, since: datetime, seen: int) -> int:
    """The number of the first document that arrived since a time; `seen` where none did."""
    query = (
        "SELECT min(documents.number) AS last_document FROM documents JOIN events ON events.number = event "
        "WHERE time >= ?"
    )
    first = store.one(query, stamp(since))
    return seen if first is None else int(first)


def _delivered(store: Store, reader: Reader) -> set[int]:
    query = "SELECT document FROM deliveries WHERE profile = ?"
    return {document for (document,) in store.rows(query, (reader.number,))}


def _highest(documents: Integers, scores: Floats, chosen: NDArray[np.bool_]) -> list[tuple[int, float]]:
    places = np.flatnonzero(chosen)
    order = places[np.lexsort((documents[places], -scores[places]))]
    return list(zip(documents[order].tolist(), scores[order].tolist(), strict=True))


def _previewed(store: Store, reader: Reader, delivered: set[int], document: int, score: float) -> Previewed:
    raw, title = named_document(store, document)
    verdict = said(reader.judged.get(document))
    return Previewed(from_bytes(raw), title, score, document + 1, verdict, document in delivered)
