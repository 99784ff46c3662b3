"""Sign flips: exact where that can be, and the same whatever the blocks and threads."""

import itertools
import math
import os
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gainful.errors import UsageError
from gainful.statistics import resampling
from gainful.statistics.flips import Flips, OneSided, sign_flip, sign_flips
from gainful.statistics.sign_flip_tail import tail_p

PAIR = (np.array([0]), np.array([1]))


def enumerated(differences):
    """The two-sided p-value by the words of the definition, in exact fractions of the values."""
    exact = [Fraction(value).limit_denominator(10**6) for value in differences]
    observed = abs(sum(exact))
    patterns = list(itertools.product((1, -1), repeat=len(exact)))
    hits = sum(
        abs(sum(sign * value for sign, value in zip(pattern, exact, strict=True))) >= observed
        for pattern in patterns
    )
    return hits / len(patterns)


@given(st.lists(st.integers(-10, 10), min_size=1, max_size=9))
@settings(max_examples=60, deadline=None)
def test_small_inputs_are_enumerated_and_equal_sums_count_as_equal(tenths):
    differences = np.array(tenths) / 10  # as P@10 gives them: 0.3 − 0.2 is not 0.1 in floats
    assert sign_flip(differences) == enumerated(differences)


def test_rounding_of_the_inputs_does_not_move_the_p_value():
    better = np.array([0.3, 0.6, 0.7, 0.1, 0.9, 0.4, 0.2])
    worse = np.array([0.2, 0.7, 0.4, 0.1, 0.6, 0.5, 0.1])
    assert sign_flip(better - worse) == enumerated(np.round(better - worse, 3))


def test_all_patterns_are_taken_when_they_are_not_more_than_the_flips_asked_for():
    assert Flips(topics=10, asked=1024, seed=0).exact
    assert not Flips(topics=10, asked=1023, seed=0).exact
    assert not Flips(topics=100, asked=10**9, seed=0).exact


def test_drawn_flips_count_the_observed_pattern_too():
    differences = np.ones(30)  # no drawn pattern is as extreme
    assert sign_flip(differences, flips=999) == 1 / (999 + 1)


def test_drawn_flips_come_near_to_all_patterns():
    differences = np.random.default_rng(5).normal(0.3, 1, 14)
    exact = sign_flip(differences, flips=2**14)
    drawn = sign_flip(differences, flips=2**14 - 1)
    assert drawn != exact
    assert abs(drawn - exact) < 4 * math.sqrt(exact * (1 - exact) / 2**14)


def test_no_difference_has_p_one():
    assert sign_flip(np.zeros(5)) == 1
    assert sign_flip(np.zeros(40), flips=200) == 1
    assert sign_flip(np.array([0.5])) == 1  # one topic says nothing


def test_differences_that_are_only_rounding_are_no_differences():
    values = np.random.default_rng(0).random(9)
    rows = np.stack([values, values * (1 + 2e-16)])
    assert (rows[0] != rows[1]).any()
    assert sign_flips(rows, PAIR, Flips(9, 1000, 0)).p[0] == 1


def test_the_seed_decides_and_another_gives_another_sample():
    differences = np.random.default_rng(1).normal(0.2, 1, 40)
    assert sign_flip(differences, flips=500, seed=3) == sign_flip(differences, flips=500, seed=3)
    assert len({sign_flip(differences, flips=500, seed=seed) for seed in range(8)}) > 1


def systems(number=7, topics=23, seed=2):
    return np.random.default_rng(seed).random((number, topics))


def all_pairs(number):
    return tuple(index.astype(np.int64) for index in np.triu_indices(number, 1))


def test_many_pairs_at_once_are_the_same_as_each_alone():
    rows = systems()
    first, second = all_pairs(len(rows))
    together = sign_flips(rows, (first, second), Flips(23, 700, 4))
    alone = [sign_flip(rows[b] - rows[a], flips=700, seed=4) for a, b in zip(first, second, strict=True)]
    assert together.p.tolist() == alone
    assert set(together.flips.tolist()) == {700}
    assert set(together.ways) == {"flips"}


def test_no_block_size_changes_a_bit(monkeypatch):
    rows = systems()
    made = []
    for cells, alone in ((1 << 17, 1 << 18), (100, 1 << 18), (1 << 12, 40)):
        monkeypatch.setattr(resampling, "CELLS", cells)
        monkeypatch.setattr(resampling, "ALONE", alone)
        test = OneSided.of(rows[1] - rows[0], Flips(23, 1500, 1))
        p = sign_flips(rows, all_pairs(7), Flips(23, 1500, 1)).p
        made.append((p.tolist(), test.lower(0.05), test.upper(0.05)))
    assert made[0] == made[1] == made[2]


