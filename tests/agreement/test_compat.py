"""Compatibility and accuracy as ir_measures has them, on random judgments and runs."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import gainful

ir_measures = pytest.importorskip("ir_measures")
SEEDS = range(4)


def without_ties(case: Any, seed: int) -> dict[str, dict[str, float]]:
    """The run with all scores different and above 0: ir_measures orders equal ones by id, the other way round."""
    random = Random(seed)
    return {
        topic: dict(zip(scored, random.sample(range(1, 10 * len(scored) + 1), len(scored)), strict=True))
        for topic, scored in case.run.items()
    }


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "name", ["Compat", "Compat(p=0.8)", "Compat(p=0.9,normalize=False)", "Accuracy", "Accuracy@10"]
)
def test_values_are_those_of_ir_measures(name: str, seed: int, cases: Callable[[int], Any]) -> None:
    case = cases(seed)
    run = {topic: scored for topic, scored in without_ties(case, seed).items() if len(scored) > 20}
    # Accuracy divides by 0 there where nothing but relevant documents is retrieved
    for scored in run.values():
        scored["nobody judged it"] = 1e6
    measure = ir_measures.parse_measure(name)
    theirs = {one.query_id: one.value for one in ir_measures.iter_calc([measure], case.judgments, run)}
    ours = gainful.evaluate(case.judgments, run, name)
    compared = 0
    for topic, values in ours.per_topic.items():
        if topic in theirs and topic in run:  # what a run lacks is scored 0 by both, and Accuracy by us alone
            assert values[str(gainful.parse(name))] == pytest.approx(theirs[topic], rel=1e-12), topic
            compared += 1
    assert compared >= 10


@pytest.mark.parametrize(
    ("judged", "scored", "theirs", "ours"),
    [
        ({"a": 2, "b": 1}, {"a": 1.0, "b": 1.0, "x": 0.5}, 1.0, 0.6081),
        ({"a": 1, "b": 1}, {"a": -1.0}, 0.2436, 0.7564),
    ],
)
def test_where_compat_differs_from_ir_measures_both_are_as_documented(
    judged: dict[str, int], scored: dict[str, float], theirs: float, ours: float
) -> None:
    [found] = ir_measures.iter_calc([ir_measures.Compat], {"q": judged}, {"q": scored})
    assert found.value == pytest.approx(theirs, abs=5e-5)
    assert gainful.evaluate({"q": judged}, {"q": scored}, "Compat").mean["Compat"] == pytest.approx(
        ours, abs=5e-5
    )
