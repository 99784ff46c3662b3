"""Cutoffs: what was seen, and what delivering every document of a score or more would have been worth.

Cutoffs fall only between distinct scores above the floor.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from gainful.errors import UsageError
from gainful.filtering.utilities import LinearUtility
from gainful.filtering.vectors import Floats, Integers


@dataclass(frozen=True, eq=False)
class Seen:
    """The documents seen: a score for each, the places of those judged relevant, and how many were judged at all.

    dropped  documents seen that are no longer among them; they count as documents that nothing delivers
    """

    scores: Floats
    relevant: Integers
    judged: int
    dropped: int = 0


@dataclass(frozen=True, eq=False)
class Curve:
    """Utility against cutoff: an entry for each distinct score above the floor, highest first."""

    score: Floats
    delivered: Integers
    relevant: Integers
    utility: Floats
    ahead: Floats
    """How far utility is ahead of delivering nothing, in whole steps that have the proportion of credit and cost."""
    nothing: float
    """The utility of delivering nothing."""

    def __len__(self) -> int:
        return len(self.score)


def seen_of(scores: ArrayLike | Seen, feedback: Sequence[bool | None]) -> Seen:
    """Scores and feedback as the rules need them; refuses what cannot be ordered."""
    if isinstance(scores, Seen):
        return scores
    array = np.asarray(scores, dtype=np.float64)
    if array.ndim != 1 or len(array) != len(feedback):
        raise UsageError(
            f"one score and one feedback for each document; got {array.size} and {len(feedback)}"
        )
    if not np.isfinite(array).all():
        number = int(np.flatnonzero(~np.isfinite(array))[0])
        raise UsageError(f"score {number + 1} must be a finite number; got {array[number]:g}")
    for number, said in enumerate(feedback, 1):
        if said is not None and not isinstance(said, bool | np.bool_):
            raise UsageError(f"feedback {number} must be True, False or None; got {said!r}")
    relevant = np.array([number for number, said in enumerate(feedback) if said], dtype=np.int64)
    return Seen(array, relevant, sum(said is not None for said in feedback))


def curve_of(seen: Seen, utility: LinearUtility, floor: float = 0.0) -> Curve:
    """Utility at every cutoff.

    >>> found = curve_of(seen_of([0.5, 0.9, 0.5], [True, False, None]), LinearUtility(2, -1))
    >>> found.score, found.delivered, found.utility
    (array([0.9, 0.5]), array([1, 3]), array([-1.,  0.]))
    """
    return _curve(seen.scores[seen.scores > floor], seen, utility)


def start_of(scores: Floats, share: float, floor: float = 0.0, dropped: int = 0) -> float:
    """The score at rank ⌊share · documents⌋, 1 at the least; the lowest above the floor if there are fewer such."""
    above = scores[scores > floor]
    if not len(above):
        return floor
    rank = min(max(1, int(Fraction(repr(float(share))) * (len(scores) + dropped))), len(above))
    return float(np.partition(above, len(above) - rank)[len(above) - rank])


def theta_opt_and_zero(seen: Seen, utility: LinearUtility, floor: float) -> tuple[float | None, float | None]:
    """theta_opt and theta_zero; None twice if no document above the floor is judged relevant."""
    hits = seen.scores[seen.relevant]
    hits = hits[hits > floor]
    if not len(hits):
        return None, None
    above = seen.scores[seen.scores > floor]
    lowest = _deciding(above, hits, utility)
    curve = _curve(above[above >= lowest], seen, utility)
    best = len(curve) - 1 - int(np.argmax(curve.ahead[::-1]))
    theta_opt = float(curve.score[best])
    below = np.flatnonzero(curve.ahead[best + 1 :] <= 0)
    if len(below):
        return theta_opt, float(curve.score[best + 1 + below[0]])
    # Where there are any others, the best cutoff is no better than nothing, and these are worse.
    rest = above[above < lowest]
    return theta_opt, float(rest.max()) if len(rest) else float(curve.score[-1])


def _deciding(above: Floats, hits: Floats, utility: LinearUtility) -> float:
    """The score down to which cutoffs can be theta_opt, or theta_zero while utility at theta_opt is above nothing.

    The best cutoff ends at a relevant document, unless others cost nothing; and once so many documents are delivered
    that their cost eats all the credit there is, utility stays at nothing or below.
    """
    won, lost = utility.steps
    if lost == 0:
        return -math.inf
    enough = len(hits) + len(hits) * won / -lost + 1  # infinite where the cost is next to nothing
    if enough >= len(above):
        return -math.inf
    place = len(above) - math.ceil(enough)
    return min(float(hits.min()), float(np.partition(above, place)[place]))


def _curve(scores: Floats, seen: Seen, utility: LinearUtility) -> Curve:
    """The curve over these scores, which are the highest ones seen."""
    ordered = np.sort(scores)[::-1]
    ends = (
        np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))
        if len(ordered)
        else np.empty(0, np.int64)
    )
    distinct = ordered[ends]
    delivered = ends + 1
    hits = np.sort(seen.scores[seen.relevant])
    relevant = len(hits) - np.searchsorted(hits, distinct, side="left")
    total = len(seen.relevant)
    others = len(seen.scores) + seen.dropped - total
    other = delivered - relevant
    worth = utility(relevant, other, total - relevant, others - other)
    won, lost = utility.steps
    nothing = float(utility(0, 0, total, others))
    return Curve(distinct, delivered, relevant, worth, won * relevant + lost * other, nothing)
