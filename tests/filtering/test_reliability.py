"""Predictions of a calibrated rule beside the answers: bins, intervals, expected utility at cutoffs, and their charts."""

import math

import numpy as np
import pytest

from gainful.errors import UsageError
from gainful.filtering import LinearUtility, beta_gamma, expected
from gainful.filtering.reliability import expected_at_cutoffs, reliability, share_interval
from gainful.filtering.theta_opt_and_zero import Answers, Seen
from gainful.filtering.threshold_charts import reliability_diagram, utility_curve
from gainful.presentation.chart_files import rendered


def judged(one_in, relevant, *, documents=1000, silent=(), examples=0):
    """A threshold after answers to documents of these places; the examples have none."""
    scores = np.linspace(1.0, 0.001, documents)
    rows = np.arange(len(one_in) + examples)
    places = np.concatenate([np.full(examples, math.nan), np.log(one_in)])
    good = np.concatenate([np.ones(examples, bool), np.array(relevant, bool)])
    answers = Answers(rows, places, good, np.array(silent, np.int64))
    return expected(Seen(scores, rows[good], len(rows), answers=answers))


def test_bins_end_at_one_in_1_2_5_10_and_hold_every_answer_once():
    one_in = [3, 3, 4, 12, 13, 14, 15, 60, 61, 62]
    found = reliability(judged(one_in, [0, 0, 1, 1, 0, 0, 1, 1, 1, 1], examples=2, silent=[500]))
    assert [(part.first, part.last, part.answers, part.relevant) for part in found.bins] == [
        (2, 5, 3, 1),
        (10, 20, 4, 2),
        (50, 100, 3, 3),
    ]
    assert (found.answers, found.others, found.silent) == (10, 2, 1)
    assert found.bins[0].middle == pytest.approx((3 * 3 * 4) ** (1 / 3))


def test_few_answers_join_the_next_bin_and_the_last_ones_are_never_left_over():
    found = reliability(judged([3, 12, 13, 14, 60, 700], [1] * 6))
    assert [(part.first, part.last, part.answers) for part in found.bins] == [(2, 1000, 6)]
    assert [part.answers for part in reliability(judged([3, 4, 4, 60], [1] * 4)).bins] == [4]
    assert reliability(judged([], [])).bins == ()


def test_what_is_predicted_for_a_bin_is_the_mean_of_the_curve_at_its_answers():
    threshold = judged([12, 15, 18], [True, False, True])
    curve = threshold.calibration
    (part,) = reliability(threshold).bins
    logits = [curve.intercept + curve.slope * math.log(place) for place in (12, 15, 18)]
    assert part.predicted == pytest.approx(sum(1 / (1 + math.exp(-logit)) for logit in logits) / 3)


@pytest.mark.parametrize(("successes", "trials"), [(0, 1), (3, 10), (10, 10), (77, 400)])
def test_the_interval_of_a_share_is_where_the_normal_test_accepts(successes, trials):
    share = successes / trials
    for end in share_interval(successes, trials):
        if 0 < end < 1:
            assert abs(share - end) / math.sqrt(end * (1 - end) / trials) == pytest.approx(1.96, abs=1e-3)


def test_expected_utility_at_a_cutoff_is_the_sum_over_the_documents_above_it():
    threshold = judged([3, 4, 12, 15, 60, 61], [0, 0, 0, 1, 1, 1], documents=200)
    curve, at = threshold.calibration, 4
    places = [
        -math.log((number + 0.5) / 201) + 1.5 * math.log(threshold.seen.scores[number] / 0.15)
        for number in range(at + 1)
    ]
    chances = [1 / (1 + math.exp(-curve.intercept - curve.slope * place)) for place in places]
    worth = expected_at_cutoffs(threshold)
    assert worth.utility[at] == pytest.approx(sum(2 * chance - (1 - chance) for chance in chances))
    assert (worth.low <= worth.utility).all()
    assert (worth.utility <= worth.high).all()


def test_the_least_probability_is_what_makes_a_delivery_worth_its_cost():
    scores, said = [0.9, 0.8, 0.7, 0.6], [True, None, None, None]
    assert reliability(expected(scores, said, utility=LinearUtility(3, -2))).needed == pytest.approx(2 / 5)
    settled = reliability(expected(scores, said, beta=0.0, gamma=1000.0))
    assert settled.lowest == settled.needed
    assert reliability(expected(scores, said, beta=1.0)).lowest < settled.needed


def test_a_rule_that_estimates_nothing_has_no_diagram():
    threshold = beta_gamma([0.9, 0.8], [True, None])
    assert reliability(threshold) is None
    assert expected_at_cutoffs(threshold) is None
    with pytest.raises(UsageError, match="beta_gamma estimates no probabilities; the rule expected does"):
        reliability_diagram(threshold)


def test_the_diagram_has_the_curve_its_band_and_every_bin():
    threshold = judged([3, 3, 4, 60, 61, 62], [0, 0, 1, 1, 1, 1])
    spec = reliability_diagram(threshold)
    (points,) = [rows for name, rows in spec["datasets"].items() if name.endswith("shares")]
    assert [(point["t"], round(point["y"], 3)) for point in points] == [("1 of 3", 0.333), ("3 of 3", 1)]
    assert points[0]["l"] < points[0]["y"] < points[0]["h"]
    assert {name.rpartition("-")[2] for name in spec["datasets"]} >= {"bands", "lines", "level"}
    assert "1 in N documents scores as high" in rendered(spec, ".svg").decode()


def test_the_expected_curve_stands_beside_the_counted_one_and_has_the_three_marks():
    threshold = judged([3, 3, 4, 60, 61, 62], [0, 0, 1, 1, 1, 1])
    spec = utility_curve(threshold)
    rows = {name.rpartition("-")[2]: rows for name, rows in spec["datasets"].items()}
    assert {row["s"] for row in rows["lines"]} == {"expected utility", "counted utility"}
    assert {row["s"] for row in rows["bands"]} == {"expected utility"}
    assert [row["m"].split()[0] for row in rows["upright"]] == ["theta_opt", "theta", "theta_zero"]
    picture = rendered(spec, ".svg").decode()
    assert picture.count(">expected utility<") == 1  # one legend for line and band


def test_a_utility_that_hardly_anything_is_worth_has_a_diagram():
    """Its least probability rounds to 1."""
    utility = LinearUtility(1e-17, -1)
    found = reliability(expected([0.9, 0.8, 0.7], [True, None, False], utility=utility))
    assert found.needed == 1
    assert all(math.isfinite(value) for point in found.curve for value in point)
