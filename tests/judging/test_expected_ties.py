"""Ties in random order: expected values against every order of the tied documents, one by one."""

import itertools
import math
import random

import numpy as np
import pytest

import gainful
from gainful.errors import MeasureError, UsageError
from gainful.judging import tie_orders
from gainful.judging.settings import Settings
from gainful.measures import get, measure, names, parse

AT = {"cutoff": (1, 3), "recall": (0.3,)}


def forms(name):
    """The measure at some cutoffs, and with each of the words that its parameters take."""
    base = get(name)
    made = (
        [base @ at for at in AT.get(base.definition.at, ())]
        if base.definition.at in base.definition.parameters
        else []
    )
    return [*([] if base._lacks else [base]), *made]


MEASURES = [form for name in names() if get(name).needs is None for form in forms(name) if not form._lacks]
MORE = [
    "P@1",
    "P@3",
    "P(divisor=retrieved)@10",
    "R@2",
    "R(divisor=min)@2",
    "F@3",
    "Success@2",
    "Judged@3",
    "AP(divisor=min)@2",
    "AP(divisor=retrieved)@3",
    "AP(unjudged=condense)",
    "nDCG(gain=exp,ideal=retrieved)@2",
    "nDCG(ideal=hits)@3",
    "nDCG(ideal=uncut,discount=jk)@3",
    "nDCG(gain=signed)@3",
    "nDCG(gain={1:5,2:1})@3",
    "RBP(p=0.5,rel=1)@3",
    "IPrec@0.5",
]
EVERY = list(dict.fromkeys([*map(str, MEASURES), *MORE]))


def drawn(seed):
    """A topic with tie groups, and each of its groups."""
    chance = random.Random(seed)
    documents = [f"d{number}" for number in range(5)]
    chance.shuffle(documents)
    cuts = sorted(chance.sample(range(1, 5), chance.randint(0, 2)))
    groups = [documents[start:stop] for start, stop in itertools.pairwise([0, *cuts, 5])]
    grades = {document: chance.choice([0, 0, 1, 2, 3, -1]) for document in documents if chance.random() < 0.7}
    return {"q": grades | {"missed": chance.choice([0, 1, 2])}}, groups


def run_of(groups):
    return {"q": {document: float(-place) for place, group in enumerate(groups) for document in group}}


def every_order(groups):
    for orders in itertools.product(*map(itertools.permutations, groups)):
        yield {"q": {document: float(-place) for place, document in enumerate(itertools.chain(*orders))}}


@pytest.mark.parametrize("seed", range(6))
def test_expected_values_are_the_means_over_every_order_for_every_measure(seed):
    qrels, groups = drawn(seed)
    expected = gainful.evaluate(qrels, run_of(groups), EVERY, ties="expected").mean
    orders = [gainful.evaluate(qrels, order, EVERY).mean for order in every_order(groups)]
    for name in map(str, map(parse, EVERY)):
        by_order = [order[name] for order in orders]
        assert math.isclose(expected[name], np.mean(by_order), rel_tol=1e-9, abs_tol=1e-12), name


def test_the_worst_and_the_best_order_are_given_beside_them():
    qrels, groups = drawn(2)
    scores = gainful.evaluate(qrels, run_of(groups), "nDCG@3, AP, RR", ties="expected")
    (run,) = scores.runs
    for name, (worst, best) in run.tie_bounds.items():
        assert worst == gainful.evaluate(qrels, run_of(groups), name, ties="worst").mean[name]
        assert best == gainful.evaluate(qrels, run_of(groups), name, ties="best").mean[name]
        assert worst <= scores.mean[name] <= best
        assert f"{scores.mean[name]:.4f} [{worst:.4f}, {best:.4f}]" in str(scores)
        assert scores.to_dict()["runs"][0]["ties"][name] == {"worst": worst, "best": best}


@pytest.mark.parametrize("seed", range(4))
def test_the_worst_and_the_best_order_are_those_of_every_order_for_every_measure(seed):
    qrels, groups = drawn(seed)
    bounds = gainful.evaluate(qrels, run_of(groups), EVERY, ties="expected").runs[0].tie_bounds
    orders = [gainful.evaluate(qrels, order, EVERY).mean for order in every_order(groups)]
    for asked in map(parse, EVERY):
        by_order = sorted((order[str(asked)] for order in orders), reverse=asked.less_is_better)
        assert bounds[str(asked)] == pytest.approx((by_order[0], by_order[-1]), abs=1e-12), asked


def test_the_error_of_a_mean_knows_that_topics_that_are_alike_have_one_sample():
    grades = {f"d{number}": number % 3 for number in range(12)}
    documents = {f"d{number}": 1.0 for number in range(15)}
    qrels = {"p": grades, "q": grades, "r": {"d1": 0}}
    run = dict.fromkeys(qrels, documents)
    scores = gainful.evaluate(qrels, run, "Bpref", ties="expected", undefined="skip")
    (errors,) = scores.runs[0].tie_errors
    assert errors[0] == errors[1] > 0
    # two topics with one sample are no better known than one; the third does not count
    assert f"the standard error of the mean is {errors[0]:.1g}" in scores.notes[0]


def test_they_are_the_averaged_values_of_scikit_learn():
    from sklearn.metrics import ndcg_score

    chance = np.random.default_rng(3)
    for _ in range(50):
        size, cutoff = int(chance.integers(2, 30)), int(chance.integers(1, 12))
        grades, scores = chance.integers(0, 4, size).astype(float), chance.integers(0, 5, size).astype(float)
        grades[0] = 1
        qrels = {"q": {str(number): grade for number, grade in enumerate(grades)}}
        run = {"q": {str(number): score for number, score in enumerate(scores)}}
        ours = gainful.evaluate(qrels, run, f"nDCG@{cutoff}", ties="expected").mean[f"nDCG@{cutoff}"]
        assert math.isclose(ours, ndcg_score([grades], [scores], k=cutoff), rel_tol=1e-12, abs_tol=1e-12)


