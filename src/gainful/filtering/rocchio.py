"""Rocchio profiles: what one reader wants, as weighted terms that learn from judged documents."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gainful.errors import UsageError
from gainful.filtering.vectors import Integers, Store, Vector


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
            value: object = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
                raise UsageError(f"rocchio: {name} must be 0 or more and finite; got {value!r}")
        terms: object = self.terms
        if terms is not None and (isinstance(terms, bool) or not isinstance(terms, int) or terms < 1):
            raise UsageError(f"rocchio: terms must be 1 or more, or None for all; got {self.terms!r}")

    def profile(self, store: Store, description: Vector, relevant: Integers, other: Integers) -> Vector:
        """The profile; documents are summed in the order of their arrival, so that nothing depends on when they were judged."""
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
        weights = vector.weights[positive]
        least = np.partition(weights, len(weights) - terms)[len(weights) - terms]
        surely = positive[weights > least]
        perhaps = positive[weights == least][: terms - len(surely)]
        positive = np.sort(np.concatenate([surely, perhaps]))
    return Vector(vector.terms[positive], vector.weights[positive])
