"""Readings give what evaluate gives; the way between two of them is Shapley's; conventions have words."""

import itertools
import math
import random
import runpy
from pathlib import Path

import pytest

import gainful
from gainful.dialects import Spelled, dialect_registry, every
from gainful.errors import DataError, GainfulError, MeasureError, UsageError
from gainful.judging.settings import CHOICES, Settings
from gainful.reconciling import between, effects_on, readings_of
from gainful.reconciling.convention_space import BY_NAME, SPACE, Reading, convention
from gainful.reconciling.convention_walk import printed_as, walk
from gainful.reconciling.dialect_readings import Printed

MADE = runpy.run_path(str(Path(gainful.__file__).parents[2] / "docs" / "make_reconcile.py"))
collection = MADE["collection"]


@pytest.mark.parametrize("seed", range(6))
def test_every_dialect_reads_as_evaluate_prints_it(seed):
    rng = random.Random(seed)
    qrels, run = collection(rng, topics=6)
    readings = readings_of(qrels, run)
    compared = 0
    for dialect in every():
        for spelled in dialect.measures:
            column = spelled.at("5")
            settings = dialect.settings_of(spelled)
            try:
                scores = gainful.evaluate(qrels, run, [column.name], dialect=dialect)
            except GainfulError:
                continue
            outcome = readings.outcome(Reading(column.measure, settings))
            assert outcome.mean == pytest.approx(scores.mean[column.name], abs=1e-12, nan_ok=True), column
            per_topic = {
                topic: values[column.name] for topic, values in scores.runs[0].per_topic.items() if values
            }
            assert per_topic.keys() == {
                topic for topic, counts in zip(readings.topics, outcome.counts, strict=True) if counts
            }
            compared += 1
    assert compared > 20


@pytest.mark.parametrize("seed", range(4))
def test_shares_are_means_over_all_orders_and_add_up(seed):
    rng = random.Random(100 + seed)
    qrels, run = collection(rng, topics=8)
    readings = readings_of(qrels, run)
    a = Reading(gainful.nDCG @ 5, Settings(duplicates="first"))
    b = a.switched({"ties": "input", "gain": "exp", "ideal": "uncut", "pool": "retrieved", "round_topics": 2})
    walked = walk(("a", Printed("nDCG@5", a)), ("b", Printed("nDCG@5", b)), "nDCG@5", readings)
    names = Reading(a.measure, readings.plain(a.settings)).differing(
        Reading(b.measure, readings.plain(b.settings))
    )
    gained = dict.fromkeys(names, 0.0)
    orders = list(itertools.permutations(names))
    for order in orders:
        at = a
        for name in order:
            then = at.towards(b, {name})
            gained[name] += (readings.outcome(then).mean - readings.outcome(at).mean) / len(orders)
            at = then
    assert {step.names[0]: step.share for step in walked.steps} == pytest.approx(
        {name: gained[name] for (name,) in (step.names for step in walked.steps)}, abs=1e-12
    )
    assert sum(step.share for step in walked.steps) == pytest.approx(walked.difference, abs=1e-12)
    assert walked.steps == tuple(sorted(walked.steps, key=lambda step: -abs(step.share)))
    if walked.steps:
        assert walked.steps[-1].value == pytest.approx(walked.values[1], abs=1e-12)


def test_a_tool_that_has_no_cutoff_differs_in_its_ideal_list_and_not_in_depth():
    qrels = {"q": {f"d{place}": 1 for place in range(30)}}
    run = [("q", f"d{place}", 30.0 - place) for place in range(30)]
    walked = between(qrels, run, "gainful", "haystack", "nDCG@10")
    assert [step.names for step in walked.steps] == [("ideal",)]
    discounted = [1 / math.log2(rank + 1) for rank in range(1, 31)]
    assert walked.values == pytest.approx((1.0, sum(discounted[:10]) / sum(discounted)))
    assert between(qrels, run, "gainful", "llama-index", "R@10").steps == ()


