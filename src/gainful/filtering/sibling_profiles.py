"""Sibling profiles: what the answers to a reader's other profiles say of one of hers.

The profiles of one reader have much in common: how probably a document at a place is relevant to her, and whether she answers
everything or only what is relevant. So each profile begins with what the others have shown. Answers, and deliveries without
one, are counted by place (`relevance_calibration`), in steps of a quarter. A profile with m of both counts as

    min(m, siblings)

of them, each by min(1, siblings/m), so that a large one does not speak for all. Counts are whole numbers and weights whole
multiples of 1/65536: sums have the same bits in any order.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from gainful.filtering.vectors import Floats

RELEVANT, OTHER, SILENT = range(3)

STEP = 0.25
_STEPS = 80
_ONE = 65536


class Told(NamedTuple):
    """What the other profiles of a reader were told, as it stands for one profile.

    places    at which answers are counted
    relevant, other, silent  answers of each kind at each place, as many as count, and deliveries that have none
    profiles  how many of the others have answers
    yes, no   all answers to them: relevant, not relevant
    """

    places: Floats
    relevant: Floats
    other: Floats
    silent: Floats
    profiles: int
    yes: int
    no: int


class Siblings:
    """The profiles of one reader that learn from each other.

    most  as how many answers and silent deliveries a profile counts for another one, at the most: `siblings` of the rule

    >>> both = Siblings(10)
    >>> for kind, place in [(RELEVANT, 5.1), (RELEVANT, 5.2), (OTHER, 3.0)]:
    ...     both.count(1, kind, place)
    >>> told = both.told(2)
    >>> told.yes, told.no, told.relevant[told.relevant > 0], told.places[told.relevant > 0]
    (2, 1, array([2.]), array([5.125]))
    >>> both.told(1).profiles
    0
    """

    def __init__(self, most: float) -> None:
        self.most = most
        self.places: Floats = np.arange(STEP / 2, STEP * _STEPS, STEP)
        self._profiles = 0  # that have answers
        self._told: dict[int, _Counted] = {}
        self._all, self._as_many = [0] * (3 * _STEPS), [0] * (3 * _STEPS)

    def count(self, profile: int, kind: int, place: float, by: int = 1) -> None:
        """One document more at a place, or with `by` −1 one less; where there is no place, it does not count."""
        if math.isnan(place):
            return
        step = _STEPS * kind + int(min(max(place / STEP, 0), _STEPS - 1))
        self._count([profile], [step], by)
        if kind != SILENT:
            told = self._told[profile]
            self._profiles -= told.answers > 0
            told.answers += by
            self._profiles += told.answers > 0

    def count_silent(self, profiles: Iterable[int], places: Floats) -> None:
        """Deliveries that have no answer yet, the profile and the place of each; a place is a number."""
        steps = _STEPS * SILENT + np.clip(places / STEP, 0, _STEPS - 1).astype(np.intp)
        self._count(profiles, steps.tolist(), 1)

    def _count(self, profiles: Iterable[int], steps: Iterable[int], by: int) -> None:
        everyone, most, everything, as_many = self._told, self.most, self._all, self._as_many
        for profile, step in zip(profiles, steps, strict=True):
            told = everyone.get(profile)
            if told is None:
                told = everyone[profile] = _Counted(_ONE)
            documents = told.documents = told.documents + by
            before, counts = told.weight, told.counts
            everything[step] += by
            as_many[step] += before * by
            counts[step] = counts.get(step, 0) + by
            weight = _ONE if documents <= most else int(_ONE * (most / documents))
            if weight != before:
                change = weight - before
                for each, count in counts.items():
                    as_many[each] += change * count
                told.weight = weight

    def told(self, profile: int) -> Told:
        """What the profiles but this one were told."""
        everything, as_many = (np.array(counts, np.int64) for counts in (self._all, self._as_many))
        answered = False
        if (own := self._told.get(profile)) is not None:
            steps, counts = list(own.counts), np.array(list(own.counts.values()), np.int64)
            everything[steps] -= counts
            as_many[steps] -= own.weight * counts
            answered = own.answers > 0
        yes, no, _ = everything.reshape(3, _STEPS).sum(axis=1).tolist()
        relevant, other, silent = as_many.reshape(3, _STEPS) / _ONE
        return Told(self.places, relevant, other, silent, self._profiles - answered, yes, no)


@dataclass(slots=True)
class _Counted:
    """What one profile was told: by kind and place, in all, and how much each counts."""

    weight: int
    answers: int = 0
    documents: int = 0
    counts: dict[int, int] = field(default_factory=dict)
