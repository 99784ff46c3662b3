"""Checking a state, and a state in numbers."""

from __future__ import annotations

from gainful.filtering.state.engine import Engine
from gainful.filtering.state.events import moment
from gainful.filtering.state.log import Log
from gainful.filtering.state.rebuild import NOT_THE_LOG, rebuild
from gainful.filtering.state.results import Stats
from gainful.filtering.state.store import Store

_LOG = {
    "SELECT count(*) FROM events WHERE number > (SELECT count(*) FROM events)": "{} events are numbered beyond a gap",
    "SELECT count(*) FROM events WHERE kind = 'document'"
    " AND number NOT IN (SELECT event FROM documents)": "{} events tell of documents that are not there",
    "SELECT count(*) FROM events WHERE kind NOT IN ('document', 'forgotten') AND number NOT IN"
    " (SELECT event FROM deliveries UNION ALL SELECT event FROM feedback UNION ALL SELECT event FROM changes)": (
        "{} events have lost what they tell"
    ),
    "SELECT count(*) FROM changes WHERE NOT json_valid(body)": "{} changes are not readable",
    "SELECT count(*) FROM documents AS d JOIN events AS e ON e.number = d.event"
    " WHERE e.kind <> iif(d.id IS NULL, 'forgotten', 'document')": "{} documents have no event of their own",
    "SELECT count(*) FROM documents WHERE number >= (SELECT count(*) FROM documents)": (
        "{} documents are numbered beyond a gap"
    ),
    "SELECT count(*) FROM documents LEFT JOIN counts ON document = number"
    " WHERE terms IS NULL OR length(terms) <> 4 * size OR length(tf) <> 8 * size": "{} documents have lost their terms",
    "SELECT count(*) FROM deliveries LEFT JOIN documents ON number = document"
    " WHERE id IS NULL": "{} deliveries are of documents that are not there",
    "SELECT count(*) FROM feedback LEFT JOIN documents ON number = document"
    " WHERE id IS NULL": "{} times feedback is on documents that are not there",
}


def check(store: Store, log: Log) -> list[str]:
    """What is wrong: with the file, with the log, with what was made from it. Leaves tables to be undone by the caller."""
    if findings := damage(store):
        return findings
    return [
        f"{one}; rebuild makes it anew" if one.endswith(NOT_THE_LOG) else one
        for one in rebuild(store, log).differing
    ]


def damage(store: Store) -> list[str]:
    """What is wrong with the file or with the log, which nothing can make anew."""
    findings = [f"the file: {said}" for (said,) in store.execute("PRAGMA integrity_check") if said != "ok"]
    if findings:
        return findings
    found = ((text, store.one(query)) for query, text in _LOG.items())
    return [f"the log: {text.format(f'{number:,}')}" for text, number in found if number]


def stats(store: Store, log: Log, engine: Engine) -> Stats:
    """The state in numbers."""
    return Stats(
        version=store.version,
        created=moment(store.one("SELECT time FROM events WHERE number = 1")),
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
        bytes=store.path.stat().st_size,
    )
