"""The log: events appended and read back, in their order."""

from __future__ import annotations

import heapq
import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from gainful.errors import DataError
from gainful.filtering.document import Document
from gainful.filtering.state.events import (
    MOST_TERMS,
    Event,
    ProfileSettings,
    Row,
    Settings,
    body_of,
    counts_of,
    hash_of,
    packed,
    plain,
    stamp,
    term_numbers,
)
from gainful.filtering.state.store import Store, question_marks
from gainful.filtering.vectors import Counts

_Value = TypeVar("_Value")
AT_ONCE = 2048  # documents read from the file together
_LOOKED_UP = 200  # ids or terms looked up together
FORGOTTEN = b""
"""Stands for the digest of what was forgotten: it is not known any more."""


class Log:
    """The events of a state. Writing takes place within a transaction of the store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # ---- how far it goes

    @property
    def last(self) -> int:
        """The number of the last event; they are numbered from 1."""
        return int(self._store.one("SELECT coalesce(max(number), 0) + 1 AS last_event FROM events")) - 1

    @property
    def seen(self) -> int:
        """How many documents were seen."""
        last = self._store.one("SELECT max(number) AS last_document FROM documents")
        return 0 if last is None else int(last) + 1

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        query = "SELECT body FROM changes JOIN events ON number = event WHERE kind = 'settings' ORDER BY event DESC LIMIT 1"
        body = str(self._store.needed("table changes: the event of the settings", query)[0])
        return body_of(body, Settings, "table changes, the settings", self._store.damaged)

    def settings_of(self, event: Event) -> Settings:
        """The settings that an event carries."""
        return self._body(event, Settings)

    def profile_settings_of(self, event: Event) -> ProfileSettings:
        """The settings of a profile that an event carries."""
        return self._body(event, ProfileSettings)

    def _body(self, event: Event, kind: type[_Value]) -> _Value:
        body = json.dumps(event.body, ensure_ascii=False)
        return body_of(body, kind, f"table changes, row {event.number}", self._store.damaged)

    # ---- documents

    def known(self, id_: bytes) -> tuple[int, bytes] | None:
        """Number and digest of a document."""
        return self._store.row("SELECT number, digest FROM documents WHERE id = ?", id_)

    def digests(self, ids: Sequence[bytes]) -> dict[bytes, bytes]:
        """The digests of those documents that were seen before, by their ids; `FORGOTTEN` for those that were removed."""
        seen: dict[bytes, bytes] = dict(self._looked_up("SELECT id, digest FROM documents WHERE id", ids))
        hashes = {hash_of(id_): id_ for id_ in ids if id_ not in seen}
        for (hash_,) in self._looked_up("SELECT hash FROM forgotten WHERE hash", list(hashes)):
            seen[hashes[hash_]] = FORGOTTEN
        return seen

    def _looked_up(self, query: str, keys: Sequence[_Value]) -> Iterator[Row]:
        """The rows of a query that ends in a column, for many of its values, in few steps."""
        for start in range(0, len(keys), _LOOKED_UP):
            batch = list(keys[start : start + _LOOKED_UP])
            batch += batch[-1:] * (_LOOKED_UP - len(batch))  # always the same query, which is prepared once
            yield from self._store.rows(f"{query} IN ({question_marks(batch)})", batch)

    def was_forgotten(self, id_: bytes) -> bool:
        """Whether a document of that id was seen once and removed for good."""
        return bool(self._store.one("SELECT count(*) FROM forgotten WHERE hash = ?", hash_of(id_)))

    def saw(
        self,
        documents: Mapping[bytes, tuple[Document, bytes]],
        counts: Counts,
        *,
        deliverable: bool,
        time: int,
        keep_text: bool = True,
    ) -> None:
        """Documents that arrived, by id and with their digests; texts are left out where they are kept elsewhere."""
        first, event = self.seen, self.last + 1
        sizes = np.diff(counts.offsets).tolist()
        bounds = counts.offsets.tolist()
        self._store.fill("events", ((event + place, "document", time) for place in range(len(documents))))
        self._store.fill(
            "documents",
            (
                (
                    first + place,
                    event + place,
                    id_,
                    digest,
                    deliverable,
                    sizes[place],
                    None if document.date is None else stamp(document.date),
                    plain(document.title),
                    plain(document.text) if keep_text else "",
                    plain(document.link),
                    keep_text,
                )
                for place, (id_, (document, digest)) in enumerate(documents.items())
            ),
        )
        terms, tf = packed(counts.terms, counts.tf)
        self._store.fill(
            "counts",
            (
                (first + place, terms[4 * start : 4 * stop], tf[8 * start : 8 * stop])
                for place, (start, stop) in enumerate(itertools.pairwise(bounds))
            ),
        )

    def counts(self, start: int, stop: int) -> Iterator[tuple[int, Counts]]:
        """Terms of documents start to stop, some at a time, with the number of the first of them."""
        for first in range(start, stop, AT_ONCE):
            rows = self._counted("document, terms, tf", first, min(first + AT_ONCE, stop))
            yield first, counts_of(rows, "counts", self._store.damaged)

    def _counted(self, columns: str, start: int, stop: int) -> list[Row]:
        """Rows of the terms of documents start to stop; all of them are there."""
        query = f"SELECT {columns} FROM counts WHERE document >= ? AND document < ? ORDER BY document"
        rows = list(self._store.rows(query, (start, stop)))
        if len(rows) != stop - start:
            first = next(
                (number for number, row in enumerate(rows, start) if row[0] != number), start + len(rows)
            )
            raise self._store.damaged(f"table counts, row {first}: the terms of a document are missing")
        return rows

    def frequency(self, stop: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """In how many of the first documents each term occurs."""
        total = np.zeros(0, np.int64)
        for first in range(0, stop, AT_ONCE):
            rows = self._counted("document, terms", first, min(first + AT_ONCE, stop))
            _, terms = term_numbers(rows, "counts", self._store.damaged)
            summed = np.bincount(terms, minlength=len(total))
            summed[: len(total)] += total
            total = summed
        return total.astype(np.int64)

    def undeliverable(self) -> list[tuple[int, int]]:
        """Stretches of documents (start, stop) that were not to be delivered."""
        stretches: list[tuple[int, int]] = []
        for (number,) in self._store.rows(
            "SELECT number FROM documents WHERE deliverable = 0 ORDER BY number"
        ):
            if stretches and stretches[-1][1] == number:
                stretches[-1] = stretches[-1][0], number + 1
            else:
                stretches.append((number, number + 1))
        return stretches

    # ---- terms

    def number_terms(self, counted: Sequence[dict[str, float]], known: dict[str, int]) -> None:
        """Numbers for all terms, into `known`: those of the file, or else new ones in the order of their meeting."""
        terms = itertools.chain.from_iterable(counted)
        unknown = list(dict.fromkeys(itertools.filterfalse(known.__contains__, terms)))
        known.update(self._looked_up("SELECT term, number FROM terms WHERE term", unknown))
        fresh = [term for term in unknown if term not in known]
        following = int(self._store.one("SELECT coalesce(max(number), -1) + 2 AS last_term FROM terms")) - 1
        if following + len(fresh) > MOST_TERMS:
            raise DataError(
                f"{self._store.name} numbers {following:,} terms; {MOST_TERMS:,} is the most. Begin another state."
            )
        rows = [(following + place, term) for place, term in enumerate(fresh)]
        self._store.fill("terms", rows)
        known.update((term, number) for number, term in rows)

    def term(self, number: int) -> str:
        """The term of a number."""
        query = "SELECT term FROM terms WHERE number = ?"
        return str(self._store.needed(f"table terms: number {number}", query, number)[0])

    # ---- other events

    def delivered(self, rows: Iterable[tuple[int, int, float, float]], *, time: int) -> int:
        """Deliveries: profile, document, score and theta of each. How many there were."""
        event = self.last + 1
        numbered = [(event + place, *row) for place, row in enumerate(rows)]
        self._store.fill("deliveries", numbered)
        query = (
            "INSERT INTO events SELECT event, 'delivery', CAST(? AS BIGINT) FROM deliveries WHERE event >= ?"
        )
        self._store.execute(query, (time, event))
        return len(numbered)

    def add(self, event: Event) -> None:
        """Any other event; its number must be the next one."""
        self._store.execute("INSERT INTO events VALUES (?, ?, ?)", (event.number, event.kind, event.time))
        if event.kind == "feedback":
            row = (event.number, event.position, event.profile, event.document, event.verdict)
            self._store.execute("INSERT INTO feedback VALUES (?, ?, ?, ?, ?)", row)
            return
        terms, tf = (None, None) if event.counts is None else packed(event.counts.terms, event.counts.tf)
        body = json.dumps(event.body, ensure_ascii=False)
        changed = (event.number, event.position, event.profile, body, terms, tf)
        self._store.execute("INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?)", changed)

    def others(self) -> Iterator[Event]:
        """Every event that is neither document nor delivery, in order."""
        kinds = self._feedback(), self._changes()
        return heapq.merge(*kinds, key=lambda event: event.number)

    def _feedback(self) -> Iterator[Event]:
        for number, time, position, profile, document, verdict in self._paged(_FEEDBACK):
            said = None if verdict is None else bool(verdict)
            yield Event(number, "feedback", time, position, profile, document, said)

    def _changes(self) -> Iterator[Event]:
        damaged = self._store.damaged
        for number, kind, time, position, profile, body, terms, tf in self._paged(_CHANGES):
            changed = body_of(body, dict[str, Any], f"table changes, row {number}", damaged)
            counts = None if terms is None else counts_of([(number, terms, tf or b"")], "changes", damaged)
            yield Event(number, kind, time, position, profile, body=changed, counts=counts)

    def _paged(self, query: str) -> Iterator[Row]:
        """The rows of a query after an event, some at a time: the log is written while it is read."""
        last = 0
        while rows := list(self._store.rows(query, (last,))):
            last = rows[-1][0]
            yield from rows


_FEEDBACK = (
    "SELECT event, time, position, profile AS changed_profile, document AS changed_document, verdict "
    "FROM feedback JOIN events ON number = event WHERE event > ? ORDER BY event LIMIT 1000"
)
_CHANGES = (
    "SELECT event, kind, time, position, profile AS changed_profile, body, terms AS changed_terms, tf AS changed_tf "
    "FROM changes JOIN events ON number = event WHERE event > ? ORDER BY event LIMIT 1000"
)
