"""Sums of rows have the bits of `math.fsum`, whatever the digits of the values."""

import math

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from gainful.statistics.exact_sums import exact_sums

RANDOM = np.random.default_rng(7)
ROWS = {
    "shares": RANDOM.random((40, 5000)),
    "of both signs": RANDOM.standard_normal((40, 333)),
    "whole": RANDOM.integers(0, 4, (40, 1000)).astype(float),
    "of all sizes": RANDOM.standard_normal((40, 60)) * 10.0 ** RANDOM.integers(-30, 30, (40, 60)),
    "almost nothing": RANDOM.random((4, 50)) * 1e-310,
    "one": RANDOM.random((5, 1)),
    "none": np.zeros((5, 0)),
    "not finite": np.array([[1.0, math.inf], [math.nan, 1.0], [0.1, 0.2]]),
}


@pytest.mark.parametrize("name", ROWS)
def test_a_sum_has_the_bits_of_fsum(name: str) -> None:
    rows = ROWS[name]
    assert_array_equal(exact_sums(rows), [math.fsum(row) for row in rows.tolist()])


def test_a_sum_does_not_depend_on_the_order_of_columns() -> None:
    rows = ROWS["of all sizes"]
    assert_array_equal(exact_sums(rows), exact_sums(rows[:, ::-1]))


def test_zeros_sum_to_zero_without_a_sign() -> None:
    assert not np.signbit(exact_sums(-np.zeros((2, 3)))).any()


def test_a_sum_that_is_too_large_is_an_error_as_in_fsum() -> None:
    with pytest.raises(OverflowError):
        exact_sums(np.full((1, 2), 1.7e308))
