"""Expected utility: what each cutoff can be expected to bring, by the calibrated probability of relevance; its thetas.

The curve for pictures is computed here, the thetas by the core, which adds the same probabilities up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gainful._core import Aims
from gainful._core import expected_thetas as core_thetas
from gainful.filtering.relevance_calibration import Calibration, ranked_places
from gainful.filtering.theta_opt_and_zero import LinearUtility, Seen
from gainful.filtering.vectors import Floats


@dataclass(frozen=True, eq=False)
class ExpectedCurve:
    """Expected utility of delivering the highest-scored documents, for each number of them; and a band of two errors."""

    delivered: NDArray[np.int64]
    utility: Floats
    low: Floats
    high: Floats


def expected_curve(calibration: Calibration, seen: Seen, utility: LinearUtility) -> ExpectedCurve:
    """What cutoffs can be expected to bring, over the documents that are held."""
    ordered = _highest_first(seen)
    numbers = np.arange(len(ordered))  # documents that were dropped score no higher
    places = ranked_places(numbers, ordered, len(ordered) + seen.dropped, calibration.nearness)
    curves = []
    for errors in (0.0, -2.0, 2.0):
        probability = calibration.probability(places, errors)
        curves.append(np.cumsum(utility.won * probability + utility.lost * (1 - probability)))
    return ExpectedCurve(np.arange(1, len(places) + 1), *curves)


def _highest_first(seen: Seen) -> Floats:
    return np.ascontiguousarray(np.sort(seen.scores)[::-1])


def needed_odds(utility: LinearUtility) -> float:
    """The log-odds of relevance from which a delivery is worth its cost.

    >>> round(needed_odds(LinearUtility(2, -1)), 4), round(math.log(1 / 2), 4)
    (-0.6931, -0.6931)
    """
    return math.log(-utility.lost) - math.log(utility.won) if utility.lost else -math.inf


def aims_of(utility: LinearUtility, *, floor: float, optimism: float = 0.0, caution: float = 0.0) -> Aims:
    """What a threshold is to reach, as the core takes it."""
    return Aims(
        needed=needed_odds(utility) + caution,
        won=utility.won,
        lost=utility.lost,
        optimism=optimism,
        floor=floor,
    )


def expected_thetas(
    seen: Seen,
    calibration: Calibration,
    utility: LinearUtility,
    floor: float,
    optimism: float,
    caution: float = 0.0,
) -> tuple[float, float]:
    """theta_opt and theta_zero of the expected utility, computed by the core.

    theta_opt   the score from which a document is expected to be worth its delivery:
                logit P + optimism · its standard error = log(cost / credit) + caution
    theta_zero  the highest score below it down to which all deliveries together are expected to be worth nothing
    """
    ordered = _highest_first(seen)
    aims = aims_of(utility, floor=floor, optimism=optimism, caution=caution)
    return core_thetas(ordered, len(ordered) + seen.dropped, calibration.for_core, aims)
