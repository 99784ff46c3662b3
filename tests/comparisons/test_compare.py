"""compare: pairs of systems on the same topics, with everything that a decision needs."""

import math
from collections import Counter

import msgspec
import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

import gainful
from gainful.comparisons import Method, ScoreTable, compare, compare_scores
from gainful.comparisons import method as methods
from gainful.errors import DataError, NothingInCommon, UsageError
from gainful.statistics.differences import detectable, topics_needed
from gainful.statistics.flips import sign_flip

from .scored import TABLE, A, B, many


def test_a_pair_is_described_in_full():
    (pair,) = compare_scores(TABLE)
    d = B - A
    assert (str(pair.measure), pair.a, pair.b, pair.topics) == ("AP", "a", "b", 8)
    assert (pair.mean_a, pair.mean_b) == (pytest.approx(A.mean()), pytest.approx(B.mean()))
    assert pair.difference == pytest.approx(d.mean())
    half = scipy.stats.t.ppf(0.975, 7) * d.std(ddof=1) / math.sqrt(8)
    assert pair.interval == pytest.approx((d.mean() - half, d.mean() + half))
    assert pair.p_value == pair.p_adjusted == sign_flip(np.round(d, 3))
    assert pair.effect_size == pytest.approx(d.mean() / d.std(ddof=1))
    assert (pair.wins, pair.ties, pair.losses) == (5, 2, 1)
    assert pair.favours_b == (5 + 2 / 2) / 8
    assert pair.minimum_detectable == pytest.approx(detectable(8) * d.std(ddof=1))
    assert pair.topics_needed == topics_needed(np.array([pair.effect_size]))[0]
    assert (pair.flips, pair.p_value_method) == (2**8, "exact")
    assert pair.smallest_p_adjusted == 2 / 2**6  # two topics are ties


def test_turning_the_pair_round_turns_the_signs():
    (pair,) = compare_scores(TABLE)
    (turned,) = compare_scores(ScoreTable.of_matrix([B, A], systems=["b", "a"], measure="AP"))
    assert turned.difference == -pair.difference
    assert turned.interval == pytest.approx((-pair.interval[1], -pair.interval[0]))
    assert turned.p_value == pair.p_value
    assert (turned.wins, turned.losses) == (pair.losses, pair.wins)


def test_all_pairs_or_those_with_a_baseline():
    pairs = [(pair.a, pair.b) for pair in compare_scores(many(4, measures=("AP",)))]
    assert pairs == [("s0", "s1"), ("s0", "s2"), ("s0", "s3"), ("s1", "s2"), ("s1", "s3"), ("s2", "s3")]
    pairs = [(pair.a, pair.b) for pair in compare_scores(many(4, measures=("AP",)), Method(baseline="s2"))]
    assert pairs == [("s2", "s0"), ("s2", "s1"), ("s2", "s3")]
    with pytest.raises(UsageError, match="no system is called 's22'; did you mean s2"):
        compare_scores(many(4), Method(baseline="s22"))


@pytest.mark.parametrize(
    ("ours", "theirs"), [("holm", "holm"), ("bonferroni", "bonferroni"), ("bh", "fdr_bh")]
)
@pytest.mark.parametrize("family", ["measure", "all"])
def test_corrections_take_the_pairs_of_a_measure_or_all_of_them(ours, theirs, family):
    made = compare_scores(many(), Method(correction=ours, family=family, test="t"))
    groups = [made.pairs] if family == "all" else [made.of("AP"), made.of("nDCG@10")]
    for group in groups:
        expected = multipletests([pair.p_value for pair in group], method=theirs)[1]
        assert [pair.p_adjusted for pair in group] == pytest.approx(expected)


