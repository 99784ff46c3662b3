"""Precision by recall, and ROC."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gainful
from gainful.curves import precision_recall, raw_points, roc
from gainful.curves.recall_curves import found_relevant, interpolated
from gainful.errors import UsageError
from gainful.judging import judged_run
from gainful.measures import AP, IPrec

GRADES = st.sampled_from([-1, 0, 0, 1, 1, 2])
LISTS = st.lists(st.one_of(st.none(), GRADES), max_size=20)
TOPICS = st.lists(st.tuples(LISTS, st.lists(GRADES, max_size=8)), min_size=1, max_size=5)
LEVELS = [0, 0.1, 0.25, 0.3, 1 / 3, 0.5, 0.7, 0.9, 1]


def record_of(topics):
    judged = [[grade for grade in ranked if grade is not None] + more for ranked, more in topics]
    return judged_run([ranked for ranked, _ in topics], judged=judged)


@settings(deadline=None)
@given(topics=TOPICS, rel=st.sampled_from([1, 2]))
def test_levels_have_the_value_of_the_measure_to_the_last_bit(topics, rel):
    record = record_of(topics)
    values = interpolated(found_relevant(record, rel), [Fraction(repr(level)) for level in LEVELS])
    for level, value in zip(LEVELS, values, strict=True):
        assert value.tolist() == (IPrec(rel=rel) @ level)(record).tolist()


@settings(deadline=None)
@given(topics=TOPICS)
def test_the_step_area_is_average_precision(topics):
    from gainful.curves.recall_curves import areas

    record = record_of(topics)
    assert areas(found_relevant(record, 1))["step"] == pytest.approx(AP(record), abs=1e-14)


def test_a_tenth_of_thirty_is_three():
    qrels = {"q": {f"d{n}": 1 for n in range(30)}}
    run = {"q": {"d0": 9.0, "d1": 8.0, "d2": 7.0}}
    made = precision_recall(gainful.evaluate(qrels, run, "AP"))[0]
    assert made.values.tolist() == [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]


def test_any_levels_may_be_asked_for():
    scores = gainful.evaluate({"q": {"a": 1, "b": 1}}, {"q": {"a": 2.0, "x": 1.5, "b": 1.0}}, "AP")
    assert precision_recall(scores, levels=[0.2, 0.51])[0].points.tolist() == [[0.2, 1], [0.51, 2 / 3]]
    assert len(precision_recall(scores, levels=101)[0]) == 101
    for wrong in (1, [], [0.5, 0.1], [1.5]):
        with pytest.raises(UsageError, match="levels must"):
            precision_recall(scores, levels=wrong)


def test_raw_points_of_some_topics_and_the_ideal():
    qrels = {"p": {"a": 1}, "q": {"a": 1, "b": 1, "c": 0}, "none": {"c": 0}}
    run = {"q": {"c": 3.0, "a": 2.0}, "p": {"a": 1.0}}
    made = raw_points(gainful.evaluate(qrels, run, "AP"), ["q"], ideal=True)
    assert [(one.run, one.role) for one in made] == [("run", "run"), ("ideal", "ideal")]
    assert made[0].points.tolist() == [[0, 0], [1 / 2, 1 / 2], [1, 0]]
    assert made[1].points.tolist() == [[1 / 2, 1], [1, 1]]
    assert len(raw_points(gainful.evaluate(qrels, run, "AP"), ["none"])[0]) == 0


def test_the_mean_has_the_mean_area():
    qrels = {"p": {"a": 1}, "q": {"a": 1, "b": 1}}
    run = {"q": {"x": 3.0, "a": 2.0}, "p": {"a": 1.0}}
    scores = gainful.evaluate(qrels, run, "AP")
    assert precision_recall(scores)[0].areas["step"] == pytest.approx(scores.mean["AP"])


def test_the_area_of_a_difference_is_the_difference_of_the_areas():
    qrels = {"p": {"a": 1, "n": 0}, "q": {"a": 1, "b": 1, "n": 0}}
    runs = {
        "one": {"q": {"x": 3.0, "a": 2.0, "n": 1.0}, "p": {"a": 1.0}},
        "other": {"q": {"n": 3.0, "b": 2.0}, "p": {"n": 2.0, "a": 1.0}},
    }
    scores = gainful.evaluate(qrels, runs, "AP")
    for kind in (precision_recall, roc):
        one, other, apart = kind(scores, difference=True)
        assert one.areas["line"] > other.areas["line"]
        assert apart.areas == {how: pytest.approx(other.areas[how] - one.areas[how]) for how in one.areas}


def by_pairs(is_relevant, relevant, others):
    """The chance that a relevant document stands before another one, counted pair by pair."""
    lists = [*is_relevant, *[None] * (relevant + others - len(is_relevant))]
    won = sum(
        1 for place, one in enumerate(lists) for other in lists[place + 1 :] if one is True and other is False
    )
    left_relevant = relevant - sum(one is True for one in lists)
    left_others = others - sum(one is False for one in lists)
    won += sum(one is True for one in lists) * left_others  # every retrieved one before all that were not
    won += left_relevant * left_others / 2  # and those in no order
    return won / (relevant * others)


@settings(deadline=None)
@given(ranked=st.lists(st.booleans(), max_size=12), more=st.lists(st.booleans(), max_size=6))
def test_the_area_under_roc_counts_pairs(ranked, more):
    judged = {f"d{n}": int(one) for n, one in enumerate([*ranked, *more])}
    relevant, others = sum(judged.values()), len(judged) - sum(judged.values())
    if not relevant or not others:
        return
    run = {"q": {"unjudged": 0.5, **{f"d{n}": -float(n) for n in range(len(ranked))}}}
    made = roc(gainful.evaluate({"q": judged}, run, "AP"))[0]
    assert made.areas["line"] == pytest.approx(by_pairs(ranked, relevant, others))
    assert made[1.0] == 1
    assert (np.diff(made.values) >= 0).all()


def test_roc_goes_straight_where_nothing_was_retrieved():
    qrels = {"q": {"a": 1, "b": 1, "c": 0, "d": 0}}
    made = roc(gainful.evaluate(qrels, {"q": {"a": 2.0, "c": 1.0}}, "AP"), levels=5)[0]
    assert made.points.tolist() == [[0, 0.5], [0.25, 0.5], [0.5, 0.5], [0.75, 0.75], [1, 1]]


def test_roc_of_the_ideal_is_perfect_and_topics_without_both_kinds_are_left_out():
    qrels = {"q": {"a": 1, "c": 0}, "all": {"a": 1}, "none": {"a": 0}}
    run, ideal = roc(gainful.evaluate(qrels, {"q": {"c": 2.0, "a": 1.0}}, "AP"), ideal=True)
    assert run.topics == ideal.topics == 1
    assert (run.areas["line"], ideal.areas["line"]) == (0, 1)
    assert ideal.values.tolist() == [1] * 101
