"""The readable twin of native/sparse.cpp and native/profile_index.cpp: same names, arguments and bits; the oracle of tests."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful._core.plain_highest_scores import HighestScores

Floats = NDArray[np.float64]
Terms = NDArray[np.int32]
Integers = NDArray[np.int64]


def _checked_vector(terms: Any, weights: Any) -> dict[int, float]:
    terms, weights = list(map(int, terms)), list(map(float, weights))
    if len(terms) != len(weights):
        raise ValueError("a vector needs as many weights as terms")
    for number, (term, weight) in enumerate(zip(terms, weights, strict=True)):
        if term < 0:
            raise ValueError(f"terms must be 0 or more; got {term}")
        if number and term <= terms[number - 1]:
            raise ValueError("the terms of a vector must rise")
        if not math.isfinite(weight):
            raise ValueError("weights must be finite")
    return dict(zip(terms, weights, strict=True))


def _checked_rows(offsets: Any, terms: Any, weights: Any) -> list[dict[int, float]]:
    offsets = list(map(int, offsets))
    if not offsets or offsets[0] != 0:
        raise ValueError("offsets must begin with 0")
    if len(terms) != len(weights):
        raise ValueError("a vector needs as many weights as terms")
    if offsets[-1] != len(terms):
        raise ValueError("offsets must end at the number of terms")
    pairs = list(itertools.pairwise(offsets))
    if any(stop < start for start, stop in pairs):
        raise ValueError("offsets must not fall")
    return [_checked_vector(terms[start:stop], weights[start:stop]) for start, stop in pairs]


def _checked_threads(threads: int) -> None:
    if threads < 1:
        raise ValueError(f"threads must be 1 or more; got {threads}")


def _dot(one: dict[int, float], other: dict[int, float]) -> float:
    """The sum of products over shared terms, in their order."""
    score = 0.0
    for term, weight in one.items():
        if term in other:
            score += weight * other[term]
    return score


def _exp(power: float) -> float:
    return math.exp(power) if power < 709.79 else math.inf


def _logistic_root(slope: float, base: float, guess: float) -> float:
    """The root t of t + slope · sigmoid(t) + base = 0: Newton's steps, kept between bounds."""
    t = guess
    share = 1 / (1 + _exp(-t))
    value = t + slope * share + base
    low, high = (t - value, t) if value > 0 else (t, t - value)
    for _ in range(60):
        if not low < high:
            break
        following = t - value / (1 + slope * share * (1 - share))
        if not low < following < high:
            following = low + (high - low) / 2
        if abs(following - t) <= 1e-6 * max(1.0, abs(t)):
            return following
        t = following
        share = 1 / (1 + _exp(-t))
        value = t + slope * share + base
        if value > 0:
            high = t
        else:
            low = t
    return t


class VectorStore:
    """Sparse vectors of documents, in the order of their arrival.

    >>> store = VectorStore()
    >>> store.append(np.array([0, 2, 3]), np.array([1, 4, 4], np.int32), np.array([0.5, 2.0, 1.0]))
    >>> store.score(np.array([4], np.int32), np.array([3.0]), 0, 2)
    array([6., 3.])
    """

    def __init__(self) -> None:
        self._documents: list[dict[int, float]] = []

    def __len__(self) -> int:
        return len(self._documents)

    def append(self, offsets: Integers, terms: Terms, weights: Floats) -> None:
        """More documents: terms and weights of document i are at offsets[i] to offsets[i + 1]."""
        self._documents += _checked_rows(offsets, terms, weights)

    def score(self, terms: Terms, weights: Floats, start: int, stop: int) -> Floats:
        """Scores of documents start to stop for one profile."""
        profile = _checked_vector(terms, weights)
        if not 0 <= start <= stop <= len(self):
            raise ValueError("documents start to stop must be in the store")
        return np.array([_dot(profile, document) for document in self._documents[start:stop]], np.float64)

    def mix(
        self, documents: Integers, coefficients: Floats, terms: Terms, weights: Floats
    ) -> tuple[Terms, Floats]:
        """The vector given plus each document times its coefficient, added in the order given."""
        sums = _checked_vector(terms, weights)
        if len(documents) != len(coefficients):
            raise ValueError("every document needs a coefficient")
        for number, coefficient in zip(documents.tolist(), coefficients.tolist(), strict=True):
            if not 0 <= number < len(self):
                raise ValueError("a document is not in the store")
            for term, weight in self._documents[number].items():
                sums[term] = sums.get(term, 0.0) + coefficient * weight
        return _arrays(sums)

    def separate(
        self,
        documents: Integers,
        terms: Terms,
        weights: Floats,
        labels: Floats,
        costs: Floats,
        *,
        passes: int,
        tolerance: float,
    ) -> tuple[Terms, Floats]:
        """Logistic regression of documents and, last, a vector that is none of them: labels 1 or -1, a cost for each error.

        >>> store = VectorStore()
        >>> store.append(np.array([0, 1, 2]), np.array([0, 1], np.int32), np.array([1.0, 1.0]))
        >>> both, nothing = np.array([0, 1]), (np.array([], np.int32), np.array([]))
        >>> store.separate(both, *nothing, np.array([1.0, -1, 1]), np.array([1.0, 1, 0]), passes=99, tolerance=1e-9)[1].round(4)
        array([ 0.4011, -0.4011])

        By symmetry the bias is 0, and w = 1 / (1 + exp(w)), which is 0.4011.
        """
        extra = _checked_vector(terms, weights)
        labelled, charged = list(map(float, labels)), list(map(float, costs))
        if not len(labelled) == len(charged) == len(documents) + 1:
            raise ValueError("every vector needs a label and a cost")
        if any(label not in (1, -1) for label in labelled):
            raise ValueError("labels must be 1 or -1")
        if any(not 0 <= cost < math.inf for cost in charged):
            raise ValueError("costs must be 0 or more and finite")
        if any(not 0 <= number < len(self) for number in documents.tolist()):
            raise ValueError("a document is not in the store")
        vectors = [*(self._documents[number] for number in documents.tolist()), extra]
        plane = {term: 0.0 for vector in vectors for term in vector}
        duals = [0.0] * len(vectors)
        bias = 0.0
        for _ in range(passes):
            farthest = 0.0
            for number, (vector, label, cost) in enumerate(zip(vectors, labelled, charged, strict=True)):
                if cost == 0:
                    continue
                norm, margin, before = 1.0, bias, duals[number]
                for term, weight in vector.items():
                    norm += weight * weight
                    margin += plane[term] * weight
                guess = math.log(before / (cost - before)) if 0 < before < cost else 0.0
                root = _logistic_root(norm * cost, label * margin - norm * before, guess)
                duals[number] = cost / (1 + _exp(-root))
                step = (duals[number] - before) * label
                for term, weight in vector.items():
                    plane[term] += step * weight
                bias += step
                farthest = max(farthest, abs(duals[number] - before) / cost)
            if farthest <= tolerance:
                break
        return _arrays(plane)

    def vector(self, document: int) -> tuple[Terms, Floats]:
        """Terms and weights of one document."""
        if not 0 <= document < len(self):
            raise ValueError("a document is not in the store")
        return _arrays(self._documents[document])


