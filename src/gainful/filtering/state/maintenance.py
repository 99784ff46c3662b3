"""The state as a whole: settings and numbers, rebuilt and checked; documents and profiles removed for good."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, Any

import msgspec

from gainful.errors import DataError, UsageError
from gainful.filtering.document import Document
from gainful.filtering.state.engine import Engine
from gainful.filtering.state.erasure import forget_document, forget_everything, forget_profile
from gainful.filtering.state.event_log import Log
from gainful.filtering.state.events import (
    Event,
    Settings,
    digest_of,
    id_of,
    moment,
    plain,
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
    """What is wrong: with the database, with the log, with what was made from it. Leaves tables to be undone by the caller."""
    if findings := damage(store):
        return findings
    altered = _altered(store)
    if store.unfinished:
        altered.append(
            "the database: it may contain traces of erased data; `gainful filter forget traces` removes them"
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
    """What is wrong with the database or with the log, which nothing can rebuild."""
    findings = [f"the database: {fault}" for fault in [*store.structural_faults(), *store.missing_tables()]]
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
        """Everything as JSON lines: a header, the events in their order, and marks; how many lines."""
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

    def forget_everything(self) -> Forgotten:
        """Remove all profiles, documents, feedback and marks for good; settings stay, and so does what readers share."""
        return self._forget("everything", lambda: forget_everything(self._store, self._log, self._time()))

    def scrub(self) -> None:
        """Rewrite the file without traces of erased data; needed only if erasing could not finish."""
        self._store.scrub()

    def _forget(self, what: str, remove: Callable[[], tuple[int, int]]) -> Forgotten:
        with self._writing():
            self._store.erase_deleted()
            events, terms = remove()
            seen = self._log.seen
            self._log.add(Event(self._log.last + 1, "forget", self._time(), seen, body={"what": what}))
            self._engine = derive(self._store, self._log, Quiet())
            self._store.promise_scrub()
        self._engine = self._arrivals = None
        try:
            self._store.scrub()
        except DataError as fault:
            raise DataError(
                f"{what if what == 'everything' else f'the {what}'} was removed, with {counted(events, 'event')} of the log; "
                f"but {fault}"
            ) from None
        return Forgotten(events, terms, tuple(self._store.copies()), self._store.not_erased)