@pytest.mark.parametrize("correction", ["max-t", "tukey"])
def test_shared_randomisation_makes_one_family_of_all_measures(correction):
    alone = compare_scores(many(), Method(correction=correction, flips=500))
    together = compare_scores(many(), Method(correction=correction, flips=500, family="all"))
    assert all(one.p_adjusted >= other.p_adjusted for one, other in zip(together, alone, strict=True))
    assert any(one.p_adjusted > other.p_adjusted for one, other in zip(together, alone, strict=True))


@pytest.mark.parametrize("test", ["signflip", "t", "wilcoxon", "sign", "bootstrap"])
@pytest.mark.parametrize("interval", ["t", "bca", "percentile", "flips"])
def test_every_test_and_interval_can_be_asked_for_by_name(test, interval):
    (pair,) = compare_scores(TABLE, Method(test=test, interval=interval, resamples=500))
    assert 0 <= pair.p_value <= 1
    low, high = pair.interval
    assert low < pair.difference < high
    assert (pair.flips is not None) == (test == "signflip")


def test_p_values_too_small_for_the_flips_come_from_the_tail():
    rows = np.random.default_rng(3).random(40) + np.random.default_rng(4).normal(0, 0.1, (30, 40))
    rows += np.linspace(0, 0.2, 30)[:, None]
    made = compare_scores(ScoreTable.of_matrix(rows))
    assert Method().needed(435) == 20 * 435 / 0.05 > 100_000
    ways = Counter(pair.p_value_method for pair in made)
    assert set(ways) == {"flips", "saddlepoint", "exact"}
    assert min(pair.p_value for pair in made if pair.p_value_method == "flips") > 100 / 100_000
    assert max(pair.p_value for pair in made if pair.p_value_method != "flips") < 150 / 100_000
    stated = made.stated()
    assert f"100,000 flips · {ways['saddlepoint']} small p-values by saddlepoint approximation" in stated
    assert not any("flips" in note for note in made.notes)
    assert made.to_dict()["comparisons"][0]["p_value_method"] in ways


def test_no_more_flips_are_drawn_where_all_is_clear():
    rows = np.random.default_rng(1).random((2, 40))
    (pair,) = compare_scores(ScoreTable.of_matrix(rows), Method(alpha=0.0001))
    assert Method(alpha=0.0001).needed(1) == 200_000
    assert (pair.flips, pair.p_value > 0.01) == (100_000, True)


def test_flips_that_cannot_resolve_alpha_are_named_in_the_verdict():
    table = many(12, measures=("AP",))
    made = compare_scores(table, Method(flips=1000))
    words = [made.sentence(pair) for pair in made]
    limit = "1,000 flips give no p-value under 0.066 after Holm over 66 comparisons, whatever the scores"
    assert all(f"cannot be resolved: {limit}; ask for 26,400 (--flips)." in sentence for sentence in words)
    assert not any("significant" in sentence for sentence in words)
    assert made.summary() == [
        f"AP: 0 of 66 differences are significant; 66 cannot be resolved: {limit}; ask for 26,400 (--flips)."
    ]
    assert any("only coarsely" in note for note in compare_scores(table, Method(flips=5000)).notes)
    shared = compare_scores(table, Method(flips=1000, correction="max-t"))
    assert not any("resolve" in text for text in (*shared.notes, *shared.summary()))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"test": "bootstrap", "resamples": 500}, "500 resamples give no p-value under 0.13 after Holm"),
        ({"test": "sign"}, "10 topics give no p-value under 0.13 after Holm over 66 comparisons"),
        ({"test": "wilcoxon"}, "10 topics give no p-value under 0.13 after Holm over 66 comparisons"),
        ({"test": "signflip"}, "; 12 are needed, or compare fewer systems"),
        ({"test": "signflip", "correction": "max-t", "flips": 10}, "10 flips give no p-value under 0.091"),
    ],
)
def test_every_test_knows_its_smallest_p_value(options, words):
    rows = np.random.default_rng(1).random((12, 10)) + np.arange(12)[:, None]  # as clear as can be
    made = compare_scores(ScoreTable.of_matrix(rows, measure="AP"), Method(**options))
    assert {pair.p_adjusted for pair in made} == {pair.smallest_p_adjusted for pair in made}
    assert words in made.summary()[0]
    assert words in made.sentence(made.pairs[-1])
    assert compare_scores(made.table, Method(test="t")).summary() == [
        "AP: 66 of 66 differences are significant."
    ]


