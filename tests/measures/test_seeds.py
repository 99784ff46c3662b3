"""The worked examples of the lectures, the textbook page, the notes and the slides that define these measures."""

from math import log2

import numpy as np
import pytest

from gainful.judging import judged_run
from gainful.measures import AP, CG, DCG, NCG, IPrec, P, R, nDCG

LIST = [1, 1, 0, 0, 1, 0, 0, 1, 0, 0]  # relevant at ranks 1, 2, 5 and 8, ten relevant in all
TEN = [1] * 10


@pytest.mark.parametrize(
    ("rank", "precision", "recall"),
    [
        (1, 1 / 1, 1 / 10),
        (2, 2 / 2, 2 / 10),
        (3, 2 / 3, 2 / 10),
        (5, 3 / 5, 3 / 10),
        (8, 4 / 8, 4 / 10),
        (10, 4 / 10, 4 / 10),
    ],
)
def test_precision_and_recall_where_the_reader_stops(rank, precision, recall):
    run = judged_run(LIST, judged=TEN)
    assert (P @ rank)(run) == precision
    assert (R @ rank)(run) == recall


def test_average_precision_divides_by_all_relevant_documents_not_by_those_found():
    run = judged_run(LIST, judged=TEN)
    assert AP(run) == (1 + 1 + 3 / 5 + 4 / 8) / 10
    assert AP(divisor="retrieved")(run) == (1 + 1 + 3 / 5 + 4 / 8) / 4


def test_precision_is_zero_at_levels_of_recall_beyond_the_list():
    run = judged_run(LIST, judged=TEN)
    assert [(IPrec @ level)(run)[0] for level in (0.1, 0.2, 0.3, 0.4, 0.5, 1)] == [1, 1, 3 / 5, 4 / 8, 0, 0]


FIGURE = [3, 2, 1, 1, 3, 1, 1, 2, 1, 1]  # the gains of ten documents; nine in the collection are rated 3


def test_the_textbooks_figure_of_gain_cumulated_and_discounted():
    run = judged_run(FIGURE, judged=[3] * 9 + [2, 2] + [1] * 6)
    assert [(CG @ rank)(run)[0] for rank in (1, 2, 3, 4)] == [3, 3 + 2, 3 + 2 + 1, 3 + 2 + 1 + 1]
    dcg = DCG(discount="jk")
    assert (dcg @ 2)(run) == 3 + 2 / log2(2)
    assert (dcg @ 3)(run) == 3 + 2 / log2(2) + 1 / log2(3)
    whole = 3 + sum(gain / log2(rank) for rank, gain in enumerate(FIGURE[1:], 2))
    ideal = 3 + sum(3 / log2(rank) for rank in range(2, 10)) + 2 / log2(10)
    assert (dcg @ 10)(run) == pytest.approx(whole, abs=1e-14)
    assert (nDCG(discount="jk") @ 10)(run) == pytest.approx(whole / ideal, abs=1e-14)


def test_two_documents_of_rating_two_have_a_maximum_dcg_of_four():
    best = judged_run([2, 2, 0, 0, 0, 0, 0, 0, 0, 0])
    assert (DCG(discount="jk") @ 10)(best) == 2 + 2 / log2(2) == 4
    worse = judged_run([0, 2, 0, 2], judged=[2, 2, 0, 0])
    assert (nDCG(discount="jk") @ 10)(worse) == (2 / log2(2) + 2 / log2(4)) / 4


FIRST = [1, 0, 1, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 0, 3]
SECOND = [0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3]


def vectors(measure):
    run = judged_run([FIRST, SECOND])
    return np.array([(measure @ rank)(run) for rank in range(1, 16)]).T


def test_the_slides_vectors_of_cumulated_gain():
    first, second = vectors(CG)
    assert first.tolist() == [1, 1, 2, 2, 2, 5, 5, 5, 5, 7, 7, 7, 7, 7, 10]
    assert second.tolist() == [0, 0, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 6]


def test_the_slides_vectors_of_discounted_gain():
    first, second = vectors(DCG(discount="jk"))
    assert first.round(1).tolist() == [1, 1, 1.6, 1.6, 1.6, *[2.8] * 4, *[3.4] * 5, 4.2]
    assert second.round(1).tolist() == [0, 0, 1.3, 1.3, 1.3, 1.3, 1.3, *[1.6] * 7, 2.4]
    # The slides print 2.7, 3.3 and 4.1, 1.2 and 2.3: they mostly cut off where one would round.
    assert np.floor(first * 10).tolist() == [10, 10, 16, 16, 16, *[27] * 4, *[33] * 5, 41]
    assert np.floor(second * 10).tolist() == [0, 0, 12, 12, 12, 12, 12, *[15] * 7, 23]


def test_the_slides_ideal_lists_are_the_retrieved_ones_sorted():
    run = judged_run([FIRST, SECOND])
    ideal = run.ideal(nDCG.params["gain"], of="retrieved")
    first, second = ideal.select(0, 1), ideal.select(1, 2)
    assert first.grade[:6].tolist() == [3, 3, 2, 1, 1, 0]
    assert second.grade[:4].tolist() == [3, 2, 1, 0]
    assert np.cumsum(first.grade).tolist() == [3, 6, 8, 9, *[10] * 11]
    assert np.cumsum(second.grade).tolist() == [3, 5, *[6] * 13]


def test_the_slides_normalised_vectors_are_ratios_of_means_from_which_a_topics_own_differ():
    cg = vectors(CG)
    mean = [0.5, 0.5, 2.0, 2.0, 2.0, 3.5, 3.5, 4.0, 4.0, 5.0, 5.0, 5.0, 5.0, 5.0, 8.0]
    assert cg.mean(axis=0).tolist() == mean
    best = np.array([3.0, 5.5, 7.0, 7.5, *[8.0] * 11])
    printed = [0.17, 0.09, 0.29, 0.27, 0.25, 0.44, 0.44, 0.50, 0.50, 0.63, 0.63, 0.63, 0.63, 0.63, 1.00]
    np.testing.assert_allclose(cg.mean(axis=0) / best, printed, atol=0.0051)
    assert vectors(NCG(ideal="retrieved"))[:, 0].tolist() == [
        1 / 3,
        0,
    ]  # whose mean is 0.17 too, but not from rank 2
    assert vectors(NCG(ideal="retrieved"))[:, 1].tolist() == [1 / 6, 0]
