"""The readable twin of native/highest_scores.cpp and native/expected_thetas.cpp: same names, same arguments, same bits."""

from __future__ import annotations

import bisect
import math
from dataclasses import dataclass
from operator import neg
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_STEEP = 20  # rank down to which scores say how they would rise above the highest


@dataclass(frozen=True, kw_only=True)
class PlaceCurve:
    """The probability of relevance by the place of a score (`filtering.relevance_calibration`), and how sure it is.

    first, shared, second  the covariance of intercept and slope
    usual, far   scores: of a document that is neither near nor far, and the lowest that counts; lower ones count as this
    least_place  below which no place is
    """

    intercept: float
    slope: float
    first: float
    shared: float
    second: float
    nearness: float
    usual: float
    far: float
    least_place: float


@dataclass(frozen=True, kw_only=True)
class Aims:
    """What a threshold is to reach.

    needed    log-odds of relevance from which a document is worth its delivery
    won, lost  what delivering a relevant document adds, and another one
    optimism  standard errors that are added to the curve
    floor     scores at or below it are never delivered
    """

    needed: float
    won: float
    lost: float
    optimism: float
    floor: float


class _TooFewError(Exception):
    """A score that is left out decides."""


class _Ranking:
    """The highest of `held` scores, highest first; those left out are zero or less if they are `complete`."""

    def __init__(
        self, ordered: list[float], held: int, documents: int, complete: bool, curve: PlaceCurve, aims: Aims
    ) -> None:
        self.ordered, self.held, self.documents = ordered, held, documents
        self.curve, self.aims = curve, aims
        self.below_is_nothing = complete and aims.floor >= 0
        self.complete = complete

    def score(self, rank: int) -> float:
        """The score at a rank; `_TooFewError` where it was left out."""
        if rank >= len(self.ordered):
            raise _TooFewError
        return self.ordered[rank]

    def near(self, score: float) -> float:
        """What a score itself adds to its place."""
        return self.curve.nearness * math.log(max(score, self.curve.far) / self.curve.usual)

    def error(self, place: float) -> float:
        """The standard error of the log-odds, as far as it counts."""
        curve = self.curve
        if not self.aims.optimism:
            return 0.0
        return math.sqrt(curve.first + place * (2 * curve.shared + place * curve.second))

    def logit(self, rank: int, optimism: float) -> float:
        """The log-odds at a rank."""
        if rank >= len(self.ordered) and not self.complete:
            raise _TooFewError
        place = -math.log((rank + 0.5) / (self.documents + 1))
        if self.curve.nearness:
            score = self.ordered[rank] if rank < len(self.ordered) else 0.0
            place = max(place + self.near(score), self.curve.least_place)
        odds = self.curve.intercept + self.curve.slope * place
        return odds + optimism * self.error(place) if optimism else odds

    def first_below(self) -> int:
        """The first rank whose log-odds are too low; the number of ranks where there is none.

        Log-odds fall with the rank. Where their standard errors are added they need not, and all are looked at.
        """
        needed, optimism = self.aims.needed, self.aims.optimism
        if optimism:
            ranks = (rank for rank in range(self.held) if not self.logit(rank, optimism) >= needed)
            return next(ranks, self.held)
        low, high = 0, 1
        while high <= self.held and self.logit(high - 1, 0.0) >= needed:
            low, high = high, 2 * high
        high = min(high - 1, self.held)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self.logit(middle, 0.0) >= needed else (low, middle)
        return low

    def met(self, below: int) -> tuple[float, float]:
        """The rank above that one, not a whole number as a rule, and the score there, at which the log-odds are just enough.

        Between two ranks scores lie on a straight line; above the highest they go on as before it, by the logarithm of the rank.
        """
        curve, documents = self.curve, self.documents
        top, rise, upper, lower = self.score(0), 0.0, 0.0, 0.0
        if not below:
            last = min(_STEEP, self.held - 1)
            rise = (top - self.score(last)) / math.log((last + 0.5) / 0.5) if last else 0.0
            rise = max(rise, 1e-6 * max(abs(top), 1e-3))  # equal scores, too, can be closed out
        elif below <= len(self.ordered) or not self.below_is_nothing:
            upper, lower = self.score(below - 1), self.score(below)

        def at(step: float) -> tuple[float, float]:
            if not below:
                return 0.5 * math.exp(-step) - 0.5, top + rise * step
            return below - step, lower + (upper - lower) * step

        def odds(step: float) -> float:
            rank, score = at(step)
            rare = (
                -math.log((rank + 0.5) / (documents + 1)) if below else math.log(2 * (documents + 1)) + step
            )
            place = rare + self.near(score)
            return curve.intercept + curve.slope * place + self.aims.optimism * self.error(place)

        needed, low, high = self.aims.needed, 0.0, 1.0
        if not below:
            high = (needed - curve.intercept) / curve.slope - (math.log(2 * (documents + 1)) + self.near(top))
        under, over = odds(low) - needed, odds(high) - needed
        for _ in range(50):  # false position: the end that stays counts half, so that both move
            if high - low <= 1e-12 * high or over <= 0:
                break
            middle = low + (high - low) * min(max(under / (under - over), 0.001), 0.999)
            value = odds(middle) - needed
            if value >= 0:
                high, over, under = middle, value, under / 2
            else:
                low, under, over = middle, value, over / 2
        return at(high)

    def worthless(self, after: float) -> int:
        """The first rank after that one down to which all deliveries together are expected to be worth nothing, or the last."""
        scale = max(self.aims.won, -self.aims.lost)  # a sum of huge numbers would overflow
        won, lost, worth = self.aims.won / scale, self.aims.lost / scale, 0.0
        for rank in range(self.held):
            probability = 0.5 * (1 + math.tanh(0.5 * self.logit(rank, 0.0)))
            worth += won * probability + lost * (1 - probability)
            if worth <= 0 and rank > after:
                return rank
        return self.held - 1

    def delivered(self, rank: int) -> float:
        """The score at a rank, never below the floor."""
        if rank >= len(self.ordered) and self.below_is_nothing:
            return self.aims.floor
        return max(self.score(rank), self.aims.floor)

    def thetas(self) -> tuple[float, float]:
        """theta_opt and theta_zero."""
        floor, last = self.aims.floor, self.held - 1
        nothing = self.ordered[0] <= floor if self.ordered else self.below_is_nothing
        if not self.held or nothing:
            return floor, floor  # whatever exceeds it is the best so far
        below = self.first_below()
        if below == self.held:
            return self.delivered(last), self.delivered(self.worthless(last))
        rank, best = self.met(below)
        return max(best, floor), self.delivered(self.worthless(rank))