def board_of(systems, topics=50, seed=142, spread=0.08):
    """Scores as a track has them: topics of different difficulty, systems of different quality."""
    random = np.random.default_rng(seed)
    rows = random.beta(2, 3, topics) + random.normal(0, 0.15, (systems, topics))
    return np.clip(rows + np.linspace(-spread, spread, systems)[:, None], 0, 1)


@pytest.mark.parametrize("family", ["measure", "all"])
def test_one_system_more_does_not_make_every_difference_vanish(family, monkeypatch):
    # As 141 and 142 systems, 9,870 and 10,011 pairs, are to the 100,000 flips of the default, 14 and 15 are to 1,000.
    monkeypatch.setattr("gainful.statistics.flips.DEFAULT", 1000)
    rows = board_of(15, spread=0.3)
    found = []
    for systems in (14, 15):
        made = compare_scores(ScoreTable.of_matrix(rows[:systems]), Method(family=family))
        found.append({(pair.a, pair.b) for pair in made if pair.significant(0.05)})
        assert not any(pair.unresolved(0.05) for pair in made)
    assert len(found[0]) > 40
    assert len(found[0] & found[1]) > 0.95 * len(found[0])


@given(st.integers(10, 13), st.integers(14, 40), st.integers(0, 2**32 - 1))
@settings(max_examples=25, deadline=None)
def test_a_system_far_from_all_others_makes_no_difference_vanish_by_resolution(systems, topics, seed):
    """One that is clearly worse adds tests that are clearly found; Holm then multiplies the others by no more than before."""
    rows = board_of(systems, topics, seed, spread=0.3)
    wide = np.vstack([rows, -5 - np.random.default_rng(seed).random(topics)])
    with pytest.MonkeyPatch.context() as patch:
        # 1/1,001 after Holm over 45 pairs is below 0.05, over 55 it is not: as 100,000 flips are for 5,000 pairs and more.
        patch.setattr("gainful.statistics.flips.DEFAULT", 1000)
        before, after = (compare_scores(ScoreTable.of_matrix(scores)) for scores in (rows, wide))
    still = {(pair.a, pair.b): pair for pair in after}
    assert max(pair.smallest_p_adjusted for pair in after) <= 0.05
    for pair in before:
        if pair.significant(0.05) and not still[pair.a, pair.b].significant(0.05):
            assert (
                still[pair.a, pair.b].p_value * len(after.pairs) > 0.05
            )  # it may weaken by the correction alone


def test_how_many_topics_are_needed_is_never_fewer_than_there_are():
    # Benjamini-Hochberg: where all differences are as clear, the smallest p-value is not multiplied. 2/2⁶ < 0.05.
    clear = np.random.default_rng(1).random((10, 5)) + np.arange(10)[:, None]
    bh = compare_scores(ScoreTable.of_matrix(clear, measure="AP"), Method(correction="bh"))
    assert bh.summary()[0].endswith("whatever the scores; 6 are needed.")
    # Wilcoxon with shared ranks is a normal approximation, whose tail is not the 2/2¹⁸ of all patterns.
    tenths = np.round(np.random.default_rng(1).random((40, 18)), 1) / 2 + np.arange(40)[:, None]
    wilcoxon = compare_scores(ScoreTable.of_matrix(tenths, measure="AP"), Method(test="wilcoxon"))
    words = "18 topics give no p-value under 0.14 after Holm over 780 comparisons, whatever the scores; more are needed"
    assert words in wilcoxon.summary()[0]


