"""Gains by hand."""

import math

import numpy as np
import pytest

import gainful
from gainful.errors import MeasureError, UsageError


def test_vectors_have_a_number_for_each_rank():
    one = gainful.gains([2, 0, 1], judged=[2, 2, 1])
    assert one.cg.tolist() == [2, 2, 3]
    assert one.ideal_cg.tolist() == [2, 4, 5]
    assert one.ncg().tolist() == [1, 2 / 4, 3 / 5]
    assert one.dcg() == pytest.approx([2, 2, 2 + 1 / 2])
    assert one.ideal_dcg() == pytest.approx([2, 2 + 2 / math.log2(3), 2 + 2 / math.log2(3) + 1 / 2])
    assert one.ndcg() == pytest.approx(one.dcg() / one.ideal_dcg())
    assert one.at_every_rank("P").tolist() == [1, 1 / 2, 2 / 3]


def test_only_what_was_found_is_ideal_unless_more_is_said():
    assert gainful.gains([0, 3]).ideal_cg.tolist() == [3, 3]


def test_every_gain_there_was_may_be_counted_by_size():
    assert gainful.gains([1], judged={3: 2, 1: 1}).ideal_cg.tolist() == [3]


def test_an_ideal_shorter_than_the_list_stays_as_it_is():
    assert gainful.gains([0, 0, 1, 0]).ideal_dcg(ideal="retrieved").tolist() == [1, 1, 1, 1]


def test_several_lists_are_rows():
    two = gainful.gains([[1, 0], [0, 2, 1]], judged=[[1], [2, 1, 1]])
    assert two.cg.tolist() == [[1, 1, 1], [0, 2, 3]]
    assert two.ideal_cg.tolist() == [[1, 1, 1], [2, 3, 4]]


def test_gains_and_bases_are_chosen_by_name():
    one = gainful.gains([2, 0, 3])
    assert one.dcg(gain="exp").tolist() == [3, 3, 3 + 7 / 2]
    assert one.dcg(discount="jk", base=4).tolist() == [2, 2, 5]


def test_numpy_is_taken():
    assert gainful.gains(np.array([1.0, 2.0])).cg.tolist() == [1, 3]


@pytest.mark.parametrize("found", [[], [1, -2], [1, math.nan], [1, "a"], [[1], [None]]])
def test_what_is_no_gain_is_refused(found):
    with pytest.raises(UsageError, match="gain"):
        gainful.gains(found)


def test_a_measure_without_cutoff_is_refused():
    with pytest.raises(MeasureError, match="no cutoff"):
        gainful.gains([1]).at_every_rank("Bpref")
