"""A learner: the profile and the threshold of one reader, computed again from the documents seen and judged."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left, insort
from dataclasses import dataclass

import numpy as np

from gainful.errors import UsageError
from gainful.filtering.rule_text import Rule
from gainful.filtering.theta_opt_and_zero import LinearUtility, Seen
from gainful.filtering.threshold_registry import Threshold
from gainful.filtering.vectors import NOTHING, Rocchio, Store, Vector

LARGEST = 1e9
"""The largest factor or share by which something grows; numbers of documents times it stay whole numbers."""


@dataclass(frozen=True)
class Schedule:
    """When a learner renews its profile and threshold.

    growth   when the judged documents have grown by this share since the last time; 0 renews after each feedback
    refresh  and when the documents seen have grown by this share, feedback or not
    """

    growth: float = 0.0
    refresh: float = 0.05

    def __post_init__(self) -> None:
        if not 0 <= self.growth <= LARGEST:
            raise UsageError(f"growth must be from 0 to a billion; got {self.growth:g}")
        if not 0 < self.refresh <= LARGEST:
            raise UsageError(f"refresh must be above 0, and a billion at most; got {self.refresh:g}")

    def after(self, seen: int) -> int:
        """How many documents will have been seen at the next refresh, if the last one was at that many.

        >>> Schedule(refresh=0.05).after(100)
        105
        """
        return seen + max(1, math.ceil(seen * self.refresh))


class Learner:
    """What one reader wants, learned: feedback goes in, a profile and a threshold come out.

    Both depend on the documents seen and on the feedback alone, not on when or in which order feedback came: they can
    be rebuilt to the last bit.
    """

    def __init__(self, *, rule: Rule, rocchio: Rocchio, utility: LinearUtility, schedule: Schedule) -> None:
        self.rule = rule
        self.rocchio = rocchio
        self.utility = utility
        self.schedule = schedule
        self.relevant = array("q")  # numbers of documents in the order of their arrival
        self.other = array("q")
        self.profile = NOTHING
        self.threshold: Threshold | None = None
        self.dropped = 0
        self._new = 0  # feedback since the last renewal
        self._seen = 0  # documents seen by then

    def enter(self, store: Store, description: Vector, *, dropped: int = 0) -> None:
        """Work with these vectors from now on: at the start, and when an idf epoch begins.

        dropped  documents seen before that are not in the store; the others are numbered as they are there
        """
        self.store = store
        self.description = description
        self.dropped = dropped
        self._seen = 0

    def tell(self, document: int, relevant: bool | None) -> None:
        """What the reader said of a document; None takes it back."""
        for judged in (self.relevant, self.other):
            place = bisect_left(judged, document)
            if place < len(judged) and judged[place] == document:
                del judged[place]
        if relevant is not None:
            insort(self.relevant if relevant else self.other, document)
        self._new += 1

    @property
    def judged(self) -> int:
        """How many documents have feedback."""
        return len(self.relevant) + len(self.other)

    def next_refresh(self) -> int:
        """How many documents will have been seen when it must be renewed, feedback or not."""
        return self.schedule.after(self._seen)

    def due(self, seen: int) -> bool:
        """Whether it is to be renewed now that so many documents were seen."""
        if self._new and self._new >= self.schedule.growth * (self.judged - self._new):
            return True
        return seen >= self.next_refresh()

    def renew(self, seen: int) -> Threshold:
        """Profile and threshold after that many documents; all of them are scored again, delivered or not."""
        self.learn()
        return self.settle(seen)

    def learn(self) -> None:
        """The profile, from the description and the judged documents."""
        self.profile = self.rocchio.profile(
            self.store, self.description, np.array(self.relevant, np.int64), np.array(self.other, np.int64)
        )

    def settle(self, seen: int) -> Threshold:
        """The threshold of the profile as it is, after that many documents."""
        scores = self.store.score(self.profile, 0, seen - self.dropped)
        history = Seen(scores, np.array(self.relevant, np.int64), self.judged, self.dropped)
        self.threshold = self.rule.threshold(history, utility=self.utility, floor=self.store.floor)
        self._new = 0
        self._seen = seen
        return self.threshold
