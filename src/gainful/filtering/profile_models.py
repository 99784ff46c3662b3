"""How a profile is learned from its description and the judged documents: Rocchio's formula, or a regression beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from gainful.errors import UsageError
from gainful.filtering.vectors import Floats, Integers, Store, Vector


class Judged(NamedTuple):
    """Documents judged relevant and not relevant, each in the order of their arrival."""

    relevant: Integers
    other: Integers


def evenly(documents: Integers, count: int) -> Integers:
    """So many of the documents, evenly spaced; all of them where there are no more.

    >>> evenly(np.arange(10), 3)
    array([1, 5, 8])
    """
    if len(documents) <= count:
        return documents
    return documents[(np.arange(count) * len(documents) + len(documents) // 2) // count]


def _check_weight(model: str, name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise UsageError(f"{model}: {name} must be 0 or more and finite; got {value!r}")


@dataclass(frozen=True)
class Rocchio:
    """A profile of the description and of the judged documents.

        profile = description · q + relevant · mean(relevant documents) − other · mean(documents not relevant)

    description  weight of the description q
    relevant     weight of the mean of the documents judged relevant
    other        weight of the mean of the documents judged not relevant, which is taken away
    terms        how many of the strongest terms are kept, those of weight zero or less never; None keeps all

    The result is scaled to length 1. Embeddings keep all their dimensions. The defaults were chosen on half of the topics of a
    news collection and reported on the other half (docs/filtering.md).
    """

    description: float = 0.5
    relevant: float = 1.0
    other: float = 1.0
    terms: int | None = 60

    def __post_init__(self) -> None:
        for name in ("description", "relevant", "other"):
            _check_weight("rocchio", name, getattr(self, name))
        terms: object = self.terms
        if terms is not None and (isinstance(terms, bool) or not isinstance(terms, int) or terms < 1):
            raise UsageError(f"rocchio: terms must be 1 or more, or None for all; got {self.terms!r}")

    def due(self, before: int, now: int) -> bool:  # noqa: ARG002 (whatever was judged)
        """Whether to learn again, now that so many documents are judged: always."""
        return True

    def profile(self, store: Store, description: Vector, judged: Judged, background: Integers) -> Vector:  # noqa: ARG002
        """The profile; documents are summed in the order of their arrival, so that nothing depends on when they were judged."""
        relevant, other = judged.relevant, judged.other
        documents = np.concatenate([relevant, other])
        parts = [
            np.full(len(relevant), self.relevant / max(len(relevant), 1)),
            np.full(len(other), -self.other / max(len(other), 1)),
        ]
        base = Vector(description.terms, self.description * description.weights)
        mixed = store.mix(documents, np.concatenate(parts), base)
        return (strongest(mixed, self.terms) if store.selects else mixed).scaled()


def strongest(vector: Vector, terms: int | None) -> Vector:
    """The terms of the highest weights, above zero; of equal ones those that were known first."""
    positive = np.flatnonzero(vector.weights > 0)
    if terms is not None and len(positive) > terms:
        positive = positive[_largest(vector.weights[positive], terms)]
    return Vector(vector.terms[positive], vector.weights[positive])


@dataclass(frozen=True)
class Regression:
    """A profile of two parts: a logistic regression that tells relevant documents from others, and Rocchio's formula.

        profile = regression / deviation of its scores + rocchio / deviation of its scores

    The regression minimises ½(|w|² + bias²) + Σ cost · log(1 + exp(−label · (w · document + bias))) over the description and the
    documents judged relevant (label 1), those judged not relevant (−1), and a background of documents that nobody judged
    (−1, at a lower cost). Deviations are those of the scores of the latest 1,000 documents. The result is scaled to length 1.

    description  weight of the description in Rocchio's formula
    strength    the cost of an error on a judged document: the larger, the closer the fit
    background  how many documents that nobody judged, evenly spaced over those seen, stand for what is not wanted
    weight      of one of them, compared with a judged document
    recent      the most documents of each verdict that are learned from: the last ones to arrive
    growth      it is learned again when the judged documents have grown by this share
    terms       how many of the terms with the largest weights, positive or negative, are kept; None keeps all
    """

    description: float = 1.0
    strength: float = 10.0
    background: int = 200
    weight: float = 0.25
    recent: int = 100
    growth: float = 0.1
    terms: int | None = 1000

    def __post_init__(self) -> None:
        _check_weight("regression", "description", self.description)
        for name in ("strength", "weight", "growth"):
            value: object = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
                raise UsageError(f"regression: {name} must be above 0 and finite; got {value!r}")
        for name in ("background", "recent", "terms"):
            count: object = getattr(self, name)
            if count is None and name == "terms":
                continue
            if isinstance(count, bool) or not isinstance(count, int) or count < 1:
                raise UsageError(f"regression: {name} must be a whole number from 1 on; got {count!r}")

    def due(self, before: int, now: int) -> bool:
        """Whether to learn again, now that so many documents are judged, and not so many as before.

        >>> Regression().due(9, 10), Regression().due(100, 101), Regression().due(100, 111)
        (True, False, True)
        >>> Regression(growth=1).due(0, 1), Regression(growth=1).due(2, 3), Regression(growth=1).due(3, 4)
        (True, False, True)
        """
        return self._step(before) != self._step(now)

    def _step(self, judged: int) -> int:
        """The number of the stretch, each longer by `growth`, in which so many judged documents fall."""
        if judged * self.growth < 1:
            return judged
        return math.ceil(1 / self.growth) + math.floor(
            math.log(judged * self.growth) / math.log1p(self.growth)
        )

    def profile(self, store: Store, description: Vector, judged: Judged, background: Integers) -> Vector:
        """The profile; `background` are the documents seen, in the order of their arrival."""
        recent = Judged(judged.relevant[-self.recent :], judged.other[-self.recent :])
        rocchio = Rocchio(description=self.description, terms=None).profile(
            store, description, recent, background
        )
        if not len(background):
            return rocchio
        unknown = background[~np.isin(background, np.concatenate(judged))]
        parts = [rocchio, self._regression(store, description, recent, unknown)]
        deviations = [_deviation(store, part, background[-_LATEST:]) for part in parts]
        mixed = _sum(
            [
                Vector(part.terms, part.weights / max(deviation, _LEAST))
                for part, deviation in zip(parts, deviations, strict=True)
            ]
        )
        return (_heaviest(mixed, self.terms) if store.selects else mixed).scaled()

    def _regression(self, store: Store, description: Vector, judged: Judged, unknown: Integers) -> Vector:
        sample = evenly(unknown, self.background)
        documents = np.concatenate([judged.relevant, judged.other, sample])
        labels = np.full(len(documents) + 1, -1.0)
        labels[: len(judged.relevant)] = labels[-1] = 1.0
        costs = np.ones(len(labels))
        costs[len(judged.relevant) + len(judged.other) : -1] = self.weight
        # What is wanted weighs as much as what is not, within bounds.
        wanted = labels > 0
        costs[wanted] *= min(max(costs[~wanted].sum() / costs[wanted].sum(), 1 / _BALANCE), _BALANCE)
        return store.separate(documents, description, labels, self.strength * costs)


_BALANCE = 20.0  # the most that a wanted document weighs, compared with another one
_LEAST = 1e-6  # the least deviation of scores that is divided by
_LATEST = 1000  # documents that deviations are measured on


def _deviation(store: Store, part: Vector, documents: Integers) -> float:
    """Of the scores of these documents, which stand side by side as a rule."""
    first = int(documents.min())
    return float(store.score(part, first, int(documents.max()) + 1)[documents - first].std())


ProfileModel = Rocchio | Regression
MODELS: dict[str, type[Rocchio] | type[Regression]] = {"rocchio": Rocchio, "regression": Regression}
"""How profiles can be learned, by name."""


def model_name(model: ProfileModel) -> str:
    """The name under which a way of learning is written."""
    return next(name for name, kind in MODELS.items() if isinstance(model, kind))


def parameters_of(kind: type[ProfileModel]) -> dict[str, object]:
    """Parameters of a way of learning, and their defaults."""
    return {field.name: field.default for field in fields(kind)}


def _sum(vectors: list[Vector]) -> Vector:
    """The sum of two vectors, term by term."""
    terms = np.sort(np.concatenate([vector.terms for vector in vectors]))
    terms = terms[np.append(True, terms[1:] != terms[:-1])[: len(terms)]]
    weights: Floats = np.zeros(len(terms))
    for vector in vectors:
        weights[np.searchsorted(terms, vector.terms)] += vector.weights
    return Vector(terms, weights)


def _heaviest(vector: Vector, terms: int | None) -> Vector:
    """The terms of the largest weights, positive or negative; of equal ones those that were known first."""
    if terms is None or len(vector.terms) <= terms:
        return vector
    kept = _largest(np.abs(vector.weights), terms)
    return Vector(vector.terms[kept], vector.weights[kept])


def _largest(values: Floats, count: int) -> Integers:
    """The places of so many of the largest values, in rising order; of equal ones those of the first."""
    least = np.partition(values, len(values) - count)[len(values) - count]
    surely = np.flatnonzero(values > least)
    perhaps = np.flatnonzero(values == least)[: count - len(surely)]
    return np.sort(np.concatenate([surely, perhaps]))
