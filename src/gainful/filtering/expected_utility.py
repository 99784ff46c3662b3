"""Expected utility: how probably a document is relevant by the place of its score, and what each cutoff can be expected to bring.

The place of a score is how rare so high a score is among all documents seen. It can be compared between profiles, and from
day to day, where scores cannot:

    place = −log((documents with a higher score + ½) / (documents seen + 1)) + nearness · log(score / 0.15)

The second part says how near the document is to the profile: where all scores are low, the best of them is rare and still
nothing that is wanted. The probability is a logistic curve over places, fitted to the reader's answers by maximum a posteriori:

    P(relevant | place) = 1 / (1 + exp(−(intercept + slope · place)))

The prior of intercept and slope is a normal distribution, `PRIOR`, chosen on judged streams (docs/filtering.md). Answers count
by their place when they were given, before the profile had learned from them; those that have none, as the examples that a
profile begins with, count little, because the profile flatters what it was taught. The latest answers count most.

A delivery without an answer says nothing by itself. It is read as the reader's habit suggests: one who says "relevant" time
after time and never "not relevant" probably answers only what pleases, and then silence is a hint of the other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

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


PRIOR = Prior(-8.0, 1.3, 4.0, 0.8, -0.6)
PRIOR_OF_RANKS = Prior(-10.0, 1.7, 4.0, 0.8, -0.6)  # where places say nothing of how near scores are
_USUAL, _FAR = (
    0.15,
    0.001,
)  # scores: of a document that is neither near nor far, and the least that is told from nothing
_LEAST_PLACE = 0.001
_ROUNDS = 6  # of guessing which silent documents are relevant, and fitting again
_LEAST_SLOPE = 0.05  # a higher score never makes a document less probably relevant


@dataclass(frozen=True, eq=False)
class Calibration:
    """The curve of P(relevant | place), and how sure it is.

    silence   how probably the reader answers only what is relevant, as far as her answers show
    nearness  how much places say of how near the scores are
    """

    intercept: float
    slope: float
    covariance: Matrix
    silence: float = 0.0
    nearness: float = 0.0

    def probability(self, places: Floats, errors: float = 0.0) -> Floats:
        """The probability at each place, so many standard errors above the curve.

        >>> Calibration(-4.0, 1.0, np.zeros((2, 2))).probability(np.array([4.0]))
        array([0.5])
        """
        return _logistic(self.logits(places, errors))

    def logits(self, places: Floats, errors: float = 0.0) -> Floats:
        """The log-odds at each place, so many standard errors above the curve."""
        logits: Floats = self.intercept + self.slope * places
        if errors:
            (first, shared), (_, second) = self.covariance.tolist()
            logits = logits + errors * np.sqrt(first + places * (2 * shared + places * second))
        return logits


def places_of(scores: Floats, documents: Floats, dropped: int = 0, nearness: float = 0.0) -> Floats:
    """The place of each score among those of all documents seen.

    >>> places_of(np.array([0.9]), np.array([0.9, 0.5, 0.1])).round(4), round(float(-np.log(0.5 / 4)), 4)
    (array([2.0794]), 2.0794)
    """
    if len(scores) <= 2:
        higher = np.array([np.count_nonzero(documents > score) for score in scores], np.int64)
    else:
        higher = len(documents) - np.searchsorted(np.sort(documents), scores, side="right")
    return _places(higher, scores, len(documents) + dropped, nearness)


def _places(higher: NDArray[Any], scores: Floats, documents: int, nearness: float) -> Floats:
    """The places of scores that so many documents exceed."""
    places: Floats = -np.log((higher + 0.5) / (documents + 1))
    if nearness:
        places = np.maximum(places + nearness * np.log(np.maximum(scores, _FAR) / _USUAL), _LEAST_PLACE)
    return places


def calibrated(
    seen: Seen,
    answers: Answers,
    *,
    example: float,
    recent: float,
    least: float,
    silence: float,
    nearness: float = 0.0,
    prior: Prior | None = None,
) -> Calibration:
    """The curve after these answers.

    example        weight of an answer that has no place of its own
    recent, least  the half-life of answers: this share of their number, and at least so many
    silence        weight of deliveries without an answer, beside what the reader's habit says of them
    nearness       how much places say of how near the scores are
    prior          what is believed before any answer; where it is None, what was chosen for places of that kind
    """
    prior = prior or (PRIOR if nearness else PRIOR_OF_RANKS)
    unplaced = np.isnan(answers.places)
    wanted = np.concatenate([seen.scores[answers.rows[unplaced]], seen.scores[answers.silent]])
    now = places_of(wanted, seen.scores, seen.dropped, nearness)
    places = answers.places.copy()
    places[unplaced] = now[: int(unplaced.sum())]
    weights = _ages(len(places), max(least, recent * seen.judged)) * np.where(unplaced, example, 1.0)
    given = _Given(places, answers.relevant.astype(np.float64), weights)
    silent = answers.silent
    habit = silence * _answers_only_relevant(answers) if len(silent) else 0.0
    if habit < 0.01:
        return replace(_fitted(given, prior), nearness=nearness)
    hidden = now[int(unplaced.sum()) :]
    lighter = habit * _ages(len(silent), max(least, recent * seen.judged))
    said, clicks = int(answers.relevant[~unplaced].sum()), 0.8
    chances = _logistic(prior.intercept + prior.slope * hidden)
    for _ in range(_ROUNDS):
        guesses = chances * (1 - clicks) / (1 - clicks * chances)
        clicks = (said + 1) / (said + guesses.sum() + 1.5)
        curve = _fitted(given.beside(hidden, guesses, lighter), prior)
        chances = curve.probability(hidden)
    return replace(curve, silence=habit, nearness=nearness)


def _ages(count: int, half_life: float) -> Floats:
    """Weights of so many answers, the latest last."""
    return np.exp2(-np.arange(count)[::-1] / half_life)


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


class _Given(NamedTuple):
    """Answers: their places, how relevant each is taken to be, and how much it counts."""

    places: Floats
    labels: Floats
    weights: Floats

    def beside(self, places: Floats, labels: Floats, weights: Floats) -> _Given:
        """These answers, and more."""
        return _Given(*(np.concatenate(pair) for pair in zip(self, (places, labels, weights), strict=True)))


def _fitted(given: _Given, prior: Prior) -> Calibration:
    """Intercept and slope of the highest posterior probability, by Newton's method; of slopes from the least one on."""
    (first, shared), (_, second) = prior.precision.tolist()
    intercept, slope = prior.intercept, prior.slope
    places, labels, weights = given
    weighted, squares = weights * places, weights * places**2
    for free in (True, False):
        reached = _improbable(given, prior, intercept, slope)
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
            while (
                there := _improbable(given, prior, intercept - part * steps[0], slope - part * steps[1])
            ) > most:
                part /= 2
            intercept, slope, reached = intercept - part * steps[0], slope - part * steps[1], there
        if slope >= _LEAST_SLOPE:
            break
        slope = _LEAST_SLOPE  # and the intercept that goes with it
    return Calibration(intercept, slope, np.array([[c, -b], [-b, a]]) / determinant)


