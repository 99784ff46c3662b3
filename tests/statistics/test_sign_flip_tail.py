"""The tail of the sign-flip distribution: against every pattern of signs, and against ten million random ones."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gainful.statistics.flips import Flips, sign_flip, sign_flips
from gainful.statistics.sign_flip_tail import COUNTED, tail_p

TOPICS = 20  # 2²⁰ patterns: enough for the approximation, and few enough to go through


def every_pattern(differences):
    """The exact p-value, over all 2ⁿ patterns of signs."""
    return sign_flip(differences, flips=2 ** len(differences))


def kinds(random, topics):
    """Rows of differences as measures give them, each with a clear winner."""
    return {
        "normal": random.normal(0.8, 1, topics),
        "RR": 1 / random.integers(1, 5, topics) - 1 / random.integers(1, 30, topics),
        "P@10": random.binomial(10, 0.75, topics) / 10 - random.binomial(10, 0.5, topics) / 10,
        "Success": (random.random(topics) < 0.9) * 1.0 - (random.random(topics) < 0.3),
        "skewed": random.exponential(1, topics) - 0.3,
    }


@given(st.lists(st.integers(-10, 10), min_size=1, max_size=12))
@settings(max_examples=80, deadline=None)
def test_up_to_twenty_differences_every_p_value_is_exact(tenths):
    differences = np.array(tenths) / 10
    p, exact = tail_p(differences[None])
    assert exact[0]
    assert p[0] == pytest.approx(every_pattern(differences), rel=1e-12)


@pytest.mark.parametrize("kind", ["normal", "RR", "P@10", "Success", "skewed"])
def test_the_saddlepoint_comes_near_to_every_pattern(kind, monkeypatch):
    monkeypatch.setattr("gainful.statistics.sign_flip_tail.COUNTED", 11)  # more would be counted, and exact
    random = np.random.default_rng(16)
    ratios = []
    while len(ratios) < 8:
        row = kinds(random, TOPICS)[kind]
        p, exact = tail_p(row[None])
        if not exact[0] and p[0] < 0.005:
            ratios.append(p[0] / every_pattern(row))
    assert 0.8 < min(ratios) <= max(ratios) < 1.25
    assert np.median(ratios) == pytest.approx(1, abs=0.05)


def test_the_saddlepoint_comes_near_to_ten_million_flips():
    random = np.random.default_rng(7)
    rows = np.vstack([np.zeros(50), random.normal(0.62, 1, 50), kinds(random, 50)["P@10"] - 0.1])
    pairs = (np.zeros(2, np.int64), np.arange(1, 3))
    p, exact = tail_p(rows[1:])
    flipped = sign_flips(rows, pairs, Flips(50, 10_000_000, 3)).p
    assert not exact.any()
    assert (flipped > 2e-6).all()
    for found, sampled in zip(p, flipped, strict=True):
        error = 4 * np.sqrt(sampled / 10_000_000)
        assert abs(found - sampled) < error + 0.05 * sampled


@pytest.mark.parametrize("losses", [0, 1, 2])
def test_far_out_patterns_are_counted_one_by_one(losses):
    sizes = np.arange(1, 101) / 100
    sizes[:losses] *= -1
    p, exact = tail_p(sizes[None])
    # Nothing but subsets of sum 0, 0.01 and 0.03 or less: {}; {.01}; {.01}, {.02}, {.03}, {.01, .02}.
    assert (p[0], exact[0]) == (pytest.approx(2 * (1, 2, 5)[losses] / 2**100), True)


def test_topics_without_a_difference_say_nothing():
    random = np.random.default_rng(2)
    row = random.normal(1, 1, 60)
    padded = np.concatenate([row, np.zeros(30)])
    assert tail_p(padded[None])[0][0] == pytest.approx(tail_p(row[None])[0][0], rel=1e-9)


def test_scale_and_sign_do_not_matter():
    row = np.random.default_rng(3).normal(0.8, 1, 60)
    expected = tail_p(row[None])[0][0]
    for other in (-row, 1e-9 * row, 1e9 * row):
        assert tail_p(other[None])[0][0] == pytest.approx(expected, rel=1e-6)


def test_no_difference_at_all_has_p_one():
    rows = np.array([[0.0] * 30, [1.0, -1.0] * 15])
    assert tail_p(rows)[0].tolist() == [1, 1]
    assert len(tail_p(np.zeros((0, 5)))[0]) == 0


def test_a_thousand_topics_do_not_underflow():
    random = np.random.default_rng(4)
    p, _ = tail_p(np.vstack([random.normal(0.3, 1, 1500), np.full(1500, 0.1)]))
    assert 0 < p[0] < 1e-15
    assert p[1] == 0  # 2/2¹⁵⁰⁰ is below what a float can hold


def test_more_topics_of_the_same_kind_make_the_p_value_smaller():
    row = np.random.default_rng(5).normal(0.6, 1, 25)
    found = [tail_p(np.tile(row, times)[None])[0][0] for times in range(1, 6)]
    assert found == sorted(found, reverse=True)
    assert COUNTED == 20
