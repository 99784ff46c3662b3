"""Expected utility: how probably a document is relevant by the place of its score, and what each cutoff can be expected to bring.

The place of a score is how rare so high a score is among all documents seen. It can be compared between profiles, and from
day to day, where scores cannot:

    place = −log((documents with a higher score + ½) / (documents seen + 1))

The probability is a logistic curve over places, fitted to the reader's answers by maximum a posteriori:

    P(relevant | place) = 1 / (1 + exp(−(intercept + slope · place)))

The prior of intercept and slope is a normal distribution, `PRIOR`, chosen on judged streams (docs/filtering.md). Answers count
by their place when they were given, before the profile had learned from them; those that have none, as the examples that a
profile begins with, count little, because the profile flatters what it was taught. The latest answers count most.

A delivery without an answer says nothing by itself. It is read as the reader's habit suggests: one who says "relevant" time
after time and never "not relevant" probably answers only what pleases, and then silence is a hint of the other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gainful.filtering.theta_opt_and_zero import Answers, LinearUtility, Seen
from gainful.filtering.vectors import Floats

Matrix = NDArray[np.float64]


def _logistic(logits: Floats) -> Floats:
    """1 / (1 + exp(−logits)), without overflow."""
    return 0.5 * (1 + np.tanh(0.5 * logits))


def _log_beta(one: float, other: float) -> float:
    """The logarithm of the beta function."""
    return math.lgamma(one) + math.lgamma(other) - math.lgamma(one + other)


@dataclass(frozen=True)
class Prior:
    """What is believed of intercept and slope before any answer: means, standard deviations and their correlation."""

    intercept: float
    slope: float
    intercept_deviation: float
    slope_deviation: float
    correlation: float

    @cached_property
    def precision(self) -> Matrix:
        """The inverse of their covariance."""
        shared = -self.correlation / (self.intercept_deviation * self.slope_deviation)
        inverse = np.array([[self.intercept_deviation**-2, shared], [shared, self.slope_deviation**-2]])
        return inverse / (1 - self.correlation**2)


PRIOR = Prior(-10.0, 1.7, 4.0, 0.8, -0.6)
_LEAST_SLOPE = 0.05  # a higher score never makes a document less probably relevant
_ROUNDS = 6  # of guessing which silent documents are relevant, and fitting again


@dataclass(frozen=True, eq=False)
class Calibration:
    """The curve of P(relevant | place), and how sure it is.

    silence  how probably the reader answers only what is relevant, as far as her answers show
    """

    intercept: float
    slope: float
    covariance: Matrix
    silence: float = 0.0

    def probability(self, places: Floats, errors: float = 0.0) -> Floats:
        """The probability at each place, so many standard errors above the curve.

        >>> Calibration(-4.0, 1.0, np.zeros((2, 2))).probability(np.array([4.0]))
        array([0.5])
        """
        logits = self.intercept + self.slope * places
        if errors:
            (first, shared), (_, second) = self.covariance.tolist()
            logits = logits + errors * np.sqrt(first + places * (2 * shared + places * second))
        return _logistic(logits)


def places_of(scores: Floats, documents: Floats, dropped: int = 0) -> Floats:
    """The place of each score among those of all documents seen.

    >>> places_of(np.array([0.9]), np.array([0.9, 0.5, 0.1])).round(4), round(float(-np.log(0.5 / 4)), 4)
    (array([2.0794]), 2.0794)
    """
    if len(scores) <= 2:
        higher = np.array([np.count_nonzero(documents > score) for score in scores], np.int64)
    else:
        higher = len(documents) - np.searchsorted(np.sort(documents), scores, side="right")
    places: Floats = -np.log((higher + 0.5) / (len(documents) + dropped + 1))
    return places


def calibrated(
    seen: Seen,
    answers: Answers,
    *,
    example: float,
    recent: float,
    least: float,
    silence: float,
    prior: Prior = PRIOR,
) -> Calibration:
    """The curve after these answers.

    example        weight of an answer that has no place of its own
    recent, least  the half-life of answers: this share of their number, and at least so many
    silence        weight of deliveries without an answer, beside what the reader's habit says of them
    """
    given, silent = answers, answers.silent
    unplaced = np.isnan(given.places)
    wanted = np.concatenate([seen.scores[given.rows[unplaced]], seen.scores[silent]])
    now = places_of(wanted, seen.scores, seen.dropped)
    places = given.places.copy()
    places[unplaced] = now[: len(now) - len(silent)]
    ages = np.arange(len(places))[::-1]
    weights = np.exp2(-ages / max(least, recent * seen.judged)) * np.where(unplaced, example, 1.0)
    labels = given.relevant.astype(np.float64)
    habit = silence * _answers_only_relevant(answers) if len(silent) else 0.0
    if habit < 0.01:
        return _fitted(places, labels, weights, prior)
    hidden = now[len(now) - len(silent) :]
    ages = np.arange(len(hidden))[::-1]
    lighter = habit * np.exp2(-ages / max(least, recent * seen.judged))
    said, clicks = int(answers.relevant[~np.isnan(answers.places)].sum()), 0.8
    chances = _logistic(prior.intercept + prior.slope * hidden)
    for _ in range(_ROUNDS):
        guesses = chances * (1 - clicks) / (1 - clicks * chances)
        clicks = (said + 1) / (said + guesses.sum() + 1.5)
        curve = _fitted(
            np.concatenate([places, hidden]),
            np.concatenate([labels, guesses]),
            np.concatenate([weights, lighter]),
            prior,
        )
        chances = curve.probability(hidden)
    return Calibration(curve.intercept, curve.slope, curve.covariance, habit)


def _answers_only_relevant(answers: Answers) -> float:
    """How probably the reader answers only what is relevant.

    Compared are two habits: "not relevant" is hardly ever said (a share near 1 in 50), or in one answer of three or so;
    and deliveries are answered where they are relevant, most of the time, or at any rate alike.
    """
    told = ~np.isnan(answers.places)
    yes, no = int(answers.relevant[told].sum()), int((~answers.relevant[told]).sum())
    if not yes:
        return 0.0
    never = _log_beta(1 + no, 50 + yes) - _log_beta(1, 50)
    sometimes = _log_beta(1 + no, 2 + yes) - _log_beta(1, 2)
    answered = (yes + no) / (yes + no + len(answers.silent))
    as_many = math.log(4 * min(1.0, answered / 0.6) ** 3)
    return 1 / (1 + math.exp(min(sometimes - never - as_many, 700.0)))


def _fitted(places: Floats, labels: Floats, weights: Floats, prior: Prior) -> Calibration:
    """Intercept and slope of the highest posterior probability, by Newton's method; of slopes from the least one on."""
    (first, shared), (_, second) = prior.precision.tolist()
    intercept, slope = prior.intercept, prior.slope
    weighted, squares = weights * places, weights * places**2

    def improbable(intercept: float, slope: float) -> float:
        """Minus the logarithm of the posterior probability."""
        ahead, along = intercept - prior.intercept, slope - prior.slope
        logits = intercept + slope * places
        unlikely = float((weights * (np.logaddexp(0, logits) - labels * logits)).sum())
        return float(first * ahead**2 / 2 + second * along**2 / 2 + shared * ahead * along) + unlikely

    for free in (True, False):
        reached = improbable(intercept, slope)
        for _ in range(100):
            probability = _logistic(intercept + slope * places)
            surprise, spread = probability - labels, probability * (1 - probability)
            ahead, along = intercept - prior.intercept, slope - prior.slope
            down = first * ahead + shared * along + float((weights * surprise).sum())
            up = shared * ahead + second * along + float((weighted * surprise).sum())
            a = first + float((weights * spread).sum())
            b = shared + float((weighted * spread).sum())
            c = second + float((squares * spread).sum())
            determinant = a * c - b * b
            steps = (down / a, 0.0)
            if free:
                steps = (c * down - b * up) / determinant, (a * up - b * down) / determinant
            if max(map(abs, steps)) < 1e-9:
                break
            # A whole step can lead too far, and the next one back again.
            part, most = 1.0, reached + 1e-12 * (1 + abs(reached))
            while (there := improbable(intercept - part * steps[0], slope - part * steps[1])) > most:
                part /= 2
            intercept, slope, reached = intercept - part * steps[0], slope - part * steps[1], there
        if slope >= _LEAST_SLOPE:
            break
        slope = _LEAST_SLOPE  # and the intercept that goes with it
    return Calibration(intercept, slope, np.array([[c, -b], [-b, a]]) / determinant)


