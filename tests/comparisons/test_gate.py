"""The gate: passes on proof, fails on proof, and otherwise says what proof would take."""

import json
import math
from xml.etree import ElementTree

import numpy as np
import pytest

from gainful.comparisons import ScoreTable, gate, gate_verdict
from gainful.comparisons.gate_decision import gate_scores
from gainful.errors import NothingInCommon, UsageError
from gainful.measures import parse
from gainful.statistics.flips import Flips, OneSided

RANDOM = np.random.default_rng(7)
BASE = RANDOM.random(40)
NOISE = RANDOM.normal(0, 0.05, 40)
NOISE -= NOISE.mean()


def table(*candidates, measures=("nDCG@10",)):
    values = np.stack([np.stack([BASE, BASE + NOISE + shift]) for shift in candidates])
    one = ScoreTable.of_matrix(values[0], systems=["main", "branch"])
    return ScoreTable(tuple(map(parse, measures)), one.systems, one.topics, values)


@pytest.mark.parametrize(
    ("shift", "verdict"), [(0.0, "pass"), (0.05, "pass"), (-0.02, "cannot tell"), (-0.1, "fail")]
)
def test_the_verdict_follows_from_the_bounds(shift, verdict):
    made = gate_scores(table(shift), margin=0.02)
    (check,) = made.checks
    assert check.verdict == made.verdict == verdict
    assert (check.lower > -0.02) == (verdict == "pass")
    assert (check.upper < -0.02) == (verdict == "fail")
    assert (check.p_value <= 0.05) == (verdict == "pass")
    assert made.passed == (verdict == "pass")


def test_bounds_and_p_value_are_those_of_one_sided_flips():
    (check,) = gate_scores(table(-0.01), margin=0.03, alpha=0.1, flips=5000, seed=3).checks
    test = OneSided.of(np.round(NOISE - 0.01, 14), Flips(40, 5000, 3))
    assert check.p_value == test.p_above(-0.03)
    assert (check.lower, check.upper) == (pytest.approx(test.lower(0.1)), pytest.approx(test.upper(0.1)))


@pytest.mark.parametrize("measure", ["nDCG@10", "Fallout@5"])
def test_bounds_contain_a_difference_that_is_the_same_on_every_topic(measure):
    for shift in np.random.default_rng(5).uniform(-0.3, 0.3, 20):
        one = ScoreTable.of_matrix([BASE, BASE + shift], systems=["main", "branch"], measure=measure)
        (check,) = gate_scores(one, margin=0.02).checks
        assert check.lower <= check.difference <= check.upper


def test_no_difference_found_is_not_enough_to_pass():
    """Five noisy topics show nothing, which proves nothing."""
    noisy = ScoreTable.of_matrix(
        [[0.1, 0.9, 0.4, 0.3, 0.7], [0.5, 0.2, 0.6, 0.1, 0.8]], systems=["main", "branch"]
    )
    made = gate_scores(noisy, margin=0.01)
    assert made.verdict == "cannot tell"
    assert not made.passed
    assert gate_scores(noisy, margin=0.01, allow_inconclusive=True).passed


def test_cannot_tell_says_how_many_topics_would_do():
    from statsmodels.stats.power import TTestPower

    made = gate_scores(table(-0.02), margin=0.02)
    (check,) = made.checks
    effect = 0.02 / NOISE.std(ddof=1)
    needed = int(check.topics_needed)
    assert TTestPower().power(effect, needed, 0.05, alternative="larger") >= 0.8
    assert TTestPower().power(effect, needed - 1, 0.05, alternative="larger") < 0.8
    assert f"If the two were equal, {needed} topics would pass with power 0.8" in made.sentence(check)


def test_fewer_topics_than_the_test_needs_are_never_said_to_do():
    easy = ScoreTable.of_matrix([[0.1, 0.2, 0.3], [0.1, 0.2, 0.3001]], systems=["main", "branch"])
    (check,) = gate_scores(easy, margin=0.5).checks
    assert check.verdict == "cannot tell"
    assert check.topics_needed == 5  # 1/2⁴ is more than 0.05
    assert check.lower == -math.inf


def test_a_margin_of_zero_is_never_settled_by_more_topics():
    made = gate_scores(table(0.0), margin=0)
    assert made.verdict == "cannot tell"
    assert math.isinf(made.checks[0].topics_needed)
    assert "allow a loss that would not matter" in made.sentence(made.checks[0])


def test_all_measures_must_pass():
    both = table(0.0, -0.1, measures=("nDCG@10", "AP"))
    assert [check.verdict for check in gate_scores(both, margin=0.02).checks] == ["pass", "fail"]
    assert not gate_scores(both, margin=0.02).passed
    assert not gate_scores(both, margin=0.02, allow_inconclusive=True).passed
    assert gate_scores(both, margin={"nDCG@10": 0.02, "map": 0.2}).passed


def test_the_topics_that_lost_most_are_listed_worst_first():
    (check,) = gate_scores(table(0.0), margin=0.02, worst=3).checks
    order = np.argsort(NOISE)[:3]
    assert [one.topic for one in check.regressed] == [str(number + 1) for number in order]
    assert [one.difference for one in check.regressed] == pytest.approx(NOISE[order].tolist())
    assert check.losses == int((NOISE < 0).sum())
    assert gate_scores(table(5.0), margin=0.02).checks[0].regressed == ()


