"""Every measure that pytrec_eval shares with Gainful has the same value, topic by topic, on random data."""

import json
import math
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import pytrec_eval

import gainful
from gainful.cli import run as command_line

MEASURES = sorted(pytrec_eval.supported_measures - {"runid", "relstring"})  # text, not numbers
SEEDS = range(6)
LEVELS = (1, 2, 3)
TOPICS = 22  # of 24: one is missing from the run, one is not judged
TOLERANCE = 1e-9


def theirs(case: Any, level: int) -> dict[str, dict[str, float]]:
    evaluator = pytrec_eval.RelevanceEvaluator(case.judgments, MEASURES, relevance_level=level)
    return evaluator.evaluate(case.run)


def is_interpolated(name: str) -> bool:
    return name.startswith("iprec_at_recall") or name == "11pt_avg"


def on_their_scale(name: str, value: float) -> float:
    """pytrec_eval's value of a topic for a geometric mean is a logarithm, of 0.00001 at the least."""
    return math.log(max(value, 0.00001)) if name.startswith("gm_") else value


def our_names(names: list[str], scores: gainful.Scores) -> dict[str, str]:
    """What each of their names is called here; Rprec and Rprec_mult_1.00 are one measure."""
    asked = dict.fromkeys(map(gainful.parse, names))
    called = dict(zip(asked, map(str, scores.measures), strict=True))
    return {name: called[gainful.parse(name)] for name in names}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_shared_measure_has_the_same_value_on_every_topic(
    seed: int, level: int, cases: Callable[[int], Any], tmp_path: Path
) -> None:
    case = cases(seed)
    expected = theirs(case, level)
    names = [name for name in next(iter(expected.values())) if not is_interpolated(name)]
    scores = gainful.evaluate(*case.write(tmp_path, seed), names, rel=level)
    ours = our_names(names, scores)
    compared = 0
    for topic, values in expected.items():
        for name in names:
            value = on_their_scale(name, scores.per_topic[topic][ours[name]])
            assert value == pytest.approx(values[name], abs=TOLERANCE), (topic, name)
            compared += 1
    assert compared == TOPICS * len(names)
    assert len(names) == 81


@pytest.mark.parametrize("level", LEVELS)
def test_means_over_the_topics_of_both_are_the_same(
    level: int, cases: Callable[[int], Any], tmp_path: Path
) -> None:
    case = cases(99)
    expected = theirs(case, level)
    names = [name for name in next(iter(expected.values())) if not is_interpolated(name)]
    scores = gainful.evaluate(*case.write(tmp_path, 99), names, rel=level, missing="skip")
    ours = our_names(names, scores)
    for name in names:
        mean = pytrec_eval.compute_aggregated_measure(name, [values[name] for values in expected.values()])
        assert scores.mean[ours[name]] == pytest.approx(mean, abs=TOLERANCE), name


@pytest.mark.parametrize("seed", SEEDS)
def test_condensed_lists_are_theirs_of_judged_documents_only(seed: int, cases: Callable[[int], Any]) -> None:
    case = cases(seed)
    expected = pytrec_eval.RelevanceEvaluator(case.judgments, MEASURES, judged_docs_only_flag=True).evaluate(
        case.run
    )
    names = [name for name in next(iter(expected.values())) if not is_interpolated(name)]
    scores = gainful.evaluate(case.judgments, case.run, names, unjudged="condense")
    ours = our_names(names, scores)
    compared = 0
    for topic, values in expected.items():
        for name in names:
            value = on_their_scale(name, scores.per_topic[topic][ours[name]])
            assert value == pytest.approx(values[name], abs=TOLERANCE), (topic, name)
            compared += 1
    assert compared == TOPICS * 81


