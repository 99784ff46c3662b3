"""Means of which people judged some and a model all: against ppi-python, literal formulas, and simulation."""

import importlib
import math
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from gainful.statistics.prediction_powered import (
    LEAST_TOPICS,
    PoweredMean,
    combined,
    common_slope,
    of_these_topics,
    over_topics,
)

RANDOM = np.random.default_rng(0)
PEOPLE = RANDOM.random(16)
MODEL = PEOPLE + 0.2 * RANDOM.random(16)
ELSEWHERE = RANDOM.random(37)


@pytest.fixture(scope="module")
def ppi():
    """ppi-python without numba, which only makes functions faster that are not called here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "numba", SimpleNamespace(njit=lambda function: function))
        return importlib.import_module("ppi_py")


@pytest.mark.parametrize("weight", [0.0, 0.5, 1.0])
def test_for_a_given_lambda_the_estimate_is_that_of_ppi_python_and_the_error_has_n_minus_1(ppi, weight):
    slope = weight * (16 + 37) / 37
    means = over_topics(PEOPLE[None], MODEL[None], ELSEWHERE[None], slope=slope, independent=0)
    assert means.estimate[0] == pytest.approx(
        ppi.ppi_mean_pointestimate(PEOPLE, MODEL, ELSEWHERE, lam=weight)[0], rel=1e-12
    )
    low, high = ppi.ppi_mean_ci(PEOPLE, MODEL, ELSEWHERE, alpha=0.05, lam=weight)
    residual = PEOPLE - weight * MODEL
    theirs = math.sqrt(residual.var() / 16 + (weight * ELSEWHERE).var() / 37)
    assert (high[0] - low[0]) / 2 == pytest.approx(stats.norm.ppf(0.975) * theirs)
    ours = math.sqrt(residual.var(ddof=1) / 16 + (weight * ELSEWHERE).var(ddof=1) / 37)
    assert means.error[0] == pytest.approx(ours)


def test_lambda_itself_is_that_of_ppi_python_but_for_the_labels_whose_variance_is_taken(ppi):
    people, model, elsewhere = PEOPLE[None], MODEL[None], ELSEWHERE[None]
    apart = ELSEWHERE.mean() - MODEL.mean()
    ours = (over_topics(people, model, elsewhere).estimate[0] - PEOPLE.mean()) / apart
    theirs = (
        ppi.ppi_mean_pointestimate(PEOPLE, MODEL, ELSEWHERE, lam_optim_mode="overall")[0] - PEOPLE.mean()
    ) / apart
    every = np.concatenate(
        [MODEL, ELSEWHERE]
    )  # theirs is that of all labels, ours of those beside people's grades
    assert theirs == pytest.approx(ours * MODEL.var() / every.var(ddof=1))


def test_the_slope_is_that_of_least_squares_over_all_rows_each_with_a_level_of_its_own():
    people, model = RANDOM.random((3, 8)), RANDOM.random((3, 8))
    columns = np.concatenate([model.ravel()[None], np.kron(np.eye(3), np.ones(8))])
    assert common_slope(people, model) == pytest.approx(np.linalg.lstsq(columns.T, people.ravel())[0][0])


def test_these_topics_have_the_regression_estimate_of_survey_sampling():
    means = of_these_topics(PEOPLE[None], MODEL[None], ELSEWHERE[None])
    slope = stats.linregress(MODEL, PEOPLE).slope
    every = np.concatenate([MODEL, ELSEWHERE])
    assert means.estimate[0] == pytest.approx(PEOPLE.mean() + slope * (every.mean() - MODEL.mean()))
    residual = PEOPLE - slope * MODEL
    variance = ((residual - residual.mean()) ** 2).sum() / 14
    own = (MODEL.mean() - every.mean()) ** 2 / ((MODEL - MODEL.mean()) ** 2).sum()
    assert means.error[0] == pytest.approx(math.sqrt(variance * ((1 - 16 / 53) / 16 + own)))


def test_when_people_judged_every_topic_nothing_is_left_to_chance_for_these_topics():
    means = of_these_topics(PEOPLE[None], MODEL[None], np.empty((1, 0)))
    assert means.estimate[0] == pytest.approx(PEOPLE.mean())
    assert means.error[0] == 0


def test_degrees_of_freedom_fall_where_one_topic_makes_the_variance_and_there_are_none_where_it_decides_alone():
    even = np.tile([0.0, 1.0], 8)[None]
    nothing, elsewhere = np.zeros((1, 16)), np.zeros((1, 10))
    assert over_topics(even, nothing, elsewhere).freedom[0] == pytest.approx(15)
    apart = even - even.mean()
    apart[0, 0] = 2.2
    excess = stats.kurtosis(apart[0])
    assert over_topics(apart, nothing, elsewhere).freedom[0] == pytest.approx(2 / (2 / 15 + excess / 16))
    alone = np.zeros((1, 16))
    alone[0, 3] = 1.0
    assert np.isnan(over_topics(alone, nothing, elsewhere).interval(0.95)).all()


def test_fewer_topics_than_the_least_have_no_interval():
    rows = RANDOM.random((2, LEAST_TOPICS))
    given = over_topics(rows, rows, RANDOM.random((2, 9)), slope=0.5)
    assert not np.isnan(given.error).any()
    fewer = over_topics(rows[:, 1:], rows[:, 1:], RANDOM.random((2, 9)), slope=0.5)
    assert np.isnan(fewer.error).all()


def test_p_values_agree_with_intervals_and_with_one_sided_bounds():
    means = over_topics(PEOPLE[None], MODEL[None], ELSEWHERE[None])
    low, high = means.interval(0.9)
    assert means.p_values(float(low[0]))[0] == pytest.approx(0.1)
    one = PoweredMean(*(float(each[0]) for each in (means.estimate, means.error, means.freedom)))
    assert (one.lower(0.05), one.upper(0.05)) == pytest.approx((low[0], high[0]))
    assert one.p_above(one.lower(0.05)) == pytest.approx(0.05)
    assert one.p_below(one.upper(0.05)) == pytest.approx(0.05)


def test_without_an_error_nothing_is_bounded():
    unknown = PoweredMean(0.1, math.nan, math.nan)
    assert (unknown.p_above(0.0), unknown.lower(0.05), unknown.upper(0.05)) == (1.0, -math.inf, math.inf)


def test_several_models_are_combined_by_weights_of_the_other_topics():
    people, models = RANDOM.random((4, 12)), RANDOM.random((2, 4, 12))
    elsewhere = RANDOM.random((2, 4, 5))
    there, _ = combined(people, models, elsewhere)
    level = np.concatenate([models, elsewhere], axis=2).mean(axis=2, keepdims=True)
    centred = models - models.mean(axis=2, keepdims=True)
    wanted = people - people.mean(axis=1, keepdims=True)
    kept = np.arange(12) != 3
    total = sum(centred[:, :, t] @ centred[:, :, t].T for t in range(12))
    left = total - centred[:, :, 3] @ centred[:, :, 3].T + np.diag(0.05 * np.diag(total))
    weights = np.linalg.solve(left, sum(centred[:, :, t] @ wanted[:, t] for t in np.flatnonzero(kept)))
    assert there[:, 3] == pytest.approx(weights @ (models - level)[:, :, 3])


def test_a_constant_added_to_a_model_changes_no_estimate():
    people, models, elsewhere = RANDOM.random((3, 9)), RANDOM.random((2, 3, 9)), RANDOM.random((2, 3, 20))
    shift = np.array([5.0, -2.0])[:, None, None]
    before, after = (
        over_topics(people, *combined(people, models + moved, elsewhere + moved)) for moved in (0.0, shift)
    )
    assert after.estimate == pytest.approx(before.estimate)


@pytest.mark.parametrize(("n", "m", "agreement"), [(6, 30, 0.8), (8, 45, 0.0), (16, 37, 0.8)])
def test_one_pair_alone_pays_for_its_slope(n, m, agreement):
    random = np.random.default_rng(n)
    held = {over_topics: [], of_these_topics: []}
    for _ in range(4000):
        model = random.normal(size=n + m)
        people = agreement * model + math.sqrt(1 - agreement**2) * random.normal(size=n + m)
        for estimated, truth in ((over_topics, 0.0), (of_these_topics, people.mean())):
            low, high = estimated(people[None, :n], model[None, :n], model[None, n:]).interval(0.95)
            if not math.isnan(low[0]):
                held[estimated].append(low[0] <= truth <= high[0])
    for each in held.values():
        assert np.mean(each) > 0.935


def test_rounding_is_no_variance():
    same = over_topics(np.full((1, 10), 0.2), RANDOM.random((1, 10)), RANDOM.random((1, 20)))
    assert np.isnan(same.error).all()


@pytest.mark.parametrize("agreement", [0.0, 0.9, -0.9])
def test_intervals_hold_the_truth_whatever_the_model_is_worth_and_are_narrower_where_it_is_good(agreement):
    random = np.random.default_rng(3)
    pairs, n, m = 40, 16, 37
    held, widths = [], []
    for _ in range(200):
        truth = random.normal(size=(pairs, 1))
        people = truth + random.normal(size=(pairs, n + m))
        noise = random.normal(size=people.shape)
        model = agreement * people + math.sqrt(1 - agreement**2) * noise + 5
        means = over_topics(people[:, :n], model[:, :n], model[:, n:], independent=pairs)
        low, high = means.interval(0.95)
        given = ~np.isnan(low)
        held.append(np.mean(((low <= truth[:, 0]) & (truth[:, 0] <= high))[given]))
        alone = 2 * stats.t.ppf(0.975, n - 1) * people[:, :n].std(axis=1, ddof=1) / math.sqrt(n)
        widths.append(np.nanmedian((high - low) / alone))
    assert 0.935 <= np.mean(held) <= 0.965
    best = math.sqrt(1 - agreement**2 * m / (n + m))
    assert np.mean(widths) == pytest.approx(best, abs=0.04)
