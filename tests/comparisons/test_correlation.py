"""Orders of systems and lists of documents: against SciPy and literal transcriptions."""

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from gainful.comparisons import correlate_orders, correlate_runs, rbo, tau_ap, tau_b
from gainful.comparisons.correlations import order_rbo
from gainful.errors import DataError, NothingInCommon, UsageError

SCORES = st.lists(st.integers(0, 5), min_size=2, max_size=12)


@given(st.data(), SCORES)
@settings(max_examples=100, deadline=None)
def test_tau_b_is_that_of_scipy_with_ties_and_without(data, first):
    second = data.draw(st.lists(st.integers(0, 5), min_size=len(first), max_size=len(first)))
    expected = scipy.stats.kendalltau(first, second).statistic
    assert tau_b(np.array(first, float), np.array(second, float)) == pytest.approx(expected, nan_ok=True)


def literal_tau_ap(truth, order):
    """2/(N − 1) · Σ C(i)/(i − 1) − 1, for the systems in the order given and no ties."""
    total = 0.0
    for i in range(2, len(order) + 1):
        above = order[: i - 1]
        total += sum(truth[one] > truth[order[i - 1]] for one in above) / (i - 1)
    return 2 / (len(order) - 1) * total - 1


def orders_of(scores):
    """Every order that sorts the scores, ties broken in every way."""
    levels = sorted(set(scores), reverse=True)
    tied = [[number for number, score in enumerate(scores) if score == level] for level in levels]
    for parts in itertools.product(*(itertools.permutations(group) for group in tied)):
        yield [one for part in parts for one in part]


@given(st.data(), st.lists(st.integers(0, 3), min_size=2, max_size=5))
@settings(max_examples=60, deadline=None)
def test_tau_ap_is_the_mean_over_all_ways_of_breaking_ties(data, first):
    second = data.draw(st.lists(st.integers(0, 3), min_size=len(first), max_size=len(first)))
    made = tau_ap(np.array(first, float), np.array(second, float))
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert math.isnan(made)
        return
    values = []
    for broken in orders_of(first):
        truth = {system: -place for place, system in enumerate(broken)}
        values += [literal_tau_ap(truth, order) for order in orders_of(second)]
    assert made == pytest.approx(sum(values) / len(values))


def test_tau_ap_minds_the_top_more():
    truth = np.arange(10.0, 0, -1)
    top, bottom = truth.copy(), truth.copy()
    top[[0, 1]] = top[[1, 0]]
    bottom[[8, 9]] = bottom[[9, 8]]
    assert tau_ap(truth, top) < tau_ap(truth, bottom)
    assert tau_b(truth, top) == tau_b(truth, bottom)
    assert tau_ap(truth, truth) == pytest.approx(1)
    assert tau_ap(truth, -truth) == pytest.approx(-1)


@given(st.data(), st.lists(st.integers(0, 3), min_size=2, max_size=5), st.sampled_from([0.5, 0.9]))
@settings(max_examples=60, deadline=None)
def test_rbo_of_orders_is_the_mean_over_all_ways_of_breaking_ties(data, first, p):
    second = data.draw(st.lists(st.integers(0, 3), min_size=len(first), max_size=len(first)))
    values = [rbo(one, other, p=p).extrapolated for one in orders_of(first) for other in orders_of(second)]
    made = order_rbo(np.array(first, float), np.array(second, float), p)
    assert made == pytest.approx(sum(values) / len(values))


def overlap(first, second, depth):
    return len(set(first[:depth]) & set(second[:depth]))


LISTS = st.lists(st.integers(0, 9), min_size=1, max_size=7, unique=True)


@given(LISTS, LISTS, st.sampled_from([0.3, 0.8]))
@settings(max_examples=100, deadline=None)
def test_rbo_is_between_what_unseen_documents_could_make_of_it(first, second, p):
    long_first = first + [f"only first {number}" for number in range(400)]
    long_second = second + [f"only second {number}" for number in range(400)]
    depths = range(1, 300)
    least = (1 - p) * sum(p ** (d - 1) * overlap(long_first, long_second, d) / d for d in depths)
    made = rbo(first, second, p=p)
    assert made.least == pytest.approx(least, abs=1e-12)
    best_first = first + [one for one in second if one not in first]
    best_second = second + [one for one in first if one not in second]
    tail = [f"both {number}" for number in range(400)]
    most = (1 - p) * sum(p ** (d - 1) * overlap(best_first + tail, best_second + tail, d) / d for d in depths)
    assert made.most == pytest.approx(most, abs=1e-12)
    assert made.least - 1e-12 <= made.extrapolated <= made.most + 1e-12