def test_too_few_topics_for_any_p_value_are_named_in_the_verdict():
    made = compare_scores(ScoreTable.of_matrix([A[:4] - 1, B[:4]], measure="AP"))
    assert made.pairs[0].p_value == 2 / 2**4
    words = made.sentence(made.pairs[0])
    assert (
        "cannot be resolved: 4 topics give no p-value under 0.12, whatever the scores; 6 are needed." in words
    )


RISING = np.array([[0.1], [0.2], [0.4]]) + np.arange(6) / 100 * np.array([[1], [2], [3]])


def test_no_p_value_is_called_impossible_that_is_found():
    table = ScoreTable.of_matrix(RISING, measure="AP")
    holm, bh = (compare_scores(table, Method(correction=name)) for name in ("holm", "bh"))
    assert [pair.p_adjusted for pair in holm] == [3 * 2 / 2**6] * 3
    assert all("6 topics give no p-value under 0.094 after Holm" in holm.sentence(pair) for pair in holm)
    assert [pair.p_adjusted for pair in bh] == [2 / 2**6] * 3
    assert not any(pair.unresolved(0.05) for pair in bh)
    # Tukey shuffles all systems: 4 topics have 2⁴ flips, and (3!)⁴ shuffles
    few = ScoreTable.of_matrix(RISING[:, :4], measure="AP")
    tukey = compare_scores(few, Method(correction="tukey"))
    assert min(pair.p_adjusted for pair in tukey) < 0.05
    assert not any(pair.unresolved(0.05) for pair in tukey)
    two = compare_scores(ScoreTable.of_matrix(RISING[:, :2], measure="AP"), Method(correction="tukey"))
    assert two.pairs[-1].smallest_p_adjusted == pytest.approx(1 / 6)  # 6/(3!)²
    assert min(pair.p_adjusted for pair in two) == pytest.approx(1 / 6, abs=0.02)
    assert "2 topics give no p-value under 0.17, whatever the scores; more are needed" in two.summary()[0]


def test_a_single_topic_that_differs_is_said_in_the_singular():
    table = ScoreTable.of_matrix(np.array([[0.5, 0.5, 0.5], [1.0, 0.5, 0.5]]), measure="AP")
    limit = "1 topic that differs gives no p-value under 1, whatever the scores; 6 are needed"
    assert limit in compare_scores(table).verdict.headline


def test_shared_flips_that_resolve_alpha_only_coarsely_are_noted():
    made = compare_scores(many(3, measures=("AP",)), Method(correction="max-t", alpha=0.001, flips=900))
    assert (
        "900 flips give no p-value under 0.0011, whatever the scores; ask for 20,000 (--flips)"
        in made.summary()[0]
    )
    made = compare_scores(many(3, measures=("AP",)), Method(correction="max-t", alpha=0.001))
    assert any(
        note.startswith("10,000 flips resolve the significance level 0.001 only coarsely")
        for note in made.notes
    )


@pytest.mark.parametrize("interval", ["t", "bca", "percentile", "flips"])
@pytest.mark.parametrize("weights", [None, {str(n): float(n) for n in range(1, 8)}])
def test_an_interval_always_contains_the_difference(interval, weights):
    rows = np.random.default_rng(2).random(7)
    for apart in (0.1, 0.3, 1 / 3, 1e-9):  # constant: an interval of one point, which rounding would move
        table = ScoreTable.of_matrix([rows, rows + apart])
        if weights and interval == "flips":
            continue
        table = table if weights is None else table.weighted(weights)
        (pair,) = compare_scores(table, Method(interval=interval, resamples=200))
        assert pair.interval[0] <= pair.difference <= pair.interval[1]
        assert pair.interval == pytest.approx((apart, apart))


