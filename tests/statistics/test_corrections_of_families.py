"""Corrections: against statsmodels, and step-down max-T and Tukey HSD against literal transcriptions."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from gainful.comparisons import Method, ScoreTable, compare_scores
from gainful.statistics import resampling
from gainful.statistics.corrections import CORRECTIONS, Member, max_t, tukey
from gainful.statistics.flips import Flips


@pytest.mark.parametrize(
    ("ours", "theirs"), [("holm", "holm"), ("bonferroni", "bonferroni"), ("bh", "fdr_bh")]
)
@given(st.lists(st.floats(1e-9, 1), min_size=1, max_size=30))
@settings(max_examples=15, deadline=None)  # one call of theirs takes a tenth of a second
def test_corrections_are_those_of_statsmodels(ours, theirs, p):
    expected = multipletests(p, method=theirs)[1]
    assert CORRECTIONS[ours].function(np.array(p)) == pytest.approx(expected, rel=1e-12)


def member(rows):
    first, second = np.triu_indices(len(rows), 1)
    return Member(rows, first.astype(np.int64), second.astype(np.int64))


def literal_max_t(rows):
    """Westfall and Young's algorithm with Student's t itself, over every pattern of signs, one pattern at a time."""
    topics = rows.shape[1]
    pairs = list(itertools.combinations(range(len(rows)), 2))
    made = np.array([rows[b] - rows[a] for a, b in pairs])

    def t(values):
        return np.abs(values.mean(axis=1) / (values.std(axis=1, ddof=1) / np.sqrt(topics)))

    observed = t(made)
    order = np.argsort(-observed)
    hits = np.zeros(len(pairs))
    patterns = list(itertools.product((1, -1), repeat=topics))
    for pattern in patterns:
        flipped = t(made * np.array(pattern))
        for place, pair in enumerate(order):
            hits[pair] += max(flipped[other] for other in order[place:]) >= observed[pair] * (1 - 1e-9)
    p = hits / len(patterns)
    for before, after in itertools.pairwise(order):
        p[after] = max(p[after], p[before])
    return p


def test_max_t_is_the_algorithm_with_t_statistics():
    rows = np.random.default_rng(6).normal(np.array([[0], [0.3], [0.6], [1.5]]), 0.5, (4, 7))
    assert max_t([member(rows)], Flips(7, 1000, 0))[0] == pytest.approx(literal_max_t(rows), rel=1e-12)


def test_max_t_over_several_measures_is_one_family():
    random = np.random.default_rng(1)
    first, second = random.random((3, 8)), 100 * random.random((3, 8))  # scales do not matter
    together = max_t([member(first), member(second)], Flips(8, 1000, 0))
    apart = [max_t([member(rows)], Flips(8, 1000, 0))[0] for rows in (first, second)]
    for ours, alone in zip(together, apart, strict=True):
        assert (ours >= alone - 1e-12).all()
    rescaled = max_t([member(first), member(second / 100)], Flips(8, 1000, 0))
    assert [p.tolist() for p in rescaled] == [p.tolist() for p in together]


def test_one_pair_needs_no_correction():
    rows = np.random.default_rng(2).random((2, 9))
    from gainful.statistics.flips import sign_flip

    assert max_t([member(rows)], Flips(9, 1000, 0))[0][0] == sign_flip(rows[1] - rows[0], flips=1000)


def literal_tukey(rows, shuffles, seed):
    """Carterette's algorithm, one shuffle at a time, on the same shuffles."""
    systems, topics = rows.shape
    drawn = []
    for orders in resampling.orders(seed, topics, systems, 0, shuffles):
        shuffled = np.array([rows[orders[topic], topic] for topic in range(topics)])
        means = shuffled.mean(axis=0)
        drawn.append(means.max() - means.min())
    apart = [abs(rows[b].mean() - rows[a].mean()) for a, b in itertools.combinations(range(systems), 2)]
    return [(sum(one >= limit - 1e-9 for one in drawn) + 1) / (shuffles + 1) for limit in apart]


def test_tukey_is_the_algorithm_on_the_same_shuffles():
    rows = np.random.default_rng(6).integers(0, 11, (5, 12)) / 10
    assert tukey([member(rows)], shuffles=300, seed=2)[0].tolist() == literal_tukey(rows, 300, 2)


def test_tukey_over_several_measures_is_one_family():
    random = np.random.default_rng(3)
    first, second = random.random((4, 10)), random.random((4, 10)) * 50
    together = tukey([member(first), member(second)], shuffles=400)
    for ours, rows in zip(together, (first, second), strict=True):
        assert (ours >= tukey([member(rows)], shuffles=400)[0]).all()


def test_systems_that_are_the_same_are_never_found_different():
    rows = np.tile(np.random.default_rng(1).random(12), (3, 1))
    assert tukey([member(rows)], shuffles=100)[0].tolist() == [1, 1, 1]
    assert max_t([member(rows)], Flips(12, 100, 0))[0].tolist() == [1, 1, 1]


def test_chance_finds_something_in_five_of_a_hundred_families():
    """300 families of six equal systems: 15 ± 2.6 standard deviations of 3.8."""
    random = np.random.default_rng(11)
    found = {"max-t": 0, "tukey": 0}
    for number in range(300):
        rows = random.beta(1, 2, (6, 20)) + random.random(20)
        found["max-t"] += max_t([member(rows)], Flips(20, 400, number))[0].min() <= 0.05
        found["tukey"] += tukey([member(rows)], shuffles=400, seed=number)[0].min() <= 0.05
    assert all(5 <= times <= 25 for times in found.values()), found


def test_differences_of_one_bit_are_no_differences():
    value = 95 / 3001
    table = ScoreTable.of_matrix(
        [[value] * 10, [float(np.nextafter(value, 2))] * 10], systems=["a", "b"], measure="AP"
    )
    for correction in ("max-t", "tukey"):
        assert compare_scores(table, Method(correction=correction)).pairs[0].p_adjusted == 1.0
