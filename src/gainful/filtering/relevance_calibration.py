"""Calibration: how probably a document is relevant, by the place of its score.

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

Where a reader has several profiles, her habit is learned over all of them, and so is what is believed of a curve before any
answer: the prior of each is the curve fitted to what the others were told (`sibling_profiles`), with the deviations of `PRIOR`.
Topics differ, so that over several of them a higher place says less than it does in each: that curve is no flatter than 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gainful._core import PlaceCurve, fit_curve
from gainful.filtering.sibling_profiles import Told
from gainful.filtering.theta_opt_and_zero import Answers, Seen
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
USUAL_SCORE = 0.15  # of a document that is neither near nor far
FAR_SCORE = 0.001  # the lowest that counts; lower ones count as this
LEAST_PLACE = 0.001
LEAST_HABIT = 0.01  # how probably a reader must answer only what is relevant, for silence to count
_ODDS = 3.0  # of a reader with several profiles answering some of everything, before any answer
_ROUNDS = 6  # of guessing which silent documents are relevant, and fitting again
_LEAST_SLOPE = 0.05  # a higher score never makes a document less probably relevant
_LEAST_SHARED_SLOPE = 1.0  # around a flat curve, one miss would close a profile for ever


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

    @property
    def for_core(self) -> PlaceCurve:
        """The curve, and how places are measured, as the core takes them."""
        (first, shared), (_, second) = self.covariance.tolist()
        return PlaceCurve(
            intercept=self.intercept,
            slope=self.slope,
            first=first,
            shared=shared,
            second=second,
            nearness=self.nearness,
            usual=USUAL_SCORE,
            far=FAR_SCORE,
            least_place=LEAST_PLACE,
        )

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
    return ranked_places(higher, scores, len(documents) + dropped, nearness)


def ranked_places(
    higher: NDArray[Any], scores: Floats, documents: int | NDArray[Any], nearness: float
) -> Floats:
    """The places of scores that so many documents exceed, of all seen or of those seen by each."""
    places: Floats = -np.log((higher + 0.5) / (documents + 1))
    if nearness:
        places = np.maximum(
            places + nearness * np.log(np.maximum(scores, FAR_SCORE) / USUAL_SCORE), LEAST_PLACE
        )
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
    hidden = now[int(unplaced.sum()) :]
    weights = _ages(len(places), max(least, recent * seen.judged)) * np.where(unplaced, example, 1.0)
    given = _Given(places, answers.relevant.astype(np.float64), weights)
    habit = silence * answers_only_relevant(answers)
    if answers.siblings is not None:
        prior = _shared(prior, answers.siblings, habit)
    hints = _Hints(hidden, np.ones(len(hidden)), _ages(len(hidden), max(least, recent * seen.judged)))
    curve = _guessing(given, prior, hints, habit, int(answers.relevant[~unplaced].sum()))
    return replace(curve, nearness=nearness)


def _shared(prior: Prior, told: Told, habit: float) -> Prior:
    """The prior around the curve that fits what the reader's other profiles were told."""
    kinds = (told.relevant, told.other, told.silent)
    there = [np.flatnonzero(kind) for kind in kinds]
    if not len(there[0]) + len(there[1]):
        return prior
    labels = np.repeat([1.0, 0.0], [len(there[0]), len(there[1])])
    weights = np.concatenate([kind[places] for kind, places in zip(kinds[:2], there[:2], strict=True)])
    given = _Given(told.places[np.concatenate(there[:2])], labels, weights)
    silent = told.silent[there[2]]
    hints = _Hints(told.places[there[2]], silent, silent)
    said = float(told.relevant.sum())
    curve = _guessing(given, prior, hints, habit, said, least_slope=_LEAST_SHARED_SLOPE)
    return replace(prior, intercept=curve.intercept, slope=curve.slope)


class _Hints(NamedTuple):
    """Deliveries without an answer: their places, how many there are at each, and how much these count together."""

    places: Floats
    documents: Floats
    weights: Floats


def _guessing(
    given: _Given,
    prior: Prior,
    hints: _Hints,
    habit: float,
    said: float,
    *,
    least_slope: float = _LEAST_SLOPE,
) -> Calibration:
    """The curve after these answers and after silence: which silent documents are relevant is guessed, again and again.

    habit  how probably the reader answers only what is relevant
    said   how often she said "relevant"
    """
    if not len(hints.places) or habit < LEAST_HABIT:
        return _fitted(given, prior, least_slope)
    clicks = 0.8
    chances = _logistic(prior.intercept + prior.slope * hints.places)
    for _ in range(_ROUNDS):
        guesses = chances * (1 - clicks) / (1 - clicks * chances)
        clicks = (said + 1) / (said + (guesses * hints.documents).sum() + 1.5)
        curve = _fitted(given.beside(hints.places, guesses, habit * hints.weights), prior, least_slope)
        chances = curve.probability(hints.places)
    return replace(curve, silence=habit)


def _ages(count: int, half_life: float) -> Floats:
    """Weights of so many answers, the latest last."""
    return np.exp2(-np.arange(count)[::-1] / half_life)


def answers_only_relevant(answers: Answers) -> float:
    """How probably the reader answers only what is relevant.

    Compared are two habits: "not relevant" is hardly ever said (a share near 1 in 50), or in one answer of three or so. Where
    only one profile has answers, it counts too that deliveries are answered where they are relevant, most of the time, or at
    any rate alike.
    """
    told = ~np.isnan(answers.places)
    yes, no = int(answers.relevant[told].sum()), int((~answers.relevant[told]).sum())
    siblings = answers.siblings
    if siblings is not None and siblings.profiles + (yes + no > 0) > 1:
        yes, no = yes + siblings.yes, no + siblings.no
        if not yes:
            return 0.0
        against = _spoken(yes, no, 2, 4) - _spoken(yes, no, 1, 50) + math.log(_ODDS)
        return 1 / (1 + math.exp(min(against, 700.0)))
    if not yes:
        return 0.0
    answered = (yes + no) / (yes + no + len(answers.silent))
    as_many = math.log(4 * min(1.0, answered / 0.6) ** 3)
    against = _spoken(yes, no, 1, 2) - _spoken(yes, no, 1, 50) - as_many
    return 1 / (1 + math.exp(min(against, 700.0)))


def _spoken(yes: int, no: int, other: int, relevant: int) -> float:
    """The log-probability of these answers where "not relevant" is said in a share that has a beta distribution."""
    return _log_beta(other + no, relevant + yes) - _log_beta(other, relevant)


class _Given(NamedTuple):
    """Answers: their places, how relevant each is taken to be, and how much it counts."""

    places: Floats
    labels: Floats
    weights: Floats

    def beside(self, places: Floats, labels: Floats, weights: Floats) -> _Given:
        """These answers, and more."""
        return _Given(*(np.concatenate(pair) for pair in zip(self, (places, labels, weights), strict=True)))


def _fitted(given: _Given, prior: Prior, least_slope: float) -> Calibration:
    """Intercept and slope of the highest posterior probability; of slopes from the least one on."""
    (first, shared), (_, second) = prior.precision.tolist()
    intercept, slope, *spread = fit_curve(
        *given,
        intercept=prior.intercept,
        slope=prior.slope,
        first=first,
        shared=shared,
        second=second,
        least_slope=least_slope,
    )
    return Calibration(intercept, slope, np.array([spread[:2], spread[1:]]))
