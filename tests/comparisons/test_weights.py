"""Weights of topics: means, tests and intervals that count each topic by its weight."""

import math

import numpy as np
import pytest
import scipy.stats

from gainful.comparisons import Method, ScoreTable, compare, compare_scores, leaderboard
from gainful.comparisons import topic_attributes as of_weights
from gainful.errors import DataError, NothingInCommon, UsageError
from gainful.statistics import differences as paired
from gainful.statistics.flips import sign_flip
from gainful.statistics.intervals import weighted_t_interval
from gainful.statistics.paired_tests.t import weighted_t_test
from gainful.statistics.resampling import means

A = np.array([0.3, 0.5, 0.2, 0.8, 0.4, 0.6, 0.1, 0.9])
B = np.array([0.4, 0.5, 0.5, 0.7, 0.6, 0.9, 0.4, 0.9])
W = np.array([5.0, 1.0, 2.0, 1.0, 3.0, 1.0, 1.0, 2.0])
TABLE = ScoreTable.of_matrix([A, B], systems=["a", "b"], measure="AP")
WEIGHTS = dict(zip(TABLE.topics, W.tolist(), strict=True))


def test_a_weighted_pair_by_hand():
    (pair,) = compare_scores(TABLE.weighted(WEIGHTS))
    d = B - A
    assert pair.mean_a == pytest.approx((W * A).sum() / W.sum())
    assert pair.difference == pytest.approx((W * d).sum() / W.sum())
    assert pair.p_value == sign_flip(np.round(W * d, 6))
    assert pair.effective_topics == pytest.approx(W.sum() ** 2 / (W**2).sum())
    assert pair.favours_b == pytest.approx((W * ((d > 0) + (d == 0) / 2)).sum() / W.sum())
    assert (pair.wins, pair.ties, pair.losses, pair.topics) == (5, 2, 1, 8)
    assert "8 topics (equivalent to 5.6 of equal weight)" in pair.sentence(alpha=0.05, power=0.8)


def test_equal_weights_change_nothing():
    alike = TABLE.weighted(dict.fromkeys(TABLE.topics, 3.0))
    for test, interval in (("signflip", "t"), ("t", "percentile"), ("t", "bca")):
        method = Method(test=test, interval=interval, resamples=500)
        (plain,), (weighted,) = compare_scores(TABLE, method), compare_scores(alike, method)
        one, other = plain.to_dict(), weighted.to_dict()
        assert {key: value for key, value in one.items() if not isinstance(value, str)} == {
            key: pytest.approx(value) for key, value in other.items() if not isinstance(value, str)
        }


def test_whole_weights_are_copies_of_topics_for_the_mean():
    copies = np.repeat(np.arange(8), W.astype(int))
    assert paired.weighted_mean(np.stack([A]), W)[0] == pytest.approx(A[copies].mean())


def test_a_topic_without_a_weight_counts_for_nothing_and_is_noted():
    some = {topic: weight for topic, weight in WEIGHTS.items() if topic not in ("1", "2")} | {"2": 0, "99": 1}
    made = compare_scores(TABLE.weighted(some))
    left = slice(2, None)
    assert made.pairs[0].topics == 6
    assert made.pairs[0].mean_b == pytest.approx((W[left] * B[left]).sum() / W[left].sum())
    assert "1 topic has no weight, left out: 1" in made.notes
    assert "1 topic has a weight and no scores, ignored: 99" in made.notes


def test_the_bootstrap_draws_topics_with_their_weights():
    drawn = means(np.stack([A, np.ones(8)]), resamples=200, seed=1, weights=W)
    assert drawn[:, 1] == pytest.approx(1)
    ratio = means(np.stack([A * W, W]), resamples=200, seed=1)
    assert drawn[:, 0] == pytest.approx(ratio[:, 0] / ratio[:, 1])


def test_corrections_that_share_flips_take_weights():
    chance = np.random.default_rng(2)
    rows = chance.random((4, 20)) + np.arange(4)[:, None] / 3
    table = ScoreTable.of_matrix(rows, measure="AP")
    weighted = table.weighted(dict(zip(table.topics, chance.random(20), strict=True)))
    for correction in ("max-t", "tukey", "holm"):
        made = compare_scores(weighted, Method(correction=correction, flips=500))
        assert made.of("AP")[2].significant(0.05)
    board = leaderboard(compare_scores(weighted))
    assert [place.mean for place in board.places] == sorted(weighted.mean("AP").values(), reverse=True)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"test": "wilcoxon"}, "test wilcoxon does not support weights; with weights use signflip or t"),
        ({"test": "bootstrap"}, "test bootstrap does not support weights"),
        ({"interval": "flips"}, "interval flips does not support weights"),
    ],
)
def test_methods_without_weights_say_so(options, words):
    with pytest.raises(UsageError, match=words):
        compare_scores(TABLE.weighted(WEIGHTS), Method(**options))


