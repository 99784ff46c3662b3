"""Paired tests and intervals agree with SciPy; many rows at once are as each alone."""

import numpy as np
import pytest
import scipy.stats

from gainful.statistics import resampling
from gainful.statistics.differences import differences
from gainful.statistics.intervals import interval, t_interval
from gainful.statistics.paired_tests.bootstrap import bootstrap_test
from gainful.statistics.paired_tests.sign import sign_test
from gainful.statistics.paired_tests.t import t_test
from gainful.statistics.paired_tests.wilcoxon import wilcoxon_test

ROWS = np.random.default_rng(3).normal(0.02, 0.1, (6, 37))
TIED = np.random.default_rng(4).integers(-4, 5, (5, 30)) / 10


@pytest.mark.parametrize("rows", [ROWS, TIED])
def test_t_is_that_of_scipy(rows):
    expected = [scipy.stats.ttest_rel(row, np.zeros_like(row)).pvalue for row in rows]
    assert t_test(rows) == pytest.approx(expected, rel=1e-10)


MIXED = np.vstack([ROWS[:, :30], TIED])
FEW = np.vstack([TIED[:, :9], ROWS[:2, :9]])
LONG = np.random.default_rng(5).normal(0.02, 0.1, (3, 60))


@pytest.mark.parametrize("rows", [ROWS, TIED, MIXED, LONG, FEW])
def test_wilcoxon_is_that_of_scipy(rows):
    assert wilcoxon_test(rows) == pytest.approx([scipy.stats.wilcoxon(row).pvalue for row in rows], rel=1e-12)


def test_ranks_are_not_decided_by_rounding():
    a = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])
    b = np.array([0.2, 0.3, 0.4, 0.3, 0.4, 0.8, 0.9])  # differences ±0.1 five times, 0.2 twice
    made = differences(np.stack([a, b]), np.array([0]), np.array([1]))
    assert len(np.unique(np.abs(made))) == 2
    assert wilcoxon_test(made)[0] == scipy.stats.wilcoxon([1, 1, 1, -1, -1, 2, 2]).pvalue
    assert len(np.unique(np.abs(b - a))) > 2  # which is what rounding does


@pytest.mark.parametrize("rows", [ROWS, TIED])
def test_sign_is_the_binomial_test_without_ties(rows):
    expected = [scipy.stats.binomtest(int((row > 0).sum()), int((row != 0).sum())).pvalue for row in rows]
    assert sign_test(rows) == pytest.approx(expected, rel=1e-12)


def test_rows_without_spread_are_certain_or_nothing():
    rows = np.array([[0.1] * 6, [0.0] * 6])
    assert t_test(rows).tolist() == [0, 1]
    assert wilcoxon_test(rows)[1] == sign_test(rows)[1] == 1
    assert sign_test(rows)[0] == 2 / 2**6


@pytest.mark.parametrize("topics", [3, 6, 7, 10, 13])
@pytest.mark.parametrize("apart", [0.1, 0.3, 0.7])
def test_the_same_difference_everywhere_is_certain_whatever_rounding_says(apart, topics):
    row = np.full((1, topics), apart)
    assert bootstrap_test(row, resamples=99)[0] == 1 / 100  # no resample of what is constant has a t
    for name in ("bca", "percentile"):
        for weights in (None, np.arange(1.0, topics + 1)):
            low, high = interval(name, row, 0.95, resamples=99, weights=weights)
            assert (low[0], high[0]) == (pytest.approx(apart), pytest.approx(apart))


def test_resamples_that_are_all_on_one_side_give_no_bca_interval():
    rows = np.array([[0.1, 0.4, 0.2]])
    assert (resampling.means(rows, resamples=1) != rows.mean()).all()
    low, high = interval("bca", rows, 0.95, resamples=1)
    assert np.isnan([low[0], high[0]]).all()


def test_t_interval_is_that_of_scipy():
    low, high = t_interval(ROWS, 0.9)
    for row, one, other in zip(ROWS, low, high, strict=True):
        expected = scipy.stats.ttest_1samp(row, 0).confidence_interval(0.9)
        assert (one, other) == pytest.approx(tuple(expected), rel=1e-10)


@pytest.mark.parametrize(("name", "method"), [("bca", "BCa"), ("percentile", "percentile")])
@pytest.mark.parametrize("rows", [ROWS, TIED])
def test_bootstrap_intervals_are_those_of_scipy_on_the_same_resamples(name, method, rows):
    drawn = resampling.means(rows, resamples=2000, seed=5)
    low, high = interval(name, rows, 0.95, resamples=2000, seed=5)
    for number, row in enumerate(rows):
        begun = scipy.stats.bootstrap((row,), np.mean, n_resamples=10, method=method, rng=0)
        begun.bootstrap_distribution = drawn[:, number]
        expected = scipy.stats.bootstrap(
            (row,), np.mean, n_resamples=0, method=method, bootstrap_result=begun, confidence_level=0.95
        ).confidence_interval
        assert (low[number], high[number]) == pytest.approx((expected.low, expected.high), rel=1e-10)


def test_bca_agrees_with_scipy_on_its_own_resamples_within_sampling_error():
    row = np.random.default_rng(0).exponential(1, 30)
    expected = scipy.stats.bootstrap(
        (row,), np.mean, n_resamples=20_000, method="BCa", rng=1
    ).confidence_interval
    low, high = interval("bca", row[None], 0.95, resamples=20_000, seed=1)
    assert (low[0], high[0]) == pytest.approx((expected.low, expected.high), abs=0.03)


def test_an_interval_by_flips_holds_what_the_test_does_not_reject():
    low, high = interval("flips", ROWS[:1], 0.95, flips=20_000, seed=0)
    expected = t_interval(ROWS[:1], 0.95)
    assert (low[0], high[0]) == pytest.approx((expected[0][0], expected[1][0]), abs=0.01)


def test_one_topic_has_no_interval():
    low, high = interval("t", np.array([[0.5]]), 0.95)
    assert np.isnan(low).all()
    assert np.isnan(high).all()


def test_resampled_means_are_means_of_resamples():
    row = np.array([[1.0, 10.0, 100.0]])
    sums = np.round(resampling.means(row, resamples=50, seed=2)[:, 0] * 3)
    possible = {a + b + c for a in (1, 10, 100) for b in (1, 10, 100) for c in (1, 10, 100)}
    assert set(sums) <= possible
    assert len(set(sums)) > 5


def test_the_bootstrap_test_comes_near_the_t_test():
    rows = np.random.default_rng(9).normal([[0.0], [0.1], [0.25]], 0.5, (3, 60))
    assert bootstrap_test(rows, resamples=20_000) == pytest.approx(t_test(rows), abs=0.015)


def test_the_bootstrap_test_is_that_of_its_definition():
    row = np.array([0.4, 0.1, -0.2, 0.5, 0.3])
    centred = row - row.mean()
    observed = row.mean() / (row.std(ddof=1) / np.sqrt(5))
    from gainful.statistics.resampling import counts

    hits = 0
    for drawn in counts(7, 5, 0, 400):
        sample = np.repeat(centred, drawn.astype(int))
        spread = sample.std(ddof=1)
        hits += bool(np.ptp(sample) == 0 or abs(sample.mean() / (spread / np.sqrt(5))) >= abs(observed))
    assert bootstrap_test(row[None], resamples=400, seed=7)[0] == (hits + 1) / 401
