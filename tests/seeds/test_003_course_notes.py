"""Document 003, course notes: section 1, NDCG. (Section 2, beta-gamma thresholding, is of filtering and has no numbers.)

Loose in the document: "we define the gain of each document as its relevance level", with levels 1 to 4, and then a highly
relevant document has the gain 3 and a non-relevant one 0. The gains are the levels less one, and need a table.
"""

import math

import pytest

import gainful

LEVELS = "{1:0,2:1,3:2,4:3}"


@pytest.mark.parametrize(("level", "gain"), [(1, 0), (2, 1), (3, 2), (4, 3)])
def test_levels_one_to_four_gain_zero_to_three(level, gain):
    scores = gainful.evaluate({"q": {"d": level}}, {"q": {"d": 1.0}}, f"CG(gain={LEVELS})")
    assert scores.mean == {f"CG(gain={LEVELS})": gain}


def test_the_levels_themselves_would_be_other_gains():
    table, plain = (
        gainful.gains([4, 1, 3]).dcg(discount="jk", gain=gain)[-1]
        for gain in ({1: 0, 2: 1, 3: 2, 4: 3}, "linear")
    )
    assert table == pytest.approx(3 + 0 / math.log2(2) + 2 / math.log2(3))
    assert plain == pytest.approx(4 + 1 / math.log2(2) + 3 / math.log2(3))


def test_cumulative_gain_treats_each_document_equally():
    assert gainful.gains([3, 0, 1]).cg[-1] == gainful.gains([0, 1, 3]).cg[-1] == 3 + 0 + 1


def test_dcg_is_the_first_gain_and_the_others_over_the_log_of_their_rank():
    r = [2, 3, 0, 1, 2]
    by_hand = r[0] + sum(r[i - 1] / math.log2(i) for i in range(2, 6))
    assert gainful.gains(r).dcg(discount="jk")[-1] == pytest.approx(by_hand, abs=1e-14)


def test_two_documents_rated_two_can_reach_four_at_rank_ten(seeds, command):
    best = gainful.gains([2, 2] + [0] * 8)
    assert best.dcg(discount="jk")[9] == best.ideal_dcg(discount="jk")[9] == 2 + 2 / math.log2(2) == 4
    words = ("-m", "DCG(discount=jk)", "--to", 10, "--ideal")
    made = command("curve", seeds / "two-documents.qrels", seeds / "two-documents.run", *words)
    found, ideal = made["curves"]
    assert ideal["points"][-1] == [10, 4]
    assert found["points"][-1] == [10, 2 + 2 / math.log2(4)]


def test_ndcg_is_dcg_over_max_dcg():
    run = gainful.gains([1, 3, 0, 2], judged=[3, 3, 2, 2, 1, 0])
    dcg = 1 + 3 / math.log2(2) + 2 / math.log2(4)
    most = 3 + 3 / math.log2(2) + 2 / math.log2(3) + 2 / math.log2(4)
    assert run.ndcg(discount="jk")[-1] == pytest.approx(dcg / most, abs=1e-14)


def test_each_topic_is_normalised_and_then_the_average_is_taken():
    qrels = {"few": {"a": 2, "b": 2}, "many": {f"d{n}": 3 for n in range(10)}}
    run = {"few": {"b": 3.0, "x": 2.0, "a": 1.0}, "many": {"d1": 2.0, "y": 1.0}}
    curve = gainful.curve(qrels, run, "nDCG(discount=jk)", to=3)[0]
    few = [2 / 2, 2 / 4, (2 + 2 / math.log2(3)) / 4]
    many = [3 / 3, 3 / 6, 3 / (6 + 3 / math.log2(3))]
    assert curve.average == "topics"
    assert curve.values == pytest.approx([(a + b) / 2 for a, b in zip(few, many, strict=True)], abs=1e-14)
