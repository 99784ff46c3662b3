"""The state as a whole: settings and numbers, rebuilt and checked; documents and profiles removed for good."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import IO, Any

import msgspec
import numpy as np

from gainful.errors import DataError, UsageError
from gainful.filtering.document import Document
from gainful.filtering.state.engine import Engine
from gainful.filtering.state.event_log import Log
from gainful.filtering.state.events import (
    Event,
    Settings,
    digest_of,
    hash_of,
    id_of,
    moment,
    plain,
    term_numbers,
)
from gainful.filtering.state.export import export
from gainful.filtering.state.filter_results import Forgotten, Rebuilt, Stats
from gainful.filtering.state.filter_session import Session
from gainful.filtering.state.rebuild import NOT_THE_LOG, Quiet, derive, rebuild
from gainful.filtering.state.store import Store
from gainful.formats.ids import from_bytes, shown
from gainful.presentation.text_style import counted

_LOG = {
    "SELECT count(*) FROM events WHERE number > (SELECT count(*) FROM events)": "{} events are numbered beyond a gap",
    "SELECT count(*) FROM events WHERE kind = 'document'"
    " AND number NOT IN (SELECT event FROM documents)": "{} events refer to missing documents",
    "SELECT count(*) FROM events WHERE kind NOT IN ('document', 'forgotten') AND number NOT IN"
    " (SELECT event FROM deliveries UNION ALL SELECT event FROM feedback UNION ALL SELECT event FROM changes)": (
        "{} events have lost their content"
    ),
    "SELECT count(*) FROM documents AS d JOIN events AS e ON e.number = d.event"
    " WHERE e.kind <> CASE WHEN d.id IS NULL THEN 'forgotten' ELSE 'document' END": "{} documents have no event of their own",
    "SELECT count(*) FROM documents WHERE number >= (SELECT count(*) FROM documents)": (
        "{} documents are numbered beyond a gap"
    ),
    "SELECT count(*) FROM documents LEFT JOIN counts ON document = number"
    " WHERE terms IS NULL OR length(terms) <> 4 * size OR length(tf) <> 8 * size": "{} documents have lost their terms",
    "SELECT count(*) FROM deliveries LEFT JOIN documents ON number = document"
    " WHERE id IS NULL": "{} deliveries are of missing documents",
    "SELECT count(*) FROM feedback LEFT JOIN documents ON number = document"
    " WHERE id IS NULL": "{} feedback events are on missing documents",
}


def check(store: Store, log: Log) -> list[str]:
    """What is wrong: with the file, with the log, with what was made from it. Leaves tables to be undone by the caller."""
    if findings := damage(store):
        return findings
    altered = _altered(store)
    if store.unfinished:
        altered.append(
            "the file: it may contain traces of erased data; `gainful filter forget traces` removes them"
        )
    try:
        differing = rebuild(store, log).differing
    except DataError as fault:
        return [*altered, str(fault).removeprefix(f"{store.name} is damaged: ")]
    return [
        *altered,
        *(
            f"{difference}; rebuild computes it again" if difference.endswith(NOT_THE_LOG) else difference
            for difference in differing
        ),
    ]


def _altered(store: Store) -> list[str]:
    """Documents whose title or text is no longer the one that arrived."""
    query = "SELECT number, id, digest, title, text, text_kept FROM documents WHERE id IS NOT NULL"
    return [
        f"the log: title or text of document {shown(from_bytes(id_))} is not the one that arrived (row {number})"
        for number, id_, digest, title, text, text_kept in store.scan(query)
        if (digest_of(Document("", text, title)) != digest if text_kept else text)
    ]


def damage(store: Store) -> list[str]:
    """What is wrong with the file or with the log, which nothing can rebuild."""
    findings = [f"the file: {fault}" for fault in [*store.structural_faults(), *store.missing_tables()]]
    if findings:
        return findings
    counts = [(text, store.one(query)) for query, text in _LOG.items()]
    counts.append(("{} changes are not readable", _unreadable(store)))
    return [f"the log: {text.format(f'{number:,}')}" for text, number in counts if number]


def _unreadable(store: Store) -> int:
    """How many changes are not JSON; the types of their columns are checked when they are read."""
    count = 0
    for (body,) in store.execute("SELECT body FROM changes"):
        try:
            msgspec.json.decode(body)
        except (msgspec.MsgspecError, RecursionError, UnicodeError, TypeError):
            count += 1
    return count


def stats(store: Store, log: Log, engine: Engine) -> Stats:
    """The state in numbers."""
    return Stats(
        version=store.version,
        created=moment(store.needed("table events, row 1", "SELECT time FROM events WHERE number = 1")[0]),
        events=log.last,
        documents=engine.seen,
        empty=store.one("SELECT count(*) FROM documents WHERE size = 0")
        - (gone := store.one("SELECT count(*) FROM forgotten")),
        forgotten=gone,
        history=engine.held,
        cap=engine.settings.cap,
        terms=store.one("SELECT count(*) FROM terms"),
        epoch=engine.epoch,
        epoch_began=engine.began,
        profiles=len(engine.readers),
        deliveries=store.one("SELECT count(*) FROM deliveries"),
        feedback=store.one("SELECT count(*) FROM feedback"),
        bytes=store.size(),
    )


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
    store.execute("INSERT INTO forgotten VALUES (?) ON CONFLICT (hash) DO NOTHING", (hash_of(id_),))
    return gone, _unused(store, terms)


def forget_profile(store: Store, number: int) -> tuple[int, int]:
    """Remove a profile with all that concerns it. How many events and terms are gone."""
    terms = _terms(store, "SELECT event, terms FROM changes WHERE profile = ? AND terms IS NOT NULL", number)
    gone = sum(_erase(store, table, "profile", number) for table in ("changes", "deliveries", "feedback"))
    return gone, _unused(store, terms)


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


class Maintenance(Session):
    """The part of a filter that looks after the file."""

    @property
    def settings(self) -> Settings:
        """What holds for the whole state."""
        with self._store.reading():
            return self._log.settings

    def configure(self, **changes: Any) -> Settings:
        """Change `epochs`, `refresh` or `cap` from now on."""
        for name in changes.keys() - {"epochs", "refresh", "cap"}:
            raise UsageError(f"'{name}' cannot be changed; epochs, refresh and cap can")
        with self._writing() as engine:
            settings = engine.settings.changed(**changes)
            self._event(engine, "settings", body=settings.to_dict())
            return settings

    def stats(self) -> Stats:
        """The state in numbers."""
        with self.reading() as engine:
            return stats(self._store, self._log, engine)

    def rebuild(self) -> Rebuilt:
        """Rebuild everything from the log, and say whether it agreed with what was there.

        What was there need not be readable. A log that is damaged is refused, and nothing changes.
        """
        self._engine = self._arrivals = None
        with self._store.writing():
            if findings := damage(self._store):
                raise DataError(
                    f"{self._store.name} is damaged: {findings[0]}. Restore a backup; nothing was changed."
                )
            rebuilt = rebuild(self._store, self._log)
            self._store.revise()
            return rebuilt

    def check(self) -> list[str]:
        """Findings, a sentence each; none where file, log and what is made from it agree. Changes nothing."""
        self._engine = None
        with self._store.trying():
            return check(self._store, self._log)

    def export(self, file: IO[str]) -> int:
        """Everything as JSON lines, a header and then the events in their order; how many lines."""
        with self._store.reading():
            return export(self._store, file)

    def forget_document(self, document: str) -> Forgotten:
        """Remove a document for good, the log included. A hash of its id stays, so that it is not taken in again."""
        with self._store.reading():
            number = self.document_number(document)
        return self._forget("document", lambda: forget_document(self._store, number, id_of(document)))

    def forget_profile(self, name: str) -> Forgotten:
        """Remove a profile for good, present or removed, with its deliveries and feedback, the log included."""
        with self._store.reading():
            query = "SELECT number FROM profiles WHERE name = ?"
            numbers = [number for (number,) in self._store.rows(query, (plain(name),))]
        if not numbers:
            raise self._unknown_profile(name)

        def remove() -> tuple[int, int]:
            done = [forget_profile(self._store, number) for number in numbers]
            return sum(events for events, _ in done), sum(terms for _, terms in done)

        return self._forget("profile", remove)

    def scrub(self) -> None:
        """Rewrite the file without traces of erased data; needed only if erasing could not finish."""
        self._store.scrub()

    def _forget(self, what: str, remove: Callable[[], tuple[int, int]]) -> Forgotten:
        with self._writing() as engine:
            self._store.erase_deleted()
            events, terms = remove()
            self._log.add(Event(self._log.last + 1, "forget", self._time(), engine.seen, body={"what": what}))
            self._engine = derive(self._store, self._log, Quiet())
            self._store.promise_scrub()
        self._engine = self._arrivals = None
        try:
            self._store.scrub()
        except DataError as fault:
            raise DataError(
                f"the {what} was removed, with {counted(events, 'event')} of the log; but {fault}"
            ) from None
        return Forgotten(events, terms, tuple(self._store.copies()))
