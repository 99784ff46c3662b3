"""Variance components: against statsmodels' analysis of variance, and by hand."""

import math

import numpy as np
import pandas as pd
import pytest
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from gainful.errors import NothingInCommon, UsageError
from gainful.statistics.anova import components

ROWS = np.random.default_rng(4).beta(2, 3, (5, 12)) + np.arange(5)[:, None] / 10


def test_sums_of_squares_f_and_p_are_those_of_statsmodels():
    frame = pd.DataFrame(
        [(system, topic, ROWS[system, topic]) for system in range(5) for topic in range(12)],
        columns=["system", "topic", "score"],
    )
    expected = anova_lm(ols("score ~ C(system) + C(topic)", frame).fit())
    made = components(ROWS)
    for source, (_, row) in zip(made.sources, expected.iterrows(), strict=True):
        assert source.freedom == row["df"]
        assert source.sum_of_squares == pytest.approx(row["sum_sq"])
        assert source.mean_square == pytest.approx(row["mean_sq"])
    for source, (_, row) in zip(made.sources[:2], expected.iterrows(), strict=False):
        assert source.f == pytest.approx(row["F"])
        assert source.p_value == pytest.approx(row["PR(>F)"])


def test_components_and_coefficients_follow_from_the_mean_squares():
    made = components(ROWS, target=0.9)
    system, topic, residual = (source.mean_square for source in made.sources)
    s, t, r = (system - residual) / 12, max(topic - residual, 0) / 5, residual
    assert [source.component for source in made.sources] == pytest.approx([s, t, r])
    assert made.e_rho2 == pytest.approx(s / (s + r / 12))
    assert made.phi == pytest.approx(s / (s + (t + r) / 12))
    for needed, lost in ((made.topics_for_e_rho2, r), (made.topics_for_phi, t + r)):
        assert s / (s + lost / needed) >= 0.9 > s / (s + lost / (needed - 1))


def test_the_interval_of_the_coefficient_is_feldts():
    from scipy.stats import f

    made = components(ROWS)
    unexplained = made.sources[2].mean_square / made.sources[0].mean_square
    assert made.e_rho2_interval == pytest.approx(
        (1 - unexplained * f.ppf(0.975, 4, 44), 1 - unexplained * f.ppf(0.025, 4, 44))
    )
    assert made.e_rho2_interval[0] < made.e_rho2 < made.e_rho2_interval[1]


def test_systems_that_differ_less_than_chance_have_no_component():
    rows = np.array([[0.1, 0.9, 0.2, 0.8], [0.9, 0.1, 0.8, 0.2]])
    made = components(rows)
    assert made.sources[0].component == made.e_rho2 == made.phi == 0
    assert math.isinf(made.topics_for_e_rho2)
    assert (
        ": systems do not differ more than by chance; this ranking does not generalise to other topics."
        in made.sentence()
    )


def test_scores_that_are_all_equal_have_no_variance_at_all():
    made = components(np.full((3, 4), 0.25))
    assert [source.component for source in made.sources] == [0, 0, 0]
    assert made.e_rho2 == 0


def test_differences_without_residual_are_certain():
    made = components(np.array([[0.1, 0.3], [0.2, 0.4]]))
    assert made.e_rho2 == pytest.approx(1)
    assert math.isinf(made.sources[0].f)
    assert made.topics_for_e_rho2 == 1


@pytest.mark.parametrize("shape", [(1, 5), (5, 1)])
def test_one_system_or_topic_is_not_enough(shape):
    with pytest.raises(NothingInCommon, match="two systems and two topics"):
        components(np.ones(shape))


def test_a_target_is_a_share():
    with pytest.raises(UsageError, match="between 0 and 1"):
        components(ROWS, target=1)