def test_results_are_the_same_for_the_same_seed():
    method = Method(test="bootstrap", interval="bca", correction="holm", resamples=300, seed=4)
    once, again = (compare_scores(many(), method).to_dict() for _ in range(2))
    assert once == again
    other = compare_scores(many(), Method(test="bootstrap", interval="bca", resamples=300, seed=5)).to_dict()
    assert other["comparisons"] != once["comparisons"]


@pytest.mark.parametrize("test", ["signflip", "bootstrap"])
def test_chunks_of_pairs_change_nothing(monkeypatch, test):
    method = Method(test=test, interval="bca", resamples=200, flips=500)
    whole = compare_scores(many(), method).to_dict()
    monkeypatch.setattr(methods, "CELLS", 100)
    assert compare_scores(many(), method).to_dict() == whole


def test_a_constant_difference_is_found_by_flips_and_noted():
    made = compare_scores(ScoreTable.of_matrix([A, A + 0.25]))
    (pair,) = made
    assert pair.p_value == 2 / 2**8
    assert math.isinf(pair.effect_size)
    assert pair.interval == (pytest.approx(0.25), pytest.approx(0.25))
    assert any("same amount on every topic" in note for note in made.notes)


def test_a_test_and_an_interval_that_disagree_are_called_borderline():
    random = np.random.default_rng(0)
    for _ in range(300):
        d = random.normal(0.4, 1, 30)
        made = compare_scores(ScoreTable.of_matrix([np.zeros(30), d]), Method(flips=2000))
        (pair,) = made
        inside = pair.interval[0] <= 0 <= pair.interval[1]
        assert (inside == (pair.p_value <= 0.05)) == any("borderline" in note for note in made.notes)
        if any("borderline" in note for note in made.notes):
            return
    pytest.fail("no borderline case among 300")


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(NothingInCommon, match="there is only one system"):
        compare_scores(ScoreTable.of_matrix([A]))
    with pytest.raises(NothingInCommon, match="one topic"):
        compare_scores(ScoreTable.of_matrix([A[:1], B[:1]]))
    with pytest.raises(DataError, match="topic 2 is nan"):
        ScoreTable.of_matrix([[0.1, math.nan], [0.2, 0.3]])
    with pytest.raises(UsageError, match="system 'a' is named twice"):
        ScoreTable.of_matrix([A, B], systems=["a", "a"])
    with pytest.raises(UsageError, match="topic 'q' is named twice"):
        ScoreTable.of_matrix([A[:2], B[:2]], topics=["q", "q"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"test": "z"}, "test must be one of bootstrap, sign, signflip, t, wilcoxon, or a Python file"),
        ({"alpha": 0}, "alpha must lie between"),
        ({"alpha": 1e-320}, "alpha must lie between 1e-09 and 0.999999; got 1e-320"),
        ({"alpha": math.nan}, "alpha must lie between"),
        ({"power": 1 - 1e-12}, "power must lie between"),
        ({"power": 0.01}, "power must be more than alpha"),
        ({"flips": 0}, "flips must lie between 1 and 1,000,000,000"),
        ({"resamples": 0}, "resamples must lie between 1 and"),
        ({"seed": -1}, "seed must lie between 0 and"),
        ({"correction": "tukey", "test": "t"}, "goes with test signflip"),
    ],
)
def test_impossible_methods_are_refused(options, words):
    with pytest.raises(UsageError, match=words):
        Method(**options)


QRELS = {f"q{number}": {"d": 1, "e": 0} for number in range(7)}
GOOD = {topic: {"d": 2.0, "e": 1.0} for topic in QRELS}
BAD = {topic: {"d": 1.0, "e": 2.0} for topic in QRELS}


def test_runs_are_scored_and_paired_by_topic():
    backwards = dict(reversed(GOOD.items()))
    made = compare(QRELS, {"bad": BAD, "good": backwards}, "RR, P@1")
    assert [(str(pair.measure), pair.difference) for pair in made] == [("RR", 0.5), ("P@1", 1.0)]
    assert made.to_dict()["qrels"]["topics"] == 7
    assert made.to_dict()["settings"]["ties"] == "docid"


