"""Documents of the history as vectors, by the idf in force, and which of them stay when the history is cut."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice

import numpy as np

from gainful.filtering.state.events import Damaged, Event, counts_of
from gainful.filtering.state.store import Store
from gainful.filtering.vectors import NOTHING, Counts, Floats, Idf, Integers, TermStore, Vector
from gainful.formats.ids import shown

_AT_ONCE = 4096
_HISTORY = (  # the + keeps SQLite from going through all documents to look each up in the history
    "SELECT history.document AS document, terms, tf FROM history JOIN counts ON counts.document = +history.document "
    "ORDER BY history.document"
)


class HistoryVectors:
    """Row i is the vector of document `documents[i]`; the order of rows decides nothing."""

    def __init__(self, store: Store, idf: Idf) -> None:
        self._store = store
        self.vectors = TermStore(idf)
        numbers: list[Integers] = []
        rows = store.scan(_HISTORY)
        while some := list(islice(rows, _AT_ONCE)):
            self.vectors.append(counts_of(some, "counts", store.damaged))
            numbers.append(np.array([document for document, _, _ in some], np.int64))
        self.documents: Integers = np.concatenate([np.empty(0, np.int64), *numbers])
        if len(self.documents) != store.one("SELECT count(*) FROM history"):
            raise store.damaged("table history: it names documents whose terms are missing")
        self._order: Integers | None = None
        self._scored: tuple[Vector, Floats] = NOTHING, np.empty(0)  # the last profile asked for

    def append(self, first: int, counts: Counts) -> None:
        """Documents that arrive, numbered from `first`."""
        self.vectors.append(counts)
        self.documents = np.concatenate([self.documents, np.arange(first, first + len(counts))])
        self._order = None

    def bring_back(self, document: int) -> None:
        """A document that had left the history."""
        self.append(document, document_counts(self._store, document))

    def rows(self, documents: Sequence[int]) -> list[int]:
        """The rows of documents, which must be there."""
        if not documents:
            return []
        if self._order is None:
            self._order = np.argsort(self.documents)
        places = np.searchsorted(self.documents, np.array(documents, np.int64), sorter=self._order)
        return [int(row) for row in self._order[places]]

    def scores(self, profile: Vector, held: int) -> Floats:
        """Scores of the first rows; those of the last profile asked for are remembered."""
        last, scores = self._scored
        if last is not profile:
            scores = np.empty(0)
        if len(scores) < held:
            scores = np.concatenate([scores, self.vectors.score(profile, len(scores), held)])
            self._scored = profile, scores
        return scores[:held]


def next_cut(cap: int, *, seen: int, held: int, last: int) -> int:
    """How many documents will have been seen when the history is cut.

    seen, held  documents seen so far, and those in the history
    last        documents seen when it was last cut; 0 if it never was

    >>> next_cut(1000, seen=0, held=0, last=0), next_cut(1000, seen=1250, held=1000, last=1250)
    (1250, 1500)
    """
    step = max(1, cap // 4)
    return max(seen + cap + step - held, last + step)


def leaving(
    history: HistoryVectors, held: int, profiles: Sequence[Vector], judged: Collection[int], cap: int
) -> Integers:
    """The documents that leave the history, of its first `held` rows."""
    order = np.argsort(history.documents[:held])
    documents = history.documents[:held][order]
    stays = np.isin(documents, np.array(sorted(judged), np.int64))
    depth = cap // max(1, len(profiles))
    for profile in profiles:
        stays[tail(history.scores(profile, held)[order], depth)] = True
    room = cap - int(stays.sum())
    if room > 0:
        stays[np.flatnonzero(~stays)[-room:]] = True
    return documents[~stays]


def tail(scores: Floats, depth: int) -> Integers:
    """Places of the highest scores above zero; of equal ones the last.

    >>> tail(np.array([0.5, 0.0, 0.9, 0.5]), 2)
    array([2, 3])
    """
    above = np.flatnonzero(scores > 0)
    if len(above) <= depth:
        return above
    if depth == 0:
        return above[:0]
    positive = scores[above]
    least = np.partition(positive, len(positive) - depth)[len(positive) - depth]
    surely = above[positive > least]
    perhaps = above[positive == least]
    return np.sort(np.concatenate([surely, perhaps[len(perhaps) - (depth - len(surely)) :]]))


def document_counts(store: Store, document: int) -> Counts:
    """The terms of one document."""
    query = "SELECT document, terms, tf FROM counts WHERE document = ?"
    return counts_of(
        [store.needed(f"table counts, row {document}", query, document)], "counts", store.damaged
    )


def kept_by(event: Event, damaged: Damaged) -> int:
    """How many documents the history keeps where this event cuts it."""
    keep: object = event.body.get("keep")
    if not isinstance(keep, int) or isinstance(keep, bool) or keep < 1:
        raise damaged(f"table changes, row {event.number}, column body: keep {shown(f'{keep!r:.40}')}")
    return keep
