"""Lists written on the command line, and the pictures of what is explained."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful import explain, explain_difference
from gainful.errors import UsageError
from gainful.explaining.explanation import explanation_spec
from gainful.explaining.lists_by_hand import TOPIC, list_of_gains, list_of_relevant

FIGURE = "3 2 1 1 3 1 1 2 1 1"


def layer(spec, name):
    """The rows of the first layer of that name."""
    return next(rows for key, rows in spec["datasets"].items() if key.endswith(f"-{name}"))


def test_the_ideal_list_is_the_one_that_is_written():
    qrels, run = list_of_gains(FIGURE, "3*9 2")
    assert sorted(qrels[TOPIC].values(), reverse=True) == [3] * 9 + [2] * 2 + [1] * 6
    made = explain(qrels, run, TOPIC, "nDCG(discount=jk)@10")
    ideal = 3 + sum(3 / math.log2(rank) for rank in range(2, 10)) + 2 / math.log2(10)
    assert made.column("ideal DCG")[-1] == pytest.approx(ideal, abs=1e-12)
    assert made.column("DCG")[-1] == pytest.approx(9.4492, abs=5e-5)


def test_without_an_ideal_list_the_best_order_of_the_list_is_it():
    qrels, run = list_of_gains("0, 2,3")
    assert explain(qrels, run, TOPIC, "nDCG").column("ideal gain") == [3, 2, 0]


def test_relevant_documents_stand_at_their_ranks_and_the_others_are_missed():
    qrels, run = list_of_relevant("8 5,2 1", 10)
    made = explain(qrels, run, TOPIC, "AP")
    assert made.value == pytest.approx((1 / 1 + 2 / 2 + 3 / 5 + 4 / 8) / 10)
    assert len(made.missed) == 10 - 4
    assert list_of_relevant("1,2,5,8").qrels[TOPIC].keys() == {f"D{rank}" for rank in range(1, 9)}


@pytest.mark.parametrize(
    ("gains", "ideal", "words"),
    [
        ("", None, "--gains is empty"),
        ("3 x", None, "got 'x'"),
        ("3 -1", None, "got '-1'"),
        ("nan", None, "got 'nan'"),
        ("1e400", None, "got '1e400'"),
        ("3*0", None, "has no document"),
        ("3*", None, r"got '3\*'"),
        ("1*10001", None, "more than 10,000 documents"),
        ("1*6000 1*6000", None, "more than 10,000 documents"),
        ("3 1", "2 2", "the list itself has better documents: 3 1"),
        ("3", " , ", "--ideal is empty"),
    ],
)
def test_what_is_no_list_of_gains_is_refused(gains, ideal, words):
    with pytest.raises(UsageError, match=words):
        list_of_gains(gains, ideal)


@pytest.mark.parametrize(
    ("ranks", "of", "words"),
    [
        ("0", None, "from 1 to 10,000; got '0'"),
        ("1.5", None, "got '1.5'"),
        ("10001", None, "got '10001'"),
        ("2,2", None, "rank 2 twice"),
        ("1,2", 1, "from 2 "),
        ("1", 10**7, "to 1,000,000"),
    ],
)
def test_what_is_no_list_of_ranks_is_refused(ranks, of, words):
    with pytest.raises(UsageError, match=words):
        list_of_relevant(ranks, of)


def test_a_variant_that_has_no_value_is_left_out():
    qrels, run = list_of_gains("2000 1")
    made = explain(qrels, run, TOPIC, "nDCG@10")
    assert made.value == 1
    assert not any("exp" in name for name in made.variants)
    assert "nDCG(discount=jk)@10" in made.variants


@given(st.text("0123456789.*,- eE+∞x", max_size=12), st.text("0123456789.*, ", max_size=8) | st.none())
def test_any_text_is_a_list_or_refused(gains, ideal):
    try:
        qrels, run = list_of_gains(gains, ideal)
    except UsageError:
        return
    assert run[TOPIC].keys() <= qrels[TOPIC].keys()
    if len(run[TOPIC]) < 50:
        assert 0 <= explain(qrels, run, TOPIC, "nDCG@10").value <= 1


def test_precision_and_recall_are_drawn_with_their_ranks_and_the_interpolated_curve():
    qrels, run = list_of_relevant("1,2,5,8", 10)
    spec = explanation_spec([explain(qrels, run, TOPIC, "AP")])
    assert [(row["x"], row["y"], row["t"]) for row in layer(spec, "labels")] == [
        (0.1, 1, "1"),
        (0.2, 1, "2"),
        (0.3, 0.6, "5"),
        (0.4, 0.5, "8"),
    ]
    assert [row["x"] for row in layer(spec, "marks")] == [0.1, 0.2, 0.3, 0.4]
    raw = [(row["x"], row["y"]) for row in layer(spec, "lines")]
    assert raw[:4] == [(0.1, 1), (0.2, 1), (0.2, round(2 / 3, 5)), (0.2, 0.5)]
    assert raw[-6:] == [(round(found / 10, 1), 0) for found in range(5, 11)]
    stairs = {(row["x"], row["y"]) for row in layer(spec, "stairs")}
    assert stairs == {(0, 1), (0.1, 1), (0.2, 1), (0.3, 0.6), (0.4, 0.5), *raw[-6:]}


def test_gain_is_drawn_by_rank_below_that_of_the_ideal_list():
    qrels, run = list_of_gains(FIGURE, "3*9 2")
    spec = explanation_spec([explain(qrels, run, TOPIC, "nDCG(discount=jk)@10")])
    titles = [panel["layer"][0]["encoding"]["y"]["title"] for panel in spec["hconcat"]]
    assert titles == ["CG", "DCG", "nDCG"]
    assert [row["y"] for row in layer(spec, "lines")] == [3, 5, 6, 7, 10, 11, 12, 14, 15, 16]
    assert [row["y"] for row in layer(spec, "ideal")] == [3, 6, 9, 12, 15, 18, 21, 24, 27, 29]


def test_other_measures_are_drawn_as_the_value_so_far():
    qrels, run = list_of_gains("3 0 1")
    made = explain(qrels, run, TOPIC, "RBP(p=0.5)")
    assert [row["y"] for row in layer(explanation_spec([made]), "lines")] == [
        0.5,
        0.5,
        round(0.5 + 0.125 / 3, 5),
    ]


def test_two_runs_are_drawn_in_one_chart_and_an_empty_list_is_not():
    qrels = {"q": {"a": 1, "b": 1}}
    made = explain_difference(
        qrels, {"old": {"q": {"a": 2, "b": 1}}}, {"new": {"q": {"x": 2, "b": 1}}}, "q", "AP"
    )
    spec = explanation_spec(made.explained)
    assert made.chart().to_dict()["title"]["text"] == "AP = 1.0000 (old) · AP = 0.2500 (new)"
    assert {row["s"] for row in layer(spec, "lines")} == {"old", "new"}
    with pytest.raises(UsageError, match="nothing to draw"):
        explanation_spec([explain({"q": {"a": 1}, "p": {"a": 1}}, {"r": {"p": {"a": 1}}}, "q", "AP")])
