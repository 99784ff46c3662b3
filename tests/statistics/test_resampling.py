"""Patterns of chance are functions of the seed and the place, and as even as they should be."""

import numpy as np
import pytest

from gainful.statistics import resampling

DRAWS = {
    "chosen": lambda start, stop: resampling.chosen(3, 70, start, stop),
    "counts": lambda start, stop: resampling.counts(3, 7, start, stop),
    "orders": lambda start, stop: resampling.orders(3, 4, 5, start, stop),
    "every": lambda start, stop: resampling.every(9, start, stop),
}


@pytest.mark.parametrize("name", DRAWS)
def test_a_pattern_is_the_same_in_whatever_block_it_is_drawn(name):
    whole = DRAWS[name](0, 100)
    pieces = [DRAWS[name](start, min(start + 33, 100)) for start in range(0, 100, 33)]
    assert np.array_equal(whole, np.concatenate(pieces))


def test_each_topic_is_flipped_half_of_the_time_and_independently():
    bits = resampling.chosen(1, 130, 0, 20_000)
    assert set(np.unique(bits)) == {0.0, 1.0}
    assert np.abs(bits.mean(axis=0) - 0.5).max() < 5 * 0.5 / np.sqrt(20_000)
    correlation = np.corrcoef(bits.T) - np.eye(130)
    assert np.abs(correlation).max() < 5.5 / np.sqrt(20_000)


def test_resamples_draw_each_topic_once_on_average():
    drawn = resampling.counts(1, 9, 0, 20_000)
    assert (drawn.sum(axis=1) == 9).all()
    assert np.abs(drawn.mean(axis=0) - 1).max() < 5 * np.sqrt(8 / 9 / 20_000)
    assert np.abs((drawn == 0).mean() - (8 / 9) ** 9) < 0.01


def test_every_order_of_systems_is_as_likely_as_any_other():
    orders = resampling.orders(1, 1, 3, 0, 12_000)[:, 0]
    assert (np.sort(orders, axis=1) == [0, 1, 2]).all()
    _, times = np.unique(orders, axis=0, return_counts=True)
    assert len(times) == 6
    assert np.abs(times - 2000).max() < 5 * np.sqrt(12_000 * 5 / 36)


@pytest.mark.parametrize("systems", [1, 2, 129, 300])
def test_orders_hold_every_system_once(systems):
    orders = resampling.orders(0, 3, systems, 0, 4)
    assert (np.sort(orders, axis=2) == np.arange(systems)).all()


def test_kinds_of_patterns_do_not_share_their_chance():
    assert not np.array_equal(resampling.chosen(0, 64, 0, 1)[0, :8], resampling.counts(0, 8, 0, 1)[0] > 0)
    assert not np.array_equal(resampling.chosen(0, 64, 0, 5), resampling.chosen(1, 64, 0, 5))
