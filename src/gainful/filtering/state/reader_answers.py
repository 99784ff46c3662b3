"""Answers to a reader's questions: profiles as they are, how their thresholds went, and why a document was delivered."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from gainful.filtering.reliability import probability_at, reliability
from gainful.filtering.replay import Replay
from gainful.filtering.state.engine import Engine
from gainful.filtering.state.event_log import Log
from gainful.filtering.state.events import moment, said
from gainful.filtering.state.filter_results import (
    Delivery,
    Explanation,
    History,
    Part,
    ProfileState,
)
from gainful.filtering.state.history_vectors import document_counts
from gainful.filtering.state.profile_index import Reader
from gainful.filtering.state.schema import THRESHOLD
from gainful.filtering.state.store import Row, Store
from gainful.filtering.threshold_registry import Threshold
from gainful.filtering.vectors import Terms, Vector
from gainful.formats.ids import from_bytes, to_bytes
from gainful.presentation.text_style import fixed

_PARTS = ("theta", "theta_opt", "theta_zero", "alpha", "n", "start", "top")


def states(store: Store, engine: Engine, *, only: int | None = None) -> list[ProfileState]:
    """Profiles as they are now, without their terms."""
    whose, given = ("", ()) if only is None else ("AND number = ?", (only,))
    delivered: dict[int, int] = dict(
        store.rows(
            "SELECT number, count(*) FROM deliveries JOIN profiles ON number = profile "
            f"WHERE active = 1 {whose} GROUP BY number",
            given,
        )
    )
    query = (
        f"SELECT number, name, added, seen, {', '.join(_PARTS)} FROM profiles "
        f"JOIN learned ON learned.profile = number JOIN {THRESHOLD} WHERE active = 1 {whose} ORDER BY number"
    )
    profile_states = []
    for number, name, added, seen, *parts in list(store.rows(query, given)):
        reader = engine.readers[number]
        settings, relevant = reader.settings, sum(reader.judged.values())
        profile_states.append(
            ProfileState(
                name=name,
                settings=settings,
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
    return profile_states


def state_of(store: Store, log: Log, engine: Engine, reader: Reader) -> ProfileState:
    """One profile, with its terms, and with what its threshold was estimated from."""
    profile = states(store, engine, only=reader.number)[0]
    threshold = calibrated_threshold(engine, reader)
    estimate = None if threshold is None else reliability(threshold)
    others = None if threshold is None else threshold.seen.answers.siblings
    theta_now = threshold.theta if threshold and others is not None and others.profiles else None
    return replace(profile, terms=named(log, reader.vector), estimate=estimate, theta_now=theta_now)


def calibrated_threshold(engine: Engine, reader: Reader) -> Threshold | None:
    """The threshold as it would be set now, with the curve of probabilities behind it; None for a rule that has none."""
    return engine.learner(reader).settle(engine.seen) if engine.learning(reader)[0].calibrates else None


def named(log: Log, vector: Vector, most: int | None = None) -> tuple[tuple[str, float], ...]:
    """Terms and weights, the highest first; of equal ones those known first."""
    order = np.lexsort((vector.terms, -vector.weights))[:most]
    return tuple((log.term(int(vector.terms[place])), float(vector.weights[place])) for place in order)


DELIVERIES = """
SELECT d.event, p.name, x.id, x.title, x.text, x.link, x.date, d.score, d.theta, d.document, e.time, j.verdict,
    p.number, p.active
