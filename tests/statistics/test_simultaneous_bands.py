"""The simultaneous band: the formula transcribed, what it promises on simulated curves, and where there is none."""

import math

import numpy as np
import pytest
from scipy import stats

from gainful.comparisons.readers import simultaneous
from gainful.errors import UsageError
from gainful.statistics import resampling
from gainful.statistics import simultaneous_bands as bands

FIRST, SECOND = np.array([0]), np.array([1])


def pair(difference):
    """Two systems with this difference, points × topics."""
    return np.stack([np.asarray(difference, float), np.zeros_like(difference, dtype=float)])


def literal(apart, level, resamples, seed):
    """The band of one pair, resample by resample and point by point."""
    points, topics = apart.shape
    differ = (apart != 0).sum(axis=1)
    known = [point for point in range(points) if differ[point] >= min(10, math.ceil(topics / 2))]
    imagined = {point: 2 * (apart[point] ** 2).sum() / differ[point] for point in known}

    def se(values, point):
        return math.sqrt((len(values) * values.var() + imagined[point]) / (topics * (topics - 1)))

    largest = []
    for times in resampling.counts(seed, topics, 0, resamples).astype(int):
        drawn = np.repeat(np.arange(topics), times)
        largest.append(
            max(
                abs(apart[point][drawn].mean() - apart[point].mean()) / se(apart[point][drawn], point)
                for point in known
            )
        )
    place = math.ceil(level * (resamples + 1))
    critical = max(sorted(largest)[place - 1], stats.t.ppf((1 + level) / 2, topics - 1))
    reach = [critical * se(apart[point], point) if point in known else math.nan for point in range(points)]
    return critical, apart.mean(axis=1) - reach, apart.mean(axis=1) + reach


@pytest.mark.parametrize("topics", [7, 12, 30])
def test_the_band_is_the_formula(topics):
    chance = np.random.default_rng(topics)
    apart = chance.normal(0.05, 0.2, (9, topics)) * (chance.random((9, topics)) < 0.7)
    apart[4] = 0
    apart[5, 3:] = 0
    made = simultaneous(pair(apart), FIRST, SECOND, level=0.9, resamples=99, seed=5)
    critical, low, high = literal(apart, 0.9, 99, 5)
    assert made.critical == pytest.approx(critical, rel=1e-12)
    np.testing.assert_allclose(made.low[0], low, rtol=1e-10)
    np.testing.assert_allclose(made.high[0], high, rtol=1e-10)
    assert np.isnan(made.low[0][[4, 5]]).all()


def test_pairs_share_the_critical_value_of_the_largest_deviation_over_all_of_them():
    chance = np.random.default_rng(3)
    values = chance.random((4, 6, 25))
    first, second = (index.astype(np.int64) for index in np.triu_indices(4, 1))
    together = simultaneous(values, first, second, resamples=199)
    alone = [simultaneous(values, first[[n]], second[[n]], resamples=199).critical for n in range(len(first))]
    assert together.critical > max(alone)
    largest = np.stack([values[a] - values[b] for a, b in zip(first, second, strict=True)]).reshape(-1, 25)
    critical, low, _ = literal(largest, 0.95, 199, 0)
    assert together.critical == pytest.approx(critical, rel=1e-12)
    np.testing.assert_allclose(together.low.ravel(), low, rtol=1e-9)


def test_no_block_size_changes_a_bit(monkeypatch):
    values = np.random.default_rng(1).random((3, 40, 30))
    first, second = np.array([0, 0, 1]), np.array([1, 2, 2])
    whole = simultaneous(values, first, second, resamples=300, seed=9)
    monkeypatch.setattr(resampling, "CELLS", 1 << 9)
    monkeypatch.setattr(bands, "_AT_ONCE", 1 << 10)
    pieces = simultaneous(values, first, second, resamples=300, seed=9)
    assert pieces.critical == whole.critical
    assert pieces.low.tobytes() == whole.low.tobytes()


def test_the_other_way_round_is_the_mirror_image():
    values = np.random.default_rng(2).random((2, 12, 30))
    one, other = simultaneous(values, FIRST, SECOND), simultaneous(values, SECOND, FIRST)
    assert one.critical == other.critical
    np.testing.assert_array_equal(one.low, -other.high)


def test_another_seed_draws_other_topics():
    values = np.random.default_rng(2).random((2, 12, 30))
    criticals = {simultaneous(values, FIRST, SECOND, seed=seed, resamples=99).critical for seed in range(4)}
    assert len(criticals) > 1


