"""Curves by rank: averages, topics, the ideal, differences."""

import math

import numpy as np
import pytest

import gainful
from gainful.curves import Curve, Curves, by_rank, curve
from gainful.errors import MeasureError, UsageError
from gainful.measures import NCG, measure
from gainful.measures._gains import linear

QRELS = {"1": {"a": 2, "b": 1, "c": 0}, "2": {"a": 1, "d": 3}, "3": {"e": 0}}
RUN = {"1": {"x": 4.0, "a": 3.0, "c": 2.0, "b": 1.0}, "2": {"d": 2.0, "a": 1.0}, "3": {"e": 1.0}}
OTHER = {"1": {"a": 2.0, "b": 1.0}, "2": {"y": 3.0, "z": 2.0, "a": 1.0}}


def scores(runs=RUN, measures="AP", **settings):
    return gainful.evaluate(QRELS, runs, measures, **settings)


def test_a_curve_has_a_point_for_each_rank_and_says_what_it_is():
    [made] = by_rank(scores(), "P", to=4)
    assert (made.x, made.y, made.run, made.topic, made.average, made.topics) == (
        "rank",
        "P",
        "run",
        None,
        "topics",
        3,
    )
    assert made.points[:, 0].tolist() == [1, 2, 3, 4]
    assert made.values == pytest.approx(
        [(0 + 1 + 0) / 3, (1 / 2 + 1 + 0) / 3, (1 / 3 + 2 / 3) / 3, (2 / 4 + 2 / 4) / 3]
    )
    assert made[2] == pytest.approx((1 / 2 + 1 + 0) / 3)
    assert len(made) == 4


def test_ranks_beyond_the_list_are_there():
    assert by_rank(scores(), "R", to=50)[0][50] == pytest.approx((1 + 1 + 0) / 3)


def test_several_measures_are_several_curves():
    made = by_rank(scores(), "P, nDCG(gain=exp,discount=jk)", to=2)
    assert [one.y for one in made] == ["P", "nDCG(gain=exp,discount=jk)"]
    assert [one.y for one in by_rank(scores(), [gainful.P, "R, RR"], to=2)] == ["P", "R", "RR"]


def test_topics_alone_or_each_and_the_mean():
    alone = by_rank(scores(), "P", to=2, per_topic=["2"])
    assert [(one.topic, one.values.tolist()) for one in alone] == [("2", [1.0, 1.0])]
    each = by_rank(scores(), "P", to=2, per_topic=True)
    assert [one.topic for one in each] == ["1", "2", "3", None]


def test_the_ratio_of_mean_curves_is_not_the_mean_of_ratios():
    [topics] = by_rank(scores(), "NCG", to=2)
    [ratio] = by_rank(scores(), "NCG", to=2, average="ratio")
    assert topics.values == pytest.approx([(0 + 3 / 3 + 0) / 3, (2 / 3 + 4 / 4 + 0) / 3])
    assert ratio.values == pytest.approx([(0 + 3) / (2 + 3), (2 + 4) / (3 + 4)])
    assert (topics.average, ratio.average) == ("topics", "ratio")


@pytest.mark.parametrize(("normalised", "raw"), [("NCG", "CG"), ("nDCG(discount=jk)", "DCG(discount=jk)")])
def test_the_ratio_is_of_what_stands_above_the_line(normalised, raw):
    [one] = by_rank(scores(), normalised, to=3, average="ratio")
    [two] = by_rank(scores(), raw, to=3, average="ratio")
    run, ideal = by_rank(scores(), raw, to=3, ideal=True)
    assert one.values == pytest.approx(run.values / ideal.values)
    assert two.values.tolist() == one.values.tolist()


def test_a_measure_of_ones_own_declares_what_it_is_a_share_of():
    @measure(bounds=(0, 1), share_of="CG")
    def Worth(judged, *, cutoff=None, gain=linear, ideal="judged"):
        return NCG(gain=gain, ideal=ideal, cutoff=cutoff)(judged)

    [worth] = by_rank(scores(), Worth, to=3, average="ratio")
    [ncg] = by_rank(scores(), "NCG", to=3, average="ratio")
    assert worth.values.tolist() == ncg.values.tolist()


def test_a_measure_without_an_ideal_has_no_ratio():
    with pytest.raises(MeasureError, match=r"P has no ideal.*CG, DCG, NCG and nDCG"):
        by_rank(scores(), "P", average="ratio")


def test_the_ideal_is_the_best_list_there_could_be():
    run, ideal = by_rank(scores(), "CG", to=3, ideal=True)
    assert (run.role, ideal.role, ideal.run) == ("run", "ideal", "ideal")
    assert ideal.values == pytest.approx([(2 + 3) / 3, (3 + 4) / 3, (3 + 4) / 3])