def test_identical_runs_pass_and_are_noticed():
    qrels = {f"q{number}": {"d": 1} for number in range(6)}
    run = {topic: {"d": 2.0, "x": 1.0} for topic in qrels}
    made = gate(qrels, run, run, "RR", margin=0.01)
    assert made.passed
    assert made.checks[0].lower == 0
    assert made.checks[0].ties == 6


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"margin": -0.1}, "margin of nDCG@10 must lie between 0 and"),
        ({"margin": math.nan}, "margin of nDCG@10 must lie between 0 and"),
        ({"margin": {"AP": 0.1}}, "no margin is given for nDCG@10"),
        ({"margin": {"AP": 0.1, "nDCG@10": 0.1}}, "AP, which is not measured"),
        ({"margin": 0.1, "alpha": 0.5}, "alpha must be less than 0.5"),
        ({"margin": 0.1, "power": 0.01}, "power must be more than alpha"),
        ({"margin": 1e308}, "margin of nDCG@10 must lie between 0 and"),
        ({"margin": 0.1, "alpha": 1e-320}, "alpha must lie between 1e-09"),
        ({"margin": 0.1, "power": 1 - 1e-16}, "power must lie between"),
        ({"margin": 0.1, "flips": 10**20}, "flips must lie between 1 and 1,000,000,000"),
        (
            {"margin": 0.1, "flips": 10},
            "10 flips give no p-value under 0.091 and cannot decide at alpha 0.05; ask for 400",
        ),
        ({"margin": 0.1, "flips": 20_000_000}, "hold every flip; ask for 10,000,000 at the most"),
    ],
)
def test_impossible_options_are_refused(options, words):
    with pytest.raises(UsageError, match=words):
        gate_scores(table(0.0), **options)


def test_one_topic_or_three_systems_have_no_gate():
    with pytest.raises(NothingInCommon, match="cannot decide on one topic"):
        gate_scores(ScoreTable.of_matrix([[0.1], [0.2]]), margin=0.1)
    with pytest.raises(UsageError, match="between two systems"):
        gate_scores(ScoreTable.of_matrix([[0.1, 0.2]] * 3), margin=0.1)


def test_sentences_give_verdict_numbers_and_margin():
    for shift, words in (
        (0.0, "no more than 0.02 below main"),
        (-0.1, "more than 0.02 below main (upper bound −0."),
    ):
        made = gate_scores(table(shift), margin=0.02)
        assert words in made.sentence(made.checks[0])
    assert made.sentence(made.checks[0]).startswith("fail: nDCG@10 0.")


def test_json_has_everything():
    made = json.loads(gate_verdict.json(gate_scores(table(-0.02), margin=0.02)))
    assert made["verdict"] == "cannot tell"
    assert made["passed"] is False
    (check,) = made["checks"]
    assert {"measure", "margin", "lower", "upper", "p_value", "topics_needed", "regressed"} <= set(check)
    assert made["statistics"]["seed"] == 0


def test_markdown_lists_checks_and_regressed_topics():
    text = gate_verdict.markdown(gate_scores(table(-0.1), margin=0.02))
    assert text.startswith("### ❌ fail: branch did not pass the gate against main\n")
    assert "| nDCG@10 | fail |" in text
    assert "<details><summary>nDCG@10: the 5 that lost most, of" in text


@pytest.mark.parametrize(("shift", "tag"), [(0.0, "system-out"), (-0.02, "failure"), (-0.1, "failure")])
def test_junit_has_a_case_for_each_measure(shift, tag):
    root = ElementTree.fromstring(gate_verdict.junit(gate_scores(table(shift), margin=0.02)))
    (case,) = root.findall("./testsuite/testcase")
    assert case.get("name") == "nDCG@10"
    assert [child.tag for child in case] == [tag]
    assert root.get("failures") == str(int(tag == "failure"))


def test_an_inconclusive_check_that_is_allowed_is_skipped_in_junit():
    root = ElementTree.fromstring(
        gate_verdict.junit(gate_scores(table(-0.02), margin=0.02, allow_inconclusive=True))
    )
    assert root.get("skipped") == "1"
    assert root.find("./testsuite/testcase/skipped") is not None


def test_all_flips_are_claimed_only_where_every_measure_has_them():
    one = ScoreTable.of_matrix(np.random.default_rng(0).random((2, 20)), systems=["main", "branch"])
    values = np.stack([one.values[0], one.values[0]])
    values[1, :, 5:] = np.nan  # the second measure counts five topics
    both = ScoreTable((parse("AP"), parse("RR")), one.systems, one.topics, values)
    assert " · 100 flips · " in gate_scores(both, margin=0.1, flips=100).stated()
    assert " · all flips · " in gate_scores(both.select(["RR"]), margin=0.1, flips=100).stated()


def test_the_gate_is_wrong_no_more_often_than_it_says(monkeypatch):
    """400 candidates that lose just the margin: 20 ± 3 standard deviations of 4.4 pass."""
    # The two-sided test, which decides nothing here, would take ten times as long.
    monkeypatch.setattr("gainful.statistics.flips.DEFAULT", 500)
    random = np.random.default_rng(5)
    passed = 0
    for number in range(400):
        d = random.normal(-0.05, 0.2, 25)
        values = ScoreTable.of_matrix([np.zeros(25), d], systems=["main", "branch"])
        passed += gate_scores(values, margin=0.05, flips=500, seed=number).passed
    assert 7 <= passed <= 33
