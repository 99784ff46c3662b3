"""The built-in threshold rules: from the scores of all documents seen, and what the reader said of some of them.

A cutoff delivers every document of its score or more. Its utility takes documents that nobody judged for not relevant.

    theta_opt   the score at the cutoff of the best utility
    theta_zero  the highest score below it at which utility is no better than that of delivering nothing
    alpha       beta + (1 − beta) · exp(−gamma · n),  n judged documents
    theta       theta_opt − alpha · (theta_opt − theta_zero)

The rules differ in theta alone and give the same kind of result:

    beta_gamma  between theta_opt and theta_zero: near theta_zero while little is known, near theta_opt later
    expected    the same, by the utility that is expected of documents that nobody judged
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
from dataclasses import replace

import numpy as np

from gainful.filtering.expected_utility import aims_of, expected_thetas
from gainful.filtering.relevance_calibration import (
    LEAST_HABIT,
    Calibration,
    answers_only_relevant,
    calibrated,
)
from gainful.filtering.sibling_profiles import Told
from gainful.filtering.theta_opt_and_zero import (
    NO_ANSWERS,
    Answers,
    LinearUtility,
    Seen,
    start_of,
    theta_opt_and_zero,
)
from gainful.filtering.threshold_registry import Between, CurveAndAims, Range, threshold_rule

_BETA = Range(
    "from 0 to 1: it is a share of the way from theta_opt to theta_zero", lambda value: 0 <= value <= 1
)
_GAMMA = Range("0 or more and finite: alpha must not grow with feedback", lambda value: 0 <= value < math.inf)
_WEIGHT = Range("0 or more and finite", lambda value: 0 <= value < math.inf)
_LEAST = Range("above 0 and finite: it is a number of answers", lambda value: 0 < value < math.inf)
_SHARE = Range("above 0 and up to 1: it is a share of the documents seen", lambda value: 0 < value <= 1)


@threshold_rule(beta=_BETA, gamma=_GAMMA, share=_SHARE)
def beta_gamma(
    seen: Seen,
    *,
    utility: LinearUtility,
    floor: float,
    beta: float = 0.4,
    gamma: float = 0.02,
    share: float = 0.005,
) -> Between:
    """Between the best cutoff and the one that is worth nothing, nearer to the best the more is known.

        theta = theta_opt − alpha · (theta_opt − theta_zero)      alpha = beta + (1 − beta) · exp(−gamma · n)

    beta   share of the way to theta_zero that is kept for ever: scores of judged documents are too high
    gamma  how soon exploring ends: after 1 / gamma judged documents about a third of it is left
    share  of documents to deliver while nothing is judged relevant

    The defaults were chosen on half of the topics of a news collection and reported on the other half (docs/filtering.md).

    Scores 0.9 (relevant) 0.8 0.7 0.6 with credit 2, cost −1 have utilities 2 1 0 −1, so theta_opt = 0.9 and
    theta_zero = 0.7; with n = 1, beta = 0.1 and gamma = ln 2, alpha = 0.1 + 0.9/2 = 0.55 and theta = 0.9 − 0.55 · 0.2 = 0.79

    >>> found = beta_gamma([0.9, 0.8, 0.7, 0.6], [True, None, None, None], beta=0.1, gamma=math.log(2))
    >>> found.theta_opt, found.theta_zero, round(found.alpha, 12), round(found.theta, 12)
    (0.9, 0.7, 0.55, 0.79)
    """
    return _between(seen, utility, floor, alpha_of(seen.judged, beta=beta, gamma=gamma), share)


@threshold_rule(
    beta=_BETA,
    gamma=_GAMMA,
    share=_SHARE,
    patience=_WEIGHT,
    caution=_WEIGHT,
    example=_WEIGHT,
    recent=_WEIGHT,
    least=_LEAST,
    silence=_BETA,
    nearness=_WEIGHT,
    optimism=_WEIGHT,
    hint=_BETA,
    siblings=_WEIGHT,
)
def expected(
    seen: Seen,
    *,
    utility: LinearUtility,
    floor: float,
    answers: Answers,
    beta: float = 0.0,
    gamma: float = 1.0,
    share: float = 0.005,
    patience: float = 0.0,
    caution: float = 0.0,
    example: float = 0.5,
    recent: float = 0.1,
    least: float = 15.0,
    silence: float = 1.0,
    nearness: float = 1.5,
    optimism: float = 0.0,
    hint: float = 0.8,  # noqa: ARG001 (the learner asks for it)
    siblings: float = 3.0,  # noqa: ARG001 (likewise)
) -> Between:
    """Between the cutoffs of the best expected utility and of none, by a calibrated probability of relevance.

        theta = theta_opt − alpha · (theta_opt − theta_zero)      alpha = beta + (1 − beta) · exp(−gamma · n)

    theta_opt is the score from which a document is expected to be worth its delivery, theta_zero the one down to which all
    deliveries together are expected to be worth nothing (`expected_utility`). Documents that nobody judged are unknown, not
    irrelevant. While nothing is judged relevant, alpha is 0.

    beta, gamma      how much it explores below theta_opt for ever, and how soon the rest of exploring ends
    caution          log-odds that a document needs beyond what is worth it, while nothing is judged relevant
    share, patience  instead of that, where patience is above 0: of documents to deliver while nothing is judged relevant, and
                     the deliveries after which a third of it is left
    example          weight of answers to documents that no profile had scored before it learned from them: the examples
    recent, least    half-life of answers: this share of their number, and so many at the least
    silence          weight of deliveries without an answer, beside what the reader's habit says of them; 0 leaves them out
    nearness         how much the score itself counts, beside how rare it is; of vectors that are given it never does
    optimism         standard errors that are added to the curve of probabilities
    hint             how probable it must be that the reader answers only what is relevant, for profiles to learn deliveries
                     without an answer as not relevant; 1: they never do
    siblings         as how many answers each other profile of the reader counts, at the most, in what is believed of this one
                     before any answer: with m answers and silent deliveries there, each counts min(1, siblings/m); 0: this
                     profile learns by itself, and the others learn nothing from it

    >>> few = expected([0.9, 0.8, 0.7, 0.6], [True, None, None, None])
    >>> few.theta_zero <= few.theta <= few.theta_opt
    True
    """
    calibration = _calibration(
        seen,
        answers,
        floor,
        example=example,
        recent=recent,
        least=least,
        silence=silence,
        nearness=nearness,
    )
    if not len(seen.relevant) and patience:
        guesses = seen.judged + len(answers.silent)
        start = _start(seen, floor, math.exp(-guesses / patience), share)
        return replace(start, calibration=calibration)
    guessing = not len(seen.relevant)
    alpha = 0.0 if guessing else alpha_of(seen.judged, beta=beta, gamma=gamma)
    thetas = expected_thetas(seen, calibration, utility, floor, optimism, caution if guessing else 0.0)
    return Between(alpha, *thetas, calibration=calibration)


@expected.unanswered_by
def _expected_unanswered(
    told: Told | None,
    *,
    utility: LinearUtility,
    floor: float,
    patience: float,
    caution: float,
    optimism: float,
    **others: float,
) -> CurveAndAims | None:
    """The curve and the aims of every profile without an answer; None where they depend on its scores: if silence counts, or
    `patience` begins with a share of the documents.
    """
    answers = NO_ANSWERS._replace(siblings=told)
    if patience or others["silence"] * answers_only_relevant(answers) >= LEAST_HABIT:
        return None
    calibration = _calibration(Seen(np.empty(0), answers.rows, 0), answers, floor, **others)
    aims = aims_of(utility, floor=floor, optimism=optimism, caution=caution)
    return CurveAndAims(calibration.for_core, aims)


def _calibration(
    seen: Seen,
    answers: Answers,
    floor: float,
    *,
    example: float,
    recent: float,
    least: float,
    silence: float,
    nearness: float,
    **_others: float,
) -> Calibration:
    """The curve by the parameters of `expected`; of given vectors, whose scores have no floor, only ranks count."""
    return calibrated(
        seen,
        answers,
        example=example,
        recent=recent,
        least=least,
        silence=silence,
        nearness=nearness if floor > -math.inf else 0.0,
    )


@threshold_rule(share=_SHARE)
def optimum(seen: Seen, *, utility: LinearUtility, floor: float, share: float = 0.005) -> Between:
    """The best cutoff itself: theta = theta_opt; the highest score seen while nothing is judged relevant.

    >>> optimum([0.9, 0.8, 0.7], [False, True, None]).theta
    0.8
    """
    return _between(seen, utility, floor, 0.0, share)


@threshold_rule(share=_SHARE)
def zero(seen: Seen, *, utility: LinearUtility, floor: float, share: float = 0.005) -> Between:
    """The cutoff below the best one that is worth nothing: theta = theta_zero.

    >>> zero([0.9, 0.8, 0.7, 0.6], [True, None, None, None]).theta
    0.7
    """
    return _between(seen, utility, floor, 1.0, share)


@threshold_rule(share=_SHARE)
def ratio(seen: Seen, *, floor: float, share: float = 0.005) -> float:
    """The score that would have delivered this share of the documents seen, and at least one.

    Of four documents a half is two:

    >>> ratio([0.9, 0.8, 0.7, 0.6], [None] * 4, share=0.5).theta
    0.8
    """
    return start_of(seen.scores, share, floor, seen.dropped)


@threshold_rule
def fixed(seen: Seen, *, theta: float) -> float:  # noqa: ARG001 (whatever was seen)
    """A given score, whatever was seen.

    >>> fixed([0.9, 0.8], [None, None], theta=0.25).theta
    0.25
    """
    return theta


@threshold_rule
def none(seen: Seen) -> float:  # noqa: ARG001 (whatever was seen)
    """Above every score: nothing is delivered.

    >>> none([0.9], [True]).delivers(1e9)
    False
    """
    return math.inf


def alpha_of(n: int, *, beta: float, gamma: float) -> float:
    """Share of the way from theta_opt to theta_zero, with n judged documents.

    >>> alpha_of(0, beta=0.1, gamma=0.05)
    1.0
    """
    return min(1.0, beta + (1 - beta) * math.exp(-gamma * n))


def _between(seen: Seen, utility: LinearUtility, floor: float, alpha: float, share: float) -> Between:
    theta_opt, theta_zero = theta_opt_and_zero(seen, utility, floor)
    if theta_opt is not None:
        return Between(alpha, theta_opt, theta_zero)
    return _start(seen, floor, alpha, share)


def _start(seen: Seen, floor: float, alpha: float, share: float) -> Between:
    """The threshold while nothing is judged relevant."""
    above = seen.scores[seen.scores > floor]
    top = float(above.max()) if len(above) else floor
    return Between(alpha, None, None, top, start_of(seen.scores, share, floor, seen.dropped))