def test_conventions_that_exclude_each_other_are_switched_together():
    qrels, run = {"q": {"a": 1, "b": 2}}, [("q", "x", 2.0), ("q", "a", 2.0), ("q", "b", 2.0), ("q", "a", 1.0)]
    readings = readings_of(qrels, run)
    a = Reading(gainful.AP, Settings(ties="worst", duplicates="counted"))
    b = Reading(gainful.AP, Settings(ties="input", duplicates="once"))
    walked = walk(("a", Printed("AP", a)), ("b", Printed("AP", b)), "AP", readings)
    assert [step.names for step in walked.steps] == [("duplicates", "ties")]


def test_the_way_between_tools_that_agree_is_empty():
    qrels, run = {"q": {"a": 1}}, [("q", "a", 2.0), ("q", "b", 1.0)]
    walked = between(qrels, run, "beir", "mteb")
    assert walked.steps == ()
    assert "nothing that they do differently has an effect here" in walked.sentence()
    assert str(walked)


def test_a_tool_that_cannot_print_the_measure_here_is_refused_with_the_reason():
    qrels, run = {"q": {"a": 1}, "r": {"b": 1}}, [("q", "a", 1.0), ("q", "b", 1.0)]
    readings = readings_of(qrels, run)
    with pytest.raises(DataError, match="it stops where the run lacks a judged topic"):
        printed_as("trec-eval@10", "nDCG@10", readings)
    with pytest.raises(MeasureError, match=r"beir.* has no measure 'ERR@10'; it has NDCG@K"):
        printed_as("beir", "ERR@10", readings)
    with pytest.raises(UsageError, match="did you mean lightgbm"):
        printed_as("lihgtgbm", "nDCG@10", readings)
    with pytest.raises(DataError, match="leaves tied documents to chance"):
        printed_as("tf-ranking", "nDCG@10", readings)
    with pytest.raises(DataError, match="takes grades of 0 and 1"):
        printed_as("xgboost", "AP@10", readings_of({"q": {"a": 2}}, run))


def test_every_choice_of_every_setting_has_a_clause():
    for name, values in CHOICES.items():
        for value in values:
            if (name, value) != ("missing", "error"):
                assert value in BY_NAME[name].clauses, (name, value)
    assert convention("gain").clause(gainful.nDCG(gain="exp").params["gain"]) == "the gain is 2^grade − 1"
    assert convention("rel").clause(2.0) == "documents are relevant from grade 2 on"
    assert convention("asks").clause("half") == "asks is half"
    assert len({entry.name for entry in SPACE}) == len(SPACE)


def test_effects_name_what_moves_the_number_most_and_leave_out_what_does_not():
    qrels, run = {"q": {"a": 2, "b": 1, "c": 1}}, [("q", "b", 3.0), ("q", "a", 2.0), ("q", "x", 1.0)]
    effects = effects_on(gainful.nDCG @ 3, readings_of(qrels, run), known=True)
    assert not {"ties", "scores", "missing", "duplicates", "drop_self", "undefined"} & {
        each.name for each in effects
    }
    moves = [abs(each.farthest[1]) for each in effects]
    assert moves == sorted(moves, reverse=True)
    gain = next(each for each in effects if each.name == "gain")
    for written, value in gain.values.items():
        assert value == gainful.evaluate(qrels, run, f"nDCG(gain={written})@3").mean.popitem()[1]


def test_a_dialect_of_ones_own_is_searched_too():
    qrels = {"q": {"a": 1, "b": 3}, "r": {"a": 0}}
    run = [("q", "a", 4.0), ("q", "x", 3.0), ("q", "y", 2.0), ("q", "b", 1.0), ("r", "a", 1.0)]
    try:
        dialect_registry.dialect(
            name="house",
            version="1",
            tool="our dashboard",
            source="its code",
            settings={"undefined": "1", "round_topics": 2},
            measures=[Spelled("quality@{k}", "nDCG(gain=exp,discount=jk)@{k}")],
            usual=["quality@10"],
        )
        value = gainful.evaluate(qrels, run, "quality@10", dialect="house").mean["quality@10"]
        assert gainful.reconcile(qrels, run, {"nDCG@10": value}).answers[0].title == "house@1"
    finally:
        dialect_registry._dialects.pop("house", None)