def test_an_ideal_of_what_was_retrieved_is_each_run_s_own():
    both = by_rank(scores({"a": RUN, "b": OTHER}), "NCG(ideal=retrieved)", to=2, ideal=True)
    assert [one.run for one in both] == ["a", "ideal of a", "b", "ideal of b"]


def test_negative_grades_are_no_part_of_an_ideal():
    made = gainful.evaluate({"q": {"a": 1, "b": -1}}, {"q": {"b": 1.0}}, "AP")
    assert by_rank(made, "Judged", to=2, ideal=True)[1].values.tolist() == [1, 1]


def test_missing_topics_count_or_not_as_the_settings_say():
    assert by_rank(scores(OTHER), "P", to=1)[0][1] == pytest.approx((1 + 0 + 0) / 3)
    skipped = by_rank(scores(OTHER, missing="skip"), "P", to=1)[0]
    assert (skipped[1], skipped.topics) == ((1 + 0) / 2, 2)


def test_undefined_topics_count_or_not_as_the_settings_say():
    kept = by_rank(scores(), "AP", to=4)[0]
    skipped = by_rank(scores(undefined="skip"), "AP", to=4)[0]
    assert (kept.topics, skipped.topics) == (3, 2)
    assert skipped[4] == pytest.approx(kept[4] * 3 / 2)


def test_the_level_of_relevance_is_that_of_the_settings():
    assert by_rank(scores(rel=2), "P", to=2)[0].y == "P(rel=2)"
    assert by_rank(scores(rel=2), "P(rel=3)", to=2)[0].y == "P(rel=3)"


def test_the_difference_is_of_topics_that_both_have():
    a, b, apart = by_rank(scores({"a": RUN, "b": OTHER}, missing="skip"), "P", to=2, difference=True)
    assert (apart.role, apart.run, apart.topics) == ("difference", "b − a", 2)
    assert apart.values == pytest.approx([(1 - 0) / 2 + (0 - 1) / 2, (1 - 1 / 2) / 2 + (0 - 1) / 2])
    assert (a.topics, b.topics) == (3, 2)


def test_a_difference_needs_two_runs():
    with pytest.raises(UsageError, match="of two runs; got 1"):
        by_rank(scores(), "P", difference=True)


def test_dominance_is_said_of_every_pair():
    best = {"1": {"a": 2.0, "b": 1.0}, "2": {"d": 2.0, "a": 1.0}}
    early = {"1": {"a": 1.0}, "2": {"d": 1.0}}
    made = by_rank(scores({"best": best, "run": RUN, "early": early, "again": early}), "P", to=3)
    assert made.dominance() == [
        "P: best is nowhere below run",
        "P: best is nowhere below early",
        "P: best is nowhere below again",
        "P: run and early cross",
        "P: run and again cross",
        "P: early and again are the same",
    ]
    assert made["best"].dominates(made["run"])
    assert not made["run"].dominates(made["best"])
    with pytest.raises(UsageError, match="same axes"):
        made["run"].dominates(by_rank(scores(), "P", to=2)[0])


def test_curves_are_said_to_cross_only_where_both_lie():
    points = [np.array([[1, math.nan], [2, value], [3, 0.5]]) for value in (0.25, 0.5)]
    low, high = (Curve("a", None, "rank", "P", one) for one in points)
    nowhere = Curve("b", None, "rank", "P", np.array([[1, math.nan], [2, math.nan], [3, math.nan]]))
    assert (high.dominates(low), low.dominates(high)) == (True, False)
    said = {
        "P: a is nowhere below a": (high, low),
        "P: a and a are the same": (high, high),
        "P: a and b have no point that both reach": (high, nowhere),
    }
    for words, pair in said.items():
        assert Curves(pair, {}, "", {}).dominance() == [words]


def test_the_area_is_normalised():
    made = by_rank(scores(), "nDCG", to=3)[0]
    assert made.areas == {"step": pytest.approx(sum(made.values) / 3)}


@pytest.mark.parametrize(
    ("measure", "words"),
    [
        ("Bpref", "Bpref has no cutoff, so it has no curve by rank; use nDCG, P, R or another"),
        ("nDCG@10, P@5", "'nDCG@10' and 'P@5' end the curves at different ranks"),
        ("nonsense", "is not a measure"),
        ("", "no measure was named"),
    ],
)
def test_what_has_no_curve_is_refused(measure, words):
    with pytest.raises(MeasureError, match=words.replace("(", r"\(")):
        by_rank(scores(), measure)


