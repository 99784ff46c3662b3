"""Answers to a reader's questions: profiles as they are, why a document came, what another threshold would have done."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gainful.errors import UsageError
from gainful.filtering.replay import Replay
from gainful.filtering.state.engine import Engine
from gainful.filtering.state.events import moment, said, way_of
from gainful.filtering.state.log import Log
from gainful.filtering.state.profile_index import Reader
from gainful.filtering.state.results import (
    Delivery,
    History,
    Preview,
    Previewed,
    ProfileSettings,
    ProfileState,
)
from gainful.filtering.state.store import Row, Store
from gainful.filtering.vectors import Floats, Integers, Vector
from gainful.formats.ids import from_bytes

_PARTS = ("theta", "theta_opt", "theta_zero", "alpha", "n", "start", "top")


def states(store: Store, engine: Engine, *, only: int | None = None) -> list[ProfileState]:
    """Profiles as they are now, without their terms."""
    delivered: dict[int, int] = dict(
        store.execute(
            "SELECT profile, count(*) FROM deliveries WHERE ?1 IS NULL OR profile = ?1 GROUP BY profile",
            (only,),
        )
    )
    query = (
        f"SELECT number, name, added, seen, {', '.join(_PARTS)} FROM profiles "
        "JOIN learned ON profile = number WHERE active AND (?1 IS NULL OR number = ?1) ORDER BY number"
    )
    found = []
    for number, name, added, seen, *parts in store.execute(query, (only,)).fetchall():
        reader = engine.readers[number]
        wish, relevant = reader.wish, sum(reader.judged.values())
        found.append(
            ProfileState(
                name=name,
                settings=ProfileSettings(wish.text, wish.rule, wish.rocchio, wish.utility),
                terms=(),
                **dict(zip(_PARTS, parts, strict=True)),
                floor=0.0,
                relevant=relevant,
                other=len(reader.judged) - relevant,
                deliveries=delivered.get(number, 0),
                seen=seen,
                added=moment(added),
            )
        )
    return found


def state_of(store: Store, log: Log, engine: Engine, reader: Reader) -> ProfileState:
    """One profile, with its terms."""
    return replace(states(store, engine, only=reader.number)[0], terms=named(log, reader.vector))


def named(log: Log, vector: Vector, most: int | None = None) -> tuple[tuple[str, float], ...]:
    """Terms and weights, the highest first; of equal ones those known first."""
    order = np.lexsort((vector.terms, -vector.weights))[:most]
    return tuple((log.term(int(vector.terms[one])), float(vector.weights[one])) for one in order)


DELIVERIES = """
SELECT d.event, p.name, x.id, x.title, x.text, x.link, x.date, d.score, d.theta, d.document + 1, e.time, j.verdict,
    p.number, NOT p.active
FROM deliveries AS d JOIN events AS e ON e.number = d.event JOIN profiles AS p ON p.number = d.profile
JOIN documents AS x ON x.number = d.document
LEFT JOIN judgments AS j ON j.profile = d.profile AND j.document = d.document
"""


def delivery(row: Row) -> Delivery:
    """A row of `DELIVERIES` as a record."""
    event, profile, raw, title, text, link, date, score, theta, position, time, verdict, number, removed = row
    return Delivery(
        event,
        profile,
        from_bytes(raw),
        title,
        text,
        link,
        None if date is None else moment(date),
        score,
        theta,
        position,
        moment(time),
        said(verdict),
        number,
        bool(removed),
    )


def preview(store: Store, engine: Engine, reader: Reader, threshold: float) -> Preview:
    """What a threshold would have done on the history."""
    if math.isnan(threshold):
        raise UsageError("a threshold must be a number; got nan")
    documents, scores = engine.scores(reader)
    delivered = {
        one for (one,) in store.execute("SELECT document FROM deliveries WHERE profile = ?", (reader.number,))
    }
    comes = (scores >= threshold) & (scores > 0)
    was = np.isin(documents, list(delivered))
    would_come = [_previewed(store, reader, delivered, *one) for one in _highest(documents, scores, comes)]
    lost = [_previewed(store, reader, delivered, *one) for one in _highest(documents, scores, ~comes & was)]
    relevant = sum(one.verdict == "relevant" for one in would_come)
    other = sum(one.verdict == "not-relevant" for one in would_come)
    utility = way_of(reader.wish.rule, reader.wish.rocchio, reader.wish.utility)[2]
    missed = sum(reader.judged.values()) - relevant
    others = len(would_come) - relevant
    return Preview(
        profile=reader.wish.name,
        threshold=threshold,
        would_come=tuple(would_come),
        gained=sum(not one.delivered for one in would_come),
        lost=tuple(lost),
        relevant=relevant,
        other=other,
        unjudged=others - other,
        missed=missed,
        utility=float(utility(relevant, others, missed, len(documents) - len(would_come) - missed)),
        history=len(documents),
    )


def _highest(documents: Integers, scores: Floats, chosen: NDArray[np.bool_]) -> list[tuple[int, float]]:
    places = np.flatnonzero(chosen)
    order = places[np.lexsort((documents[places], -scores[places]))]
    return list(zip(documents[order].tolist(), scores[order].tolist(), strict=True))


def _previewed(store: Store, reader: Reader, delivered: set[int], document: int, score: float) -> Previewed:
    raw, title = store.execute("SELECT id, title FROM documents WHERE number = ?", (document,)).fetchone()
    verdict = said(reader.judged.get(document))
    return Previewed(from_bytes(raw), title, score, document + 1, verdict, document in delivered)


def history(store: Store, engine: Engine, reader: Reader) -> History:
    """Scores and judgments of one profile, and how its threshold went."""
    threshold = engine.learner(reader).settle(engine.seen)
    documents, scores = engine.scores(reader)
    verdicts = np.full(len(documents), -1, np.int8)
    for document, good in reader.judged.items():
        verdicts[np.searchsorted(documents, document)] = good
    rows = store.execute(
        "SELECT seen, theta, theta_opt, theta_zero, alpha, n FROM renewals WHERE profile = ? ORDER BY seen",
        (reader.number,),
    ).fetchall()
    sent = store.execute(
        "SELECT document, score FROM deliveries WHERE profile = ? ORDER BY document", (reader.number,)
    ).fetchall()
    start = added(store, reader)
    arrived = np.zeros(engine.seen - start)
    arrived[[document - start for document, _ in sent]] = [score for _, score in sent]
    return History(
        profile=reader.wish.name,
        documents=documents,
        scores=scores,
        verdicts=verdicts,
        threshold=threshold,
        replay=Replay(
            start=start,
            deliveries=np.array([document for document, _ in sent], np.int64),
            scores=arrived,
            renewed=np.array([row[0] for row in rows], np.int64),
            thresholds=np.array([row[1:] for row in rows], np.float64).reshape(-1, 5),
            last=threshold,
            profile=reader.vector,
        ),
        relevant=frozenset(document for document, good in reader.judged.items() if good),
    )


def added(store: Store, reader: Reader) -> int:
    """How many documents had been seen when a profile was added."""
    query = "SELECT position FROM changes JOIN events ON number = event WHERE kind = 'profile-added' AND profile = ?"
    return int(store.one(query, reader.number))
