"""Measures against trec_eval 9.0.8 (pytrec_eval), on the same order of documents; and where they differ, both numbers."""

import math
import random

import pytest
import pytrec_eval

from gainful.judging import judged_run
from gainful.measures import AP, IPrec, IPrecAvg, Rndcg, Rprec, SetF, parse

SHARED = sorted(pytrec_eval.supported_measures - {"runid", "relstring"})


def theirs(judgments, run, measures=SHARED, level=1):
    return pytrec_eval.RelevanceEvaluator(judgments, set(measures), relevance_level=level).evaluate(run)


def judged_by_hand(judgments, run):
    ranked = [
        [judgments[t].get(d) for d in sorted(run[t], key=run[t].get, reverse=True)] for t in sorted(run)
    ]
    return judged_run(ranked, judged=[list(judgments[t].values()) for t in sorted(run)])


def made(seed, depth, judged):
    """Topics with distinct scores that 32 bits hold, unjudged documents and negative grades among them."""
    chance = random.Random(seed)
    documents = [f"d{number}" for number in range(60)]
    judgments, run = {}, {}
    for topic in map(str, range(10, 50)):
        grades = chance.choice([[0, 1], [-1, 0, 0, 1, 2], [0, 1, 2, 3, 4], [-2, 0], [0, 0, 0, 0, 1]])
        judgments[topic] = {
            d: chance.choice(grades) for d in chance.sample(documents, chance.randint(1, judged))
        }
        judgments[topic][chance.choice(documents)] = (
            0  # trec_eval does not take a topic of negative grades alone
        )
        picked = chance.sample(documents, chance.randint(1, depth))
        run[topic] = dict(zip(picked, map(float, chance.sample(range(1000), len(picked))), strict=True))
    return judgments, run


@pytest.mark.parametrize(("seed", "depth", "judged"), [(1, 60, 50), (2, 12, 8), (3, 5, 30), (4, 60, 4)])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_every_shared_measure_agrees_on_every_topic(seed, depth, judged, level):
    judgments, run = made(seed, depth, judged)
    expected = theirs(judgments, run, level=level)
    record = judged_by_hand(judgments, run)
    relevant = record.count(level)
    for name in expected["10"]:
        measure = parse(name)
        values = (measure(rel=level) if measure.leaves("rel") else measure)(record)
        for place, topic in enumerate(sorted(run)):
            if name.startswith(("iprec_at_recall", "11pt_avg")) and relevant[place] in {3, 23, 33, 43}:
                continue  # the rounding tested below
            value = math.log(max(values[place], 0.00001)) if name.startswith("gm_") else values[place]
            assert value == pytest.approx(expected[topic][name], abs=1e-9), (name, topic)


def one(judgments, run, *measures, level=1):
    return theirs({"t": judgments}, {"t": run}, measures, level)["t"], judged_by_hand(
        {"t": judgments}, {"t": run}
    )


def test_seven_tenths_of_three_are_three_where_trec_eval_has_two():
    values, record = one({"a": 1, "b": 1, "c": 1}, {"a": 3.0, "b": 2.0}, "iprec_at_recall", "11pt_avg")
    assert values["iprec_at_recall_0.70"] == 1.0
    assert (IPrec @ 0.7)(record) == 0.0
    assert values["11pt_avg"] == pytest.approx(8 / 11, abs=1e-15)
    assert IPrecAvg(record) == 7 / 11


def test_interpolated_precision_of_an_empty_list_is_zero_where_trec_eval_has_no_number():
    values, record = one({"a": 1}, {}, "iprec_at_recall", "11pt_avg")
    assert math.isnan(values["iprec_at_recall_0.00"])
    assert math.isnan(values["11pt_avg"])
    assert (IPrec @ 0)(record) == IPrecAvg(record) == 0.0


def test_beta_is_beta_where_trec_evals_parameter_is_its_square():
    judgments, run = {"a": 1, "b": 1, "c": 1}, {"a": 4.0, "x": 3.0, "y": 2.0, "b": 1.0}  # P = 2/4, R = 2/3
    values, record = one(judgments, run, "set_F.2")
    assert values["set_F"] == pytest.approx(3 * 1 / 3 / (2 * 1 / 2 + 2 / 3), abs=1e-15)  # 0.6
    assert SetF(beta=2)(record) == 5 * 2 / (4 * 3 + 4) == 0.625
    values, record = one(judgments, run, "set_F.4")
    assert values["set_F"] == parse("set_F.4")(record) == 0.625


def test_a_multiple_of_r_is_rounded_up_where_trec_eval_adds_nine_tenths_and_cuts_off():
    judgments, run = {"a": 1, "b": 1, "c": 1}, {"a": 2.0, "x": 1.0}
    values, record = one(judgments, run, "Rprec_mult.0.35")  # 0.35 · 3 = 1.05
    assert values["Rprec_mult_0.35"] == 1 / 1
    assert Rprec(mult=0.35)(record) == 1 / 2


def test_a_topic_without_the_level_of_relevance_is_worth_nothing_in_rndcg_as_there():
    values, record = one({"a": 1, "b": 2}, {"a": 2.0, "b": 1.0}, "Rndcg", "ndcg", level=3)
    assert values["Rndcg"] == Rndcg(rel=3)(record) == 0.0
    assert values["ndcg"] > 0
    assert Rndcg(record) == (1 / 2 + (1 + 2 / math.log2(3)) / (2 + 1 / math.log2(3))) / 2


def test_a_geometric_mean_has_plain_values_for_its_topics_where_pytrec_eval_has_logarithms():
    values, record = one({"a": 1}, {"x": 2.0, "a": 1.0}, "gm_map")
    assert values["gm_map"] == math.log(1 / 2)
    assert parse("gm_map") == AP(summary="geometric")
    assert parse("gm_map")(record) == 1 / 2


def test_gains_below_one_are_told_apart_where_trec_eval_cuts_their_difference_off():
    perfect = judged_run([3, 2, 1])
    assert parse("nDCG(gain={1:0.1,2:0.2,3:0.3})")(perfect) == 1.0  # trec_eval 9.0.8 and 10: 0.0000