def expected_thetas(scores: Floats, documents: int, curve: PlaceCurve, aims: Aims) -> tuple[float, float]:
    """theta_opt and theta_zero of the expected utility, by all scores of the documents held, highest first."""
    return _Ranking(scores.tolist(), len(scores), documents, True, curve, aims).thetas()


class HighestScores:
    """The highest scores that each of many profiles gives to the documents of its history, kept as documents arrive.

    depth  how many of each profile, to begin with; 1 or more
    """

    def __init__(self, depth: int) -> None:
        if depth < 1:
            raise ValueError("depth must be 1 or more")
        self._depth = depth
        self._depths: dict[int, int] = {}
        self._scores: dict[int, list[float]] = {}
        self._bounds: dict[int, float] = {}  # above which all are kept; 0 where none was left out

    def __contains__(self, number: int) -> bool:
        return number in self._scores

    def keep(self, number: int, scores: Floats) -> None:
        """Keep those of a profile from now on; these are all its scores."""
        depth = self._depths.setdefault(number, self._depth)
        ordered = sorted((score for score in scores.tolist() if score > 0), reverse=True)
        self._scores[number] = ordered[:depth]
        self._bounds[number] = ordered[depth - 1] if len(ordered) > depth else 0.0

    def drop(self, number: int) -> None:
        """Keep none of a profile any more."""
        for kept in (self._scores, self._bounds, self._depths):
            kept.pop(number, None)

    def clear(self) -> None:
        """Keep none of any profile."""
        self._scores.clear()
        self._bounds.clear()

    def higher(self, number: int, score: float) -> int:
        """How many scores are higher; −1 where that is not known."""
        if number not in self or score < self._bounds[number]:
            return -1
        return bisect.bisect_left(self._scores[number], -score, key=neg)

    def add(self, number: int, score: float) -> None:
        """Add one score of a profile."""
        if number not in self or not score > self._bounds[number]:
            return
        kept = self._scores[number]
        kept.insert(bisect.bisect_right(kept, -score, key=neg), score)
        if len(kept) > self._depths[number]:
            self._bounds[number] = kept.pop()

    def expected_thetas(
        self,
        numbers: NDArray[Any],
        held: int,
        documents: int,
        curve: PlaceCurve,
        aims: Aims,
        *,
        threads: int,  # noqa: ARG002 (the native core's)
    ) -> tuple[Floats, Floats]:
        """theta_opt and theta_zero of each profile. NaN where too few scores are kept, or none: those few are dropped, and
        twice as many will be kept the next time if there were more.
        """
        best, zero = np.full(len(numbers), math.nan), np.full(len(numbers), math.nan)
        for place, number in enumerate(numbers.tolist()):
            if number in self:
                kept, complete = self._scores[number], self._bounds[number] == 0
                try:
                    found = _Ranking(kept, held, documents, complete, curve, aims).thetas()
                except _TooFewError:
                    depth = self._depths[number] if complete else 2 * self._depths[number]
                    self.drop(number)
                    self._depths[number] = depth
                else:
                    best[place], zero[place] = found
        return best, zero
