"""Vectors of terms: (1 + log tf) · idf, length-normalised, the idf epochs that fix them, and stores of the documents seen,
scored by a profile, mixed into one, and told apart by a logistic regression.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, filterfalse
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gainful._core import VectorStore

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Terms = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Vector:
    """Weights of some terms; terms are numbers in rising order."""

    terms: Terms
    weights: Floats

    @property
    def length(self) -> float:
        """Its Euclidean length."""
        return float(np.sqrt(np.sum(self.weights**2)))

    def scaled(self) -> Vector:
        """Its direction, with length 1; an empty vector stays empty."""
        length = self.length
        return Vector(self.terms, self.weights / length) if length else self


NOTHING = Vector(np.empty(0, np.int32), np.empty(0, np.float64))


class Vocabulary:
    """Numbers of terms, in the order in which they were first met.

    known  numbers that some terms have already; new ones are added to it

    >>> known = Vocabulary()
    >>> known.number("oil"), known.number("gas"), known.number("oil"), known.names
    (0, 1, 0, ['oil', 'gas'])
    """

    def __init__(self, known: dict[str, int] | None = None) -> None:
        self._numbers: dict[str, int] = {} if known is None else known

    def number(self, term: str) -> int:
        """The number of a term, a new one where it has none."""
        return self._numbers.setdefault(term, len(self._numbers))

    def numbers(self, terms: Sequence[str]) -> list[int]:
        """The numbers of terms, new ones in the order of their first meeting."""
        known = self._numbers
        for term in dict.fromkeys(filterfalse(known.__contains__, terms)):
            known[term] = len(known)
        return list(map(known.__getitem__, terms))

    @property
    def names(self) -> list[str]:
        """The terms by their numbers."""
        return list(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


@dataclass(frozen=True, eq=False)
class Counts:
    """How often terms occur in each of some documents: those of document i are at offsets[i] to offsets[i + 1]."""

    offsets: Integers
    terms: Terms
    tf: Floats

    @classmethod
    def of(cls, documents: Sequence[Mapping[str, float]], vocabulary: Vocabulary) -> Counts:
        """Counted terms by their numbers, which rise within each document."""
        sizes = list(map(len, documents))
        offsets = np.cumsum([0, *sizes], dtype=np.int64)
        terms = np.array(vocabulary.numbers(list(chain.from_iterable(documents))), np.int32)
        tf = np.fromiter(
            chain.from_iterable(counted.values() for counted in documents), np.float64, offsets[-1]
        )
        # A term's number is below 2^31 and is once in a document, so that no two are equal.
        order = np.argsort((np.repeat(np.arange(len(sizes), dtype=np.int64), sizes) << 32) + terms)
        return cls(offsets, terms[order], tf[order])

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, documents: slice) -> Counts:
        start, stop, _ = documents.indices(len(self))
        first, last = self.offsets[start], self.offsets[max(start, stop)]
        offsets = self.offsets[start : max(start, stop) + 1] - first
        return Counts(offsets, self.terms[first:last], self.tf[first:last])


@dataclass(frozen=True, eq=False)
class Idf:
    """Weights of terms by how few documents have them, from the documents of one epoch.

        idf = log((documents + 1) / (documents with the term + 0.5))

    It is above zero for every term, also for one that no document had.
    """

    documents: int
    frequency: Integers

    @classmethod
    def of(cls, counts: Counts) -> Idf:
        """From all documents given."""
        return cls(len(counts), np.bincount(counts.terms).astype(np.int64))

    def __call__(self, terms: Terms) -> Floats:
        """The weight of each term."""
        known = np.zeros(len(terms))
        there = terms < len(self.frequency)
        known[there] = self.frequency[terms[there]]
        return np.log((self.documents + 1) / (known + 0.5))

    def weighted(self, counts: Counts) -> Floats:
        """(1 + log tf) · idf, each document scaled to length 1; a tf below 1 counts as it is."""
        tf = counts.tf
        damped = np.where(tf >= 1, 1 + np.log(np.maximum(tf, 1)), tf)
        weights = damped * self(counts.terms)
        lengths = np.zeros(len(counts))
        filled = np.flatnonzero(np.diff(counts.offsets))
        if len(filled):
            # Document by document, so that a document has the same bits beside any others.
            lengths[filled] = np.sqrt(np.add.reduceat(weights**2, counts.offsets[filled]))
        return weights / np.repeat(lengths, np.diff(counts.offsets))


_ROWS = 4096  # of embeddings multiplied at once
_PASSES, _TOLERANCE = 20, 0.01  # of regressions: a closer fit made no filter better


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

    def separate(self, documents: Integers, extra: Vector, labels: Floats, costs: Floats) -> Vector:
        """Weights of a logistic regression of the documents and of one more vector, which has the last label and cost."""


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

    def separate(self, documents: Integers, extra: Vector, labels: Floats, costs: Floats) -> Vector:
        """Weights of a logistic regression of the documents and of one more vector, which has the last label and cost."""
        return Vector(
            *self._vectors.separate(
                documents, extra.terms, extra.weights, labels, costs, passes=_PASSES, tolerance=_TOLERANCE
            )
        )

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

    def separate(self, documents: Integers, extra: Vector, labels: Floats, costs: Floats) -> Vector:
        """Weights of a logistic regression of the documents and of one more vector, which has the last label and cost."""
        width = self._vectors.shape[1]
        rows = VectorStore()
        rows.append(
            np.arange(len(documents) + 1, dtype=np.int64) * width,
            np.tile(np.arange(width, dtype=np.int32), len(documents)),
            self._vectors[documents].ravel(),
        )
        numbers = np.arange(len(documents), dtype=np.int64)
        return Vector(
            *rows.separate(
                numbers, extra.terms, extra.weights, labels, costs, passes=_PASSES, tolerance=_TOLERANCE
            )
        )