def test_no_number_of_threads_changes_a_bit(monkeypatch):
    made = []
    for threads in (1, 2, 5):
        monkeypatch.setattr(resampling, "cores", lambda threads=threads: threads)
        p = sign_flips(systems(40, 60), all_pairs(40), Flips(60, 5000, 1)).p
        made.append(p.tolist())
    assert made[0] == made[1] == made[2]


def test_no_number_of_blas_threads_changes_a_bit():
    code = (
        "import numpy as np; from gainful.statistics.flips import *;"
        "rows = np.random.default_rng(0).random((60, 300)); pairs = np.triu_indices(60, 1);"
        "print(sign_flips(rows, pairs, Flips(300, 2000, 0)).p.tolist(),"
        " OneSided.of(rows[1] - rows[0], Flips(300, 2000, 0)).lower(0.05))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for threads in ("1", "2")
    }
    assert len(outputs) == 1


def test_pairs_with_too_few_hits_are_resolved_by_the_tail_and_the_others_keep_theirs():
    rows = np.zeros((4, 40))
    rows[1] = np.random.default_rng(0).normal(0, 1, 40)  # a pair without a difference
    rows[2] = np.random.default_rng(1).normal(0.9, 1, 40)  # one with
    rows[3] = 1 + np.arange(40) / 1000  # and one that is as clear as 40 topics can make it
    pairs = (np.zeros(3, np.int64), np.arange(1, 4))
    drawn = sign_flips(rows, pairs, Flips(40, 1000, 0))
    made = sign_flips(rows, pairs, Flips(40, 1000, 0), resolve=1e-9)
    assert made.ways.tolist() == ["flips", "saddlepoint", "exact"]
    assert made.p[0] == drawn.p[0]
    assert made.p[1] == tail_p(rows[2:3])[0][0] < drawn.p[1] == 1 / 1001
    assert made.p[2] == 2 / 2**40


def test_flips_that_are_enough_are_left_as_they_are():
    rows = np.stack([np.zeros(40), np.ones(40) + np.arange(40) / 1000])
    made = sign_flips(rows, PAIR, Flips(40, 1000, 0), resolve=0.01)
    assert (made.p[0], made.ways[0]) == (1 / 1001, "flips")


def literal_p_above(tenths, supposed):
    """P-value of "no more than supposed" by flipping d − supposed, pattern by pattern, in whole numbers."""
    moved = [value - supposed for value in tenths]
    sums = [
        sum(sign * value for sign, value in zip(pattern, moved, strict=True))
        for pattern in itertools.product((1, -1), repeat=len(moved))
    ]
    return sum(total >= sum(moved) for total in sums) / len(sums)


@given(st.lists(st.integers(-20, 20), min_size=2, max_size=8), st.integers(-10, 10))
@settings(max_examples=60, deadline=None)
def test_one_sided_p_values_are_those_of_flipping_what_is_left_over(tenths, supposed):
    differences = np.array(tenths) / 10
    test = OneSided.of(differences, Flips(len(tenths), 10_000, 0))
    assert test.p_above(supposed / 10) == literal_p_above(tenths, supposed)
    assert test.p_below(supposed / 10) == literal_p_above([-value for value in tenths], -supposed)


@pytest.mark.parametrize("flips", [2**12, 3000])
def test_the_bounds_are_where_the_test_begins_to_reject(flips):
    differences = np.random.default_rng(8).normal(0.1, 1, 12)
    test = OneSided.of(differences, Flips(12, flips, 0))
    for alpha in (0.05, 0.01, 0.3):
        lower, upper = test.lower(alpha), test.upper(alpha)
        assert test.p_above(lower - 1e-6) <= alpha < test.p_above(lower + 1e-6)
        assert test.p_below(upper + 1e-6) <= alpha < test.p_below(upper - 1e-6)


def test_too_few_topics_bound_nothing():
    test = OneSided.of(np.array([0.1, 0.2, 0.3, 0.4]), Flips(4, 1000, 0))  # 1/2⁴ is more than 0.05
    assert test.lower(0.05) == -math.inf
    assert test.upper(0.05) == math.inf
    assert OneSided.of(np.array([0.1, 0.2, 0.3, 0.4, 0.5]), Flips(5, 1000, 0)).lower(0.05) == pytest.approx(
        0.1
    )


@pytest.mark.parametrize(
    ("arguments", "words"), [({"asked": 0}, "flips must be 1"), ({"seed": -1}, "seed must be 0")]
)
def test_impossible_flips_are_refused(arguments, words):
    with pytest.raises(UsageError, match=words):
        Flips(**({"topics": 3, "asked": 10, "seed": 0} | arguments))