def interpolated(case: Any, topic: str, level: int, needed: int) -> float:
    """The highest precision at any rank where so many relevant documents are found; 0 if they never are."""
    order = sorted(case.run[topic].items(), key=lambda item: (item[1], item[0].encode()), reverse=True)
    found, best = 0, 0.0
    for rank, (document, _) in enumerate(order, start=1):
        found += case.judgments[topic].get(document, 0) >= level
        if found >= needed:
            best = max(best, found / rank)
    return best


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", SEEDS)
def test_interpolated_precision_is_exact_and_differs_from_theirs_only_where_their_rounding_does(
    seed: int, level: int, cases: Callable[[int], Any], tmp_path: Path
) -> None:
    case = cases(seed)
    expected = theirs(case, level)
    names = [f"iprec_at_recall_{tenth / 10:.2f}" for tenth in range(11)]
    measures = [*map(gainful.parse, names), gainful.parse("11pt_avg")]
    scores = gainful.evaluate(*case.write(tmp_path, seed), measures, rel=level)
    compared = 0
    for topic, values in expected.items():
        relevant = sum(grade >= level for grade in case.judgments[topic].values())
        ours = list(scores.per_topic[topic].values())
        exact = [
            interpolated(case, topic, level, math.ceil(Fraction(tenth, 10) * relevant)) if relevant else 0.0
            for tenth in range(11)
        ]
        assert ours == pytest.approx([*exact, sum(exact) / 11], abs=TOLERANCE), topic
        for tenth, name in enumerate(names):
            needed = int(tenth / 10 * relevant + 0.9)  # as trec_eval 9 counts
            assert values[name] == pytest.approx(interpolated(case, topic, level, needed), abs=TOLERANCE)
            if needed == math.ceil(Fraction(tenth, 10) * relevant):
                assert ours[tenth] == pytest.approx(values[name], abs=TOLERANCE)
                compared += 1
    assert compared > 0.95 * TOPICS * 11


def test_interpolated_precision_counts_what_seven_tenths_of_three_need() -> None:
    judgments = {"t": {"a": 1, "b": 1, "c": 1}}
    run = {"t": {"a": 4.0, "b": 3.0, "x": 2.0, "c": 1.0}}
    evaluator = pytrec_eval.RelevanceEvaluator(judgments, {"iprec_at_recall", "11pt_avg"})
    values = evaluator.evaluate(run)["t"]
    scores = gainful.evaluate(judgments, run, ["iprec_at_recall_0.70", "11pt_avg"])
    assert values["iprec_at_recall_0.70"] == 2 / 2  # 0.7 · 3 + 0.9 falls just short of 3 in binary
    assert list(scores.mean.values()) == [3 / 4, pytest.approx((7 * 1 + 4 * 3 / 4) / 11, abs=1e-15)]


def test_the_command_line_prints_the_same_doubles_as_python(
    cases: Callable[[int], Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judgments, run = cases(1).write(tmp_path, 1)
    asked = ["-m", "AP,nDCG@10,RR", "-m", "bpref", "-q", "-f", "json"]
    assert command_line(["evaluate", str(judgments), str(run), *asked]) == 0
    printed = json.loads(capsys.readouterr().out)["runs"][0]
    scores = gainful.evaluate(judgments, run, "AP,nDCG@10,RR,bpref")
    assert printed["per_topic"] == scores.per_topic
    assert printed["mean"] == scores.mean


def test_a_process_of_its_own_prints_what_pytrec_eval_computes(
    cases: Callable[[int], Any], tmp_path: Path
) -> None:
    case = cases(2)
    judgments, run = case.write(tmp_path, 2)
    command = [
        Path(sys.executable).parent / "gainful",
        "evaluate",
        judgments,
        run,
        "-m",
        "map,ndcg_cut_10,P_5",
    ]
    done = subprocess.run([*command, "-q", "-f", "json"], capture_output=True, encoding="utf-8", check=True)
    values = json.loads(done.stdout)["runs"][0]["per_topic"]
    compared = 0
    for topic, expected in theirs(case, 1).items():
        for name, ours in (("map", "AP"), ("ndcg_cut_10", "nDCG@10"), ("P_5", "P@5")):
            assert values[topic][ours] == pytest.approx(expected[name], abs=TOLERANCE), (topic, name)
            compared += 1
    assert compared == 3 * TOPICS
