"""Expected utility: what each cutoff can be expected to bring, by the calibrated probability of relevance; its thetas."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gainful.filtering.relevance_calibration import (
    FAR_SCORE,
    LEAST_PLACE,
    USUAL_SCORE,
    Calibration,
    ranked_places,
)
from gainful.filtering.theta_opt_and_zero import LinearUtility, Seen
from gainful.filtering.vectors import Floats

_SOME = 256  # ranks that are looked at together


@dataclass(frozen=True, eq=False)
class ExpectedCurve:
    """Expected utility of delivering the highest-scored documents, for each number of them; and a band of two errors."""

    delivered: NDArray[np.int64]
    utility: Floats
    low: Floats
    high: Floats


def expected_curve(calibration: Calibration, seen: Seen, utility: LinearUtility) -> ExpectedCurve:
    """What cutoffs can be expected to bring, over the documents that are held."""
    _, places = _ranking(seen, calibration.nearness)
    curves = []
    for errors in (0.0, -2.0, 2.0):
        probability = calibration.probability(places, errors)
        curves.append(np.cumsum(utility.won * probability + utility.lost * (1 - probability)))
    return ExpectedCurve(np.arange(1, len(places) + 1), *curves)


def _ranking(seen: Seen, nearness: float) -> tuple[Floats, Floats]:
    """The scores, highest first, and the place of each rank."""
    ordered = np.sort(seen.scores)[::-1]
    numbers = np.arange(len(ordered))  # documents that were dropped score no higher
    return ordered, ranked_places(numbers, ordered, len(ordered) + seen.dropped, nearness)


def needed_odds(utility: LinearUtility) -> float:
    """The log-odds of relevance from which a delivery is worth its cost.

    >>> round(needed_odds(LinearUtility(2, -1)), 4), round(math.log(1 / 2), 4)
    (-0.6931, -0.6931)
    """
    return math.log(-utility.lost) - math.log(utility.won) if utility.lost else -math.inf


def expected_thetas(
    seen: Seen,
    calibration: Calibration,
    utility: LinearUtility,
    floor: float,
    optimism: float,
    caution: float = 0.0,
) -> tuple[float, float]:
    """theta_opt and theta_zero of the expected utility.

    theta_opt   the score from which a document is expected to be worth its delivery:
                logit P + optimism · its standard error = log(cost / credit) + caution
    theta_zero  the highest score below it down to which all deliveries together are expected to be worth nothing
    """
    if seen.scores.max(initial=-math.inf) <= floor:
        return floor, floor  # whatever exceeds it is the best so far
    ordered = np.sort(seen.scores)[::-1]
    documents = len(ordered) + seen.dropped
    needed = needed_odds(utility) + caution
    enough = _first_below(ordered, documents, calibration, needed, optimism)
    rank, best = len(ordered) - 1.0, float(ordered[-1])
    if enough < len(ordered):
        rank, best = _met(ordered, documents, calibration, needed, optimism, enough)
    worthless = _worthless(ordered, documents, calibration, utility, rank)
    return max(best, floor), max(float(ordered[worthless]), floor)


def _first_below(
    ordered: Floats, documents: int, calibration: Calibration, needed: float, optimism: float
) -> int:
    """The first rank whose log-odds are too low; the number of ranks where there is none.

    Log-odds fall with the rank. Where their standard errors are added they need not, and all are looked at.
    """
    if optimism:
        places = ranked_places(np.arange(len(ordered)), ordered, documents, calibration.nearness)
        below = np.flatnonzero(calibration.logits(places, optimism) < needed)
        return int(below[0]) if len(below) else len(ordered)
    low, high = 0, len(ordered)
    while low < high:
        middle = (low + high) // 2
        place = -math.log((middle + 0.5) / (documents + 1))
        if calibration.nearness:
            near = calibration.nearness * math.log(max(float(ordered[middle]), FAR_SCORE) / USUAL_SCORE)
            place = max(place + near, LEAST_PLACE)
        enough = calibration.intercept + calibration.slope * place >= needed
        low, high = (middle + 1, high) if enough else (low, middle)
    return low


def _worthless(
    ordered: Floats, documents: int, calibration: Calibration, utility: LinearUtility, rank: float
) -> int:
    """The first rank after that one down to which all deliveries together are expected to be worth nothing, or the last."""
    scale = max(utility.won, -utility.lost)  # a sum of huge numbers would overflow
    won, lost = utility.won / scale, utility.lost / scale
    start, stop, sum_before = 0, max(_SOME, 2 * int(rank)), 0.0
    while start < len(ordered):
        ranks = np.arange(start, min(stop, len(ordered)))
        places = ranked_places(ranks, ordered[start:stop], documents, calibration.nearness)
        probability = calibration.probability(places)
        worths = won * probability + lost * (1 - probability)
        worths[0] += sum_before
        worth = np.cumsum(worths)
        below = np.flatnonzero((worth <= 0) & (ranks > rank))
        if len(below):
            return int(ranks[below[0]])
        start, stop, sum_before = stop, 3 * stop, float(worth[-1])
    return len(ordered) - 1


def _met(
    ordered: Floats, documents: int, calibration: Calibration, needed: float, optimism: float, below: int
) -> tuple[float, float]:
    """The rank above that one, not a whole number as a rule, and the score there, at which the log-odds are just enough.

    Between two ranks scores lie on a straight line; above the highest they go on as before it, by the logarithm of the rank.
    """
    top = float(ordered[0])
    some = min(20, len(ordered) - 1)
    rise = (top - float(ordered[some])) / math.log((some + 0.5) / 0.5) if some else 0.0
    rise = max(rise, 1e-6 * max(abs(top), 1e-3))  # equal scores, too, can be closed out

    def at(step: float) -> tuple[float, float]:
        if not below:
            return 0.5 * math.exp(-step) - 0.5, top + rise * step
        upper, lower = float(ordered[below - 1]), float(ordered[below])
        return below - step, lower + (upper - lower) * step

    (first, shared), (_, second) = calibration.covariance.tolist()

    def place(step: float) -> float:
        rank, score = at(step)
        rare = -math.log((rank + 0.5) / (documents + 1)) if below else math.log(2 * (documents + 1)) + step
        return rare + calibration.nearness * math.log(max(score, FAR_SCORE) / USUAL_SCORE)

    def odds(place: float) -> float:
        error = math.sqrt(first + place * (2 * shared + place * second)) if optimism else 0.0
        return calibration.intercept + calibration.slope * place + optimism * error

    low, high = 0.0, 1.0 if below else (needed - calibration.intercept) / calibration.slope - place(0.0)
    under, over = odds(place(low)) - needed, odds(place(high)) - needed
    for _ in range(50):  # false position: the end that stays counts half, so that both move
        if high - low <= 1e-12 * high or over <= 0:
            break
        middle = low + (high - low) * min(max(under / (under - over), 0.001), 0.999)
        value = odds(place(middle)) - needed
        if value >= 0:
            high, over, under = middle, value, under / 2
        else:
            low, under, over = middle, value, over / 2
    return at(high)
