"""Everything that follows from the log: its tables, computed again from the log and compared with what was there."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable

import numpy as np

from gainful.errors import UsageError
from gainful.filtering.state.events import (
    MOST_TERMS,
    ProfileSettings,
    body_of,
    counts_of,
    logged_rule,
    packed,
    plain,
)
from gainful.filtering.state.profile_index import Reader
from gainful.filtering.state.schema import THRESHOLD
from gainful.filtering.state.store import Store
from gainful.filtering.threshold_registry import Threshold
from gainful.filtering.vectors import Idf, Vector

_CHANGED_PROFILES = (
    "SELECT profile, event, body FROM changes JOIN events ON number = event "
    "WHERE kind IN ('profile-added', 'profile-edited') AND profile IN "
    "(SELECT profile FROM changes WHERE profile IS NOT NULL GROUP BY profile HAVING count(*) > 1) ORDER BY event"
)

Parts = tuple[float | None, ...]
"""theta, theta_opt, theta_zero, alpha, n, start, top"""


_JUDGED_ELSEWHERE = (
    "SELECT profile, judgments.document AS document FROM judgments JOIN profiles ON number = profile AND active = 1 "
    "LEFT JOIN history ON history.document = judgments.document WHERE history.document IS NULL LIMIT 1"
)


def parts_of(threshold: Threshold) -> Parts:
    """A threshold as it is kept, without the scores that it was made from."""
    return (
        threshold.theta,
        threshold.theta_opt,
        threshold.theta_zero,
        threshold.alpha,
        threshold.n,
        threshold.start,
        threshold.top,
    )


def parts_unanswered(theta_opt: float, theta_zero: float) -> Parts:
    """The threshold of a profile without answers, which is theta_opt, as it is kept."""
    return theta_opt, theta_opt, theta_zero, 0.0, 0, None, None


def check(store: Store, readers: Iterable[Reader], *, began: int, seen: int) -> None:
    """Refuse tables that do not fit each other: what is judged or learned was seen."""
    if began > seen:
        raise store.damaged(f"table epoch: it began after {began} of {seen} documents")
    for reader in readers:
        if reader.seen > seen:
            raise store.damaged(f"table renewals, profile {reader.number}, column seen: {reader.seen}")
    if (row := store.row(_JUDGED_ELSEWHERE)) is not None:
        raise store.damaged(f"table judgments, profile {row[0]}, document {row[1]}: it is not in the history")


def readers(store: Store) -> dict[int, Reader]:
    """The profiles that are there, with what their readers said and what was learned of it."""
    reader_of: dict[int, Reader] = {}
    for number, body, terms, tf in store.rows(
        "SELECT number, body, terms, tf FROM profiles WHERE active = 1 ORDER BY number"
    ):
        settings = body_of(body, ProfileSettings, f"table profiles, row {number}", store.damaged)
        counts = counts_of([(number, terms, tf)], "profiles", store.damaged)
        reader_of[number] = Reader(number, settings, counts)
    changed = (
        "SELECT profile, max(position) AS position FROM changes WHERE profile IS NOT NULL GROUP BY profile"
    )
    for profile, position in store.rows(changed) if reader_of else ():
        if profile in reader_of:
            reader_of[profile].changed = position
    for profile, document, verdict, place in store.rows(
        "SELECT profile, document, verdict, place FROM judgments"
    ):
        if profile in reader_of:
            reader_of[profile].judged[document] = bool(verdict)
            if place is not None:
                reader_of[profile].places[document] = _place(store, "judgments", profile, document, place)
    for profile, document, place in store.rows("SELECT profile, document, place FROM arrivals"):
        if profile in reader_of:
            reader_of[profile].sent[document] = _place(store, "arrivals", profile, document, place)
    _set_apart(store, reader_of)
    learned = set()
    for profile, seen, theta, n, terms, weights in store.rows(
        f"SELECT learned.profile AS profile, seen, theta, n, terms, weights FROM learned JOIN {THRESHOLD}"
    ):
        if profile in reader_of:
            reader = reader_of[profile]
            vector = counts_of([(profile, terms, weights)], "learned", store.damaged, "weights")
            reader.seen, reader.known, reader.theta = seen, n, theta
            reader.vector = Vector(vector.terms, vector.tf)
            learned.add(profile)
    for missing in sorted(reader_of.keys() - learned)[:1]:
        raise store.damaged(
            f"tables learned and renewals, row {missing}: a profile or its threshold is missing"
        )
    return reader_of


def nearness_of(settings: ProfileSettings) -> float | None:
    """By which places of a profile are of one kind; None where its rule is not known here."""
    try:
        return logged_rule(settings.rule).nearness
    except UsageError:
        return None


def _set_apart(store: Store, reader_of: dict[int, Reader]) -> None:
    """Set apart what was judged before a profile's rule had its `nearness`, by the log; an answer that was taken back does
    not count.
    """
    last: dict[int, float | None] = {}
    since: dict[int, int] = {}
    for profile, event, body in store.rows(_CHANGED_PROFILES) if reader_of else ():
        nearness = nearness_of(body_of(body, ProfileSettings, f"table changes, row {event}", store.damaged))
        if profile in last and last[profile] != nearness:
            since[profile] = event
        last[profile] = nearness
    for profile in since.keys() & reader_of.keys():
        first: dict[int, int] = {}
        query = "SELECT event, document, verdict FROM feedback WHERE profile = ? ORDER BY event"
        for event, document, verdict in store.rows(query, (profile,)):
            if verdict is None:
                first.pop(document, None)
            else:
                first.setdefault(document, event)
        before = {document for document, event in first.items() if event < since[profile]}
        reader_of[profile].of_another_kind = before & reader_of[profile].judged.keys()


def _place(store: Store, table: str, profile: int, document: int, place: float) -> float:
    """A place, as it can be."""
    if not 0 < place < math.inf:
        where = f"table {table}, profile {profile}, document {document}, column place"
        raise store.damaged(f"{where}: {place:g} is not above 0 and finite")
    return place


def epoch(store: Store) -> tuple[int, Idf]:
    """The number of the epoch in force, and its idf."""
    number, began, raw = store.row("SELECT number, began, frequency FROM epoch") or (0, 0, b"")
    if len(raw) % 8 or len(raw) > 8 * MOST_TERMS:
        raise store.damaged(f"table epoch, row {number}, column frequency: {len(raw)} bytes")
    frequency = np.frombuffer(raw, "<i8").astype(np.int64)
    if len(frequency) and not 0 <= frequency.min() <= frequency.max() <= max(began, 0):
        raise store.damaged(f"table epoch, row {number}, column frequency: not from 0 to {began} documents")
    return int(number), Idf(int(began), frequency)


def in_history(store: Store, document: int) -> bool:
    """Whether thresholds are learned from a document."""
    return bool(store.one("SELECT count(*) FROM history WHERE document = ?", document))


def was_delivered(store: Store, profile: int, document: int) -> bool:
    """Whether a document was delivered to a profile."""
    query = "SELECT count(*) FROM deliveries WHERE profile = ? AND document = ?"
    return bool(store.one(query, profile, document))


def delivered(store: Store, profile: int, *, before: int, most: int) -> list[int]:
    """The latest deliveries of a profile among the documents before that number, in the order of their arrival."""
    query = (
        "SELECT document FROM deliveries WHERE profile = :profile AND document < :before "
        "ORDER BY document DESC LIMIT :most"
    )
    rows = store.rows(query, {"profile": profile, "before": before, "most": most})
    return [document for (document,) in rows][::-1]


def last_cut(store: Store) -> int:
    """Documents seen when the history was cut last; 0 if it never was."""
    query = "SELECT coalesce(max(position), 0) AS position FROM changes JOIN events ON number = event WHERE kind = 'cap'"
    return int(store.one(query))


def keep_epoch(store: Store, number: int, idf: Idf) -> None:
    """An epoch that begins, in the place of the one before."""
    store.execute("DELETE FROM epoch")
    row = (number, idf.documents, idf.frequency.astype("<i8").tobytes())
    store.execute("INSERT INTO epoch VALUES (?, ?, ?)", row)


def keep_verdict(
    store: Store, profile: int, document: int, verdict: bool | None, place: float | None
) -> None:
    """What a reader says of a document now, None for nothing any more; and how rare its score was then."""
    if verdict is None:
        query = "DELETE FROM judgments WHERE profile = ? AND document = ?"
        store.execute(query, (profile, document))
    else:
        row = (profile, document, verdict, place)
        query = (
            "INSERT INTO judgments VALUES (?, ?, ?, ?) ON CONFLICT (profile, document) "
            "DO UPDATE SET verdict = excluded.verdict, place = excluded.place"
        )
        store.execute(query, row)


def keep_arrivals(store: Store, arrivals: Iterable[tuple[int, int, float]]) -> None:
    """Profiles, documents delivered to them, and how rare their scores were."""
    store.executemany("INSERT INTO arrivals VALUES (?, ?, ?)", arrivals)


def drop_arrivals(store: Store, profile: int) -> None:
    """Places of deliveries that are no longer of the kind that the profile's rule asks for."""
    store.execute("DELETE FROM arrivals WHERE profile = ?", (profile,))


