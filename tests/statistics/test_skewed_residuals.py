"""Skewed residuals: a literal bootstrap-t, and how often intervals of skewed populations hold the truth."""

import math

import numpy as np
import pytest
from scipy import stats

from gainful.statistics.prediction_powered import of_these_topics, over_topics
from gainful.statistics.resampling import counts
from gainful.statistics.skewed_residuals import RESAMPLES, SKEWED, skewness, stretches

RANDOM = np.random.default_rng(6)
SKEW = np.array([0.1, 0.1, 0.2, 0.2, 0.3, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9, 1.3, 2.1, 2.9])
EVEN = np.linspace(-1, 1, 14)
ELSEWHERE = RANDOM.normal(scale=0.3, size=20)
NONE = np.empty((1, 0))


def literal(residual, predicted):
    """The 2.5 % ends of the resampled t, one resample after the other."""
    values = []
    others = counts(0, max(len(predicted), 1), 0, RESAMPLES, second=True)
    drawn = counts(0, len(residual), 0, RESAMPLES), others
    for number in range(RESAMPLES):
        total = variance = 0.0
        for row, times in zip((residual, predicted), drawn, strict=True):
            if len(row):
                again = np.repeat(row - row.mean(), times[number].astype(int))
                total += again.mean()
                variance += again.var() / (len(row) - 1)
        values.append(total / math.sqrt(variance))
    values.sort()
    return values[math.ceil(0.025 * RESAMPLES) - 1], values[math.ceil(0.975 * RESAMPLES) - 1]


@pytest.mark.parametrize("predicted", [ELSEWHERE, ELSEWHERE[:0]])
def test_a_skewed_row_reaches_as_far_as_a_literal_bootstrap_t_and_never_less_than_student(predicted):
    assert skewness(SKEW[None])[0] == pytest.approx(stats.skew(SKEW))
    assert stats.skew(SKEW) > SKEWED
    down, up = stretches(np.stack([SKEW, EVEN]), np.stack([predicted] * 2), np.array([11.0, 13.0]))
    low, high = literal(SKEW, predicted)
    reach = stats.t.ppf(0.975, 11)
    assert down[0] == pytest.approx(max(high / reach, 1))
    assert up[0] == pytest.approx(max(-low / reach, 1))
    assert up[0] > 1.05
    assert (down[1], up[1]) == (1, 1)


def test_the_interval_reaches_as_far_as_the_resampled_t_of_its_row_asks_for():
    means = over_topics(SKEW[None], np.zeros((1, 14)), np.zeros((1, 9)))
    assert means.freedom[0] < 13  # single topics make most of the variance
    low, high = (float(end[0]) for end in means.interval(0.95))
    least, most = literal(SKEW, np.zeros(9))
    student = stats.t.ppf(0.975, means.freedom[0])
    assert SKEW.mean() - low == pytest.approx(max(most, student) * means.error[0])
    assert high - SKEW.mean() == pytest.approx(-least * means.error[0])


def test_where_people_judged_half_of_the_topics_both_halves_are_drawn_by_themselves():
    size, freedom = 40, np.array([39.0])
    random = np.random.default_rng(9)
    people, predicted = random.exponential(size=(1, size)), 0.8 * random.exponential(size=(1, size))
    orders = np.stack([np.sort(predicted[0]), np.sort(predicted[0])[::-1]])
    alike = np.sort(people, axis=1)  # as topic i of one with topic i of the other would show
    ends = [stretches(alike, order[None], freedom) for order in orders]
    assert [end[0] for end in ends[0]] == pytest.approx([end[0] for end in ends[1]], rel=0.1)


def test_turning_the_signs_turns_the_sides():
    down, up = stretches(SKEW[None], NONE, np.array([13.0]))
    turned = stretches(-SKEW[None], NONE, np.array([13.0]))
    assert (turned[0][0], turned[1][0]) == pytest.approx((up[0], down[0]), rel=0.02)


def test_intervals_p_values_and_bounds_of_a_skewed_row_agree():
    means = over_topics(SKEW[None], np.zeros((1, 14)), np.zeros((1, 9)))
    assert means.stretched.all()
    (mean,) = means.each()
    low, high = mean.interval(0.95)
    assert (low, high) == pytest.approx([float(end[0]) for end in means.interval(0.95)])
    assert high - mean.estimate > 1.2 * (mean.estimate - low)
    for end in (low, high):
        assert means.p_values(end)[0] == pytest.approx(0.05)
    assert mean.p_above(mean.lower(0.05)) == pytest.approx(0.05) == mean.p_below(mean.upper(0.05))
    assert mean.mirrored.interval(0.95) == pytest.approx((-high, -low))
    assert mean.mirrored.p_above(-high) == pytest.approx(mean.p_below(high))


def test_where_resamples_have_no_spread_there_is_no_interval():
    row = np.zeros((1, 16))
    row[0, :3] = 1.0
    assert np.isinf(stretches(row, NONE, np.array([15.0]))[1]).all()
    for estimated in (over_topics, of_these_topics):
        assert np.isnan(estimated(row, np.zeros((1, 16)), np.zeros((1, 9))).interval(0.95)).all()


@pytest.mark.parametrize(("noise", "given"), [(0.01, False), (0.1, True)])
def test_where_resamples_have_next_to_no_spread_there_is_no_interval_either(noise, given):
    """Three of sixteen topics decide: (13/16)^16 = 3.6 % of the resamples have none of them, and the spread of the others."""
    row = noise * np.tile([-1.0, 1.0], 8)[None]
    row[0, :3] = 1.0
    least, _ = literal(row[0], [])
    reach = stats.t.ppf(0.975, 15)
    assert (5 < -least / reach < math.inf) != given
    for estimated in (over_topics, of_these_topics):
        means = estimated(row, np.zeros((1, 16)), np.zeros((1, 9)))
        assert np.isfinite(means.interval(0.95)).all() == given
        assert np.isfinite(means.error).all() == given
        assert means.each()[0].interval(0.95) is not None or not given


@pytest.mark.parametrize(("size", "before", "after"), [(16, 0.90, 0.93), (30, 0.92, 0.94)])
def test_means_of_a_skewed_population_are_held_more_often_than_by_student(size, before, after):
    random = np.random.default_rng(size)
    people = random.exponential(size=(4000, size))
    means = over_topics(people, np.zeros_like(people), np.zeros((4000, 9)), independent=4000)
    low, high = means.interval(0.95)
    given = ~np.isnan(low)
    held = np.mean(((low <= 1) & (high >= 1))[given])
    half = stats.t.ppf(0.975, size - 1) * people.std(axis=1, ddof=1) / math.sqrt(size)
    by_student = np.mean((np.abs(people.mean(axis=1) - 1) <= half)[given])
    assert held > after > by_student > before
