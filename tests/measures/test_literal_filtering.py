"""The measures of filtering against their formulas, written out for one topic in plain Python, and against hand counts.

A topic is a list of the grades delivered, None where nobody judged, and every judged grade.
A transcription gives a number, or None for a topic with nothing to measure. It calls nothing of Gainful.
"""

from fractions import Fraction

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

import gainful
from gainful.errors import MeasureError
from gainful.judging import judged_run
from gainful.measures import get

GRADES = st.sampled_from([-1, 0, 0, 0.5, 1, 1, 2, 3])
LISTS = st.lists(st.one_of(st.none(), GRADES), max_size=14)
TOPICS = st.lists(st.tuples(LISTS, st.lists(GRADES, max_size=8)), min_size=1, max_size=5)


def count(grades, rel):
    return sum(grade is not None and grade >= rel for grade in grades)


def worth(delivered, credit, cost, rel):
    value = Fraction(0)
    for grade in delivered:
        relevant = grade is not None and grade >= rel
        value += Fraction(str(credit)) if relevant else Fraction(str(cost))
    return value


def t11u(delivered, judged, credit=2, cost=-1, rel=1):
    return worth(delivered, credit, cost, rel)


def t11su(delivered, judged, credit=2, cost=-1, least=-0.5, rel=1):
    if count(judged, rel) == 0:
        return None
    normalised = worth(delivered, credit, cost, rel) / (Fraction(str(credit)) * count(judged, rel))
    floor = Fraction(str(least))
    return (max(normalised, floor) - floor) / (1 - floor)


def t11f(delivered, judged, beta=0.5, rel=1):
    relevant, found = count(judged, rel), count(delivered, rel)
    if relevant == 0:
        return None
    if found == 0:
        return 0
    precision, recall = Fraction(found, len(delivered)), Fraction(found, relevant)
    square = Fraction(str(beta)) ** 2
    return (1 + square) * precision * recall / (square * precision + recall)


def t9u(delivered, judged, credit=2, cost=-1, least=-100, rel=1):
    return max(worth(delivered, credit, cost, rel), Fraction(str(least)))


def t9p(delivered, judged, target=50, rel=1):
    return Fraction(count(delivered, rel), max(target, len(delivered))) if count(judged, rel) else None


LITERAL = {
    "T11U": (t11u, [{}, {"rel": 2}, {"credit": 3, "cost": -2}, {"cost": 0}]),
    "T11SU": (t11su, [{}, {"rel": 2}, {"least": -2}, {"least": 0.25}, {"credit": 4, "cost": -0.5}]),
    "T11F": (t11f, [{}, {"rel": 2}, {"beta": 1}, {"beta": 2.5}]),
    "T9U": (t9u, [{}, {"rel": 2}, {"least": -2}, {"credit": 0.5, "cost": -3, "least": -7}]),
    "T9P": (t9p, [{}, {"rel": 2}, {"target": 3}]),
}


@pytest.mark.parametrize("name", sorted(LITERAL))
@settings(deadline=None, max_examples=60)
@given(topics=TOPICS)
def test_a_measure_is_its_formula(name, topics):
    literal, variants = LITERAL[name]
    delivered = [grades for grades, _ in topics]
    judged = [[grade for grade in grades if grade is not None] + more for grades, more in topics]
    record = judged_run(delivered, judged=judged)
    for parameters in variants:
        measure = get(name)(**parameters)
        values, undefined = measure.evaluate(record)
        expected = [literal(one, pool, **parameters) for one, pool in zip(delivered, judged, strict=True)]
        assert undefined.tolist() == [one is None for one in expected], measure
        filled = [measure.undefined if one is None else float(one) for one in expected]
        np.testing.assert_allclose(values, filled, rtol=1e-12, atol=1e-13, err_msg=str(measure))


# Three topics counted by hand: (delivered relevant, delivered other, relevant in all).
#   a  3 of 4 delivered are relevant, of 5       T11U = 6 − 1, of at most 10
#   b  nothing delivered, 2 are relevant         T11U = 0
#   c  1 of 10 delivered is relevant, of 2       T11U = 2 − 9, of at most 4: below the floor
HAND = {"a": (3, 1, 5), "b": (0, 0, 2), "c": (1, 9, 2)}


def hand_made():
    qrels, run = {}, {}
    for topic, (found, other, relevant) in HAND.items():
        qrels[topic] = {f"r{number}": 1 for number in range(relevant)}
        delivered = [f"r{number}" for number in range(found)] + [f"n{number}" for number in range(other)]
        run[topic] = {document: -float(number) for number, document in enumerate(delivered)}
    return qrels, run


def test_utility_scaled_utility_and_f_are_as_counted_by_hand():
    qrels, run = hand_made()
    values = gainful.evaluate(qrels, run, "T11U, T11SU, T11F, T9U, T9P").per_topic
    assert [values[topic]["T11U"] for topic in "abc"] == [2 * 3 - 1, 0, 2 * 1 - 9]
    expected = [(5 / 10 + 0.5) / 1.5, (0 + 0.5) / 1.5, (-0.5 + 0.5) / 1.5]
    assert [values[topic]["T11SU"] for topic in "abc"] == pytest.approx(expected, abs=1e-15)
    precision, recall = [3 / 4, 1 / 10], [3 / 5, 1 / 2]
    f = [1.25 * p * r / (0.25 * p + r) for p, r in zip(precision, recall, strict=True)]
    assert [values[topic]["T11F"] for topic in "abc"] == pytest.approx([f[0], 0, f[1]], abs=1e-15)
    assert [values[topic]["T9U"] for topic in "abc"] == [5, 0, -7]
    assert [values[topic]["T9P"] for topic in "abc"] == [3 / 50, 0, 1 / 50]


def test_f_is_trec_eval_s_set_f_with_the_square_of_beta():
    qrels, run = hand_made()
    values = gainful.evaluate(qrels, run, "T11F").per_topic
    squared, plain = (
        pytrec_eval.RelevanceEvaluator(qrels, {f"set_F.{beta}"}).evaluate(run) for beta in (0.25, 0.5)
    )
    for topic in "ac":
        assert [values[topic]["T11F"]] == pytest.approx(list(squared[topic].values()), abs=1e-9)
        assert [values[topic]["T11F"]] != pytest.approx(list(plain[topic].values()), abs=1e-3)


def test_delivering_nothing_is_worth_a_third():
    assert gainful.evaluate({"q": {"d": 1}}, {"q": {}}, "T11SU").mean["T11SU"] == 0.5 / 1.5


@pytest.mark.parametrize("given_", ["credit=0", "cost=1", "least=1"])
def test_prices_that_make_no_sense_are_refused(given_):
    with pytest.raises(MeasureError, match="T11SU needs a credit above 0"):
        gainful.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, f"T11SU({given_})")