@dataclass(frozen=True, eq=False)
class ExpectedCurve:
    """Expected utility of delivering the highest-scored documents, for each number of them; and a band of two errors."""

    delivered: NDArray[np.int64]
    utility: Floats
    low: Floats
    high: Floats


def expected_curve(calibration: Calibration, documents: int, utility: LinearUtility) -> ExpectedCurve:
    """What cutoffs can be expected to bring, over the documents seen."""
    numbers = np.arange(documents)
    places = -np.log((numbers + 0.5) / (documents + 1))
    curves = []
    for errors in (0.0, -2.0, 2.0):
        probability = calibration.probability(places, errors)
        curves.append(np.cumsum(utility.won * probability + utility.lost * (1 - probability)))
    return ExpectedCurve(numbers + 1, *curves)


def expected_thetas(
    seen: Seen, calibration: Calibration, utility: LinearUtility, floor: float, optimism: float
) -> tuple[float, float]:
    """theta_opt and theta_zero of the expected utility.

    theta_opt   the score at the place from which a document is expected to be worth its delivery:
                logit P + optimism · its standard error = log(cost / credit)
    theta_zero  the highest score below it down to which all deliveries together are expected to be worth nothing
    """
    documents = len(seen.scores) + seen.dropped
    place = _worth_it(calibration, utility, optimism)
    numbers = np.arange(len(seen.scores))  # those that were dropped score no higher
    probability = calibration.probability(-np.log((numbers + 0.5) / (documents + 1)))
    scale = max(utility.won, -utility.lost)  # a sum of huge numbers would overflow
    worth = np.cumsum(utility.won / scale * probability + utility.lost / scale * (1 - probability))
    first = math.exp(-place) * (documents + 1) - 0.5
    below = np.flatnonzero((worth <= 0) & (numbers > first))
    last = float(below[0]) if len(below) else documents - 1.0
    return _score_at(seen, first, floor), _score_at(seen, max(first, last), floor)