def test_a_cutoff_is_the_last_rank_of_the_curve():
    [ndcg, p] = by_rank(scores(), "nDCG@3 P")
    assert [ndcg.y, p.y] == ["nDCG", "P"]
    assert ndcg.points[:, 0].tolist() == p.points[:, 0].tolist() == [1, 2, 3]
    assert np.array_equal(ndcg.values, by_rank(scores(), "nDCG", to=3)[0].values)
    assert len(by_rank(scores(), gainful.nDCG @ 3, to=3)[0]) == 3
    with pytest.raises(MeasureError, match="'nDCG@3' and to end the curves at different ranks"):
        by_rank(scores(), "nDCG@3", to=5)


def test_other_nonsense_is_refused():
    with pytest.raises(UsageError, match="to, the last rank of a curve, must be 1 or more; got 0"):
        by_rank(scores(), "P", to=0)
    with pytest.raises(UsageError, match="1,000,000,000 ranks of 3 topics are too many values for memory"):
        by_rank(scores(), "P", to=10**9)
    with pytest.raises(UsageError, match="average must be topics or ratio"):
        by_rank(scores(), "P", average="median")
    with pytest.raises(UsageError, match="topic 'zz' is not judged; the judgments have '1', '2', '3'"):
        by_rank(scores(), "P", per_topic=["zz"])


def test_curve_does_it_in_one_call():
    made = curve(QRELS, {"a": RUN, "b": OTHER}, "P", to=2, missing="skip")
    assert [one.run for one in made] == ["a", "b"]
    assert made.settings["missing"] == "skip"
    assert made["b"][1] == (1 + 0) / 2
    with pytest.raises(KeyError, match="no curve of 'c'; there are a, b"):
        made["c"]
    with pytest.raises(KeyError, match="no point at rank 9; there are points from 1 to 2"):
        made["a"][9]


@pytest.mark.parametrize("kind", ["recall", "precision-recall", "roc", "effort"])
def test_curve_makes_every_kind(kind):
    made = curve(QRELS, RUN, kind=kind)
    assert all(np.isfinite(one.values).all() for one in made)


def test_an_unknown_kind_is_refused():
    with pytest.raises(UsageError, match="kind must be one of rank, recall"):
        curve(QRELS, RUN, kind="pie")
    with pytest.raises(UsageError, match="for curves by rank, not for roc"):
        curve(QRELS, RUN, kind="roc", average="ratio")


def test_json_has_the_layout_that_was_promised():
    made = curve(QRELS, RUN, "P", to=2, band=0.9, seed=3).to_dict()
    assert list(made) == ["gainful", "settings", "qrels", "curves"]
    [one] = made["curves"]
    assert (one["run"], one["topic"], one["x"], one["y"]) == ("run", None, "rank", "P")
    assert [x for x, _ in one["points"]] == [1, 2]
    assert all(isinstance(x, int) for x, _ in one["points"])
    assert len(one["low"]) == len(one["high"]) == 2
    assert one["band"] == {"level": 0.9, "resamples": 2000, "seed": 3}
    assert one["average"] == "topics"
    assert curve(QRELS, RUN, "P", to=2).to_dict()["curves"][0]["low"] is None


def test_rows_are_points_with_their_names():
    rows = list(curve(QRELS, RUN, "P", to=2).rows())
    assert rows[0] == ("run", None, "rank", "P", 1.0, pytest.approx(1 / 3), None, None)


def test_effort_is_the_share_of_gain_had_after_so_much_reading():
    made = curve(QRELS, RUN, kind="effort", to=4)[0]
    assert (made.x, made.y) == ("documents read", "share of gain(linear)")
    assert made.values == pytest.approx([(0 + 3 / 4) / 3, (2 / 3 + 4 / 4) / 3, (2 / 3 + 1) / 3, (1 + 1) / 3])


def test_reading_may_cost_more_where_there_is_more_to_read():
    made = curve(QRELS, RUN, kind="effort", to=4, cost={2: 2, 1: 0.5}, per_topic=["1"])[0]
    # x costs 1, a two more, c one, b a half: read to their ends at 1, 3, 4 and 4.5
    assert made.x == "effort"
    assert made.values == pytest.approx([0, 0, 2 / 3, 2 / 3])
    with pytest.raises(UsageError, match=r"the cost of reading a document must be above 0\."):
        curve(QRELS, RUN, kind="effort", cost={1: 0})
    assert not math.isnan(made.areas.get("step", 0.0))


@pytest.mark.parametrize("text", ["P@5,10", "P@5 10", "P@10,5", "P, P@10"])
def test_several_cutoffs_of_a_measure_are_one_curve_to_the_last(text):
    from gainful.curves.rank_curves import by_rank_measures

    assert [str(measure) for measure in by_rank_measures(text, None)[0]] == ["P"]
    assert by_rank_measures(text, None)[1] == 10
