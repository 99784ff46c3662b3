"""Cutoffs: what was seen, and the utility of delivering every document of a score or more; theta_opt and theta_zero.

Cutoffs fall only between distinct scores above the floor.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gainful.errors import UsageError
from gainful.filtering.sibling_profiles import Told
from gainful.filtering.vectors import Floats, Integers

_EXACT = 2**22  # times any number of documents below 2^31 stays below 2^53, where floats are exact


@dataclass(frozen=True)
class LinearUtility:
    """Every document adds one of four numbers, by whether it is relevant and whether it was delivered.

        utility = credit · R⁺ + cost · N⁺ + missed · R⁻ + avoided · N⁻

    credit  for a relevant document that was delivered (R⁺)
    cost    for a delivered one that is not relevant (N⁺); zero or less as a rule
    missed  for a relevant document that was not delivered (R⁻)
    avoided  for one that is not relevant and was not delivered (N⁻)

    A delivery must be worth more than a miss if the document is relevant, and no more if it is not.

    >>> LinearUtility(2, -1)(relevant=3, other=4)
    2.0
    >>> LinearUtility(1, -1, missed=-2)(relevant=3, other=4, relevant_missed=1)
    -3.0
    """

    credit: float = 2.0
    cost: float = -1.0
    missed: float = 0.0
    avoided: float = 0.0

    def __post_init__(self) -> None:
        for name in ("credit", "cost", "missed", "avoided"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                raise UsageError(f"utility: {name} must be a finite number; got {value!r}")
            object.__setattr__(self, name, float(value))
        if not self.won > 0:
            raise UsageError(
                f"utility: credit ({self.credit:g}) must be above missed ({self.missed:g}); "
                "otherwise there is nothing to gain by delivering"
            )
        if self.lost > 0:
            raise UsageError(
                f"utility: cost ({self.cost:g}) must not be above avoided ({self.avoided:g}): it is what a delivered "
                "document that is not relevant adds, -1 as a rule; otherwise everything is worth delivering"
            )

    @property
    def won(self) -> float:
        """What delivering a relevant document adds, compared with not delivering it."""
        return self.credit - self.missed

    @property
    def lost(self) -> float:
        """What delivering any other document adds, compared with not delivering it; zero or less."""
        return self.cost - self.avoided

    @cached_property
    def steps(self) -> tuple[float, float]:
        """`won` and `lost` as whole numbers in the same proportion, so that sums of them are exact.

        Read as the decimals that were written: 0.3 and −0.1 are three to minus one. Numbers with too many digits for
        that stay as they are.

        >>> LinearUtility(0.3, -0.1).steps
        (3.0, -1.0)
        """
        read = [Fraction(repr(value)) for value in (self.credit, self.missed, self.cost, self.avoided)]
        won, lost = read[0] - read[1], read[2] - read[3]
        scale = math.lcm(won.denominator, lost.denominator)
        whole = (won * scale, lost * scale)
        shared = math.gcd(int(whole[0]), int(whole[1])) or 1
        if max(abs(step) for step in whole) // shared > _EXACT:
            return self.won, self.lost
        return float(whole[0] / shared), float(whole[1] / shared)

    def __call__(self, relevant: Any, other: Any, relevant_missed: Any = 0.0, other_missed: Any = 0.0) -> Any:
        """The utility of so many documents of each kind; numbers or arrays of them."""
        delivered = self.credit * relevant + self.cost * other
        return delivered + self.missed * relevant_missed + self.avoided * other_missed

    def __str__(self) -> str:
        given = [self.credit, self.cost]
        if self.missed or self.avoided:
            given += [self.missed, self.avoided]
        return ",".join(f"{value:g}" for value in given)


def parse_utility(text: str) -> LinearUtility:
    """The utility that two or four numbers with commas name.

    >>> parse_utility("3,-2"), str(parse_utility("1,-1,-2,0"))
    (LinearUtility(credit=3.0, cost=-2.0, missed=0.0, avoided=0.0), '1,-1,-2,0')
    """
    try:
        numbers = [float(number) for number in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (2, 4):
        raise UsageError(
            f"utility: expected two numbers (credit,cost as in 2,-1) or four (and missed,avoided); got {text!r}"
        )
    return LinearUtility(*numbers)


class Answers(NamedTuple):
    """What the reader said, in the order in which the documents arrived, and where she said nothing.

    rows      which documents were judged
    places    how rare their scores were when they were judged (`relevance_calibration.places_of`); NaN where no profile had
              scored them before it learned from them
    relevant  whether each was relevant
    silent    which of the latest deliveries have no answer
    siblings  what the reader's other profiles were told; None where a profile learns by itself
    """

    rows: Integers
    places: Floats
    relevant: NDArray[np.bool_]
    silent: Integers
    siblings: Told | None = None


_NONE = np.empty(0, np.int64)
NO_ANSWERS = Answers(_NONE, np.empty(0), np.empty(0, np.bool_), _NONE)


@dataclass(frozen=True, eq=False)
class Seen:
    """The documents seen: a score for each, which were judged relevant, and how many were judged at all.

    dropped  documents seen that are no longer among them; they count as documents that nothing delivers
    answers  each answer by itself, and the deliveries without one
    """

    scores: Floats
    relevant: Integers
    judged: int
    dropped: int = 0
    answers: Answers = NO_ANSWERS


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
    judged = np.array([number for number, said in enumerate(feedback) if said is not None], dtype=np.int64)
    good = np.array([bool(feedback[number]) for number in judged], dtype=np.bool_)
    answers = Answers(judged, np.full(len(judged), math.nan), good, judged[:0])
    return Seen(array, relevant, len(judged), answers=answers)


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
