"""Document 000, a lecture on several levels of judgment: gain, cumulated, discounted, normalised.

Loose in the document:
- The second document is said to be "discounted a little bit" by log 2; read as base 2, log 2 is 1, and it is not.
- Level 1 means not relevant and still gains one point; with the levels as gains, nothing is ever worth nothing.
- It does not say what other levels there are in the collection than the nine threes and the list's own.
"""

import math

import pytest

import gainful

FOUND = [3, 2, 1, 1, 3, 1, 1, 2, 1, 1]
NINE_THREES = [3] * 9 + [2] * 2 + [1] * 6


@pytest.fixture
def list_of_ten():
    return gainful.gains(FOUND, judged=NINE_THREES)


def test_the_total_gain_is_three_then_three_plus_two_and_so_on(list_of_ten):
    assert list_of_ten.cg[:4].tolist() == [3, 3 + 2, 3 + 2 + 1, 3 + 2 + 1 + 1]


def test_cumulated_gain_does_not_consider_the_position(list_of_ten):
    turned = gainful.gains(FOUND[::-1], judged=NINE_THREES)
    assert turned.cg[-1] == list_of_ten.cg[-1] == sum(FOUND)


def test_a_gain_is_divided_by_the_log_of_its_rank(list_of_ten):
    dcg = list_of_ten.dcg(discount="jk")
    assert dcg[:3].tolist() == [3, 3 + 2 / math.log2(2), 3 + 2 / math.log2(2) + 1 / math.log2(3)]


def test_the_second_document_is_not_discounted_when_the_log_is_of_base_two(list_of_ten):
    assert list_of_ten.dcg(discount="jk")[1] == list_of_ten.cg[1]


def test_a_very_relevant_document_further_down_is_worth_less():
    first = gainful.gains([3, 1, 1, 2], judged=NINE_THREES)
    later = gainful.gains([2, 1, 1, 3], judged=NINE_THREES)
    assert later.dcg(discount="jk")[-1] < first.dcg(discount="jk")[-1]


def test_the_ideal_list_has_nine_threes_and_then_a_two(list_of_ten):
    assert list_of_ten.ideal().judged.grade.tolist() == [3] * 9 + [2]


def test_the_ideal_list_has_one_and_no_list_has_more(list_of_ten):
    assert list_of_ten.ideal().ndcg(discount="jk").tolist() == [1] * 10
    assert ((list_of_ten.ndcg(discount="jk") > 0) & (list_of_ten.ndcg(discount="jk") <= 1)).all()


SYSTEMS = {"a": [3, 2, 1, 1], "b": [1, 3, 3, 1], "c": [2, 1, 1, 1], "d": [1, 1, 1, 3]}


def order(value):
    return sorted(SYSTEMS, key=lambda name: value(gainful.gains(SYSTEMS[name], judged=NINE_THREES)))


def test_for_one_topic_systems_stand_in_the_same_order_with_and_without_the_ideal():
    dcg, ndcg = (lambda one: one.dcg(discount="jk")[-1]), (lambda one: one.ndcg(discount="jk")[-1])
    assert order(dcg) == order(ndcg)


def test_they_may_not_where_the_ideal_is_made_of_what_was_retrieved():
    dcg = order(lambda one: one.dcg(discount="jk")[-1])
    own_ideal = order(lambda one: one.ndcg(discount="jk", ideal="retrieved")[-1])
    assert dcg != own_ideal
    few = gainful.gains(SYSTEMS["c"], judged=NINE_THREES)  # the worst, in perfect order
    assert few.ndcg(discount="jk", ideal="retrieved")[-1] == 1


def test_topics_have_different_scales_before_normalisation_and_count_alike_after_it():
    easy = gainful.gains([3] * 9 + [2], judged=NINE_THREES)
    hard = gainful.gains([3, 3, 1, 1, 1, 1, 1, 1, 1, 1], judged=[3] * 2 + [1] * 20)
    assert easy.dcg(discount="jk")[-1] > 1.3 * hard.dcg(discount="jk")[-1]
    assert easy.ndcg(discount="jk")[-1] == hard.ndcg(discount="jk")[-1] == 1