def test_a_large_tie_group_has_the_textbook_values():
    qrels = {"q": {"a": 1, "b": 1}}
    run = {"q": {"a": 1.0, "b": 1.0, **{f"x{number}": 1.0 for number in range(98)}}}
    expected = gainful.evaluate(qrels, run, "P@10, R@10, RR, Success@10", ties="expected").mean
    assert math.isclose(expected["P@10"], 2 / 100)
    assert math.isclose(expected["R@10"], 10 / 100)
    both = math.comb(100, 2)
    assert math.isclose(expected["RR"], sum((100 - rank) / both / rank for rank in range(1, 100)))
    assert math.isclose(expected["Success@10"], 1 - math.comb(90, 2) / both)


def test_too_many_orders_are_sampled_with_a_seed_and_an_error_that_is_said():
    qrels = {"q": {f"d{number}": number % 3 for number in range(12)}, "p": {"d1": 1}}
    run = {"q": {f"d{number}": 1.0 for number in range(15)}, "p": {"d1": 1.0}}
    scores = gainful.evaluate(qrels, run, "Bpref", ties="expected")
    (note,) = scores.notes
    assert "Bpref: in 1 topic tied documents have too many orders" in note
    errors = scores.runs[0].tie_errors
    assert errors is not None
    assert (errors[0] > 0).tolist() == [False, True]  # topics are in order: p, q
    alone = gainful.evaluate({"q": qrels["q"]}, {"q": run["q"]}, "Bpref", ties="expected")
    assert alone.per_topic["q"] == scores.per_topic["q"]
    many = [
        gainful.evaluate(qrels, {"q": shuffled(run["q"], seed)}, "Bpref", topics=["q"]).mean["Bpref"]
        for seed in range(400)
    ]
    assert abs(np.mean(many) - alone.mean["Bpref"]) < 5 * errors[0, 1]
    merged = gainful.Scores.merge(
        *(gainful.evaluate(qrels, run, "Bpref", ties="expected", topics=[topic]) for topic in qrels)
    )
    assert merged.per_topic == scores.per_topic
    assert merged.runs[0].tie_errors.tolist() == errors.tolist()


def shuffled(documents, seed):
    ids = list(documents)
    random.Random(seed).shuffle(ids)
    return {document: float(-place) for place, document in enumerate(ids)}


def test_where_there_are_no_ties_nothing_changes():
    qrels, groups = drawn(1)
    run = next(every_order(groups))
    assert gainful.evaluate(qrels, run, EVERY, ties="expected").mean == pytest.approx(
        gainful.evaluate(qrels, run, EVERY).mean
    )


def test_measures_by_subtopic_are_computed_order_by_order():
    rows = [("q", "1", "a", 1), ("q", "2", "b", 1), ("q", "2", "c", 1)]
    table = {"topic": 0, "subtopic": 1, "document": 2, "grade": 3}
    import polars

    qrels = gainful.read_qrels(polars.DataFrame(rows, schema=list(table), orient="row"), by="subtopics")
    orders = list(itertools.permutations("abcx"))
    by_order = [
        gainful.evaluate(qrels, {"q": {d: float(-i) for i, d in enumerate(order)}}, "StRecall@2").mean[
            "StRecall@2"
        ]
        for order in orders
    ]
    tied = gainful.evaluate(qrels, {"q": dict.fromkeys("abcx", 1.0)}, "StRecall@2", ties="expected")
    assert math.isclose(tied.mean["StRecall@2"], np.mean(by_order))


def test_a_measure_of_ones_own_is_computed_order_by_order():
    @measure
    def Squared(judged, *, rel: float = 1):
        top = judged.cut(2)
        return top.total(where=top.grade >= rel) ** 2

    qrels, groups = drawn(4)
    by_order = [gainful.evaluate(qrels, order, Squared).mean["Squared"] for order in every_order(groups)]
    assert math.isclose(
        gainful.evaluate(qrels, run_of(groups), Squared, ties="expected").mean["Squared"], np.mean(by_order)
    )


def test_every_order_is_listed_once():
    placed = list(tie_orders._placements(tie_orders.Counter({1.0: 2, 2.0: 1}), range(4)))
    assert len(placed) == math.comb(4, 2) * 2
    assert len({tuple(sorted(each.items())) for each in placed}) == len(placed)


def test_what_needs_one_order_is_refused():
    qrels, run = {"q": {"a": 1}, "p": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}, "p": {"a": 1.0}}
    with pytest.raises(UsageError, match="ties=expected has no depth"):
        Settings(ties="expected", depth=10)
    with pytest.raises(UsageError, match="explaining a topic needs one order"):
        gainful.explain(qrels, run, "q", "AP", ties="expected")
    with pytest.raises(UsageError, match="a curve needs one order"):
        gainful.curve(qrels, run, "P", ties="expected")
    with pytest.raises(UsageError, match="a report needs one order"):
        gainful.report(qrels, run, "P@1", ties="expected")
    with pytest.raises(MeasureError, match="needs one order"):
        gainful.evaluate(qrels, run, "Hole@2", ties="expected")


def test_a_standard_deviation_has_no_bounds_from_the_worst_and_the_best_orders():
    qrels = {"p": {"a": 1}, "q": {"a": 1}}
    run = {"p": {"a": 1.0, "x": 1.0}, "q": {"a": 1.0, "x": 1.0}}
    scores = gainful.evaluate(qrels, run, "RR, RR(summary=std)", ties="expected")
    assert scores.runs[0].tie_bounds == {"RR": (0.5, 1.0)}
