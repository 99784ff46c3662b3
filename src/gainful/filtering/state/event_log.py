"""The log: events appended and read back, in their order."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from gainful.filtering.document import Document
from gainful.filtering.state.events import (
    Event,
    Settings,
    counts_of,
    digest_of,
    hash_of,
    id_of,
    packed,
    plain,
    stamp,
)
from gainful.filtering.state.sqlite_file import Store
from gainful.filtering.vectors import Counts

AT_ONCE = 2048  # documents read from the file together


class Log:
    """The events of a state. Writing takes place within a transaction of the store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # ---- how far it goes

    @property
    def last(self) -> int:
        """The number of the last event; they are numbered from 1."""
        return int(self._store.one("SELECT max(number) FROM events") or 0)

    @property
    def seen(self) -> int:
        """How many documents were seen."""
        found = self._store.one("SELECT max(number) FROM documents")
        return 0 if found is None else int(found) + 1

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        query = "SELECT body FROM changes JOIN events ON number = event WHERE kind = 'settings' ORDER BY event DESC LIMIT 1"
        return Settings(**json.loads(self._store.one(query)))

    # ---- documents

    def known(self, id_: bytes) -> tuple[int, bytes] | None:
        """Number and digest of a document."""
        found: tuple[int, bytes] | None = self._store.execute(
            "SELECT number, digest FROM documents WHERE id = ?", (id_,)
        ).fetchone()
        return found

    def was_forgotten(self, id_: bytes) -> bool:
        """Whether a document of that id was seen once and removed for good."""
        return bool(self._store.one("SELECT count(*) FROM forgotten WHERE hash = ?", hash_of(id_)))

    def saw(self, documents: Sequence[Document], counts: Counts, *, deliverable: bool, time: int) -> None:
        """Documents that arrived, with their terms."""
        first, event = self.seen, self.last + 1
        sizes = np.diff(counts.offsets).tolist()
        bounds = counts.offsets.tolist()
        self._store.executemany(
            "INSERT INTO events VALUES (?, 'document', ?)",
            ((event + place, time) for place in range(len(documents))),
        )
        self._store.executemany(
            "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (
                    first + place,
                    event + place,
                    id_of(one.id),
                    digest_of(one),
                    deliverable,
                    sizes[place],
                    None if one.date is None else stamp(one.date),
                    plain(one.title),
                    plain(one.text),
                    plain(one.link),
                )
                for place, one in enumerate(documents)
            ),
        )
        terms, tf = packed(counts.terms, counts.tf)
        self._store.executemany(
            "INSERT INTO counts VALUES (?, ?, ?)",
            (
                (first + place, terms[4 * start : 4 * stop], tf[8 * start : 8 * stop])
                for place, (start, stop) in enumerate(itertools.pairwise(bounds))
            ),
        )

    def counts(self, start: int, stop: int) -> Iterator[tuple[int, Counts]]:
        """Terms of documents start to stop, some at a time, with the number of the first of them."""
        for first in range(start, stop, AT_ONCE):
            query = "SELECT terms, tf FROM counts WHERE document >= ? AND document < ? ORDER BY document"
            yield first, counts_of(self._store.execute(query, (first, min(first + AT_ONCE, stop))).fetchall())

    def frequency(self, stop: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """In how many of the first documents each term occurs."""
        total = np.zeros(0, np.int64)
        for first in range(0, stop, AT_ONCE):
            query = "SELECT terms FROM counts WHERE document >= ? AND document < ?"
            rows = self._store.execute(query, (first, min(first + AT_ONCE, stop)))
            found = np.bincount(
                np.frombuffer(b"".join(terms for (terms,) in rows), "<i4"), minlength=len(total)
            )
            found[: len(total)] += total
            total = found
        return total.astype(np.int64)

    def undeliverable(self) -> list[tuple[int, int]]:
        """Stretches of documents (start, stop) that were not to be delivered."""
        stretches: list[tuple[int, int]] = []
        for (number,) in self._store.execute(
            "SELECT number FROM documents WHERE NOT deliverable ORDER BY number"
        ):
            if stretches and stretches[-1][1] == number:
                stretches[-1] = stretches[-1][0], number + 1
            else:
                stretches.append((number, number + 1))
        return stretches

    # ---- terms

    def number_terms(self, counted: Sequence[dict[str, float]], known: dict[str, int]) -> None:
        """Numbers for all terms, into `known`: those of the file, or else new ones in the order of their meeting."""
        fresh: list[str] = []
        for one in counted:
            for term in one:
                if term not in known:
                    found = self._store.one("SELECT number FROM terms WHERE term = ?", term)
                    known[term] = -1 if found is None else found
                    if found is None:
                        fresh.append(term)
        following = self._store.one("SELECT coalesce(max(number), -1) + 1 FROM terms")
        rows = [(following + place, term) for place, term in enumerate(fresh)]
        self._store.executemany("INSERT INTO terms VALUES (?, ?)", rows)
        known.update((term, number) for number, term in rows)

    def term(self, number: int) -> str:
        """The term of a number."""
        return str(self._store.one("SELECT term FROM terms WHERE number = ?", number))

    # ---- other events

    def delivered(self, rows: Iterable[tuple[int, int, float, float]], *, time: int) -> int:
        """Deliveries: profile, document, score and theta of each. How many there were."""
        event = self.last + 1
        numbered = [(event + place, *row) for place, row in enumerate(rows)]
        self._store.executemany(
            "INSERT INTO events VALUES (?, 'delivery', ?)", [(row[0], time) for row in numbered]
        )
        self._store.executemany("INSERT INTO deliveries VALUES (?, ?, ?, ?, ?)", numbered)
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
        last = 0
        while rows := self._store.execute(_OTHERS, {"last": last}).fetchall():
            last = rows[-1][0]
            for number, kind, time, position, profile, document, verdict, body, terms, tf in rows:
                yield Event(
                    number,
                    kind,
                    time,
                    position,
                    profile,
                    document,
                    None if verdict is None else bool(verdict),
                    json.loads(body),
                    None if terms is None else counts_of([(terms, tf)]),
                )


_OTHERS = """
SELECT * FROM (
    SELECT event, 'feedback', time, position, profile, document, verdict, '{}', NULL, NULL
        FROM feedback JOIN events ON number = event WHERE event > :last ORDER BY event LIMIT 1000)
UNION ALL SELECT * FROM (
    SELECT event, kind, time, position, profile, NULL, NULL, body, terms, tf
        FROM changes JOIN events ON number = event WHERE event > :last ORDER BY event LIMIT 1000)
ORDER BY 1 LIMIT 1000
"""
