"""Forgetting: a document or a profile is removed for good, the log included."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gainful.filtering.state.events import hash_of
from gainful.filtering.state.store import Store

_AT_ONCE = 4096


def forget_document(store: Store, number: int, id_: bytes) -> tuple[int, int]:
    """Remove a document; what stays is its place in the stream, as one without text, and a hash of its id.

    How many events and terms are gone.
    """
    terms = _terms(store, "SELECT terms FROM counts WHERE document = ?", number)
    gone = 1 + _erase(store, "deliveries", "document", number) + _erase(store, "feedback", "document", number)
    event = store.one("SELECT event FROM documents WHERE number = ?", number)
    store.execute("UPDATE events SET kind = 'forgotten' WHERE number = ?", (event,))
    store.execute(
        "UPDATE documents SET id = NULL, digest = NULL, size = 0, date = NULL, title = '', text = '', link = '' "
        "WHERE number = ?",
        (number,),
    )
    store.execute("UPDATE counts SET terms = x'', tf = x'' WHERE document = ?", (number,))
    store.execute("INSERT OR IGNORE INTO forgotten VALUES (?)", (hash_of(id_),))
    return gone, _unused(store, terms)


def forget_profile(store: Store, number: int) -> tuple[int, int]:
    """Remove a profile with all that concerns it. How many events and terms are gone."""
    terms = _terms(store, "SELECT terms FROM changes WHERE profile = ? AND terms IS NOT NULL", number)
    gone = sum(_erase(store, table, "profile", number) for table in ("changes", "deliveries", "feedback"))
    return gone, _unused(store, terms)


def _erase(store: Store, table: str, column: str, number: int) -> int:
    """Remove the events of a table that concern a number; their own numbers and times stay."""
    where = f"FROM {table} WHERE {column} = ?"
    store.execute(f"UPDATE events SET kind = 'forgotten' WHERE number IN (SELECT event {where})", (number,))
    return store.execute(f"DELETE {where}", (number,)).rowcount


def _terms(store: Store, query: str, number: int) -> set[int]:
    found: set[int] = set()
    for (raw,) in store.execute(query, (number,)):
        found.update(np.frombuffer(raw, "<i4").tolist())
    return found


def _unused(store: Store, terms: set[int]) -> int:
    """Remove those of the terms that nothing has any more."""
    wanted = np.array(sorted(terms), np.int64)
    for table in ("counts", "changes"):
        rows = store.execute(f"SELECT terms FROM {table} WHERE terms IS NOT NULL")
        while len(wanted) and (some := rows.fetchmany(_AT_ONCE)):
            used = np.frombuffer(b"".join(raw for (raw,) in some), "<i4")
            wanted = wanted[~np.isin(wanted, used)]
    store.executemany("DELETE FROM terms WHERE number = ?", _rows(wanted.tolist()))
    return len(wanted)


def _rows(numbers: Iterable[int]) -> Iterable[tuple[int]]:
    return ((number,) for number in numbers)


def was_forgotten(store: Store, id_: bytes) -> bool:
    """Whether a document of that id was here once, and was forgotten."""
    return bool(store.one("SELECT count(*) FROM forgotten WHERE hash = ?", hash_of(id_)))
