"""The documents of a stream in idf epochs: their vectors, and the descriptions of topics in the terms of each epoch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gainful.errors import UsageError
from gainful.filtering.analyzer import Analyzer
from gainful.filtering.document import Document, Topic
from gainful.filtering.vectors import (
    NOTHING,
    Counts,
    DenseStore,
    Idf,
    Store,
    TermStore,
    Vector,
    Vocabulary,
)

LARGEST = 1e9
"""The largest factor or share by which something grows; numbers of documents times it stay whole numbers."""

SMALLEST = 64
"""Documents before the first idf epoch of the stream itself, where there is no reference set."""


def check_epochs(growth: float | None) -> None:
    """Refuse a factor at which epochs would never end."""
    if growth is not None and not 1 < growth <= LARGEST:
        raise UsageError(
            f"epochs must be above 1, and a billion at most: the factor by which documents grow before idf is computed again; "
            f"got {growth:g}"
        )


def epoch_end(begun: int, growth: float) -> int:
    """How many documents will have been seen when the epoch ends that began after so many.

    >>> epoch_end(0, 2), epoch_end(64, 2)
    (64, 128)
    """
    return max(SMALLEST, int(begun * growth), begun + 1)


@dataclass(frozen=True)
class Stage:
    """A stretch of the stream with one idf epoch: documents up to `stop`, and the topic's description in its terms."""

    stop: int
    store: Store
    description: Vector


class Collection:
    """The documents of a stream, in order, and the descriptions of its topics.

    reference  how many documents came before the start: they make the first idf and are history, not deliverable
    epochs     a new idf epoch begins when the documents seen have grown by this factor; None keeps the first
    """

    def __init__(
        self,
        documents: Sequence[Document],
        topics: Sequence[Topic],
        *,
        reference: int = 0,
        epochs: float | None = 2.0,
        analyzer: Analyzer | None = None,
    ) -> None:
        check_epochs(epochs)
        if not 0 <= reference <= len(documents):
            raise UsageError(f"the reference set cannot hold {reference:,} of {len(documents):,} documents")
        self.ids = [document.id for document in documents]
        self.reference = reference
        self.growth = epochs
        self.vectors: NDArray[np.float64] | None = None
        self.vocabulary = Vocabulary()
        if documents and documents[0].vector is not None:
            self.vectors = np.array([document.vector for document in documents], np.float64)
            self.described = [_embedded(topic) for topic in topics]
        else:
            how = analyzer or Analyzer()
            # Topics first: of equal terms those known first are kept, and that must not depend on documents to come.
            self.asked = Counts.of([how.counts("", topic.text) for topic in topics], self.vocabulary)
            self.counts = Counts.of(
                [how.counts(document.title, document.text) for document in documents], self.vocabulary
            )

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def stops(self) -> list[int]:
        """Where each epoch ends."""
        if self.vectors is not None or self.growth is None:
            return [len(self)]
        stops, begun = [], self.reference
        while begun < len(self):
            begun = min(epoch_end(begun, self.growth), len(self))
            stops.append(begun)
        return stops or [len(self)]

    @cached_property
    def epochs(self) -> list[tuple[int, Store]]:
        """The end of each epoch, and all documents up to there with the idf of its beginning."""
        if self.vectors is not None:
            return [(len(self), DenseStore(self.vectors))]
        begins = [self.reference, *self.stops]
        return [
            (stop, TermStore(Idf.of(self.counts[:begin]), self.counts[:stop]))
            for begin, stop in zip(begins, self.stops, strict=False)
        ]

    def stages(self, topic: int) -> list[Stage]:
        """The epochs, with the description of a topic in the terms of each."""
        return [Stage(stop, store, self._description(topic, store)) for stop, store in self.epochs]

    def _description(self, topic: int, store: Store) -> Vector:
        if isinstance(store, TermStore):
            counts = self.asked[topic : topic + 1]
            return Vector(counts.terms, store.idf.weighted(counts))
        return self.described[topic]

    def __getstate__(self) -> dict[str, object]:
        # Stores live in native memory; another process builds them again from the counts.
        return {name: value for name, value in self.__dict__.items() if name != "epochs"}


def _embedded(topic: Topic) -> Vector:
    if topic.vector is None:
        return NOTHING
    return Vector(np.arange(len(topic.vector), dtype=np.int32), np.array(topic.vector, np.float64)).scaled()
