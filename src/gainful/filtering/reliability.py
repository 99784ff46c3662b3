"""How far a calibrated curve of probabilities can be trusted: expected utility at cutoffs, and predictions beside answers.

Everything is computed from a `Threshold` whose rule estimates probabilities; others have no calibration, and give None.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gainful.filtering.expected_utility import ExpectedCurve, expected_curve, needed_odds
from gainful.filtering.relevance_calibration import Calibration, places_of
from gainful.filtering.theta_opt_and_zero import LinearUtility
from gainful.filtering.threshold_registry import Threshold
from gainful.filtering.vectors import Floats

_LEAST = 3  # answers in a bin
_SETTLED = 0.01  # alpha, below which a threshold is as good as theta_opt
_POINTS = 60  # along the curve
_Z = 1.959963984540054  # of a 95 % confidence interval


def needed_probability(utility: LinearUtility) -> float:
    """The probability of relevance from which a delivery is worth its cost.

    >>> round(needed_probability(LinearUtility(2, -1)), 4)
    0.3333
    """
    return -utility.lost / (utility.won - utility.lost)


def expected_at_cutoffs(threshold: Threshold) -> ExpectedCurve | None:
    """Expected utility at each cutoff of the threshold's utility curve, and its band of two standard errors."""
    if threshold.calibration is None:
        return None
    seen, curve = threshold.seen, threshold.curve
    whole = expected_curve(threshold.calibration, seen, threshold.utility)
    utility, low, high = (
        curve.nothing + values[curve.delivered - 1] for values in (whole.utility, whole.low, whole.high)
    )
    return ExpectedCurve(curve.delivered, utility, low, high)


@dataclass(frozen=True)
class Bin:
    """Answers to documents of similar places: 1 in so many documents scores as high.

    first, last  the ends of the bin, and `middle` the mean of the answers (of logarithms)
    answers      how many there are, `relevant` of them "relevant"
    predicted    the mean probability by the curve
    low, high    95 % confidence interval of the share that is relevant (Wilson's)
    """

    first: float
    last: float
    middle: float
    answers: int
    relevant: int
    predicted: float
    low: float
    high: float

    @property
    def share(self) -> float:
        """The share that is relevant."""
        return self.relevant / self.answers


@dataclass(frozen=True)
class Reliability:
    """A calibrated curve beside the answers that it was fitted to.

    needed    the probability from which a delivery is worth its cost
    lowest    the lowest probability at which documents are delivered: below `needed` where the rule explores
    answers   answers to documents, at the places that these had before the profile learned from them; the bins hold these
    others    documents judged as examples, before the profile had seen any: they count little, and are in no bin
    silent    latest deliveries without an answer
    silence   the weight at which these count as a hint of "not relevant"; 0 leaves them out
    shared_relevant, shared_other  answers to the reader's other profiles, with which the curve begins
    bins      the answers, in bins of place
    curve     the probability for 1 in so many documents, and its limits, two standard errors below and above
    """

    needed: float
    lowest: float
    answers: int
    others: int
    silent: int
    silence: float
    shared_relevant: int
    shared_other: int
    bins: tuple[Bin, ...]
    curve: tuple[tuple[float, float, float, float], ...]


