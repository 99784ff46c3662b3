"""Thresholds: every decision on a hand-made list, the formula against a slow literal transcription, and properties."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from gainful.errors import UsageError
from gainful.filtering import LinearUtility, beta_gamma, fixed, none, optimum, ratio, zero
from gainful.filtering.theta_opt_and_zero import curve_of, parse_utility, seen_of
from gainful.filtering.threshold_rules import alpha_of

R, N, U = True, False, None  # judged relevant, judged not relevant, unjudged
ALPHA = 0.4 + 0.6 * math.exp(-0.02)  # with one judged document


# ---- the seed's own words --------------------------------------------------------------------------------------


def test_the_formula_of_the_seed_on_a_list_worked_by_hand():
    #   score   0.9  0.8  0.7  0.6  0.5  0.4  0.3  0.2
    #   judged   R    N    R    -    -    N    -    -
    #   utility  2    1    3    2    1    0   −1   −2
    found = beta_gamma([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2], [R, N, R, U, U, N, U, U])
    assert (found.theta_opt, found.theta_zero, found.n) == (0.7, 0.4, 4)
    alpha = 0.4 + 0.6 * math.exp(-0.02 * 4)
    assert found.alpha == alpha
    assert found.theta == pytest.approx((1 - alpha) * 0.7 + alpha * 0.4, abs=1e-15)
    assert found.curve.utility.tolist() == [2, 1, 3, 2, 1, 0, -1, -2]
    assert found.curve.delivered.tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
    assert found.curve.relevant.tolist() == [1, 1, 2, 2, 2, 2, 2, 2]


def test_unjudged_documents_count_as_not_relevant():
    scores = [0.9, 0.8, 0.7, 0.6]
    judged, unjudged = beta_gamma(scores, [R, N, N, N]), beta_gamma(scores, [R, U, U, U])
    assert judged.curve.utility.tolist() == unjudged.curve.utility.tolist() == [2, 1, 0, -1]
    assert (judged.n, unjudged.n) == (4, 1)  # but they are not judged, so exploring goes on
    assert unjudged.theta < judged.theta


def test_documents_that_were_not_delivered_are_history_too():
    # Without the two documents that nobody was shown, utility would not return to zero until 0.2.
    whole = beta_gamma([0.9, 0.8, 0.7, 0.2], [R, U, U, N])
    delivered_only = beta_gamma([0.9, 0.2], [R, N])
    assert whole.theta_zero == 0.7
    assert delivered_only.theta_zero == 0.2


# ---- what the sources leave open ---------------------------------------------------------------------------------


def test_equal_scores_are_cut_together():
    # One by one, the relevant document first, 0.8 would be worth 2, then 1, then 0. All three together are worth 0.
    found = beta_gamma([0.9, 0.8, 0.8, 0.8, 0.7], [N, R, N, N, R])
    assert found.curve.score.tolist() == [0.9, 0.8, 0.7]
    assert found.curve.utility.tolist() == [-1, -1 + 2 - 1 - 1, -1 + 2 - 1 - 1 + 2]
    assert found.theta_opt == 0.7


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_the_order_of_the_documents_does_not_matter(order):
    scores, feedback = [0.9, 0.8, 0.8, 0.5], [R, R, N, U]
    found = beta_gamma([scores[one] for one in order], [feedback[one] for one in order])
    assert (found.theta_opt, found.theta_zero) == (0.8, 0.5)


def test_of_several_best_cutoffs_the_lowest_score_counts():
    # Utility 2 1 0 2: the best is reached at 0.9 and again at 0.6.
    assert beta_gamma([0.9, 0.8, 0.7, 0.6], [R, N, N, R]).theta_opt == 0.6


def test_a_best_utility_below_zero_is_still_the_best_cutoff_that_delivers_something():
    # Utility −1 −2 −3 −1 −2: 0.9 and 0.6 are the best, the lower one counts, and 0.5 is the next that is worth nothing.
    found = beta_gamma([0.9, 0.8, 0.7, 0.6, 0.5], [N, N, N, R, N])
    assert (found.theta_opt, found.theta_zero) == (0.6, 0.5)


def test_where_utility_jumps_over_zero_the_first_cutoff_below_it_counts():
    # Credit 3, cost −2: utility 3 1 −1 −3. The last one above zero would be 0.8; the first at or below is 0.7.
    found = beta_gamma([0.9, 0.8, 0.7, 0.6], [R, U, U, U], utility=LinearUtility(3, -2))
    assert (found.theta_opt, found.theta_zero) == (0.9, 0.7)


def test_where_utility_never_returns_to_zero_the_lowest_score_above_the_floor_counts():
    # Utility 2 4 3 2, and two documents that share no term with the profile.
    found = beta_gamma([0.9, 0.8, 0.7, 0.6, 0.0, 0.0], [R, R, U, U, U, U])
    assert (found.theta_opt, found.theta_zero) == (0.8, 0.6)


def test_where_every_score_may_be_delivered_the_lowest_of_all_counts():
    found = beta_gamma([0.9, 0.8, -0.3], [R, R, U], floor=-math.inf)
    assert found.theta_zero == -0.3
    assert found.delivers(0.0)


def test_where_the_best_cutoff_is_the_lowest_score_both_ends_are_it():
    found = beta_gamma([0.9, 0.8], [N, R])
    assert (found.theta_opt, found.theta_zero, found.theta) == (0.8, 0.8, 0.8)


def test_while_nothing_is_relevant_theta_begins_at_the_share_and_closes_as_misses_mount():
    scores = [1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]
    nothing_said = beta_gamma(scores, [U] * 10, share=0.3)
    assert (nothing_said.theta_opt, nothing_said.theta_zero) == (None, None)
    assert (nothing_said.start, nothing_said.top, nothing_said.alpha) == (0.8, 1.0, 1.0)
    assert nothing_said.theta == 0.8
    two_misses = beta_gamma(scores, [N, N] + [U] * 8, share=0.3)
    alpha = 0.4 + 0.6 * math.exp(-0.02 * 2)
    assert two_misses.theta == pytest.approx(1.0 - alpha * (1.0 - 0.8), abs=1e-15)
    many_misses = beta_gamma(scores * 30, ([N, N] + [U] * 8) * 30, share=0.3)
    assert many_misses.theta == pytest.approx(
        1.0 - (0.4 + 0.6 * math.exp(-0.02 * 60)) * (1.0 - many_misses.start), abs=1e-15
    )
    assert nothing_said.theta < two_misses.theta < many_misses.theta < 1


def test_the_share_is_at_least_one_document_and_at_most_those_above_the_floor():
    assert ratio([0.9, 0.8, 0.7], [U] * 3, share=0.01).theta == 0.9
    assert ratio([0.9, 0.8, 0.0, 0.0], [U] * 4, share=1).theta == 0.8
    assert ratio([0.9, 0.8, 0.7, 0.6, 0.5] * 2, [U] * 10, share=0.3).theta == 0.8  # three of ten
    assert (
        ratio([one / 1000 for one in range(1, 1001)], [U] * 1000, share=0.007).theta == 0.994
    )  # seven, not six


@pytest.mark.parametrize("scores", [[], [0.0, 0.0], [-0.5]])
def test_where_nothing_seen_could_be_delivered_whatever_exceeds_the_floor_is(scores):
    for rule in (beta_gamma, optimum, zero, ratio):
        found = rule(scores, [U] * len(scores))
        assert found.theta == 0
        assert found.delivers(1e-300)
        assert not found.delivers(0.0)


def test_a_document_that_shares_no_term_is_never_delivered():
    found = fixed([0.9], [U], theta=-1.0)
    assert not found.delivers(0.0)
    assert found.delivers(0.1)
    assert len(zero([0.9, 0.0, 0.0], [R, U, U]).curve) == 1


def test_a_relevant_document_below_the_floor_gives_no_cutoff():
    found = beta_gamma([0.5, 0.4, 0.0], [U, U, R])
    assert found.theta_opt is None
    assert found.n == 1


def test_examples_count_as_judged():
    # An example document is history like any other: relevant, and one of the n.
    assert beta_gamma([0.9, 0.5], [R, U]).n == 1
    assert beta_gamma([0.9, 0.5], [R, U]).alpha == ALPHA


def test_no_feedback_at_all_gives_alpha_one():
    assert beta_gamma([0.9, 0.5], [U, U], beta=0, gamma=5).alpha == 1


def test_gamma_zero_explores_for_ever_and_beta_one_always():
    scores, feedback = [0.9, 0.8, 0.7, 0.6], [R, N, N, N]
    assert beta_gamma(scores, feedback, gamma=0).theta == zero(scores, feedback).theta == 0.7
    assert beta_gamma(scores, feedback, beta=1).theta == 0.7
    assert beta_gamma(scores, feedback, beta=0, gamma=500).theta == optimum(scores, feedback).theta == 0.9


def test_a_cost_of_zero_makes_everything_that_can_be_delivered_the_best():
    found = beta_gamma([0.9, 0.8, 0.7, 0.0], [N, R, U, U], utility=LinearUtility(1, 0))
    assert (found.theta_opt, found.theta_zero) == (0.7, 0.7)


def test_a_cost_next_to_nothing_never_brings_utility_back_to_zero():
    found = beta_gamma([0.9, 0.8, 0.7], [R, U, U], utility=LinearUtility(2, -1e-320))
    assert found.theta_zero == 0.7


def test_alpha_one_is_theta_zero_to_the_last_bit():
    # In floats 1 − (1 − 1e-20) is 0, which lies outside the interval.
    found = zero([1.0, 1e-20], [R, U], utility=LinearUtility(1, -1))
    assert found.theta == found.theta_zero == 1e-20


# ---- four coefficients -------------------------------------------------------------------------------------------


def test_four_coefficients_compare_with_the_utility_of_delivering_nothing():
    # Credit 1, cost −1, a miss costs 1: delivering nothing is worth −2 here, so a delivery wins 2 or loses 1.
    #   score    0.9  0.8  0.7  0.6  0.5  0.4  0.3
    #   judged    R    -    -    R    -    -    -
    #   utility   0   −1   −2    0   −1   −2   −3
    utility = LinearUtility(1, -1, missed=-1)
    found = beta_gamma([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3], [R, U, U, R, U, U, U], utility=utility)
    assert found.curve.nothing == -2
    assert found.curve.utility.tolist() == [0, -1, -2, 0, -1, -2, -3]
    assert (found.theta_opt, found.theta_zero) == (0.6, 0.4)
    plain = beta_gamma(
        [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3], [R, U, U, R, U, U, U], utility=LinearUtility(2, -1)
    )
    assert (plain.theta_opt, plain.theta_zero) == (found.theta_opt, found.theta_zero)


def test_what_is_avoided_counts_for_those_not_delivered():
    utility = LinearUtility(2, -1, 0, 0.5)
    curve = curve_of(seen_of([0.9, 0.8, 0.7], [R, U, U]), utility)
    assert curve.utility.tolist() == [2 + 2 * 0.5, 2 - 1 + 0.5, 2 - 2]
    assert curve.nothing == 2 * 0.5


def test_decimals_add_up_as_they_are_written():
    # 0.1 · 3 − 0.3 is zero in decimals; in floats it is 5.6e-17.
    found = beta_gamma([0.9, 0.8, 0.7, 0.6, 0.5], [R, R, R, U, U], utility=LinearUtility(0.1, -0.3))
    assert found.theta_zero == 0.6


@pytest.mark.parametrize(
    ("given_", "reason"),
    [
        ((0, -1), "credit .0. must be above missed"),
        ((-1, -2), "credit .-1. must be above missed"),
        ((2, 1), "cost .1. must not be above avoided"),
        ((2, math.nan), "cost must be a finite number"),
        ((math.inf, -1), "credit must be a finite number"),
        ((1, -1, 1, 0), "credit .1. must be above missed .1."),
        ((2, -1, 0, -2), "cost .-1. must not be above avoided .-2."),
        ((True, -1), "credit must be a finite number; got True"),
    ],
)
def test_utilities_that_make_no_sense_are_refused_with_the_reason(given_, reason):
    with pytest.raises(UsageError, match=reason):
        LinearUtility(*given_)


@pytest.mark.parametrize("text", ["", "2", "2,-1,0", "a,b", "2;-1"])
def test_a_utility_that_is_not_two_or_four_numbers_is_refused(text):
    with pytest.raises(UsageError, match="expected two numbers"):
        parse_utility(text)


# ---- parameters ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "given_", "reason"),
    [
        (beta_gamma, {"beta": -0.1}, "beta must be from 0 to 1"),
        (beta_gamma, {"beta": 1.1}, "beta must be from 0 to 1"),
        (beta_gamma, {"beta": math.nan}, "beta must be a number"),
        (beta_gamma, {"beta": "0.1"}, "beta must be a number; got '0.1'"),
        (beta_gamma, {"gamma": -1}, "gamma must be 0 or more and finite: alpha must not grow"),
        (beta_gamma, {"gamma": math.inf}, "gamma must be 0 or more and finite"),
        (beta_gamma, {"share": 0}, "share must be above 0 and up to 1"),
        (ratio, {"share": 1.5}, "share must be above 0 and up to 1"),
        (optimum, {"floor": math.inf}, "floor must be below infinity"),
        (zero, {"floor": math.nan}, "floor must be a number"),
        (fixed, {"theta": math.nan}, "theta must be a number"),
        (fixed, {"theta": math.inf}, "theta must be a finite number"),
    ],
)
def test_parameters_out_of_range_are_refused_with_the_reason(rule, given_, reason):
    with pytest.raises(UsageError, match=reason):
        rule([0.5], [U], **given_)


@pytest.mark.parametrize(
    ("scores", "feedback", "reason"),
    [
        ([0.5, math.nan], [U, U], "score 2 must be a finite number"),
        ([math.inf], [U], "score 1 must be a finite number"),
        ([0.5], [U, U], "one score and one feedback for each document; got 1 and 2"),
        ([[0.5]], [U], "one score and one feedback"),
        ([0.5, 0.4], [U, 1], "feedback 2 must be True, False or None; got 1"),
    ],
)
def test_scores_and_feedback_that_do_not_fit_are_refused(scores, feedback, reason):
    with pytest.raises(UsageError, match=reason):
        beta_gamma(scores, feedback)


def test_every_rule_gives_the_same_kind_of_result():
    scores, feedback = [0.9, 0.8, 0.7, 0.6], [R, N, U, U]
    results = [beta_gamma(scores, feedback), optimum(scores, feedback), zero(scores, feedback)]
    results += [ratio(scores, feedback), fixed(scores, feedback, theta=0.25), none(scores, feedback)]
    for found in results:
        assert (found.theta_opt, found.theta_zero, found.n) == (0.9, 0.7, 2)
        assert found.curve.utility.tolist() == [2, 1, 0, -1]
        with pytest.raises(AttributeError):
            found.theta = 0  # type: ignore[misc]
    assert [found.alpha for found in results[1:]] == [0, 1, None, None, None]
    assert [found.theta for found in results[1:]] == [0.9, 0.7, 0.9, 0.25, math.inf]
    assert not results[-1].delivers(1e308)


# ---- random lists against the seed's text, slowly -------------------------------------------------------------------


def transcription(scores, feedback, credit, cost, beta, gamma, share):
    """Document 003, word for word and in fractions: rank, try each cutoff, find the best, go down to zero, interpolate."""
    ranked = sorted({score for score in scores if score > 0}, reverse=True)  # each possible threshold point
    utility = {}
    for (
        cutoff
    ) in ranked:  # "try out each possible cutoff": what lies above is delivered, the unjudged is non-relevant
        delivered = [said for score, said in zip(scores, feedback, strict=True) if score >= cutoff]
        utility[cutoff] = sum(credit if said else cost for said in delivered)
    judged = sum(said is not None for said in feedback)
    alpha = beta + (1 - beta) * math.exp(-judged * gamma)
    if not any(said and score > 0 for score, said in zip(scores, feedback, strict=True)):
        if not ranked:
            return None, None, 0.0
        above = sorted((score for score in scores if score > 0), reverse=True)
        rank = max(1, math.floor(Fraction(str(share)) * len(scores)))
        start = above[min(rank, len(above)) - 1]
        return None, None, (1 - alpha) * above[0] + alpha * start
    best = max(utility.values())
    theta_opt = min(cutoff for cutoff in ranked if utility[cutoff] == best)
    lower = [cutoff for cutoff in ranked if cutoff < theta_opt]  # "goes down the ranked list"
    theta_zero = next((cutoff for cutoff in lower if utility[cutoff] <= 0), ranked[-1])
    return theta_opt, theta_zero, (1 - alpha) * theta_opt + alpha * theta_zero


SCORES = st.one_of(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 1.0]), st.floats(-0.2, 2, allow_nan=False))
LISTS = st.lists(st.tuples(SCORES, st.sampled_from([R, R, N, U, U, U])), max_size=60)
PRICES = st.sampled_from([(2, -1), (3, -2), (1, -1), (5, -1), (1, -4), (4, 0)])


@settings(max_examples=600, deadline=None)
@given(
    seen=LISTS,
    prices=PRICES,
    beta=st.floats(0, 1),
    gamma=st.floats(0, 3),
    share=st.sampled_from([0.005, 0.1, 0.5, 1.0]),
)
@example(seen=[(0.5, R)] + [(0.4, N)] * 30 + [(0.3, R)], prices=(2, -1), beta=0.1, gamma=0.05, share=0.1)
@example(seen=[(0.9, N)] * 20 + [(0.2, R), (0.1, U)], prices=(2, -1), beta=0.1, gamma=0.05, share=0.1)
def test_the_formula_equals_a_slow_literal_transcription(seen, prices, beta, gamma, share):
    scores, feedback = [score for score, _ in seen], [said for _, said in seen]
    credit, cost = prices
    found = beta_gamma(
        scores, feedback, utility=LinearUtility(credit, cost), beta=beta, gamma=gamma, share=share
    )
    theta_opt, theta_zero, theta = transcription(scores, feedback, credit, cost, beta, gamma, share)
    assert (found.theta_opt, found.theta_zero) == (theta_opt, theta_zero)
    assert found.theta == pytest.approx(theta, rel=1e-12, abs=1e-12)
    assert optimum(scores, feedback, utility=LinearUtility(credit, cost)).theta_opt == theta_opt
    if theta_opt is not None:
        assert optimum(scores, feedback, utility=LinearUtility(credit, cost)).theta == theta_opt
        assert zero(scores, feedback, utility=LinearUtility(credit, cost)).theta == theta_zero


def test_the_formula_equals_the_transcription_on_long_lists():
    chance = np.random.default_rng(3)
    for _ in range(25):
        count = int(chance.integers(200, 1500))
        scores = np.round(chance.random(count), int(chance.integers(1, 6)))
        judged = chance.random(count) < 0.1 * scores
        feedback = [
            bool(chance.random() < score) if one else None for one, score in zip(judged, scores, strict=True)
        ]
        found = beta_gamma(scores, feedback)
        theta_opt, theta_zero, theta = transcription(scores.tolist(), feedback, 2, -1, 0.4, 0.02, 0.005)
        assert (found.theta_opt, found.theta_zero) == (theta_opt, theta_zero)
        assert found.theta == pytest.approx(theta, rel=1e-12)


# ---- properties ------------------------------------------------------------------------------------------------------


@given(n=st.integers(0, 10_000), beta=st.floats(0, 1), gamma=st.floats(0, 5))
def test_alpha_lies_between_beta_and_one_and_falls_with_n_and_gamma(n, beta, gamma):
    alpha = alpha_of(n, beta=beta, gamma=gamma)
    assert beta <= alpha <= 1
    assert alpha_of(n + 1, beta=beta, gamma=gamma) <= alpha
    assert alpha_of(n, beta=beta, gamma=gamma + 0.1) <= alpha
    assert alpha_of(0, beta=beta, gamma=gamma) == pytest.approx(1, abs=1e-15)


@settings(max_examples=300, deadline=None)
@given(seen=LISTS, prices=PRICES, beta=st.floats(0, 1), gamma=st.floats(0, 3))
def test_theta_lies_between_theta_zero_and_theta_opt(seen, prices, beta, gamma):
    scores, feedback = [score for score, _ in seen], [said for _, said in seen]
    found = beta_gamma(scores, feedback, utility=LinearUtility(*prices), beta=beta, gamma=gamma)
    low, high = (found.start, found.top) if found.theta_opt is None else (found.theta_zero, found.theta_opt)
    assert low is not None
    assert high is not None
    assert low <= found.theta <= high


@settings(max_examples=200, deadline=None)
@given(seen=LISTS, gamma=st.floats(0, 3), more=st.floats(0.01, 3))
def test_theta_does_not_fall_as_gamma_grows(seen, gamma, more):
    scores, feedback = [score for score, _ in seen], [said for _, said in seen]
    lower, higher = (beta_gamma(scores, feedback, gamma=one) for one in (gamma, gamma + more))
    assert higher.theta >= lower.theta - 1e-12


@settings(max_examples=200, deadline=None)
@given(seen=LISTS, shift=st.sampled_from([0.5, 2, 8]))
def test_scores_in_another_unit_give_the_threshold_in_that_unit(seen, shift):
    scores, feedback = [score for score, _ in seen], [said for _, said in seen]
    assume(all(score == 0 or abs(score) > 1e-300 for score in scores))
    found, other = beta_gamma(scores, feedback), beta_gamma([score * shift for score in scores], feedback)
    assert other.theta == pytest.approx(found.theta * shift, rel=1e-12)