@given(LISTS, LISTS, st.sampled_from([0.3, 0.8]))
@settings(max_examples=100, deadline=None)
def test_the_extrapolation_goes_on_with_the_agreement_at_the_end(first, second, p):
    short, long = sorted((first, second), key=len)
    s, end = len(short), len(long)
    at_short = overlap(short, long, s)

    def agreement(d):
        if d <= s:
            return overlap(short, long, d) / d
        d = min(d, end)
        return (overlap(short, long, d) + at_short * (d - s) / s) / d  # what is missing agrees as it did

    expected = (1 - p) * sum(p ** (d - 1) * agreement(d) for d in range(1, 300))
    assert rbo(first, second, p=p).extrapolated == pytest.approx(expected, abs=1e-12)


def test_equal_lists_agree_wholly_and_disjoint_ones_not_at_all():
    assert rbo("abc", "abc").extrapolated == pytest.approx(1)
    assert rbo("abc", "abc").most == pytest.approx(1)
    assert rbo("abc", "xyz").extrapolated == rbo("abc", "xyz").least == 0
    assert rbo([], "abc").least == 0
    assert rbo([], "abc").most == 1


def test_wrong_lists_and_chances_are_refused():
    with pytest.raises(DataError, match="twice"):
        rbo("aba", "abc")
    for p in (0, 1, 1.5):
        with pytest.raises(UsageError, match="between 0 and 1"):
            rbo("a", "b", p=p)


def test_orders_are_of_the_systems_in_both():
    made = correlate_orders({"a": 3, "b": 2, "c": 1, "x": 9}, {"c": 1, "b": 2, "a": 3})
    assert (made.systems, made.tau_b, made.tau_ap, made.rbo) == (3, 1, 1, pytest.approx(1))
    assert made.notes == ("1 system in only one of the two, left out",)
    tied = correlate_orders({"a": 3, "b": 2, "c": 2}, {"c": 1, "b": 2, "a": 3})
    assert tied.notes[0].startswith("some systems tie; tau_ap and RBO are averages")
    assert tied.tau_b == 2 / math.sqrt(2 * 3)  # and no average: that would be 2/3
    with pytest.raises(NothingInCommon, match="0 systems in common"):
        correlate_orders({"a": 1}, {"b": 1})


FIRST = {"1": {"a": 3.0, "b": 2.0, "c": 1.0}, "2": {"a": 1.0, "x": 1.0}, "9": {"z": 1.0}}
SECOND = {"1": {"c": 3.0, "a": 2.0, "b": 1.0}, "2": {"x": 2.0, "a": 1.0}, "8": {"z": 1.0}}


def test_runs_are_compared_on_the_topics_of_both():
    (made,) = correlate_runs(FIRST, SECOND, p=0.5, depths=[1, 2, 3])
    assert made.topics == 2
    # topic 1: 0 1/2 1; topic 2, where equal scores stand by document id, descending (x a): 1 1 and the list ends
    assert made.by_depth == {1: (0 + 1) / 2, 2: (1 / 2 + 1) / 2, 3: (1 + 1) / 2}
    assert made.rbo.extrapolated == pytest.approx((0.5 * (0 + 0.5 * 0.5 + 0.25 * 1) + 0.125 + 1) / 2)
    assert list(made.per_topic) == ["1", "2"]
    assert made.to_dict()["overlap"]["1"] == 0.5


def test_with_judgments_judged_and_relevant_documents_are_looked_at_too():
    qrels = {"1": {"a": 1, "c": 0, "q": 1}, "2": {"a": 0}}
    everything, judged, relevant = correlate_runs(FIRST, SECOND, qrels=qrels, p=0.5, depths=[1])
    assert [one.of for one in (everything, judged, relevant)] == ["all", "judged", "relevant"]
    assert judged.by_depth == {1: (0 + 1) / 2}  # a c against c a; a against a
    assert relevant.topics == 1
    assert relevant.rbo.extrapolated == pytest.approx(1)


def test_ties_of_runs_may_stay_in_the_order_given():
    (by_id,) = correlate_runs(FIRST, SECOND, depths=[1])
    (given_order,) = correlate_runs(FIRST, SECOND, depths=[1], ties="input")
    assert by_id.by_depth == {1: 0.5}
    assert given_order.by_depth == {1: 0.0}


def test_a_depth_cuts_the_lists():
    (made,) = correlate_runs(FIRST, SECOND, p=0.5, depth=1, depths=[1])
    assert made.per_topic["1"].extrapolated == 0
    (made,) = correlate_runs(FIRST, SECOND, depth=2, depths=[1, 2, 3])
    assert list(made.by_depth) == [1, 2]  # nothing is known of the first three


def test_runs_without_a_common_topic_are_refused():
    with pytest.raises(NothingInCommon, match="no topic is in both"):
        correlate_runs({"1": {"a": 1.0}}, {"2": {"a": 1.0}})
    with pytest.raises(NothingInCommon, match="no judged topic"):
        correlate_runs(FIRST, SECOND, qrels={"7": {"a": 1}})
    with pytest.raises(UsageError, match="depth must be 1"):
        correlate_runs(FIRST, SECOND, depth=0)