def reliability(threshold: Threshold) -> Reliability | None:
    """What a threshold's calibration predicts, and what the reader answered.

    >>> from gainful.filtering import expected
    >>> found = reliability(expected([0.9, 0.8, 0.7, 0.6], [True, None, None, None]))
    >>> round(found.needed, 4), found.answers, found.others, found.bins
    (0.3333, 0, 1, ())
    """
    calibration, seen = threshold.calibration, threshold.seen
    if calibration is None:
        return None
    placed = ~np.isnan(seen.answers.places)
    places, relevant = seen.answers.places[placed], seen.answers.relevant[placed]
    needed = needed_probability(threshold.utility)
    lowest = needed
    explores = threshold.alpha is not None and threshold.alpha > _SETTLED
    if explores or threshold.theta <= threshold.floor:
        lowest = min(needed, probability_at(threshold, threshold.theta) or 0.0)
    siblings = seen.answers.siblings
    return Reliability(
        needed=needed,
        lowest=lowest,
        answers=len(places),
        others=threshold.n - len(places),
        silent=len(seen.answers.silent),
        silence=calibration.silence,
        shared_relevant=0 if siblings is None else siblings.yes,
        shared_other=0 if siblings is None else siblings.no,
        bins=_bins(calibration, places, relevant.astype(np.float64)),
        curve=_curve(calibration, places, needed_odds(threshold.utility), _highest(threshold)),
    )


def probability_at(threshold: Threshold, score: float) -> float | None:
    """How probably a document of that score is relevant; None where the rule estimates no probabilities."""
    if threshold.calibration is None:
        return None
    return float(threshold.calibration.probability(places_among_seen(threshold, np.array([score])))[0])


def places_among_seen(threshold: Threshold, scores: Floats) -> Floats:
    """The places of scores among those of the documents seen, of the kind that the threshold's curve of probabilities takes."""
    nearness = 0.0 if threshold.calibration is None else threshold.calibration.nearness
    return places_of(scores, threshold.seen.scores, threshold.seen.dropped, nearness)


def _bins(calibration: Calibration, places: Floats, relevant: Floats) -> tuple[Bin, ...]:
    """From 1 in 1, 2, 5, 10, 20, … documents on; those of few answers are joined to the next."""
    bins: list[Bin] = []
    rows: list[int] = []
    edges = [step * 10**power for power in range(10) for step in (1, 2, 5)]
    inside = np.searchsorted(np.log(edges), places, side="right")
    first = 0
    for number in np.unique(inside).tolist():
        first = first if rows else number
        rows += np.flatnonzero(inside == number).tolist()
        left = int((inside > number).sum())
        if len(rows) >= _LEAST <= left or not left:
            good = int(relevant[rows].sum())
            low, high = share_interval(good, len(rows))
            predicted = float(calibration.probability(places[rows]).mean())
            ends = float(edges[max(first - 1, 0)]), float(edges[number])
            bins.append(
                Bin(*ends, math.exp(float(places[rows].mean())), len(rows), good, predicted, low, high)
            )
            rows = []
    return tuple(bins)


def _highest(threshold: Threshold) -> float:
    """The place of the highest score seen."""
    scores = threshold.seen.scores
    return float(places_among_seen(threshold, scores.max(keepdims=True))[0]) if len(scores) else math.log(2)


def _curve(
    calibration: Calibration, places: Floats, needed: float, last: float
) -> tuple[tuple[float, float, float, float], ...]:
    """From somewhat below the lowest place of interest to the last one."""
    worth = max((needed - calibration.intercept) / calibration.slope, 0.0)
    first = max(0.0, min([last - 2, worth, *places.tolist()]) - 1)
    grid = np.linspace(first, max(last, first + 1), _POINTS)
    columns = [np.exp(grid), *(calibration.probability(grid, errors) for errors in (0.0, -2.0, 2.0))]
    return tuple(zip(*(column.tolist() for column in columns), strict=True))


def share_interval(successes: int, trials: int) -> tuple[float, float]:
    """Wilson's 95 % confidence interval of a share.

    >>> [round(end, 4) for end in share_interval(0, 10)], [round(end, 4) for end in share_interval(5, 10)]
    ([0.0, 0.2775], [0.2366, 0.7634])
    """
    share, square = successes / trials, _Z * _Z
    middle = (share + square / (2 * trials)) / (1 + square / trials)
    half = _Z * math.sqrt(share * (1 - share) / trials + square / (4 * trials**2)) / (1 + square / trials)
    return (middle - half if successes else 0.0), (middle + half if successes < trials else 1.0)
