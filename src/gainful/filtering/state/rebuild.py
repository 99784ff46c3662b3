"""Everything rebuilt from the log, and compared with what was there."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from gainful.filtering.state.engine import Engine
from gainful.filtering.state.event_log import Log
from gainful.filtering.state.filter_results import Rebuilt
from gainful.filtering.state.profile_index import Decision
from gainful.filtering.state.schema import DERIVED_TABLES
from gainful.filtering.state.store import Store

NOT_THE_LOG = "not what the log says"
"""Said of tables that can be rebuilt."""


def rebuild(store: Store, log: Log) -> Rebuilt:
    """Rebuild all tables that follow from the log, within the transaction under way, and say what was not the same."""
    before = _digests(store)
    witness = _Reviewer(store)
    engine = derive(store, log, witness)
    witness.finish(engine.seen)
    after = _digests(store)
    differing = [
        f"{_NAMES[table]} {NOT_THE_LOG}" for table in DERIVED_TABLES if before[table] != after[table]
    ]
    return Rebuilt(
        log.last, engine.seen, witness.compared, witness.unchecked, (*witness.differing, *differing)
    )


def derive(store: Store, log: Log, witness: _Reviewer | Quiet) -> Engine:
    """Go through the log from its beginning; nothing is left of what was made from it before."""
    store.empty_derived()
    engine = Engine.anew(store, log)
    kept_back = log.undeliverable()
    for event in log.others():
        _pass(engine, log, event.position, kept_back, witness)
        engine.apply(event)
    _pass(engine, log, log.seen, kept_back, witness)
    engine.flush()
    return engine


def _pass(
    engine: Engine, log: Log, stop: int, kept_back: list[tuple[int, int]], witness: _Reviewer | Quiet
) -> None:
    """Process documents up to `stop`."""
    while engine.seen < stop:
        while kept_back and kept_back[0][1] <= engine.seen:
            kept_back.pop(0)
        inside = bool(kept_back) and kept_back[0][0] <= engine.seen
        bound = min(stop, kept_back[0][1 if inside else 0]) if kept_back else stop
        for _, counts in log.counts(engine.seen, bound):
            engine.go(counts, deliverable=not inside, witness=witness)


class Quiet:
    """Ignores deliveries: they are in the log."""

    happened = None
    """Epochs and cuts come from the log."""

    def delivered(self, decisions: list[Decision]) -> None:
        """Nothing is done with decisions."""


class _Reviewer(Quiet):
    """Compares every decision with the log's."""

    def __init__(self, store: Store) -> None:
        forget = "SELECT coalesce(max(position), 0) AS position FROM changes JOIN events ON number = event WHERE kind = 'forget'"
        self._since = int(store.one(forget))
        self._recorded = _recorded(store)
        self._next = next(self._recorded, None)
        self.compared = self.unchecked = self._wrong = 0
        self.differing: list[str] = []

    def delivered(self, decisions: list[Decision]) -> None:
        """Each decision must be the next delivery of the log."""
        for decision in decisions:
            if decision[1] >= self._since:
                self._skip(decision[1], decision[0])
                if self._next is not None and self._next == decision:
                    self.compared += 1
                    self._next = next(self._recorded, None)
                else:
                    self._note()
                    if self._next is not None and self._next[:2] == decision[:2]:
                        self._next = next(self._recorded, None)

    def finish(self, seen: int) -> None:
        """Deliveries of the log that no decision followed."""
        self._skip(seen, 0)
        if self._wrong:
            self.differing.append(
                f"{self._wrong:,} deliveries of the log are not those that its events lead to"
            )

    def _skip(self, document: int, profile: int) -> None:
        """Deliveries of the log before this one."""
        while self._next is not None and (self._next[1], self._next[0]) < (document, profile):
            if self._next[1] < self._since:
                self.unchecked += 1
            else:
                self._note()
            self._next = next(self._recorded, None)

    def _note(self) -> None:
        self._wrong += 1


def _recorded(store: Store) -> Iterator[Decision]:
    last = 0
    query = "SELECT event, profile, document, score, theta FROM deliveries WHERE event > ? ORDER BY event LIMIT 5000"
    while rows := list(store.rows(query, (last,))):
        last = rows[-1][0]
        for _, profile, document, score, theta in rows:
            yield profile, document, score, theta


_NAMES = {
    "profiles": "the list of profiles is",
    "judgments": "the judgments are",
    "arrivals": "places of deliveries are",
    "history": "the history is",
    "epoch": "the idf epoch is",
    "learned": "what profiles have learned is",
    "renewals": "thresholds are",
}


def _digests(store: Store) -> dict[str, bytes]:
    """A digest of each table made from the log, to the last bit; nothing for one that is not there."""
    digests = dict.fromkeys(DERIVED_TABLES, b"")
    there = store.tables()
    for table, order in DERIVED_TABLES.items():
        if table not in there:
            continue
        digest = hashlib.blake2b(digest_size=16)
        for row in store.execute(f"SELECT * FROM {table} ORDER BY {order}"):
            digest.update(repr(row).encode())
        digests[table] = digest.digest()
    return digests