FROM deliveries AS d JOIN events AS e ON e.number = d.event JOIN profiles AS p ON p.number = d.profile
JOIN documents AS x ON x.number = d.document
LEFT JOIN judgments AS j ON j.profile = d.profile AND j.document = d.document
"""


def delivery(row: Row) -> Delivery:
    """A row of `DELIVERIES` as a record."""
    event, profile, raw, title, text, link, date, score, theta, place, time, verdict, number, active = row
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
        place + 1,
        moment(time),
        said(verdict),
        number,
        not active,
    )


def named_document(store: Store, document: int) -> Row:
    """Id and title of a document of the history."""
    query = "SELECT id, title FROM documents WHERE number = ?"
    return store.needed(f"table documents, row {document}", query, document)


def history(store: Store, engine: Engine, reader: Reader) -> History:
    """Scores and judgments of one profile, and how its threshold went."""
    threshold = engine.learner(reader).settle(engine.seen)
    documents, scores = engine.scores(reader)
    verdicts = np.full(len(documents), -1, np.int8)
    for document, good in reader.judged.items():
        verdicts[np.searchsorted(documents, document)] = good
    renewals = (
        "SELECT seen, theta, theta_opt, theta_zero, alpha, n FROM renewals WHERE profile = ? ORDER BY seen"
    )
    rows = list(store.rows(renewals, (reader.number,)))
    deliveries = "SELECT document, score FROM deliveries WHERE profile = ? ORDER BY document"
    sent = list(store.rows(deliveries, (reader.number,)))
    start = added(store, engine, reader)
    if store.one("SELECT count(*) FROM documents") != engine.seen:
        raise store.damaged("table documents: numbers are missing")
    if sent and not start <= sent[0][0] <= sent[-1][0] < engine.seen:
        raise store.damaged(f"table deliveries, profile {reader.number}: documents that it cannot have seen")
    arrived = np.zeros(engine.seen - start)
    arrived[[document - start for document, _ in sent]] = [score for _, score in sent]
    return History(
        profile=reader.settings.name,
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


def added(store: Store, engine: Engine, reader: Reader) -> int:
    """How many documents had been seen when a profile was added."""
    query = "SELECT position FROM changes JOIN events ON number = event WHERE kind = 'profile-added' AND profile = ?"
    position = int(store.needed(f"the event that added profile {reader.number}", query, reader.number)[0])
    if position > engine.seen:
        raise store.damaged(f"the event that added profile {reader.number}: position {position}")
    return position


_MISSING = 10  # strong terms of the profile that the document lacks and an explanation names


def explanation(store: Store, log: Log, engine: Engine, reader: Reader, document: int) -> Explanation:
    """Why a document came, or did not."""
    profile, threshold = state_of(store, log, engine, reader), calibrated_threshold(engine, reader)
    raw, title = named_document(store, document)
    vector = _vector(store, engine, document)
    shared, parts, score = _parts(log, reader, vector)
    row = store.row(f"{DELIVERIES} WHERE d.profile = ? AND d.document = ?", reader.number, document)
    lacking = ~np.isin(reader.vector.terms, shared) & (reader.vector.weights > 0)
    missing = Vector(reader.vector.terms[lacking], reader.vector.weights[lacking])
    delivers = score >= profile.theta and score > profile.floor
    delivered = None if row is None else delivery(row)
    kept_back = not store.one("SELECT deliverable FROM documents WHERE number = ?", document)
    early = document < added(store, engine, reader)
    return Explanation(
        profile=profile,
        document=from_bytes(raw),
        title=title,
        position=document + 1,
        parts=tuple(parts),
        score=score,
        margin=score - profile.theta,
        delivered=delivered,
        delivers=delivers,
        verdict=said(reader.judged.get(document)),
        reason=_reason(profile, score, delivered, len(vector.terms), len(parts), kept_back, early),
        change=tuple(_change(profile, score, delivered, delivers, parts)),
        missing=named(log, missing, _MISSING),
        probability=None if threshold is None else probability_at(threshold, score),
    )


def parts_of(store: Store, log: Log, engine: Engine, reader: Reader | None, id_: str) -> tuple[Part, ...]:
    """The terms that a document shares with a profile; none where one of them is there no more."""
    known = log.known(to_bytes(id_))
    if reader is None or known is None:
        return ()
    return tuple(_parts(log, reader, _vector(store, engine, known[0]))[1])


def _vector(store: Store, engine: Engine, document: int) -> Vector:
    counts = document_counts(store, document)
    return Vector(counts.terms, engine.idf.weighted(counts))


def _parts(log: Log, reader: Reader, vector: Vector) -> tuple[Terms, list[Part], float]:
    """The terms that a document shares with a profile, what each adds, highest first, and the score."""
    shared, here, there = np.intersect1d(vector.terms, reader.vector.terms, return_indices=True)
    pairs = list(
        zip(
            shared.tolist(), vector.weights[here].tolist(), reader.vector.weights[there].tolist(), strict=True
        )
    )
    score = 0.0
    for _, weight, other_weight in pairs:
        score += weight * other_weight  # in the order of the terms, as the core adds
    parts = [Part(log.term(term), weight, other_weight) for term, weight, other_weight in pairs]
    return shared, sorted(parts, key=lambda part: -part.adds), score


def _reason(
    profile: ProfileState,
    score: float,
    delivered: Delivery | None,
    terms: int,
    shared: int,
    kept_back: bool,
    early: bool,
) -> str:
    if delivered is not None:
        then = f"its score was {delivered.score:.4f}, and the threshold {delivered.theta:.4f}"
        return f"It was delivered as document {delivered.position:,} of the stream: {then}."
    if terms == 0:
        return "It has no terms, so it cannot be delivered."
    if kept_back:
        return "It was ingested as an example or from an archive, which are not delivered."
    if early:
        return (
            f"It arrived before the profile was added; with the current profile its score is {fixed(score)}."
        )
    if not shared:
        return "It shares no term with the profile."
    if score <= profile.floor:
        return f"Its score is {fixed(score)}: the terms that it shares with the profile weigh more against it than for it."
    if score < profile.theta:
        return f"Its score is {score:.4f}, below the threshold of {profile.theta:.4f}."
    return (
        f"It would be delivered now: its score is {score:.4f}, and the threshold {profile.theta:.4f}. "
        "When it arrived, profile and threshold were different, and it did not reach the threshold."
    )


def _change(
    profile: ProfileState, score: float, delivered: Delivery | None, delivers: bool, parts: list[Part]
) -> list[str]:
    """What would make the decision of now another one."""
    if delivers:
        higher = f"A threshold above {_rounded(score, math.ceil)} would suppress it."
        needed = [part.term for part in parts if _without(part, score) < profile.theta]
        return [
            higher,
            *(f"Without the term '{term}' it would not reach the threshold." for term in needed[:1]),
        ]
    if not parts:
        return ["Judging it, or documents like it, relevant would add its terms to the profile."]
    if score <= profile.floor:
        return ["Judging it, or documents like it, relevant would move the profile towards them."]
    lower = f"A threshold of {_rounded(score, math.floor)} or less would deliver it."
    if delivered is not None:
        return [lower]
    against = [part.term for part in parts if part.adds < 0 and _without(part, score) >= profile.theta]
    if against:
        lower += f" Without the term '{against[-1]}', which speaks against it, it would reach the threshold."
    return [lower, "Judging it relevant would move the profile towards documents like it."]


def _without(part: Part, score: float) -> float:
    """The score that a document would have without one of its terms; what is left of it has length 1 again."""
    rest = 1 - part.in_document**2
    return (score - part.adds) / math.sqrt(rest) if rest > 0 else 0.0


def _rounded(score: float, towards: Callable[[float], int]) -> str:
    """Four digits, rounded so that what is said of the number stays true."""
    return f"{towards(score * 1e4) / 1e4:.4f}"
