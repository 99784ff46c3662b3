"""Document 002, a lecture on ranked lists: precision and recall at every cutoff, the curve, the area under it.

Loose in the document: "the area underneath the curve" is drawn with straight lines between the points, and then computed
as the sum of steps. These are two numbers: 0.335 and 0.31. Average precision is the second.
"""

import math

import pytest

import gainful
from gainful.curves import Curve, precision_recall, raw_points

TEN = {f"D{rank}": int(rank in (1, 2, 5, 8)) for rank in range(1, 11)} | {f"missed-{n}": 1 for n in range(6)}
QRELS = {"1": TEN}


def run_of(*documents):
    return {"1": {name: -float(place) for place, name in enumerate(documents)}}


IN_ORDER = [f"D{rank}" for rank in range(1, 11)]
RUN = run_of(*IN_ORDER)


@pytest.fixture
def scores():
    return gainful.evaluate(QRELS, RUN, "AP")


@pytest.mark.parametrize(
    ("stop", "precision", "recall"),
    [
        (1, 1 / 1, 1 / 10),
        (2, 2 / 2, 2 / 10),
        (3, 2 / 3, 2 / 10),
        (5, 3 / 5, 3 / 10),
        (8, 4 / 8, 4 / 10),
        (10, 4 / 10, 4 / 10),
    ],
)
def test_precision_and_recall_at_each_position_where_the_user_could_stop(scores, stop, precision, recall):
    assert raw_points(scores)[0].points[stop - 1].tolist() == [recall, precision]


def test_precision_is_taken_as_zero_at_levels_of_recall_beyond_the_results(scores):
    beyond = raw_points(scores)[0].points[10:]
    assert beyond.tolist() == [[0.5, 0], [0.6, 0], [0.7, 0], [0.8, 0], [0.9, 0], [1, 0]]


def test_the_curve_at_the_levels_of_the_slide(scores):
    curve = precision_recall(scores)[0]
    assert curve.points[:, 0] == pytest.approx([level / 10 for level in range(11)], abs=1e-15)
    assert curve.values.tolist() == [1, 1, 1, 3 / 5, 4 / 8, 0, 0, 0, 0, 0, 0]


def test_the_area_in_steps_is_average_precision(scores):
    area = raw_points(scores)[0].areas
    assert area["step"] == pytest.approx((1 + 1 + 3 / 5 + 4 / 8) / 10, abs=1e-15)
    assert area["step"] == pytest.approx(0.31, abs=1e-15) == scores.mean["AP"]


def test_the_area_with_points_joined_by_straight_lines_is_another(scores):
    joined = (1 + 1 + (1 + 3 / 5) / 2 + (3 / 5 + 4 / 8) / 2) / 10
    assert raw_points(scores)[0].areas["line"] == pytest.approx(joined, abs=1e-15)
    assert joined == pytest.approx(0.335, abs=1e-15)


def test_dividing_by_the_four_retrieved_is_the_common_mistake():
    wrong = gainful.evaluate(QRELS, RUN, "AP(divisor=retrieved)").mean["AP(divisor=retrieved)"]
    assert wrong == pytest.approx((1 + 1 + 3 / 5 + 4 / 8) / 4) == pytest.approx(0.775)


def test_it_favours_a_system_that_retrieves_very_few_documents():
    one = gainful.evaluate(QRELS, run_of("D1"), "AP, AP(divisor=retrieved)").mean
    assert one["AP(divisor=retrieved)"] == 1
    assert one["AP"] == 1 / 10


@pytest.mark.parametrize("place", [5, 8])
def test_moving_a_relevant_document_up_raises_ap_and_leaves_precision_at_ten_alone(place):
    moved = list(IN_ORDER)
    moved.insert(place - 2, moved.pop(place - 1))
    before, after = (gainful.evaluate(QRELS, run, "AP, P@10").mean for run in (RUN, run_of(*moved)))
    assert after["AP"] > before["AP"]
    assert after["P@10"] == before["P@10"] == 4 / 10


@pytest.mark.parametrize("place", [2, 5, 8])
def test_moving_a_relevant_document_down_lowers_ap(place):
    moved = list(IN_ORDER)
    moved.insert(place, moved.pop(place - 1))
    assert gainful.evaluate(QRELS, run_of(*moved), "AP").mean["AP"] < 0.31


def test_the_ideal_system_has_perfect_precision_at_all_recall_points(scores):
    ideal = precision_recall(scores, ideal=True)[1]
    assert (ideal.role, ideal.values.tolist()) == ("ideal", [1.0] * 11)


def curves_of(first, second):
    two = precision_recall(gainful.evaluate(QRELS, {"A": run_of(*first), "B": run_of(*second)}, "AP"))
    return two["A"], two["B"]


def test_a_system_with_higher_precision_at_every_level_is_clearly_better():
    better, worse = curves_of(["D1", "D2", "D5", "D8"], ["D3", "D1", "D4", "D2", "D5", "D6", "D8"])
    assert better.dominates(worse)
    assert not worse.dominates(better)


def test_curves_may_cross_so_that_neither_is_clearly_better():
    needs_much = [*(f"missed-{n}" for n in range(6)), "D1", "D2"]
    a, b = curves_of(["D3", *needs_much], ["D1", "D2", "D3", "D4", "D6", "D7", "D9", "D10"])
    assert not a.dominates(b)
    assert not b.dominates(a)
    assert b[0.0] > a[0.0]  # precision for those who read little
    assert a[0.8] > b[0.8]  # recall for those who need much


def test_the_same_from_the_command_line(seeds, command):
    words = ("curve", seeds / "list.qrels", seeds / "list.run", "--kind", "precision-recall")
    [levels] = command(*words)["curves"]
    assert [y for _, y in levels["points"]] == [1, 1, 1, 3 / 5, 4 / 8, 0, 0, 0, 0, 0, 0]
    [raw] = command(*words, "--raw")["curves"]
    assert raw["points"][:5] == [[1 / 10, 1], [2 / 10, 1], [2 / 10, 2 / 3], [2 / 10, 2 / 4], [3 / 10, 3 / 5]]
    assert raw["areas"] == pytest.approx({"step": 0.31, "line": 0.335})


def test_explain_shows_what_each_relevant_document_adds(seeds, command):
    table = command("explain", seeds / "list.qrels", seeds / "list.run", "--topic", 1, "-m", "AP")
    assert [row["contributes"] for row in table["rows"]] == pytest.approx(
        [1 / 10, 1 / 10, 0, 0, 3 / 5 / 10, 0, 0, 4 / 8 / 10, 0, 0]
    )
    assert table["variants"]["AP(divisor=retrieved)"] == pytest.approx(0.775)
    assert math.isclose(table["value"], 0.31)


def test_a_curve_is_data_with_named_axes(scores):
    curve = raw_points(scores)[0]
    assert isinstance(curve, Curve)
    assert (curve.x, curve.y) == ("recall", "precision")