def test_where_nothing_differs_there_is_no_band():
    made = simultaneous(np.full((2, 3, 30), 0.1), FIRST, SECOND)
    assert math.isnan(made.critical)
    assert made.difference.tolist() == [[0.0] * 3]
    assert np.isnan(made.low).all()
    assert np.isnan(made.high).all()


def test_rounding_is_no_difference():
    values = np.random.default_rng(4).random((1, 3, 30))
    made = simultaneous(np.concatenate([values, values * (1 + 1e-15)]), FIRST, SECOND)
    assert np.isnan(made.low).all()


@pytest.mark.parametrize(
    ("topics", "differing", "there"), [(50, 9, False), (50, 10, True), (8, 3, False), (8, 4, True)]
)
def test_a_band_needs_ten_topics_that_differ_or_half_of_them(topics, differing, there):
    apart = np.zeros((1, topics))
    apart[0, :differing] = np.linspace(0.1, 0.3, differing)
    assert bool(np.isfinite(simultaneous(pair(apart), FIRST, SECOND).low[0, 0])) is there


def test_topics_that_all_agree_leave_the_spread_of_two_imagined_ones():
    made = simultaneous(pair(np.full((1, 50), 0.5)), FIRST, SECOND)
    reach = stats.t.ppf(0.975, 49) * math.sqrt(2 * 0.5**2 / (50 * 49))
    assert made.low[0, 0] == pytest.approx(0.5 - reach)
    assert made.high[0, 0] == pytest.approx(0.5 + reach)


@pytest.mark.parametrize("topics", [2, 3, 4])
def test_a_handful_of_topics_that_agree_prove_nothing(topics):
    assert simultaneous(pair(np.ones((1, topics))), FIRST, SECOND).low[0, 0] < 0


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"level": 1.0}, "level must lie between"),
        ({"resamples": 0}, "resamples must be 1"),
        ({"seed": -1}, "seed must be 0"),
    ],
)
def test_what_cannot_be_is_refused(wrong, said):
    with pytest.raises(UsageError, match=said):
        simultaneous(np.zeros((2, 1, 9)), FIRST, SECOND, **wrong)


def test_one_topic_has_no_spread():
    with pytest.raises(UsageError, match="two topics or more; got 1"):
        simultaneous(np.zeros((2, 1, 1)), FIRST, SECOND)


# ---- what the band promises, on curves whose truth is known; docs/make_readers.py has the long tables -------------


def simulated(chance, topics, truth):
    """Differences around a truth: what a topic prefers, its shape along the sweep, and a long tail to one side."""
    place = np.linspace(0, 1, len(truth))[:, None]
    level, slope = chance.gamma(3, 0.1, topics) - 0.3, chance.normal(0, 0.2, topics)
    rough = chance.normal(0, 0.08, (len(truth), topics)).cumsum(axis=0) / 3
    return truth[:, None] + level + slope * (place - 0.5) + rough


def test_the_whole_band_holds_about_95_percent_of_true_curves():
    chance, truth = np.random.default_rng(11), np.linspace(0.2, -0.2, 25)
    held = 0
    for seed in range(300):
        made = simultaneous(pair(simulated(chance, 40, truth)), FIRST, SECOND, resamples=199, seed=seed)
        held += bool(((made.low[0] <= truth) & (truth <= made.high[0])).all())
    assert 0.92 <= held / 300 <= 0.98


def test_no_leader_is_named_in_about_95_percent_of_equal_pairs():
    chance, truth = np.random.default_rng(12), np.zeros(25)
    named = 0
    for seed in range(300):
        made = simultaneous(pair(simulated(chance, 40, truth)), FIRST, SECOND, resamples=199, seed=seed)
        named += bool(((made.low[0] > 0) | (made.high[0] < 0)).any())
    assert 0.02 <= named / 300 <= 0.08


def test_a_planted_crossing_lies_between_the_leaders_that_are_found():
    chance, truth = np.random.default_rng(13), np.linspace(0.3, -0.3, 26)  # crosses between places 12 and 13
    wrong = found = 0
    for seed in range(100):
        made = simultaneous(pair(simulated(chance, 60, truth)), FIRST, SECOND, resamples=199, seed=seed)
        first, second = np.flatnonzero(made.low[0] > 0), np.flatnonzero(made.high[0] < 0)
        found += bool(len(first) and len(second))
        wrong += bool((first > 12).any() or (second < 13).any())
    assert found >= 95
    assert wrong <= 5
