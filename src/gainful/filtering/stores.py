"""The documents seen, as vectors: scored by a profile, summed into one. Terms and embeddings have the same methods."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gainful._core import VectorStore
from gainful.filtering.vectors import Counts, Floats, Idf, Integers, Vector

_ROWS = 4096  # of embeddings multiplied at once


class Store(Protocol):
    """Vectors of all documents seen, numbered by arrival; a document is there whether it was delivered or not."""

    @property
    def floor(self) -> float:
        """Scores at or below it say that document and profile have nothing in common."""

    @property
    def selects(self) -> bool:
        """Whether a profile may keep some of its terms and drop the others."""

    def __len__(self) -> int: ...

    def score(self, profile: Vector, start: int, stop: int) -> Floats:
        """Scores of documents start to stop."""

    def mix(self, documents: Integers, coefficients: Floats, base: Vector) -> Vector:
        """Σ coefficient · document + base, added in the order given."""


class TermStore:
    """Documents as weighted terms, by the idf of one epoch."""

    floor = 0.0
    selects = True

    def __init__(self, idf: Idf, counts: Counts | None = None) -> None:
        self.idf = idf
        self._vectors = VectorStore()
        if counts is not None:
            self.append(counts)

    def __len__(self) -> int:
        return len(self._vectors)

    def append(self, counts: Counts) -> None:
        """Documents that arrive; their vectors are fixed now."""
        self._vectors.append(counts.offsets, counts.terms, self.idf.weighted(counts))

    def score(self, profile: Vector, start: int, stop: int) -> Floats:
        """Scores of documents start to stop; only those that share a term with the profile are touched."""
        return self._vectors.score(profile.terms, profile.weights, start, stop)

    def mix(self, documents: Integers, coefficients: Floats, base: Vector) -> Vector:
        """Σ coefficient · document + base, added in the order given."""
        return Vector(*self._vectors.mix(documents, coefficients, base.terms, base.weights))

    def vector(self, document: int) -> Vector:
        """The vector of one document."""
        return Vector(*self._vectors.vector(document))


class DenseStore:
    """Documents that carry their own vectors, scaled to length 1."""

    floor = -math.inf
    selects = False

    def __init__(self, vectors: NDArray[np.float64]) -> None:
        lengths = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
        self._vectors = np.ascontiguousarray(vectors / np.where(lengths == 0, 1, lengths))

    def __len__(self) -> int:
        return len(self._vectors)

    def score(self, profile: Vector, start: int, stop: int) -> Floats:
        """Scores of documents start to stop; not by BLAS, whose last bits depend on how many there are."""
        weights = np.zeros(self._vectors.shape[1])
        weights[profile.terms] = profile.weights
        parts = [
            (self._vectors[first : min(first + _ROWS, stop)] * weights).sum(axis=1)
            for first in range(start, stop, _ROWS)
        ]
        return np.concatenate(parts) if parts else np.empty(0)

    def mix(self, documents: Integers, coefficients: Floats, base: Vector) -> Vector:
        """Σ coefficient · document + base, added in the order given."""
        total = np.zeros(self._vectors.shape[1])
        total[base.terms] = base.weights
        for document, coefficient in zip(documents.tolist(), coefficients.tolist(), strict=True):
            total += coefficient * self._vectors[document]
        return Vector(np.arange(len(total), dtype=np.int32), total)