def test_the_weighted_interval_holds_its_rate():
    chance = np.random.default_rng(4)
    weights = chance.lognormal(0, 1, 40)
    d = chance.normal(0.1, 0.2, (2000, 40))
    low, high = weighted_t_interval(d, weights, 0.95)
    assert 0.935 <= np.mean((low <= 0.1) & (high >= 0.1)) <= 0.965
    assert 0.035 <= np.mean(weighted_t_test(d - 0.1, weights) <= 0.05) <= 0.065


def test_the_weighted_flips_hold_their_rate():
    from gainful.statistics.flips import Flips, sign_flips

    chance = np.random.default_rng(5)
    weights = chance.lognormal(0, 1, 40)
    d = paired.scaled(chance.normal(0, 0.2, (1000, 40)), weights)
    rows = np.vstack([np.zeros(40), d])
    pairs = (np.zeros(1000, int), np.arange(1, 1001))
    p = sign_flips(rows, pairs, Flips(40, 1000, 0)).p
    assert 0.035 <= np.mean(p <= 0.05) <= 0.065


def test_with_equal_weights_the_t_test_is_students():
    d = B - A
    ones = np.ones(8)
    assert weighted_t_test(d[None], ones)[0] == pytest.approx(scipy.stats.ttest_1samp(d, 0).pvalue)
    assert paired.standard_error(d[None], ones)[0] == pytest.approx(d.std(ddof=1) / math.sqrt(8))


@pytest.mark.parametrize("heavy", [1e6, 1e9, 1e16])
def test_one_topic_with_all_the_weight_proves_nothing(heavy):
    d, weights = np.array([[0.1, 0.2, 0.4]]), np.array([heavy, 1.0, 1.0])
    assert weighted_t_test(d, weights)[0] > 0.99
    low, high = weighted_t_interval(d, weights, 0.95)
    assert (low[0], high[0]) == (-math.inf, math.inf)
    assert paired.freedom(weights) == pytest.approx(4 / heavy, rel=1e-5)  # 2 · (w · 1 + w · 1 + 1 · 1) / w²
    assert 0 < paired.weighted_deviation(d, weights)[0] < 1


@pytest.mark.parametrize("unit", [1e-250, 1e-3, 1e120])
def test_only_the_ratios_of_weights_matter(unit):
    (one,), (other,) = (
        compare_scores(
            TABLE.weighted({topic: weight * by for topic, weight in WEIGHTS.items()}), Method(test="t")
        )
        for by in (1, unit)
    )
    for name in (
        "difference",
        "interval",
        "p_value",
        "effect_size",
        "effective_topics",
        "minimum_detectable",
    ):
        assert getattr(other, name) == pytest.approx(getattr(one, name))


def test_weights_are_read_from_files_and_mappings(tmp_path):
    for text in (
        "topic,weight\nq1,2\nq2,0.5\n",
        "q1\t2\nq2\t0.5\n",
        "# traffic\nq1 2\n\nq2   0.5\n",
        "q1;2\nq2;0.5",
    ):
        path = tmp_path / "weights"
        path.write_text(text)
        assert of_weights.read_weights(path) == {"q1": 2.0, "q2": 0.5}
    for text, words in (
        ("q1 two\n", "line 1: weight must be a number, 0 or more; got 'two'"),
        ("q1 -1\n", "must be a number, 0 or more; got '-1'"),
        ("q1 nan\n", "must be a number, 0 or more"),
        ("q1 1\nq1 2\n", "line 2: topic 'q1' occurs twice"),
        ("q1 1 2\n", "3 columns where topic and weight are expected"),
        ("", "holds no rows"),
        ('q1,1\n"q2,2\nq3,3\n', "line 3: unexpected end of data"),
        (f"q1,{'1' * 200_000}\n", "line 1: field larger than field limit"),
    ):
        path.write_text(text)
        with pytest.raises(DataError, match=words):
            of_weights.read_weights(path)
    with pytest.raises(UsageError, match=r"or \{topic: weight\}"):
        of_weights.read_weights([1, 2])
    with pytest.raises(NothingInCommon, match="no topic that is compared has a weight"):
        TABLE.weighted({"other": 1})


def test_compare_takes_weights_and_says_so():
    qrels = {f"q{number}": {"d": 1, "e": 0} for number in range(7)}
    good, bad = ({topic: {"d": d, "e": 1.0} for topic in qrels} for d in (2.0, 0.5))
    bad["q0"] = good["q0"]
    made = compare(
        qrels, {"bad": bad, "good": good}, "RR", weights={topic: 1 + (topic == "q0") for topic in qrels}
    )
    assert made.pairs[0].mean_a == pytest.approx((2 * 1 + 6 * 0.5) / 8)
    assert made.to_dict()["statistics"]["weights"]["q0"] == 2
    assert "weighted, equivalent to 6.4 topics of equal weight" in made.stated()  # 8² / (4 + 6)