def _worth_it(calibration: Calibration, utility: LinearUtility, optimism: float) -> float:
    """The lowest place at which a delivery is expected to be worth more than it costs."""
    if utility.lost == 0:
        return 0.0
    needed = math.log(-utility.lost) - math.log(utility.won) - calibration.intercept
    place = max(0.0, needed / calibration.slope)
    (first, shared), (_, second) = calibration.covariance.tolist()
    # The curve with its errors is convex: Newton's method from above ends at the highest place where it meets what is needed.
    for _ in range(50 if optimism else 0):
        error = math.sqrt(first + place * (2 * shared + place * second))
        rise = calibration.slope + optimism * (shared + place * second) / max(error, 1e-300)
        step = (calibration.slope * place + optimism * error - needed) / rise if rise > 0 else math.inf
        place = max(0.0, place - step)
        if place == 0 or step < 1e-12:
            break
    return place


def _score_at(seen: Seen, higher: float, floor: float) -> float:
    """The score that so many documents exceed, not a whole number as a rule; beyond the highest it goes on as before it."""
    scores = seen.scores
    if not len(scores):
        return floor
    last = len(scores) - 1
    if higher >= last:
        return max(float(scores.min()), floor)
    if higher >= 0:
        whole = math.floor(higher)
        upper, lower = _ranked(scores, whole, whole + 1)
        return max(upper + (lower - upper) * (higher - whole), floor)
    some = min(20, last)
    top, under = _ranked(scores, 0, some)
    rise = (top - under) / math.log((some + 0.5) / 0.5) if some else 0.0
    return max(top + rise * math.log(0.5 / max(higher + 0.5, 1e-300)), floor)


def _ranked(scores: Floats, *ranks: int) -> list[float]:
    """The scores of some ranks, 0 the highest."""
    places = [len(scores) - 1 - rank for rank in ranks]
    sorted_there = np.partition(scores, places)
    return [float(sorted_there[place]) for place in places]