def keep_profile(store: Store, reader: Reader, time: int) -> None:
    """A profile that is new, or changed."""
    body = json.dumps(reader.settings.to_dict(), ensure_ascii=False)
    store.execute(
        "INSERT INTO profiles VALUES (?, ?, 1, ?, ?, ?, ?) ON CONFLICT (number) DO UPDATE "
        "SET name = excluded.name, body = excluded.body, terms = excluded.terms, tf = excluded.tf",
        (
            reader.number,
            plain(reader.settings.name),
            time,
            body,
            *packed(reader.counts.terms, reader.counts.tf),
        ),
    )


def retire(store: Store, profile: int) -> None:
    """A profile that was removed: its name stays beside its deliveries, what it had learned does not."""
    store.execute("UPDATE profiles SET active = 0 WHERE number = ?", (profile,))
    store.execute("DELETE FROM learned WHERE profile = ?", (profile,))


def keep_renewals(
    store: Store, seen: int, renewed: Collection[tuple[Reader, Parts]], *, learned: bool
) -> None:
    """Thresholds that were recomputed after so many documents, and their profiles where they have learned."""
    store.executemany(
        "INSERT INTO renewals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (profile, seen) DO UPDATE SET "
        "theta = excluded.theta, theta_opt = excluded.theta_opt, theta_zero = excluded.theta_zero, alpha = excluded.alpha, "
        "n = excluded.n, start = excluded.start, top = excluded.top",
        ((reader.number, seen, *parts) for reader, parts in renewed),
    )
    if learned:
        store.executemany(
            "INSERT INTO learned VALUES (?, ?, ?) ON CONFLICT (profile) DO UPDATE SET terms = excluded.terms, "
            "weights = excluded.weights",
            ((reader.number, *packed(reader.vector.terms, reader.vector.weights)) for reader, _ in renewed),
        )
