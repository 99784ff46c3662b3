"""Thresholds that learn: from the scores of all documents seen, and what the reader said of some of them.

A cutoff delivers every document of its score or more. Its utility takes documents that nobody judged for not relevant.

    theta_opt   the score at the cutoff of the best utility
    theta_zero  the highest score below it at which utility is no better than that of delivering nothing
    alpha       beta + (1 − beta) · exp(−gamma · n),  n judged documents
    theta       theta_opt − alpha · (theta_opt − theta_zero)

The six rules differ in theta alone and give the same kind of result:

    beta_gamma  between theta_opt and theta_zero: near theta_zero while little is known, near theta_opt later
    optimum     theta_opt itself (alpha 0): never explores
    zero        theta_zero itself (alpha 1): never settles
    ratio       the score that would have delivered a given share of the documents seen
    fixed       a score that was given
    none        above every score: delivers nothing

Decisions where the sources leave a choice: cutoffs fall only between distinct scores; of several best cutoffs the one
with the lowest score counts, because it explores; the best cutoff is never the empty one, even where its utility is
negative; where utility jumps over zero, the first cutoff at zero or below is theta_zero; where it never returns there,
the lowest score seen that could be delivered is. A score at `floor` or below is never delivered and is no cutoff.

While nothing is judged relevant there is no theta_opt. Then theta = top − alpha · (top − start): `top` is the highest
score seen and `start` the one that would have delivered `share` of the documents seen. It begins at `start` and closes
as misses mount. If no score seen is above the floor, theta is the floor: whatever exceeds it is the best so far.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gainful.errors import UsageError
from gainful.filtering.theta_opt_and_zero import Curve, Seen, curve_of, landmarks, seen_of, start_of
from gainful.filtering.utilities import LinearUtility

USUAL = LinearUtility(2, -1)
SHARE = 0.005


@dataclass(frozen=True, eq=False)
class Threshold:
    """A threshold and where it comes from.

    rule        the rule that set it
    theta       the score from which a document is delivered
    theta_opt   the score of the best cutoff; None while nothing is judged relevant
    theta_zero  the highest score below it that is no better than delivering nothing; None likewise
    alpha       how far theta lies from theta_opt on the way to theta_zero; None for rules that have none
    n           judged documents
    start, top  what stands for theta_zero and theta_opt while nothing is judged relevant; None otherwise
    floor       scores at or below it are never delivered
    """

    rule: str
    theta: float
    theta_opt: float | None
    theta_zero: float | None
    alpha: float | None
    n: int
    start: float | None
    top: float | None
    floor: float
    utility: LinearUtility = field(repr=False)
    seen: Seen = field(repr=False)

    def delivers(self, score: float) -> bool:
        """Whether a document of that score is delivered."""
        return score >= self.theta and score > self.floor

    @cached_property
    def curve(self) -> Curve:
        """The whole utility curve."""
        return curve_of(self.seen, self.utility, self.floor)


def beta_gamma(
    scores: ArrayLike | Seen,
    feedback: Sequence[bool | None] = (),
    *,
    utility: LinearUtility = USUAL,
    beta: float = 0.1,
    gamma: float = 0.05,
    share: float = SHARE,
    floor: float = 0.0,
) -> Threshold:
    """Between the best cutoff and the one that is worth nothing, nearer to the best the more is known.

        theta = theta_opt − alpha · (theta_opt − theta_zero)      alpha = beta + (1 − beta) · exp(−gamma · n)

    scores    of every document seen, delivered or not, by the profile as it is now
    feedback  for each of them True (relevant), False (not relevant) or None (not judged)
    utility   what deliveries are worth
    beta      share of the way to theta_zero that is kept for ever: scores of judged documents are too high
    gamma     how soon exploring ends: after 1 / gamma judged documents about a third of it is left
    share     of documents to deliver while nothing is judged relevant
    floor     scores at or below it are never delivered; minus infinity where every score may be

    Scores 0.9 (relevant) 0.8 0.7 0.6 with credit 2, cost −1 have utilities 2 1 0 −1, so theta_opt = 0.9 and
    theta_zero = 0.7; with n = 1 and gamma = ln 2, alpha = 0.1 + 0.9/2 = 0.55 and theta = 0.9 − 0.55 · 0.2 = 0.79

    >>> found = beta_gamma([0.9, 0.8, 0.7, 0.6], [True, None, None, None], gamma=math.log(2))
    >>> found.theta_opt, found.theta_zero, round(found.alpha, 12), round(found.theta, 12)
    (0.9, 0.7, 0.55, 0.79)
    """
    checked(beta=beta, gamma=gamma, share=share, floor=floor)
    seen = seen_of(scores, feedback)
    return _interpolated(
        "beta_gamma", seen, utility, alpha_of(seen.judged, beta=beta, gamma=gamma), share, floor
    )


def optimum(
    scores: ArrayLike | Seen,
    feedback: Sequence[bool | None] = (),
    *,
    utility: LinearUtility = USUAL,
    share: float = SHARE,
    floor: float = 0.0,
) -> Threshold:
    """The best cutoff itself: theta = theta_opt; the highest score seen while nothing is judged relevant.

    >>> optimum([0.9, 0.8, 0.7], [False, True, None]).theta
    0.8
    """
    checked(share=share, floor=floor)
    return _interpolated("optimum", seen_of(scores, feedback), utility, 0.0, share, floor)


def zero(
    scores: ArrayLike | Seen,
    feedback: Sequence[bool | None] = (),
    *,
    utility: LinearUtility = USUAL,
    share: float = SHARE,
    floor: float = 0.0,
) -> Threshold:
    """The cutoff below the best one that is worth nothing: theta = theta_zero.

    >>> zero([0.9, 0.8, 0.7, 0.6], [True, None, None, None]).theta
    0.7
    """
    checked(share=share, floor=floor)
    return _interpolated("zero", seen_of(scores, feedback), utility, 1.0, share, floor)


def ratio(
    scores: ArrayLike | Seen,
    feedback: Sequence[bool | None] = (),
    *,
    utility: LinearUtility = USUAL,
    share: float = SHARE,
    floor: float = 0.0,
) -> Threshold:
    """The score that would have delivered this share of the documents seen, and at least one.

    Of four documents a half is two:

    >>> ratio([0.9, 0.8, 0.7, 0.6], [None] * 4, share=0.5).theta
    0.8
    """
    checked(share=share, floor=floor)
    seen = seen_of(scores, feedback)
    return _plain("ratio", seen, utility, start_of(seen.scores, share, floor, seen.dropped), floor)


def fixed(
    scores: ArrayLike | Seen,
    feedback: Sequence[bool | None] = (),
    *,
    theta: float,
    utility: LinearUtility = USUAL,
    floor: float = 0.0,
) -> Threshold:
    """A given score, whatever was seen.

    >>> fixed([0.9, 0.8], [None, None], theta=0.25).theta
    0.25
    """
    checked(theta=theta, floor=floor)
    return _plain("fixed", seen_of(scores, feedback), utility, theta, floor)


def none(
    scores: ArrayLike | Seen,
    feedback: Sequence[bool | None] = (),
    *,
    utility: LinearUtility = USUAL,
    floor: float = 0.0,
) -> Threshold:
    """Above every score: nothing is delivered.

    >>> none([0.9], [True]).delivers(1e9)
    False
    """
    checked(floor=floor)
    return _plain("none", seen_of(scores, feedback), utility, math.inf, floor)


# ---- the parts ---------------------------------------------------------------------------------------------


def alpha_of(n: int, *, beta: float, gamma: float) -> float:
    """Share of the way from theta_opt to theta_zero, with n judged documents.

    >>> alpha_of(0, beta=0.1, gamma=0.05)
    1.0
    """
    return min(1.0, beta + (1 - beta) * math.exp(-gamma * n))


def checked(**given: Any) -> None:
    """Refuse parameters out of their range, with the reason."""
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, int | float | np.number) or math.isnan(value):
            raise UsageError(f"{name} must be a number; got {value!r}")
        wanted, holds = _RANGES[name]
        if not holds(float(value)):
            raise UsageError(f"{name} must be {wanted}; got {value:g}")


_RANGES: dict[str, tuple[str, Any]] = {
    "beta": (
        "from 0 to 1: it is a share of the way from theta_opt to theta_zero",
        lambda value: 0 <= value <= 1,
    ),
    "gamma": ("0 or more and finite: alpha must not grow with feedback", lambda value: 0 <= value < math.inf),
    "share": ("above 0 and up to 1: it is a share of the documents seen", lambda value: 0 < value <= 1),
    "floor": ("below infinity", lambda value: value < math.inf),
    "theta": ("a finite number", math.isfinite),
}


def _interpolated(
    rule: str, seen: Seen, utility: LinearUtility, alpha: float, share: float, floor: float
) -> Threshold:
    best, nothing_below = landmarks(seen, utility, floor)
    if best is None or nothing_below is None:
        above = seen.scores[seen.scores > floor]
        start = start_of(seen.scores, share, floor, seen.dropped)
        top = float(above.max()) if len(above) else floor
        theta = _between(top, start, alpha)
        return Threshold(rule, theta, None, None, alpha, seen.judged, start, top, floor, utility, seen)
    theta = _between(best, nothing_below, alpha)
    return Threshold(rule, theta, best, nothing_below, alpha, seen.judged, None, None, floor, utility, seen)


def _plain(rule: str, seen: Seen, utility: LinearUtility, theta: float, floor: float) -> Threshold:
    best, nothing_below = landmarks(seen, utility, floor)
    return Threshold(rule, theta, best, nothing_below, None, seen.judged, None, None, floor, utility, seen)


def _between(high: float, low: float, alpha: float) -> float:
    """From high the share alpha of the way to low; rounding cannot leave the interval, and the ends are exact."""
    if alpha == 1 or high == low:
        return low
    return min(max(high - alpha * (high - low), low), high)
