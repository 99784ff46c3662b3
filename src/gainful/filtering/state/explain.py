"""Why a document came, or did not, and what would have changed it."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from gainful.filtering.state.answers import DELIVERIES, added, delivery, named, state_of
from gainful.filtering.state.engine import Engine
from gainful.filtering.state.events import counts_of, said
from gainful.filtering.state.log import Log
from gainful.filtering.state.profile_index import Reader
from gainful.filtering.state.results import Delivery, Explanation, Part, ProfileState
from gainful.filtering.state.store import Store
from gainful.filtering.vectors import Terms, Vector
from gainful.formats.ids import from_bytes, to_bytes

_MISSING = 10  # strong terms of the profile that the document lacks and an explanation names


def explanation(store: Store, log: Log, engine: Engine, reader: Reader, document: int) -> Explanation:
    """Why a document came, or did not."""
    profile = state_of(store, log, engine, reader)
    raw, title = store.execute("SELECT id, title FROM documents WHERE number = ?", (document,)).fetchone()
    vector = _vector(store, engine, document)
    shared, parts, score = _parts(log, reader, vector)
    row = store.execute(
        f"{DELIVERIES} WHERE d.profile = ? AND d.document = ?", (reader.number, document)
    ).fetchone()
    lacking = ~np.isin(reader.vector.terms, shared)
    missing = Vector(reader.vector.terms[lacking], reader.vector.weights[lacking])
    delivers = score >= profile.theta and score > profile.floor
    delivered = None if row is None else delivery(row)
    kept_back = not store.one("SELECT deliverable FROM documents WHERE number = ?", document)
    early = document < added(store, reader)
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
        reason=_reason(profile, score, delivered, len(vector.terms), kept_back, early),
        change=tuple(_change(profile, score, delivered, delivers, parts)),
        missing=named(log, missing, _MISSING),
    )


def parts_of(store: Store, log: Log, engine: Engine, reader: Reader | None, id_: str) -> tuple[Part, ...]:
    """The terms that a document shares with a profile; none where one of them is there no more."""
    known = log.known(to_bytes(id_))
    if reader is None or known is None:
        return ()
    return tuple(_parts(log, reader, _vector(store, engine, known[0]))[1])


def _vector(store: Store, engine: Engine, document: int) -> Vector:
    rows = store.execute("SELECT terms, tf FROM counts WHERE document = ?", (document,)).fetchall()
    counts = counts_of(rows)
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
    for _, one, other in pairs:
        score += one * other  # in the order of the terms, as the core adds
    parts = [Part(log.term(term), one, other) for term, one, other in pairs]
    return shared, sorted(parts, key=lambda part: -part.adds), score


def _reason(
    profile: ProfileState, score: float, delivered: Delivery | None, terms: int, kept_back: bool, early: bool
) -> str:
    if delivered is not None:
        then = f"its score was {delivered.score:.4f}, and the threshold {delivered.theta:.4f}"
        return f"It was delivered as document {delivered.position:,} of the stream: {then}."
    if terms == 0:
        return "It is empty: without a term nothing can be delivered."
    if kept_back:
        return "It came as an example or from an archive, which is delivered to nobody."
    if early:
        return f"It came before the profile was there; by the profile of now its score is {score:.4f}."
    if score <= profile.floor:
        return "It shares no term with the profile."
    if score < profile.theta:
        return f"Its score is {score:.4f}, below the threshold of {profile.theta:.4f}."
    return (
        f"It would be delivered now: its score is {score:.4f}, and the threshold {profile.theta:.4f}. "
        "When it came, profile and threshold were others, and it did not reach the threshold."
    )


def _change(
    profile: ProfileState, score: float, delivered: Delivery | None, delivers: bool, parts: list[Part]
) -> list[str]:
    """What would make the decision of now another one."""
    if delivers:
        higher = f"A threshold above {_rounded(score, math.ceil)} would keep it back."
        needed = [part.term for part in parts if _without(part, score) < profile.theta]
        return [
            higher,
            *(f"Without the term '{term}' it would not reach the threshold." for term in needed[:1]),
        ]
    if score <= profile.floor:
        return [
            "Feedback of relevant on it, or on documents like it, would bring its terms into the profile."
        ]
    lower = f"A threshold of {_rounded(score, math.floor)} or less would deliver it."
    if delivered is not None:
        return [lower]
    return [lower, "Feedback of relevant on it would bring the profile nearer to documents like it."]


def _without(part: Part, score: float) -> float:
    """The score that a document would have without one of its terms; what is left of it has length 1 again."""
    rest = 1 - part.in_document**2
    return (score - part.adds) / math.sqrt(rest) if rest > 0 else 0.0


def _rounded(score: float, towards: Callable[[float], int]) -> str:
    """Four digits, rounded so that what is said of the number stays true."""
    return f"{towards(score * 1e4) / 1e4:.4f}"
