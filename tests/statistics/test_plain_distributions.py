"""The plain distribution functions agree with SciPy's; where SciPy is not, comparisons use them."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import special as scipy
from scipy import stats

import gainful
from gainful import statistics
from gainful.statistics import plain_distributions as plain

DATA = Path(__file__).parents[2] / "examples" / "data"
FREEDOM = np.array([1, 2, 3, 4.5, 9, 24, 49, 100, 499, 4999, 9e5, 2e7])[:, None]
T = np.array([-300, -50, -7, -5, -2, -1, -0.1, 0, 0.3, 1, 2, 5, 40])
P = np.array([1e-12, 1e-6, 0.001, 0.0125, 0.025, 0.3, 0.49999, 0.5, 0.6, 0.9, 0.975, 0.995, 1 - 1e-10])
ABOVE, BELOW = np.array([1, 2, 3, 9, 48])[:, None, None], np.array([1, 5, 48, 480])[:, None]
F = np.array([0, 0.01, 0.5, 1, 1.5, 3, 10, 100])
WINS, TOPICS = np.array([0, 1, 3, 5, 24, 25, 240]), np.array([240, 250, 500, 1000])[:, None]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("ndtr", (np.array([-30, -5, -1.96, -0.1, 0, 1, 3, 40]),)),
        ("ndtri", (P,)),
        ("stdtr", (FREEDOM, T)),
        ("stdtrit", (FREEDOM, P)),
        ("fdtrc", (ABOVE, BELOW, F)),
        ("fdtri", (ABOVE, BELOW, P)),
        ("bdtr", (WINS, TOPICS, 0.5)),
    ],
)
def test_values_are_those_of_scipy(name, given):
    expected = getattr(scipy, name)(*given)
    found = getattr(plain, name)(*given)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-300)


@pytest.mark.parametrize("freedom", [1, 2, 4, 9, 49, 999])
@pytest.mark.parametrize("noncentrality", [0, 0.5, 2, 5, 20])
def test_the_noncentral_t_is_that_of_scipy(freedom, noncentrality):
    t = np.array([-4, -1.96, 0, 0.5, 1.96, 2.3, 4, 12.7])
    expected = stats.nct.cdf(t, freedom, noncentrality)
    known = ~np.isnan(expected)  # far out SciPy has none
    np.testing.assert_allclose(
        plain.nctdtr(freedom, noncentrality, t)[known], expected[known], rtol=0, atol=1e-9
    )


def test_ends_and_values_that_are_none_are_those_of_scipy():
    for name, given in (
        ("ndtri", (0.0,)),
        ("ndtri", (1.0,)),
        ("ndtri", (1.5,)),
        ("stdtr", (3.0, math.inf)),
        ("stdtr", (3.0, math.nan)),
        ("stdtrit", (3.0, 1.0)),
        ("stdtrit", (0.0, 0.3)),
        ("fdtri", (3.0, 4.0, 0.0)),
        ("bdtr", (4, 4, 0.5)),
        ("fdtri", (3.0, 4.0, 1.0)),
        ("stdtr", (math.inf, -1.0)),
    ):
        expected, found = getattr(scipy, name)(*given), getattr(plain, name)(*given)
        assert found == expected or (math.isnan(found) and math.isnan(expected)), (name, given)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("stdtr", (0.0, 0.0)),
        ("stdtr", (-1.0, 2.0)),
        ("stdtrit", (3.0, 1.1)),
        ("fdtrc", (0.0, 5.0, 1.0)),
        ("fdtrc", (3.0, 5.0, -1.0)),
        ("fdtri", (3.0, -5.0, 0.5)),
        ("fdtri", (3.0, 5.0, 1.1)),
        ("bdtr", (1, 4, 1.1)),
        ("nctdtr", (0.0, 1.0, 2.0)),
    ],
)
def test_where_a_distribution_is_not_defined_there_is_no_value(name, given):
    assert math.isnan(getattr(scipy, name)(*given))
    assert math.isnan(getattr(plain, name)(*given))


@pytest.mark.parametrize("freedom", [1.1e6, 1e9])
def test_far_tails_with_many_degrees_of_freedom_are_those_of_scipy(freedom):
    t = np.array([-10.0, -6.0, -3.0])
    np.testing.assert_allclose(plain.stdtr(freedom, t), scipy.stdtr(freedom, t), rtol=1e-9)


def test_without_scipy_a_comparison_says_the_same(monkeypatch):
    runs = [DATA / f"{name}.run" for name in ("sprinter", "marathon", "plain")]
    here = str(gainful.compare(DATA / "qrels.txt", runs, "nDCG@10, AP"))
    for module in ("scipy", "scipy.special", "scipy.stats"):
        monkeypatch.setitem(sys.modules, module, None)
    assert statistics.special() is plain
    assert str(gainful.compare(DATA / "qrels.txt", runs, "nDCG@10, AP")) == here