def test_missing_topics_follow_the_policy_and_different_topic_sets_are_listed():
    half = {topic: GOOD[topic] for topic in list(QRELS)[:4]}
    assert compare(QRELS, {"good": GOOD, "half": half}, "RR").pairs[0].mean_b == 4 / 7
    with pytest.raises(DataError, match=r"evaluated on different topics(.|\n)*half lacks 3: q4, q5, q6"):
        compare(QRELS, {"good": GOOD, "half": half}, "RR", missing="skip")
    rest = {topic: GOOD[topic] for topic in list(QRELS)[4:]}
    with pytest.raises(NothingInCommon, match="no topic is common"):
        compare(QRELS, {"half": half, "rest": rest}, "RR", missing="skip")


def test_topics_with_nothing_to_find_may_be_left_out_for_some_measures():
    qrels = QRELS | {"none": {"e": 0, "f": 0}}
    run = {topic: {"d": 1.0, "e": 2.0} for topic in qrels}
    made = compare(
        qrels,
        {"a": run, "b": GOOD | {"none": {"e": 1.0}}},
        "RR, NumRet",
        undefined="skip",
        correction="max-t",
        family="all",
    )
    assert {str(pair.measure): pair.topics for pair in made} == {"RR": 7, "NumRet": 8}


def test_only_means_are_compared():
    with pytest.raises(UsageError, match="is a median over topics"):
        compare(QRELS, {"a": GOOD, "b": BAD}, "RR(summary=median)")


def test_scores_of_evaluate_can_be_compared_later():
    scores = gainful.evaluate(QRELS, {"bad": BAD, "good": GOOD}, "RR")
    later, now = compare_scores(scores).to_dict(), compare(QRELS, {"bad": BAD, "good": GOOD}, "RR").to_dict()
    assert later["next"].pop("unjudged") is None  # the scores alone do not name unjudged documents
    assert now["next"].pop("unjudged")["open"] == 0
    assert later == now


def test_a_run_under_two_names_is_noticed():
    from gainful.comparisons.score_table import System

    systems = (System("a", digest="00ff00ff00ff00"), System("b", digest="00ff00ff00ff00"))
    table = ScoreTable(TABLE.measures, systems, TABLE.topics, np.stack([A, A])[None])
    assert "a and b are the same run (digest 00ff00ff00ff)" in compare_scores(table).notes


def test_many_copies_and_many_constant_differences_are_one_note_each():
    from gainful.comparisons.score_table import System

    systems = tuple(System(f"s{n}", digest="00ff00ff00ff00") for n in range(9))
    rows = np.stack([A + number for number in range(9)])
    notes = compare_scores(ScoreTable(TABLE.measures, systems, TABLE.topics, rows[None])).notes
    copies, constant = ([note for note in notes if word in note] for word in ("same run", "same amount"))
    assert copies == ["s0 and s1 are the same run (digest 00ff00ff00ff); 7 more runs copied from others"]
    assert len(constant) == 1
    assert (
        "s1 differs from s0 by the same amount on every topic (so do 35 more pairs); the standard deviation is 0"
        in constant[0]
    )


def test_without_scipy_the_way_out_of_a_test_that_needs_it_is_named(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    with pytest.raises(UsageError, match="pip install scipy"):
        compare(QRELS, {"bad": BAD, "good": GOOD}, "RR", test="wilcoxon")


def test_a_saved_result_may_stand_for_a_run_in_a_list(tmp_path):
    path = tmp_path / "bad.json"
    path.write_bytes(msgspec.json.encode(gainful.evaluate(QRELS, {"bad": BAD}, "RR").to_dict()))
    made = compare(QRELS, [path, GOOD], "RR")
    assert [(pair.a, pair.b, pair.difference) for pair in made] == [("bad", "run", 0.5)]
