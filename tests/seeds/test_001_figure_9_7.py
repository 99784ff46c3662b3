"""Document 001, a textbook page: Figure 9.7, computation of NDCG, and equation 9.5.

Loose in the document: the base of the logarithm is not given. Read as base 2 (as documents 003 and 004 have it), log 2 is
1; with the natural logarithm log 2 is below 1, so that the second document would be worth more than the first.
"""

import math

import numpy as np
import pytest

import gainful
from gainful.measures._gains import Discount

GAIN = [3, 2, 1, 1, 3, 1, 1, 2, 1, 1]
DOCUMENTS = [f"D{number}" for number in range(1, 11)]
JUDGED = [3] * 9 + [2] * 2 + [1] * 6


@pytest.fixture
def figure():
    return gainful.gains(GAIN, judged=JUDGED)


def test_the_column_of_cumulative_gain(figure):
    assert figure.cg.tolist() == [3, 5, 6, 7, 10, 11, 12, 14, 15, 16]


def test_equation_9_5_sums_the_gains(figure):
    assert figure.cg[-1] == sum(GAIN)


def test_the_column_of_discounted_cumulative_gain(figure):
    by_hand = [
        3 + sum(gain / math.log2(rank) for rank, gain in enumerate(GAIN[1:k], 2)) for k in range(1, 11)
    ]
    assert figure.dcg(discount="jk") == pytest.approx(by_hand, abs=1e-12)
    assert figure.dcg(discount="jk")[-1] == pytest.approx(9.4492, abs=5e-5)


def test_ideal_dcg_at_ten_has_nine_threes_and_a_two(figure):
    by_hand = 3 + sum(3 / math.log2(rank) for rank in range(2, 10)) + 2 / math.log2(10)
    assert figure.ideal_dcg(discount="jk")[-1] == pytest.approx(by_hand, abs=1e-12)
    assert by_hand == pytest.approx(15.4625, abs=5e-5)


def test_normalized_dcg(figure):
    assert figure.ndcg(discount="jk")[-1] == pytest.approx(0.6111, abs=5e-5)
    assert figure.ndcg(discount="jk")[-1] == pytest.approx(9.4492 / 15.4625, abs=1e-5)


def test_the_natural_logarithm_would_give_another_number(figure):
    natural = Discount("natural", lambda rank, _: np.where(rank == 1, 1.0, np.log(np.maximum(rank, 2))))
    assert figure.ndcg(discount=natural)[-1] == pytest.approx(0.5865, abs=5e-5)


def test_explain_prints_the_figure_s_table(seeds, command):
    table = command(
        "explain", seeds / "gains.qrels", seeds / "gains.run", "--topic", "1", "-m", "nDCG(discount=jk)@10"
    )
    rows = table["rows"]
    assert [row["document"] for row in rows] == DOCUMENTS
    assert [row["gain"] for row in rows] == GAIN
    assert [row["CG"] for row in rows] == [3, 5, 6, 7, 10, 11, 12, 14, 15, 16]
    assert [row["ideal gain"] for row in rows] == [3] * 9 + [2]
    assert rows[-1]["DCG"] == pytest.approx(9.4492, abs=5e-5)
    assert rows[-1]["ideal DCG"] == pytest.approx(15.4625, abs=5e-5)
    assert rows[-1]["ratio"] == pytest.approx(table["value"], abs=1e-15)
    assert table["value"] == pytest.approx(0.6111, abs=5e-5)


def test_curve_prints_the_columns(seeds, command):
    made = command(
        "curve", seeds / "gains.qrels", seeds / "gains.run", "-m", "CG,nDCG(discount=jk)", "--to", 10
    )
    cumulative, normalized = ([y for _, y in curve["points"]] for curve in made["curves"])
    assert cumulative == [3, 5, 6, 7, 10, 11, 12, 14, 15, 16]
    assert normalized[-1] == pytest.approx(0.6111, abs=5e-5)
