"""Power and numbers of topics agree with statsmodels, and with simulated topics."""

import math

import numpy as np
import pytest
from statsmodels.stats.power import TTestPower

from gainful.statistics.differences import detectable, power, topics_needed
from gainful.statistics.flips import sign_flip
from gainful.statistics.paired_tests.t import t_test


@pytest.mark.parametrize("effect", [0.05, 0.2, 0.5, 1.2])
@pytest.mark.parametrize("topics", [3, 10, 50, 400])
@pytest.mark.parametrize(("sides", "alternative"), [(2, "two-sided"), (1, "larger")])
def test_power_is_that_of_statsmodels(effect, topics, sides, alternative):
    expected = TTestPower().power(effect, topics, 0.05, alternative=alternative)
    if math.isnan(expected):  # which it is where the power is 1 to fifteen digits
        expected = 1.0
    assert float(power(effect, topics, sides=sides)) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("topics", [5, 25, 50, 250])
def test_the_detectable_effect_is_that_of_statsmodels(topics):
    expected = TTestPower().solve_power(nobs=topics, alpha=0.05, power=0.8)
    assert detectable(topics) == pytest.approx(float(np.squeeze(expected)), rel=1e-6)


@pytest.mark.parametrize("effect", [0.03, 0.1, 0.25, 0.5, 0.9, 2.0, 5.0])
def test_topics_needed_are_the_fewest_that_reach_the_power(effect):
    needed = int(topics_needed(np.array([effect]))[0])
    assert TTestPower().power(effect, needed, 0.05) >= 0.8
    assert needed == 2 or TTestPower().power(effect, needed - 1, 0.05) < 0.8


def test_no_effect_needs_no_number_and_a_certain_one_two():
    needed = topics_needed(np.array([0.0, math.nan, math.inf, -0.5, 1e-9]))
    assert math.isnan(needed[0])
    assert math.isnan(needed[1])
    assert needed[2] == 2
    assert needed[3] == topics_needed(np.array([0.5]))[0]
    assert math.isinf(needed[4])


def test_one_topic_detects_nothing():
    assert math.isnan(detectable(1))


def test_a_planted_difference_is_found_as_often_as_the_formula_says():
    """500 samples of 30 topics at the detectable effect: 0.8 within three standard errors of 0.018."""
    random = np.random.default_rng(3)
    rows = random.normal(detectable(30), 1, (500, 30))
    assert np.mean(t_test(rows) <= 0.05) == pytest.approx(0.8, abs=0.054)
    flipped = [sign_flip(row, flips=1000, seed=number) for number, row in enumerate(rows)]
    assert np.mean(np.array(flipped) <= 0.05) == pytest.approx(0.8, abs=0.054)
