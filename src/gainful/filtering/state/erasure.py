"""Erasure: documents, profiles or everything removed from the log, which then is what it would be without them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import numpy as np

from gainful.filtering.state.event_log import Log
from gainful.filtering.state.events import Event, hash_of, term_numbers
from gainful.filtering.state.schema import LOG, names_of
from gainful.filtering.state.store import Store
from gainful.filtering.state.tables_beside_log import INBOX_TABLES

_AT_ONCE = 4096


def forget_document(store: Store, number: int, id_: bytes) -> tuple[int, int]:
    """Remove a document; what stays is its place in the stream, as one without text, and a hash of its id.

    How many events and terms are gone.
    """
    terms = _terms(store, "SELECT document, terms FROM counts WHERE document = ?", number)
    gone = 1 + _erase(store, "deliveries", "document", number) + _erase(store, "feedback", "document", number)
    event = store.one("SELECT event FROM documents WHERE number = ?", number)
    store.execute("UPDATE events SET kind = 'forgotten' WHERE number = ?", (event,))
    store.execute(
        "UPDATE documents SET id = NULL, digest = NULL, size = 0, date = NULL, title = '', text = '', link = '' "
        "WHERE number = ?",
        (number,),
    )
    store.execute("UPDATE counts SET terms = ?, tf = ? WHERE document = ?", (b"", b"", number))
    _unmark(store, "document", number)
    store.execute("INSERT INTO forgotten VALUES (?) ON CONFLICT (hash) DO NOTHING", (hash_of(id_),))
    return gone, _unused(store, terms)


def forget_profile(store: Store, number: int) -> tuple[int, int]:
    """Remove a profile with all that concerns it. How many events and terms are gone."""
    terms = _terms(store, "SELECT event, terms FROM changes WHERE profile = ? AND terms IS NOT NULL", number)
    gone = sum(_erase(store, table, "profile", number) for table in ("changes", "deliveries", "feedback"))
    _unmark(store, "profile", number)
    return gone, _unused(store, terms)


def forget_everything(store: Store, log: Log, time: int) -> tuple[int, int]:
    """Remove the whole log but for the settings in force. How many events and terms are gone."""
    settings, events = log.settings, log.last
    terms = int(store.one("SELECT count(*) FROM terms"))
    for table in (*names_of(LOG), *names_of(INBOX_TABLES)):
        if table != "revisions":  # other processes must see that it changed
            store.execute(f"DELETE FROM {table}")
    log.add(Event(1, "settings", time, 0, body=settings.to_dict()))
    return events, terms


def _unmark(store: Store, column: str, number: int) -> None:
    """Remove what the reader's inbox notes of a document or profile."""
    for table in names_of(INBOX_TABLES):
        if column in store.columns(table):
            store.execute(f"DELETE FROM {table} WHERE {column} = ?", (number,))


def _erase(store: Store, table: str, column: str, number: int) -> int:
    """Remove the events of a table that concern a number; their own numbers and times stay."""
    where = f"FROM {table} WHERE {column} = ?"
    store.execute(f"UPDATE events SET kind = 'forgotten' WHERE number IN (SELECT event {where})", (number,))
    return store.execute(f"DELETE {where}", (number,)).rowcount


def _terms(store: Store, query: str, number: int) -> set[int]:
    terms: set[int] = set()
    rows = list(store.rows(query, (number,)))
    terms.update(term_numbers(rows, "counts or changes", store.damaged)[1].tolist())
    return terms


def _unused(store: Store, terms: set[int]) -> int:
    """Remove those of the terms that nothing has any more."""
    unused = np.array(sorted(terms), np.int64)
    for table in ("counts", "changes"):
        key = {"counts": "document", "changes": "event"}[table]
        rows = store.scan(f"SELECT {key}, terms FROM {table} WHERE terms IS NOT NULL")
        while len(unused) and (block := list(islice(rows, _AT_ONCE))):
            _, used = term_numbers(block, table, store.damaged)
            unused = unused[~np.isin(unused, used)]
    store.executemany("DELETE FROM terms WHERE number = ?", _rows(unused.tolist()))
    return len(unused)


def _rows(numbers: Iterable[int]) -> Iterable[tuple[int]]:
    return ((number,) for number in numbers)
