"""The shelf: documents of the history as vectors, by the idf in force."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gainful.filtering.state.events import counts_of
from gainful.filtering.state.store import Store
from gainful.filtering.stores import TermStore
from gainful.filtering.vectors import Counts, Floats, Idf, Integers, Vector

_AT_ONCE = 4096


class Shelf:
    """Row i is the vector of document `documents[i]`; the order of rows decides nothing."""

    def __init__(self, store: Store, idf: Idf) -> None:
        self._store = store
        self.vectors = TermStore(idf)
        found: list[Integers] = []
        rows = store.execute(
            "SELECT terms, tf, document FROM history CROSS JOIN counts USING (document) ORDER BY document"
        )
        while some := rows.fetchmany(_AT_ONCE):
            self.vectors.append(counts_of([(terms, tf) for terms, tf, _ in some]))
            found.append(np.array([document for _, _, document in some], np.int64))
        self.documents: Integers = np.concatenate([np.empty(0, np.int64), *found])
        self._order: Integers | None = None

    def append(self, first: int, counts: Counts) -> None:
        """Documents that arrive, numbered from `first`."""
        self.vectors.append(counts)
        self.documents = np.concatenate([self.documents, np.arange(first, first + len(counts))])
        self._order = None

    def bring_back(self, document: int) -> None:
        """A document that had left the history."""
        rows = self._store.execute("SELECT terms, tf FROM counts WHERE document = ?", (document,)).fetchall()
        self.append(document, counts_of(rows))

    def rows(self, documents: Sequence[int]) -> list[int]:
        """The rows of documents, which must be there."""
        if not documents:
            return []
        if self._order is None:
            self._order = np.argsort(self.documents)
        places = np.searchsorted(self.documents, np.array(documents, np.int64), sorter=self._order)
        return [int(row) for row in self._order[places]]

    def scores(self, profile: Vector, held: int) -> Floats:
        """Scores of the first rows."""
        return self.vectors.score(profile, 0, held)