def _improbable(given: _Given, prior: Prior, intercept: float, slope: float) -> float:
    """Minus the logarithm of the posterior probability, but for a constant."""
    (first, shared), (_, second) = prior.precision.tolist()
    ahead, along = intercept - prior.intercept, slope - prior.slope
    logits = intercept + slope * given.places
    unlikely = float((given.weights * (np.logaddexp(0, logits) - given.labels * logits)).sum())
    return float(first * ahead**2 / 2 + second * along**2 / 2 + shared * ahead * along) + unlikely


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
    return ordered, _places(numbers, ordered, len(ordered) + seen.dropped, nearness)


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
    ordered, places = _ranking(seen, calibration.nearness)
    needed = needed_odds(utility) + caution
    enough = calibration.logits(places, optimism) >= needed
    rank = len(ordered) - 1.0 if enough.all() else float(np.argmin(enough))
    best = float(ordered[int(rank)])
    if not enough.all():
        rank, best = _met(ordered, len(ordered) + seen.dropped, calibration, needed, optimism, int(rank))
    probability = calibration.probability(places)
    scale = max(utility.won, -utility.lost)  # a sum of huge numbers would overflow
    worth = np.cumsum(utility.won / scale * probability + utility.lost / scale * (1 - probability))
    below = np.flatnonzero((worth <= 0) & (np.arange(len(ordered)) > rank))
    return max(best, floor), max(float(ordered[below[0] if len(below) else -1]), floor)


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
        return rare + calibration.nearness * math.log(max(score, _FAR) / _USUAL)

    def odds(place: float) -> float:
        error = math.sqrt(first + place * (2 * shared + place * second)) if optimism else 0.0
        return calibration.intercept + calibration.slope * place + optimism * error

    low, high = 0.0, 1.0 if below else (needed - calibration.intercept) / calibration.slope - place(0.0)
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if odds(place(middle)) >= needed else (middle, high)
    return at(high)
