"""Intervals within the bounds of a measure: each end by itself, on the log-odds scale."""

import pytest
from scipy.special import expit, logit

from gainful.statistics.intervals import within_bounds

STEP = 1e-6


@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-1.0, 3.0)])
@pytest.mark.parametrize(("down", "up"), [(0.1, 0.6), (0.7, 0.2), (0.6, 0.6)])
def test_an_interval_that_passes_a_bound_reaches_to_each_side_as_far_as_it_did(bounds, down, up):
    least, most = bounds
    reach = most - least
    mean = least + 0.55 * reach
    share = (mean - least) / reach
    steep = (logit(share + STEP) - logit(share - STEP)) / (2 * STEP)
    found = within_bounds((mean - down * reach, mean + up * reach), mean, bounds)
    wanted = [least + reach * expit(logit(share) + steep * move) for move in (-down, up)]
    assert found == pytest.approx(wanted, abs=1e-6)
    assert least < found[0] < mean < found[1] < most


def test_the_side_that_reaches_further_still_does():
    low, high = within_bounds((0.4, 1.1), 0.5, (0.0, 1.0))
    assert high - 0.5 > 3 * (0.5 - low)
