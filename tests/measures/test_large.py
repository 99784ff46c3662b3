"""Grades, ranks and parameters so large, or so small, that arithmetic could lose them."""

from math import log2

import pytest

import gainful
from gainful.errors import DataError, MeasureError
from gainful.judging import judged_by, judged_run
from gainful.measures import CG, NRBP, T9P, Fallout, G, Utility, nDCG, nNRBP


@pytest.mark.parametrize("measure", [nDCG(gain="exp"), CG(gain="exp")], ids=str)
def test_a_grade_whose_exp_no_number_can_hold_is_refused(measure):
    with pytest.raises(MeasureError, match=r"gain=exp: a grade of 2000 is worth 2\^2000 − 1, more than"):
        measure(judged_run([1, 2000]))


def test_large_grades_that_can_be_added_up_are_fine():
    found = nDCG(gain="exp")(judged_run([999, 1000]))
    assert found == pytest.approx((1 / 2 + 1 / log2(3)) / (1 + 1 / 2 / log2(3)), rel=1e-12)


@pytest.mark.parametrize("grade", [1e300, float("inf"), float("-inf")])
def test_a_grade_that_cannot_be_added_up_is_refused_by_name(grade):
    with pytest.raises(
        DataError,
        match=r"grade of document 'b' of topic 'q' is -?(1e\+300|inf); a grade must be a number from -1e",
    ):
        gainful.evaluate({"q": {"a": 1, "b": grade}}, {"q": {"a": 1.0}}, "nDCG")


def test_a_perfect_list_is_worth_a_whole_g_however_large_its_gains():
    assert G(gain="exp")(judged_run([60, 1, 0])) == 1.0  # 2^60 + 2 and 2^60 are one float


def test_a_document_deeper_than_numbers_reach_is_worth_nothing_and_says_nothing():
    deep = judged_by([*(f"x{number}" for number in range(1500)), "a"], {"wine": {"a": 1}})
    assert NRBP(deep) == nNRBP(deep) == 0.0


@pytest.mark.parametrize("target", [0, -5])
def test_a_target_is_one_delivery_at_least(target):
    with pytest.raises(MeasureError, match=f"T9P: target must be 1 or more; got {target}"):
        T9P(target=target)(judged_run([], judged=[1]))


@pytest.mark.parametrize(
    ("measure", "values"), [(Fallout, [2 / 2, 2 / 3]), (Utility(avoided=1), [1 - 2 + 0, 1 - 2 + 1])], ids=str
)
def test_a_collection_holds_what_a_topic_has_relevant_or_retrieved(measure, values):
    record = judged_run([1, 0, None], judged=[1, 1, 0])  # four documents at least
    for documents, value in zip((4, 5), values, strict=True):
        assert measure(documents=documents)(record) == value
    with pytest.raises(MeasureError, match="documents=3 is fewer than a topic has relevant or retrieved"):
        measure(documents=3)(record)
