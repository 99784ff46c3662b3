"""Bounds hold whatever the unjudged documents turn out to be, and are reached where they are called exact."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gainful
from gainful.comparisons.unjudged.evidence import gather
from gainful.comparisons.unjudged.value_bounds import bounds_of_difference, bounds_of_run, depth_of
from gainful.formats.judgments import read_qrels
from gainful.formats.runs import Run
from gainful.judging.settings import Settings
from gainful.measures import parse

MEASURES = [
    *("nDCG@3", "nDCG", "nDCG(gain=exp)@4", "nDCG(discount=jk)@5", "NCG@3", "DCG@4", "CG"),
    *("AP", "AP@3", "AP(rel=2)", "AP(divisor=min)@3", "P@3", "P(rel=2)@2", "R@3", "SetR"),
    *("RBP", "RBP(rel=1)", "RBP(p=0.5)@4", "ERR", "ERR(stop=linear)@3", "RR", "RR(rel=2)@3", "Success@2"),
    *("nDCG(gain={1:5,2:1})@3", "DCG(gain={1:1,2:3})@3", "CG(gain={1:4})@2", "NCG(gain={1:2,2:1})"),
    *("Bpref", "Rprec", "nDCG(ideal=retrieved)@3", "nDCG(gain={0:0.5,1:1,2:2})@3"),
]
DOCUMENTS = "abcdefgh"
lists = st.permutations(DOCUMENTS).flatmap(lambda ids: st.integers(1, 7).map(lambda n: ids[:n]))
grades = st.dictionaries(st.sampled_from(DOCUMENTS), st.sampled_from([0, 0, 1, 2]), min_size=1, max_size=5)


def scored(ids):
    return {document: float(len(ids) - place) for place, document in enumerate(ids)}


def evidence_of(judged, *ranked):
    runs = [Run({"q": scored(ids)}, name=f"r{number}") for number, ids in enumerate(ranked)]
    return gather(read_qrels({"q": judged}), runs, Settings())


def values(measure, judged, top, *ranked):
    """What evaluate says with these judgments; another topic keeps the best grade what it was."""
    runs = {str(number): {"q": scored(ids), "z": {"z": 1.0}} for number, ids in enumerate(ranked)}
    found = gainful.evaluate({"q": judged, "z": {"z": top}}, runs, measure)
    return [run.per_topic["q"][str(measure)] for run in found]


def opened(judged, depth, *ranked):
    return sorted({document for ids in ranked for document in ids[:depth]} - set(judged))


@pytest.mark.parametrize("name", MEASURES)
@settings(max_examples=25)
@given(judged=grades, first=lists, second=lists, data=st.data())
def test_bounds_hold_the_value_of_every_completion_of_the_judgments(name, judged, first, second, data):
    measure = parse(name)
    evidence = evidence_of(judged, first, second)
    depth = depth_of(measure, data.draw(st.sampled_from([None, 2, 4])))
    levels = [0, 1, 2] if evidence.top == 2 else [0, 1]
    unknown = opened(judged, depth, first, second)
    completed = judged | {document: data.draw(st.sampled_from(levels)) for document in unknown}
    one, other = values(measure, completed, evidence.top, first, second)
    apart = bounds_of_difference(evidence, measure, 0, 1, [0], depth=depth)
    assert apart.low[0] - 1e-9 <= other - one <= apart.high[0] + 1e-9
    own = judged | {document: completed[document] for document in opened(judged, depth, first)}
    (alone,) = values(measure, own, evidence.top, first)
    bounds = bounds_of_run(evidence, measure, 0, [0], depth=depth)
    assert bounds.low[0] - 1e-9 <= alone <= bounds.high[0] + 1e-9


@pytest.mark.parametrize(
    "name",
    [name for name in MEASURES if not name.startswith(("Bpref", "Rprec", "nDCG(ideal", "nDCG(gain={0"))],
)
def test_exact_bounds_are_reached_by_some_completion(name):
    measure = parse(name)
    chance = np.random.default_rng(5)
    seen = 0
    while seen < 6:
        judged = {
            document: int(chance.integers(0, 3)) for document in chance.choice(list(DOCUMENTS), 4, False)
        }
        first, second = (chance.permutation(list(DOCUMENTS))[:5].tolist() for _ in range(2))
        evidence = evidence_of(judged, first, second)
        unknown = opened(judged, depth_of(measure), first, second)
        if not 1 <= len(unknown) <= 3 or evidence.top < 2:
            continue
        seen += 1
        found = [
            values(measure, judged | dict(zip(unknown, some, strict=True)), 2, first, second)
            for some in itertools.product([0, 1, 2], repeat=len(unknown))
        ]
        apart = [other - one for one, other in found]
        bounds = bounds_of_difference(evidence, measure, 0, 1, [0])
        assert bounds.low[0] <= min(apart) + 1e-9
        assert bounds.high[0] >= max(apart) - 1e-9
        if bounds.kind == "exact":
            assert (bounds.low[0], bounds.high[0]) == pytest.approx((min(apart), max(apart)))


def test_what_both_runs_have_is_one_document():
    # x is first in both lists: relevant or not, the difference is 0
    evidence = evidence_of({"a": 1}, "xa", "xa")
    for name in ("P@1", "nDCG@1", "RR", "RBP"):
        bounds = bounds_of_difference(evidence, parse(name), 0, 1, [0])
        assert (bounds.low[0], bounds.high[0]) == (0, 0)


def test_the_bounds_of_precision_by_hand():
    # a relevant, x and y unjudged; P@2 of x a is (0 or 1) + 1 of 2
    evidence = evidence_of({"a": 1, "b": 0}, "xa", "yb")
    bounds = bounds_of_run(evidence, parse("P@2"), 0, [0])
    assert (bounds.low[0], bounds.high[0], bounds.kind) == (1 / 2, 2 / 2, "exact")
    apart = bounds_of_difference(evidence, parse("P@2"), 0, 1, [0])
    assert (apart.low[0], apart.high[0]) == (0 - 2 / 2, 1 / 2 - 1 / 2)


def test_average_precision_may_fall_when_more_is_relevant():
    # a at rank 1 of 1 relevant: AP 1; with x at rank 4 relevant too it is (1 + 2/4) / 2
    bounds = bounds_of_run(evidence_of({"a": 1, "b": 0, "c": 0}, "abcx"), parse("AP"), 0, [0])
    assert (bounds.low[0], bounds.high[0]) == (pytest.approx((1 + 2 / 4) / 2), 1)


def test_measures_of_unknown_shape_have_their_declared_bounds():
    evidence = evidence_of({"a": 1}, "xa", "ax")
    run = bounds_of_run(evidence, parse("Bpref"), 0, [0])
    assert (run.low[0], run.high[0], run.kind) == (0, 1, "declared")
    apart = bounds_of_difference(evidence, parse("Bpref"), 0, 1, [0])
    assert (apart.low[0], apart.high[0]) == (-1, 1)


def test_a_level_above_every_grade_leaves_nothing_open():
    evidence = evidence_of({"a": 1, "b": 0}, "xa", "ax")
    for name in ("P(rel=2)@1", "AP(rel=2)", "RR(rel=2)"):
        bounds = bounds_of_difference(evidence, parse(name), 0, 1, [0])
        assert (bounds.low[0], bounds.high[0]) == (0, 0)
