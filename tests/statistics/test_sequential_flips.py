"""The sequential sign-flip test, against enumerations of every pattern of signs."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gainful.errors import UsageError
from gainful.statistics.flips import sign_flip
from gainful.statistics.sequential_flips import SequentialFlips

SHARES = (0.3, 0.6, 1.0)
values = arrays(np.float64, 6, elements=st.integers(-6, 6).map(lambda number: number / 8))


def ends(looks, alpha):
    """Which side a study is decided for, look after look; 0 if none."""
    test = SequentialFlips(6, alpha)
    return next(
        (side for d, share in zip(looks, SHARES, strict=True) if (side := test.look(d, share).side)), 0
    )


@given(values)
def test_a_single_look_at_everything_is_the_sign_flip_test(differences):
    look = SequentialFlips(6, 0.05).look(differences, 1.0)
    assert look.p == pytest.approx(sign_flip(differences))
    assert look.side == (np.sign(differences.sum()) if look.p <= 0.05 else 0)


@given(st.tuples(values, values, values), st.sampled_from([0.05, 0.1, 0.2, 0.5]))
def test_of_all_exchanges_of_labels_no_more_than_alpha_are_ever_called_different(looks, alpha):
    """Exact: whatever the three looks show, all 64 exchanges of the labels of six topics are equally likely."""
    patterns = [np.array(signs) for signs in itertools.product((1.0, -1.0), repeat=6)]
    rejected = sum(ends([signs * d for d in looks], alpha) != 0 for signs in patterns)
    assert rejected / len(patterns) <= alpha + 1e-12


def test_a_boundary_that_was_crossed_at_an_early_look_counts_at_later_ones():
    one_way = np.full(6, 0.5)
    test = SequentialFlips(6, 0.5)
    assert test.look(np.array([0.5, 0.5, 0.5, -0.5, -0.5, 0.1]), 0.9).side == 0
    crossed = test.crossed.sum()
    assert 0 < crossed <= 0.5 * 0.9**2 * 64
    look = test.look(one_way, 1.0)
    assert look.p == (test.crossed.sum() if look.side == 0 else look.p * 64) / 64
    assert look.p >= crossed / 64  # not 2/64, as if it were the first look
    assert look.side == 1


@given(values, values, st.lists(st.lists(st.floats(0, 1), min_size=6, max_size=6), min_size=4, max_size=4))
def test_what_is_foreseen_happens_whatever_lies_between_the_bounds(first, second, places):
    low, high = np.minimum(first, second), np.maximum(first, second)
    foreseen = SequentialFlips(6, 0.2).foreseen(low, high)
    corners = [np.where(np.array(bits), high, low) for bits in itertools.product((0, 1), repeat=6)]
    inside = [low + np.array(place) * (high - low) for place in places]
    outcomes = {SequentialFlips(6, 0.2).look(d, 1.0).side for d in (*corners, *inside)}
    if foreseen is not None:
        assert outcomes == {foreseen}
    else:
        assert len(outcomes) > 1


def test_with_many_topics_patterns_are_drawn_and_the_p_value_is_close():
    d = np.random.default_rng(2).normal(0.15, 0.5, 40)
    look = SequentialFlips(40, 0.05, flips=20_000, seed=1).look(d, 1.0)
    assert look.p == pytest.approx(sign_flip(d, flips=200_000), abs=0.01)


def test_the_level_of_a_look_grows_with_the_square_of_what_was_seen():
    test = SequentialFlips(5, 0.08)
    assert [test.look(np.zeros(5), share).level for share in (0.25, 0.5, 1.0)] == [0.005, 0.02, 0.08]


@pytest.mark.parametrize("share", [0.2, 1.1, float("nan")])
def test_the_share_seen_does_not_fall_nor_exceed_one(share):
    test = SequentialFlips(5, 0.05)
    test.look(np.zeros(5), 0.3)
    with pytest.raises(UsageError, match=r"must not fall from 0\.3"):
        test.look(np.zeros(5), share)


def test_a_level_is_between_0_and_1():
    with pytest.raises(UsageError, match="alpha must be above 0"):
        SequentialFlips(5, 0.0)
