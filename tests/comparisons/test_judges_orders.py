"""Several judges: the scores of systems under each, and whether their order survives another judge."""

import statistics

import numpy as np
import pytest

import gainful
from gainful.comparisons import tau_ap as tau_ap_of
from gainful.comparisons import tau_b as tau_b_of
from gainful.comparisons.judges import compare_judges, merge
from gainful.comparisons.judges import judge_orders as orders
from gainful.comparisons.judges import judge_tables as views
from gainful.errors import NothingInCommon, UsageError
from gainful.statistics import resampling

from .several_judges import RUNS, SAID


def test_scores_are_those_of_evaluate_under_each_judge(made):
    for judge, said in SAID.items():
        alone = gainful.evaluate(said, RUNS, "nDCG@5, P(rel=2)@5")
        for one in made.scores:
            assert one.by_judge[judge] == alone[one.system].mean[str(one.measure)]
    merged = gainful.evaluate(merge(SAID, "max"), RUNS, "nDCG@5")
    assert made.scores[0].merged["max"] == merged["system0"].mean["nDCG@5"]


def test_the_spread_is_over_judges(made):
    for one in made.scores:
        values = list(one.by_judge.values())
        assert (one.lowest, one.highest) == (min(values), max(values))
        assert one.deviation == pytest.approx(statistics.stdev(values))
        assert one.mean == pytest.approx(statistics.mean(values))


def literal_taus(first, second):
    x, y = np.array(first), np.array(second)
    return tau_b_of(x, y), (tau_ap_of(x, y) + tau_ap_of(y, x)) / 2


def test_orders_are_correlated_as_elsewhere_with_neither_judge_the_truth(made):
    for found in made.orders:
        scores = made.of(found.measure)
        for pair in found.pairs:
            first, second = ([one.by_judge[judge] for one in scores] for judge in (pair.first, pair.second))
            assert (pair.tau_b.value, pair.tau_ap.value) == pytest.approx(literal_taus(first, second))
            assert pair.tau_b.low <= pair.tau_b.value <= pair.tau_b.high
            swapped = {
                frozenset((a.system, b.system))
                for a in scores
                for b in scores
                if (a.by_judge[pair.first] - b.by_judge[pair.first])
                * (a.by_judge[pair.second] - b.by_judge[pair.second])
                < 0
            }
            assert {frozenset(names) for names in pair.swaps} == swapped
            for better, worse in pair.swaps:
                by_first = {one.system: one.by_judge[pair.first] for one in scores}
                assert by_first[better] > by_first[worse]
        assert found.tau_b.value == pytest.approx(statistics.mean(pair.tau_b.value for pair in found.pairs))


def test_many_orders_at_once_are_each_as_alone():
    means = np.random.default_rng(1).integers(0, 4, size=(40, 3, 5)) / 10
    above = orders.signs(means)
    b, ap = orders.tau_b(above), orders.tau_ap(above)
    for draw in range(40):
        for one in range(3):
            for other in range(3):
                expected = literal_taus(means[draw, one], means[draw, other])
                assert (b[draw, one, other], ap[draw, one, other]) == pytest.approx(expected, nan_ok=True)


def test_intervals_of_correlations_are_draws_of_topics_moved_to_the_value(made):
    scores = [gainful.evaluate(SAID[judge], RUNS, "nDCG@5") for judge in ("judge0", "judge1")]
    values = [np.array([run.values[0] for run in one.runs]) for one in scores]
    drawn = np.array(
        [tau_b_of(*(of @ times / 12 for of in values)) for times in resampling.counts(0, 12, 0, 300)]
    )
    found = made.orders[0].pairs[0].tau_b
    moved = np.clip(drawn + found.value - drawn.mean(), -1, 1)
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(moved, [0.025, 0.975])))


def test_systems_that_all_judges_put_the_same_way_have_a_better_one(made):
    for found in made.orders:
        for pair in found.of_systems:
            signs = {np.sign(value) for value in pair.differences.values()}
            expected = pair.b if signs == {1} else pair.a if signs == {-1} else None
            assert pair.better == expected
            assert pair.split == ({-1, 1} <= signs)
            assert 0 <= pair.unanimous <= 1


def test_less_is_better_for_measures_that_say_so():
    runs = {"near": {"q": {"a": 2.0, "x": 1.0}}, "far": {"q": {"x": 2.0, "a": 1.0}}}
    said = {name: {"q": {"a": 1, "x": 0}} for name in ("ann", "ben")}
    found = compare_judges(said, runs, "Fallout@1").orders[0]
    assert found.of_systems[0].better == "near"
    assert found.of_systems[0].unanimous is None
    tau = found.pairs[0].tau_b
    assert (tau.value, tau.reason) == (1.0, "one topic gives no interval")


def test_equal_systems_are_no_swap_and_their_order_is_undefined():
    runs = {name: {"q": {"a": 1.0}, "r": {"a": 1.0}} for name in ("one", "two")}
    said = {"ann": {"q": {"a": 1}, "r": {"a": 1}}, "ben": {"q": {"a": 0}, "r": {"a": 1}}}
    found = compare_judges(said, runs, "RR", resamples=20)
    assert found.orders[0].pairs[0].swaps == ()
    assert found.orders[0].tau_b.reason == "a judge scores all systems equally"
    assert found.orders[0].surviving == 0
    assert found.sentences[1] == (
        "RR: the order of the 2 systems cannot be compared between ann and ben "
        "(tau undefined, a judge scores all systems equally)."
    )


