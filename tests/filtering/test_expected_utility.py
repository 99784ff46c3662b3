"""Expected utility: the calibrated curve and its thetas, against literal transcriptions and general optimisers."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from scipy.optimize import minimize

from gainful._core import fit_curve, plain_calibration
from gainful.filtering.expected_utility import expected_curve, expected_thetas
from gainful.filtering.relevance_calibration import (
    PRIOR,
    PRIOR_OF_RANKS,
    Calibration,
    Prior,
    calibrated,
    places_of,
)
from gainful.filtering.theta_opt_and_zero import Answers, LinearUtility, Seen
from gainful.filtering.threshold_rules import expected

ALIKE = {"example": 1.0, "recent": 0.0, "least": 1e12, "silence": 0.0}
"""Every answer counts the same, and silence nothing."""

USUAL = LinearUtility(2, -1)


def history(places, relevant, *, scores=None, silent=(), dropped=0, seed=0):
    """Documents seen, of which the first were judged, at these places (None: as their scores are now)."""
    count = len(places)
    if scores is None:
        scores = np.random.default_rng(seed).random(max(50, count + len(silent)))
    rows = np.arange(count)
    answers = Answers(
        rows,
        np.array([math.nan if place is None else place for place in places], np.float64),
        np.array(relevant, np.bool_),
        np.array(silent, np.int64),
    )
    return Seen(np.asarray(scores, np.float64), rows[answers.relevant], count, dropped, answers)


def logit(probability):
    return math.log(probability / (1 - probability))


# ---- places


@given(some.lists(some.sampled_from([0.0, 0.1, 0.2, 0.5, 0.9]), min_size=1, max_size=30), some.integers(0, 9))
def test_places_are_counted(scores, dropped):
    found = places_of(np.array(scores), np.array(scores), dropped)
    for place, score in zip(found, scores, strict=True):
        higher = sum(other > score for other in scores)
        assert place == pytest.approx(-math.log((higher + 0.5) / (len(scores) + dropped + 1)), rel=1e-14)
    alone = [places_of(np.array([score]), np.array(scores), dropped)[0] for score in scores]
    assert alone == found.tolist()
    assert (found > 0).all()


@given(some.lists(some.floats(-0.5, 1), min_size=1, max_size=30), some.sampled_from([0.5, 1.5]))
def test_near_scores_have_higher_places(scores, nearness):
    found = places_of(np.array(scores), np.array(scores), 7, nearness)
    for place, score in zip(found, scores, strict=True):
        rare = -math.log((sum(other > score for other in scores) + 0.5) / (len(scores) + 8))
        literal = rare + nearness * math.log(max(score, 0.001) / 0.15)
        assert place == pytest.approx(max(literal, 0.001), rel=1e-12)


def test_far_documents_are_not_delivered_however_rare_and_near_ones_are():
    """Of two profiles whose scores stand in the same order, one has nothing that is near."""
    near = np.linspace(0.6, 0.0, 2000) ** 4 * 4
    for scale, delivers in ((1.0, True), (0.04, False)):
        found = expected(Seen(near * scale, np.empty(0, np.int64), 0))
        assert (found.theta <= near[0] * scale) == delivers
        assert expected(Seen(near * scale, np.empty(0, np.int64), 0), nearness=0.0).theta <= near[0] * scale


def test_vectors_that_are_given_have_places_by_rank_alone():
    scores = np.linspace(-0.9, 0.9, 500)
    seen = history([5.0, 4.0], [True, False], scores=scores)
    found = expected(seen, floor=-math.inf)
    assert found.calibration.nearness == 0
    assert found.theta == expected(seen, floor=-math.inf, nearness=0.0).theta


# ---- the curve


def posterior(parameters, places, labels, weights, prior):
    """Minus the logarithm of prior times likelihood, as it is written in books."""
    intercept, slope = parameters
    shared = prior.correlation * prior.intercept_deviation * prior.slope_deviation
    covariance = [[prior.intercept_deviation**2, shared], [shared, prior.slope_deviation**2]]
    ahead = np.array([intercept - prior.intercept, slope - prior.slope])
    believed = 0.5 * ahead @ np.linalg.solve(covariance, ahead)
    for place, label, weight in zip(places, labels, weights, strict=True):
        value = intercept + slope * place
        believed += weight * (np.logaddexp(0, value) - label * value)
    return believed


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("prior", [PRIOR_OF_RANKS, Prior(-3.0, 0.5, 1.0, 2.0, 0.3)])
def test_the_curve_has_the_highest_posterior_probability(seed, prior):
    draw = np.random.default_rng(seed)
    count = int(draw.integers(1, 60))
    places, relevant = draw.exponential(2, count) + 2, draw.random(count) < draw.random()
    curve = calibrated(history(places, relevant), history(places, relevant).answers, **ALIKE, prior=prior)
    given_ = (places, relevant, np.ones(count), prior)
    found = minimize(
        posterior, [-5, 1], given_, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-13}
    )
    if found.x[1] < 0.05:  # only then is the slope kept at its least value
        held = minimize(lambda one: posterior([one[0], 0.05], *given_), [-5], method="Nelder-Mead")
        assert (curve.intercept, curve.slope) == (pytest.approx(held.x[0], abs=1e-3), 0.05)
        return
    assert [curve.intercept, curve.slope] == pytest.approx(found.x, abs=1e-4)
    step = 1e-3
    hessian = np.empty((2, 2))
    for i in range(2):
        for j in range(2):
            corners = [
                (
                    s * t,
                    posterior(
                        np.array([curve.intercept, curve.slope])
                        + step * (s * np.eye(2)[i] + t * np.eye(2)[j]),
                        *given_,
                    ),
                )
                for s in (1, -1)
                for t in (1, -1)
            ]
            hessian[i, j] = sum(sign * value for sign, value in corners) / (4 * step**2)
    assert curve.covariance == pytest.approx(np.linalg.inv(hessian), rel=1e-3, abs=1e-5)


def test_a_slope_that_would_fall_is_held_and_the_intercept_fitted_to_it():
    """Everything rare is unwanted and everything common wanted; a curve that kept the intercept alone would promise both."""
    places = np.array([1.0] * 100 + [7.0] * 200)
    relevant = places < 2
    seen = history(places, relevant)
    curve = calibrated(seen, seen.answers, **ALIKE)
    assert curve.slope == 0.05
    held = minimize(
        lambda one: posterior([one[0], 0.05], places, relevant, np.ones(300), PRIOR_OF_RANKS),
        [0],
        method="BFGS",
    )
    assert curve.intercept == pytest.approx(held.x[0], abs=1e-4)
    assert curve.probability(np.array([7.0]))[0] < 0.45  # a third of all answers


@pytest.mark.parametrize("count", [0, 1, 5000])
@pytest.mark.parametrize("relevant", [True, False])
def test_answers_that_are_all_the_same_leave_a_curve(count, relevant):
    seen = history([6.0] * count, [relevant] * count)
    curve = calibrated(seen, seen.answers, **ALIKE)
    assert math.isfinite(curve.intercept)
    assert 0.05 <= curve.slope < 10
    assert (np.linalg.eigvalsh(curve.covariance) > 0).all()
    prior = Calibration(PRIOR_OF_RANKS.intercept, PRIOR_OF_RANKS.slope, np.zeros((2, 2)))
    here, before = (one.probability(np.array([6.0]))[0] for one in (curve, prior))
    assert here == pytest.approx(before) if count == 0 else (here > before) == relevant


def test_thousands_of_answers_at_far_places_are_fitted():
    draw = np.random.default_rng(5)
    places = np.concatenate([draw.uniform(0.01, 15, 4000), np.full(1000, 600.0)])
    relevant = draw.random(5000) < 1 / (1 + np.exp(12 - 1.5 * np.minimum(places, 20)))
    seen = history(places, relevant)
    curve = calibrated(seen, seen.answers, **ALIKE)
    found = minimize(posterior, [-9, 1.2], (places, relevant, np.ones(5000), PRIOR_OF_RANKS), method="BFGS")
    assert [curve.intercept, curve.slope] == pytest.approx(found.x, rel=1e-3)


def test_examples_count_by_their_place_now_and_by_their_weight():
    scores = np.linspace(0, 1, 40)[::-1]
    seen = history([None, 3.0], [True, False], scores=scores)
    given_ = {"recent": 0.0, "least": 1e12, "silence": 0.0}
    curve = calibrated(seen, seen.answers, example=0.25, **given_)
    places = [-math.log(0.5 / 41), 3.0]
    found = minimize(posterior, [-9, 1.5], (places, [1, 0], [0.25, 1], PRIOR_OF_RANKS), method="BFGS")
    assert [curve.intercept, curve.slope] == pytest.approx(found.x, abs=1e-4)
    assert calibrated(seen, seen.answers, example=0.0, **given_).slope == pytest.approx(
        calibrated(history([3.0], [False]), history([3.0], [False]).answers, example=0.0, **given_).slope
    )


def test_the_latest_answers_count_most_by_a_half_life_in_answers():
    places, relevant = [4.0, 5.0, 6.0, 7.0, 8.0], [True, False, True, False, True]
    seen = history(places, relevant)
    curve = calibrated(seen, seen.answers, example=1.0, recent=0.4, least=1.0, silence=0.0)
    weights = [2 ** (-age / 2) for age in (4, 3, 2, 1, 0)]  # a half-life of 0.4 · 5 answers
    found = minimize(posterior, [-9, 1.5], (places, relevant, weights, PRIOR_OF_RANKS), method="BFGS")
    assert [curve.intercept, curve.slope] == pytest.approx(found.x, abs=1e-4)


def test_errors_move_the_curve_by_the_standard_error_of_its_logit():
    covariance = np.array([[2.0, -0.3], [-0.3, 0.09]])
    curve = Calibration(-6.0, 1.5, covariance)
    for place in (0.0, 2.0, 5.0):
        row = np.array([1, place])
        error = math.sqrt(row @ covariance @ row)
        for errors in (-2.0, 0.5, 1.0):
            found = curve.probability(np.array([place]), errors)[0]
            assert logit(found) == pytest.approx(-6 + 1.5 * place + errors * error)


# ---- silence


def reader(only_relevant, share, *, seed, deliveries=120, precision=0.5):
    """Deliveries in order, some answered: by one who answers what is relevant, most of the time, or by one who answers any."""
    draw = np.random.default_rng(seed)
    good = draw.random(deliveries) < precision
    answered = (
        (good & (draw.random(deliveries) < share)) if only_relevant else draw.random(deliveries) < share
    )
    scores = draw.random(400)
    rows = np.arange(deliveries)
    places = np.full(int(answered.sum()), 5.0)
    answers = Answers(rows[answered], places, good[answered], rows[~answered])
    return Seen(scores, rows[answered & good], int(answered.sum()), 0, answers)


@pytest.mark.parametrize("seed", range(6))
def test_a_reader_who_answers_only_what_is_relevant_is_recognised(seed):
    seen = reader(True, 0.9, seed=seed)
    given_ = {"example": 0.15, "recent": 0.1, "least": 15.0}
    curve = calibrated(seen, seen.answers, **given_, silence=1.0)
    assert curve.silence > 0.8
    deaf = calibrated(seen, seen.answers, **given_, silence=0.0)
    assert deaf.silence == 0
    places = np.linspace(0.1, 6, 9)
    assert (
        curve.probability(places) < deaf.probability(places)
    ).all()  # silence is then a hint that it was not


@pytest.mark.parametrize("share", [0.2, 0.3, 0.6])
@pytest.mark.parametrize("seed", range(6))
def test_a_reader_who_answers_some_at_random_is_not_taken_for_one_who_clicks(seed, share):
    seen = reader(False, share, seed=seed)
    curve = calibrated(seen, seen.answers, example=0.15, recent=0.1, least=15.0, silence=1.0)
    assert curve.silence < 0.05
    unanswered = seen.answers._replace(silent=seen.answers.silent[:0])
    without = calibrated(seen, unanswered, example=0.15, recent=0.1, least=15.0, silence=1.0)
    if curve.silence == 0:
        assert (curve.intercept, curve.slope) == (without.intercept, without.slope)


@pytest.mark.parametrize("answers", [0, 1])
def test_silence_alone_says_nothing(answers):
    """Of one who never said "relevant" nothing is known."""
    seen = history([5.0] * answers, [False] * answers, silent=range(answers, 40))
    assert calibrated(seen, seen.answers, example=1, recent=0.1, least=15.0, silence=1.0).silence == 0


# ---- thetas


def literal_thetas(scores, dropped, curve, utility):
    """theta_opt by the sum over a fine grid of ranks, theta_zero rank by rank; scores between ranks on straight lines."""
    count = len(scores) + dropped
    ordered = np.sort(scores)[::-1]

    def worth(rank):
        probability = 1 / (1 + np.exp(-(curve.intercept - curve.slope * np.log((rank + 0.5) / (count + 1)))))
        return utility.won * probability + utility.lost * (1 - probability)

    grid = np.linspace(-0.5 + 1e-9, count + 0.5, 400_001)
    sums = np.cumsum(worth(grid))
    first = grid[int(np.argmax(sums))] if sums.max() > 0 else -0.5
    total, last = 0.0, None
    for rank in range(count):
        total += worth(rank)
        if rank > first and total <= 0:
            last = rank
            break
    below = np.interp(count if last is None else last, np.arange(len(scores)), ordered)
    return first, np.interp(first, np.arange(len(scores)), ordered), below


@pytest.mark.parametrize("dropped", [0, 300])
@pytest.mark.parametrize(
    "utility", [USUAL, LinearUtility(1, -1), LinearUtility(3, -2), LinearUtility(0.3, -0.01)]
)
@pytest.mark.parametrize(("intercept", "slope"), [(-6, 1.5), (-3, 1.0), (-9, 2.5), (-1, 0.05), (2, 0.5)])
def test_the_thetas_are_those_of_a_grid_search(intercept, slope, utility, dropped):
    scores = np.random.default_rng(3).random(500) ** 4
    curve = Calibration(float(intercept), float(slope), np.eye(2))
    theta_opt, theta_zero = expected_thetas(
        Seen(scores, scores[:0].astype(int), 0, dropped), curve, utility, 0.0, 0.0
    )
    first, opt, zero = literal_thetas(scores, dropped, curve, utility)
    assert theta_zero == pytest.approx(zero, abs=1e-12)
    if first > 0:
        assert theta_opt == pytest.approx(opt, abs=2e-3)
    else:
        assert theta_opt >= scores.max()


def test_scores_are_read_between_ranks_and_go_on_beyond_the_highest():
    scores = np.array([0.2, 0.8, 0.4, 0.6])
    seen = Seen(scores, scores[:0].astype(int), 0)

    def opt(rank):  # a curve that needs just that rank
        place = -math.log((rank + 0.5) / 5)
        return expected_thetas(
            seen, Calibration(-1.0 * place, 1.0, np.eye(2)), LinearUtility(1, -1), 0.0, 0.0
        )[0]

    assert opt(0.5) == pytest.approx(0.7)
    assert opt(1.25) == pytest.approx(0.55)
    assert opt(2.0) == pytest.approx(0.4)
    assert opt(3.9) == 0.2
    rise = (0.8 - 0.2) / math.log(3.5 / 0.5)  # from the lowest to the highest, by the logarithm of the rank
    assert opt(-0.25) == pytest.approx(0.8 + rise * math.log(2))


@pytest.mark.parametrize("caution", [0.0, 0.7, 2.0])
@pytest.mark.parametrize("nearness", [0.0, 1.5])
def test_at_theta_opt_the_log_odds_are_just_enough(caution, nearness):
    scores = np.random.default_rng(3).random(500) ** 4
    seen = Seen(scores, np.empty(0, np.int64), 0, 40)
    for intercept in (-9.0, -6.0, -3.0):
        curve = Calibration(intercept, 1.4, np.eye(2), nearness=nearness)
        theta, _ = expected_thetas(seen, curve, USUAL, 0.0, 0.0, caution)
        if theta < scores.max():
            ordered = np.sort(scores)[::-1]
            rank = float(np.interp(-theta, -ordered, np.arange(500)))
            rare = -math.log((rank + 0.5) / 541)
            place = rare + nearness * math.log(theta / 0.15)
            assert intercept + 1.4 * place == pytest.approx(math.log(1 / 2) + caution, abs=1e-9)
        else:
            highest = math.log(2 * 541) + nearness * math.log(scores.max() / 0.15)
            assert intercept + 1.4 * highest < math.log(1 / 2) + caution


@pytest.mark.parametrize("optimism", [0.1, 0.5, 1.0, 3.0])
@pytest.mark.parametrize("count", [3, 40])
def test_optimism_lowers_theta_opt_to_where_the_upper_curve_is_worth_it(optimism, count):
    draw = np.random.default_rng(count)
    places = draw.uniform(3, 8, count)
    seen = history(places, draw.random(count) < 0.4, scores=draw.random(3000))
    curve = calibrated(seen, seen.answers, **ALIKE)
    hopeful, plain = (expected_thetas(seen, curve, USUAL, 0.0, one)[0] for one in (optimism, 0.0))
    assert hopeful <= plain
    ordered = np.sort(seen.scores)[::-1]
    places = -np.log((np.arange(3000) + 0.5) / 3001)
    enough = curve.probability(places, optimism) >= 1 / 3
    stretch = 3000 if enough.all() else int(np.argmin(enough))  # down to the first that is not worth it
    if 1 < stretch < 3000:
        assert ordered[stretch] <= hopeful <= ordered[stretch - 1]
    if stretch == 3000:
        assert hopeful == ordered[-1]


@pytest.mark.parametrize(
    "utility",
    [
        LinearUtility(2, 0),
        LinearUtility(1e-300, -1e300),
        LinearUtility(1e300, -1e-300),
        LinearUtility(1e308, -1e308),
        LinearUtility(1, -1e-20),
        LinearUtility(1e-20, -1),
        LinearUtility(1e-17, -1),
        LinearUtility(1, -1, missed=-2, avoided=0.5),
    ],
)
@pytest.mark.parametrize("optimism", [0.0, 1.0])
def test_any_utility_gives_finite_thetas_in_order(utility, optimism):
    seen = history([5.0, 4.0], [True, False])
    found = expected(seen, utility=utility, optimism=optimism)
    assert math.isfinite(found.theta_opt)
    assert found.theta_zero <= found.theta <= found.theta_opt
    if utility.lost == 0:
        assert found.theta == seen.scores.min()  # nothing is lost by a delivery


def test_without_documents_the_threshold_is_the_floor():
    for floor in (0.0, -math.inf):
        assert expected([], [], floor=floor).theta == floor


def test_one_document_and_equal_scores():
    assert math.isfinite(expected([0.5], [True]).theta)
    assert expected([0.5] * 30, [True] * 30).theta == 0.5
    # Not even the highest score is worth it: they are closed out together.
    assert 0.5 < expected([0.5] * 30, [False] * 30).theta < 0.51


def test_a_long_past_costs_nothing(monkeypatch):
    """Only the documents that are held are gone through, however many were seen."""
    scores = np.random.default_rng(1).random(100)
    seen = Seen(scores, np.array([3]), 1, 10**12, history([5.0], [True]).answers)
    assert math.isfinite(expected(seen).theta)


def test_the_curve_of_charts_is_the_sum_of_expected_gains():
    curve = Calibration(-4.0, 1.0, np.array([[0.4, -0.05], [-0.05, 0.02]]))
    drawn = expected_curve(curve, Seen(np.linspace(0, 1, 50), np.empty(0, np.int64), 0), USUAL)
    assert drawn.delivered.tolist() == list(range(1, 51))
    total = 0.0
    for rank in range(50):
        probability = 1 / (1 + math.exp(4 + math.log((rank + 0.5) / 51)))
        total += 2 * probability - (1 - probability)
        assert drawn.utility[rank] == pytest.approx(total)
    assert (drawn.low < drawn.utility).all()
    assert (drawn.utility < drawn.high).all()


# ---- what always holds

SCORES = some.floats(0, 1, allow_subnormal=False) | some.sampled_from([0.0, 0.25, 0.5])


@some.composite
def histories(draw):
    scores = draw(some.lists(SCORES, max_size=40))
    numbers = draw(some.lists(some.integers(0, 39), unique=True, max_size=20))
    numbers = sorted(number for number in numbers if number < len(scores))
    cut = draw(some.integers(0, len(numbers)))
    rows, silent = np.array(numbers[:cut], np.int64), np.array(numbers[cut:], np.int64)
    places = [draw(some.none() | some.floats(0.01, 15)) for _ in range(cut)]
    relevant = np.array([draw(some.booleans()) for _ in range(cut)], np.bool_)
    answers = Answers(
        rows, np.array([math.nan if place is None else place for place in places]), relevant, silent
    )
    return Seen(np.array(scores), rows[relevant], cut, draw(some.integers(0, 1000)), answers)


UTILITIES = some.sampled_from([USUAL, LinearUtility(1, -1), LinearUtility(3, -2), LinearUtility(1, 0)])


@settings(max_examples=300, deadline=None)
@given(histories(), UTILITIES, some.sampled_from([0.0, 0.5, 2.0]), some.sampled_from([0.0, 0.1, -math.inf]))
def test_theta_is_finite_or_the_floor_and_between_its_ends(seen, utility, optimism, floor):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = expected(seen, utility=utility, optimism=optimism, floor=floor)
    assert math.isfinite(found.theta) or (found.theta == floor and not len(seen.scores))
    assert floor <= found.theta_zero <= found.theta <= found.theta_opt
    if not len(seen.relevant):
        assert (found.alpha, found.theta) == (0, found.theta_opt)  # guesses are no time to explore
    rising = found.calibration.probability(np.linspace(0, 20, 50))
    assert (np.diff(rising) >= 0).all()
    assert (np.diff(rising)[rising[1:] < 0.999] > 0).all()


@settings(max_examples=200, deadline=None)
@given(histories(), some.randoms(use_true_random=False))
def test_the_order_of_the_history_decides_nothing(seen, chance):
    order = list(range(len(seen.scores)))
    chance.shuffle(order)
    new = np.argsort(np.array(order, np.int64)) if order else np.empty(0, np.int64)
    answers = seen.answers._replace(rows=new[seen.answers.rows], silent=new[seen.answers.silent])
    shuffled = Seen(seen.scores[order], new[seen.relevant], seen.judged, seen.dropped, answers)
    assert expected(shuffled).theta == expected(seen).theta


@settings(max_examples=200, deadline=None)
@given(some.lists(some.tuples(some.floats(0.1, 12), some.booleans()), max_size=15), some.floats(0.1, 12))
def test_one_more_relevant_answer_never_makes_its_own_place_less_probable(said, place):
    """At other places it may: a relevant answer far below turns the curve, and what is rare becomes less probable.

    So it can also raise theta_opt. Ages are left out here: with them every answer makes the others older.
    """
    before = history([one for one, _ in said], [good for _, good in said])
    after = history([*(one for one, _ in said), place], [*(good for _, good in said), True])
    chances = [
        calibrated(seen, seen.answers, **ALIKE).probability(np.array([place]))[0] for seen in (before, after)
    ]
    assert chances[1] >= chances[0] - 1e-7


def test_a_relevant_answer_far_below_can_raise_theta_opt():
    scores = np.random.default_rng(2).random(5000)
    said = [(6.0, True), (6.0, False)] * 20
    before = history([one for one, _ in said], [good for _, good in said], scores=scores)
    after = history([*(one for one, _ in said), 0.2], [*(good for _, good in said), True], scores=scores)
    thetas = [
        expected_thetas(seen, calibrated(seen, seen.answers, **ALIKE), LinearUtility(1, -3), 0.0, 0.0)[0]
        for seen in (before, after)
    ]
    assert thetas[1] > thetas[0]


# ---- the native fit beside its plain twin


@settings(max_examples=60, deadline=None)
@given(some.integers(0, 10**6), some.integers(0, 40), some.sampled_from([PRIOR, PRIOR_OF_RANKS]))
def test_the_fit_has_the_same_bits_in_both_cores(seed, count, prior):
    draw = np.random.default_rng(seed)
    places, weights = draw.exponential(4, count), draw.random(count) * draw.choice([1.0, 50.0])
    labels = np.where(draw.random(count) < 0.5, draw.random(count), (draw.random(count) < 0.3) * 1.0)
    (first, shared), (_, second) = prior.precision.tolist()
    believed = {"intercept": prior.intercept, "slope": prior.slope, "first": first, "shared": shared}
    fits = [
        fit(places, labels, weights, **believed, second=second, least_slope=0.05)
        for fit in (fit_curve, plain_calibration.fit_curve)
    ]
    assert fits[0] == fits[1]


@pytest.mark.parametrize("fit", [fit_curve, plain_calibration.fit_curve])
def test_answers_without_a_label_are_refused_by_both_cores(fit):
    prior = {"intercept": -2.0, "slope": 1.0, "first": 1.0, "shared": 0.0, "second": 1.0}
    with pytest.raises(ValueError, match="a label and a weight"):
        fit(np.ones(2), np.ones(1), np.ones(2), **prior, least_slope=0.05)