class ProfileIndex:
    """Sparse vectors of profiles, against which documents are scored many at a time."""

    def __init__(self, terms: Sequence[Terms], weights: Sequence[Floats]) -> None:
        if len(terms) != len(weights):
            raise ValueError("every profile needs terms and weights")
        self._profiles = list(map(_checked_vector, terms, weights))

    def __len__(self) -> int:
        return len(self._profiles)

    def score(self, offsets: Integers, terms: Terms, weights: Floats, *, out: Floats, threads: int) -> None:
        """Fill `out` with a row of scores for each document, a column for each profile."""
        _checked_threads(threads)
        if out.shape != (len(offsets) - 1, len(self)):
            raise ValueError("out must have a row for each document and a column for each profile")
        for row, document in enumerate(_checked_rows(offsets, terms, weights)):
            out[row] = [_dot(document, profile) for profile in self._profiles]

    def reach(
        self, offsets: Integers, terms: Terms, weights: Floats, theta: Floats, *, floor: float, threads: int
    ) -> tuple[Integers, Integers, Floats]:
        """Documents, profiles and scores of the pairs whose score is above the floor and at least the profile's theta."""
        nothing, numbers = HighestScores(1), np.arange(len(self))
        return self.arrive(
            offsets, terms, weights, theta, floor=floor, threads=threads, highest=nothing, numbers=numbers
        )[:3]

    def arrive(
        self,
        offsets: Integers,
        terms: Terms,
        weights: Floats,
        theta: Floats,
        *,
        floor: float,
        threads: int,
        highest: HighestScores,
        numbers: Integers,
    ) -> tuple[Integers, Integers, Floats, Integers]:
        """What `reach` finds, and how many earlier documents score higher (−1 where `highest` does not know); the documents join
        the histories of which it keeps the highest scores, under the number that each profile has there.
        """
        _checked_threads(threads)
        if len(theta) != len(self):
            raise ValueError("every profile needs a theta")
        if len(numbers) != len(self):
            raise ValueError("every profile needs a number")
        found: list[tuple[int, int, float, int]] = []
        for row, document in enumerate(_checked_rows(offsets, terms, weights)):
            for column, (number, profile) in enumerate(zip(numbers.tolist(), self._profiles, strict=True)):
                score = _dot(document, profile)
                if score > floor:
                    if score >= theta[column]:
                        found.append((row, column, score, highest.higher(number, score)))
                    highest.add(number, score)
        rows, columns, scores, higher = zip(*found, strict=True) if found else ((), (), (), ())
        return (
            np.array(rows, np.int64),
            np.array(columns, np.int64),
            np.array(scores, np.float64),
            np.array(higher, np.int64),
        )


def _arrays(vector: dict[int, float]) -> tuple[Terms, Floats]:
    terms: Sequence[int] = sorted(vector)
    return np.array(terms, np.int32), np.array([vector[term] for term in terms], np.float64)