def test_one_run_has_scores_and_no_order():
    found = compare_judges(SAID, {"only": RUNS["system0"]}, "AP", resamples=10)
    assert found.orders == ()
    assert len(found.scores) == 1
    assert "system" not in views.of_judges(found, "csv").splitlines()[-1]


def test_only_topics_that_all_judged_count_and_a_note_says_so():
    part = SAID | {"judge2": {topic: SAID["judge2"][topic] for topic in ("t0", "t1", "t2")}}
    found = compare_judges(part, RUNS, "AP", resamples=10)
    assert found.topics == ("t0", "t1", "t2")
    assert any("only the 3 topics that all judged" in note for note in found.notes)
    with pytest.raises(UsageError, match="1 of the topics asked for were not judged by every judge: t5"):
        compare_judges(part, RUNS, "AP", topics="t0,t5")
    with pytest.raises(NothingInCommon, match="no topic was judged by every judge"):
        compare_judges({"a": {"x": {"d": 1}}, "b": {"y": {"d": 1}}}, RUNS)


def test_common_documents_alone_may_be_scored_with():
    part = {
        "ann": {"q": {"a": 1, "b": 0, "c": 1}},
        "ben": {"q": {"a": 0, "b": 1}},
    }
    run = {"run": {"q": {"c": 3.0, "a": 2.0, "b": 1.0}}}
    found = compare_judges(part, run, "RR")
    assert dict(found.scores[0].by_judge) == {"ann": 1, "ben": 1 / 3}
    assert any(
        "did not judge the same documents (ann 3, ben 2; all of them 2)" in note for note in found.notes
    )
    found = compare_judges(part, run, "RR", documents="common")
    assert dict(found.scores[0].by_judge) == {"ann": 1 / 2, "ben": 1 / 3}
    with pytest.raises(NothingInCommon, match="no document was judged by all"):
        compare_judges({"a": {"q": {"d": 1}}, "b": {"q": {"e": 1}}}, run, documents="common")


def test_a_copy_of_a_judge_is_noticed():
    found = compare_judges({"ann": SAID["judge0"], "eve": SAID["judge0"]}, RUNS, "AP", resamples=10)
    assert "ann and eve have the same judgments" in found.notes
    assert found.sentences[1].startswith(
        "AP: the order of the 4 systems survives the change from ann to eve (tau 1.00"
    )


def test_an_order_that_survives_but_for_equal_systems_is_said_to():
    said = {"ann": {"q": {"a": 1, "b": 0, "c": 0}}, "ben": {"q": {"a": 1, "b": 1, "c": 0}}}
    runs = {document: {"q": {document: 1.0}} for document in "abc"}  # 1 0 0 under ann, 1 1 0 under ben
    found = compare_judges(said, runs, "P@1", resamples=10)
    assert found.sentences[1] == (
        "P@1: the order of the 3 systems survives the change from ann to ben, except for systems that are "
        "tied under one of them (tau 0.50)."
    )
    assert found.stated().startswith("2 judges, 1 topic that all judged")


def test_few_systems_are_said_to_have_short_intervals_of_tau():
    said = "tau of 4 systems has few values; its intervals are too short"
    assert said in compare_judges(SAID, RUNS, "AP", resamples=10).notes
    fifth = RUNS | {"fifth": RUNS["system0"]}
    for runs in (fifth, {"only": RUNS["system0"]}):
        assert not any("few values" in note for note in compare_judges(SAID, runs, "AP", resamples=10).notes)


def test_topics_that_do_not_count_somewhere_are_left_out_everywhere():
    runs = {"one": {"q": {"a": 1.0}, "r": {"a": 1.0}}, "two": {"q": {"a": 1.0}}}
    said = {name: {"q": {"a": 1}, "r": {"a": 1}} for name in ("ann", "ben")}
    found = compare_judges(said, runs, "RR", missing="skip")
    assert found.topics == ("q",)
    assert any("1 topic does not count for some system" in note for note in found.notes)


def test_the_same_seed_gives_the_same_numbers_and_another_seed_others():
    one, same, other = (
        compare_judges(SAID, RUNS, "AP", resamples=100, seed=seed).to_dict() for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"documents": "some"}, "documents must be one of all, common; got 'some'"),
        ({"merge": "median"}, "merged by one of"),
        ({"resamples": 0}, "resamples must be 1 or more"),
        ({"seed": -1}, "seed must be 0 or more"),
        ({"confidence": 95}, "confidence must lie between 0 and 1; got 95"),
        ({"level": "ratio"}, "level must be one of"),
        (
            {"measures": "AP(summary=geometric)"},
            "is a geometric mean over topics, and comparisons are of means",
        ),
    ],
)
def test_wrong_settings_are_refused_in_words(wrong, said):
    with pytest.raises(UsageError, match=said):
        compare_judges(SAID, RUNS, **({"measures": "AP"} | wrong))


def test_a_run_that_can_be_read_once_is_judged_by_everyone(tmp_path):
    import os
    import threading

    path = tmp_path / "pipe"
    os.mkfifo(path)
    text = "".join(f"{t} Q0 {d} 0 {s} x\n" for t, of in RUNS["system0"].items() for d, s in of.items())
    writer = threading.Thread(target=lambda: path.write_text(text))
    writer.start()
    found = compare_judges(SAID, {"pipe": str(path), "held": RUNS["system0"]}, "AP", resamples=10)
    writer.join()
    assert found.scores[0].by_judge == found.scores[1].by_judge
