"""A call in a loop gives what the first call gave: the same numbers, notes and faults, only sooner."""

import copy
import dataclasses
import functools
import gc
import pickle
import sys
import weakref
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gainful
from gainful import AP, RR, P, evaluate, measure, nDCG, read_qrels
from gainful.measures import RBP
from gainful.measures._gains import Discount, Gain, as_discount, as_gain
from gainful.measures._reader_models import Stop, as_stop
from gainful.scores import evaluate as evaluate_usually
from gainful.scores.lazy_scores import CoreScoring, LazyRunScores
from gainful.scores.repeated_calls import KEPT, repeated_call
from gainful.scores.score_set import RunScores

MEASURES = "nDCG@2, nDCG(gain=exp), AP, RR, P@3, R@2, Judged@3, ERR, RBP(p=0.8), Bpref, NumRet, Rprec, Q, AP(summary=geometric)"
QRELS = {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d1": 1, "d9": -1}, "q3": {"d4": 0}, "q10": {"d5": 3}}
RUN = {"q1": {"d3": 0.4, "x": 0.4, "d1": 0.1}, "q2": {"d1": 2.0}, "new": {"d1": 1.0}}


def usual(judgments, run, measures):
    """The scores by formulas on arrays."""
    with patch.object(CoreScoring, "scored", lambda *_: None):
        return evaluate_usually(judgments, run, measures)


def repeated(judgments, run, measures):
    """The call as in a loop, of judgments that nothing is known of yet."""
    for _ in range(3):
        scores = evaluate(judgments, run, measures)
    return scores


def assert_same(scores, wanted):
    (run,), (expected,) = scores.runs, wanted.runs
    assert scores.mean == wanted.mean or str(scores.mean) == str(wanted.mean)  # NaN
    assert [run.values.tobytes(), run.nothing_to_find.tolist()] == [
        expected.values.tobytes(),
        expected.nothing_to_find.tolist(),
    ]
    assert run.judged.rank.tobytes() == expected.judged.rank.tobytes()
    assert scores.to_dict() == wanted.to_dict() or str(scores.to_dict()) == str(wanted.to_dict())
    for name in (
        "name",
        "path",
        "digest",
        "tag",
        "topics",
        "measures",
        "settings",
        "extra",
        "dropped",
        "missing",
        "undefined",
    ):
        assert getattr(run, name) == getattr(expected, name), name
    assert scores.notes == wanted.notes
    assert (str(scores), repr(scores), repr(run)) == (str(wanted), repr(wanted), repr(expected))
    close, expected_close = run.close, expected.close
    assert (close is None) == (expected_close is None)
    assert close is None or all(map(np.array_equal, close, expected_close))


def test_every_field_is_that_of_the_first_call():
    scores = repeated(read_qrels(QRELS), RUN, MEASURES)
    assert type(scores.runs[0]) is LazyRunScores
    assert_same(scores, usual(read_qrels(QRELS), RUN, MEASURES))


ids = st.sampled_from(["d1", "d2", "d3", "d10", "é", "x"])
grades = st.one_of(st.integers(-2, 4), st.sampled_from([0.5, 1.5, 0.1]))
scores_ = st.one_of(st.sampled_from([0.0, -0.0, 1.0, 1.0 + 1e-12, 2.0, 3, -1]), st.floats(-5, 5))
topics = st.sampled_from(["q1", "q2", "q3", "10", "9"])


@settings(max_examples=150)
@given(
    qrels=st.dictionaries(
        topics, st.dictionaries(ids, grades, min_size=1, max_size=6), min_size=1, max_size=4
    ),
    run=st.dictionaries(topics, st.dictionaries(ids, scores_, max_size=6), min_size=1, max_size=5),
)
def test_numbers_notes_and_faults_are_those_of_the_first_call(qrels, run):
    wanted = outcome(usual, read_qrels(qrels), run, MEASURES)
    found = outcome(repeated, read_qrels(qrels), run, MEASURES)
    if isinstance(wanted, tuple):
        assert found == wanted
    else:
        assert_same(found, wanted)


def outcome(call, judgments, run, measures):
    """The scores, or the fault with what it says."""
    try:
        return call(judgments, run, measures)
    except Exception as fault:
        return type(fault), str(fault)


HOSTILE = [
    {},
    {"q1": {}},
    {"none": {"d1": 1.0}},
    {"q1": {"d1": float("nan")}},
    {"q1": {"d1": "high"}},
    {"q1": {"d1": None}},
    {"q1": {"": 1.0}},
    {"q1": {"d1": 10**400}},
    {"q1": {"d1": 1.0, b"d1": 2.0}},
    {"q1": {1.5: 1.0}},
    {"q1": {"d1": 1.0}, 1: {"d1": 2.0}, "1": {"d1": 2.0}},
    {"q1": ["d1", "d1"]},
    {"q1": None},
    {"q1": {"d1": {"d2": 1.0}}},
    {"a": {"q1": {"d1": float("nan")}}},
    {"q1": {"d1": 1.0}, "q2": {"d1": 1j}},
    [],
    None,
    7,
]


@pytest.mark.parametrize("run", HOSTILE, ids=str)
def test_a_fault_is_said_as_the_first_call_says_it(run):
    judgments = read_qrels(QRELS)
    repeated(judgments, RUN, MEASURES)

    wanted, found = (outcome(call, judgments, run, MEASURES) for call in (usual, evaluate))
    if isinstance(wanted, tuple):
        assert found == wanted
    else:
        assert_same(found, wanted)


@pytest.mark.parametrize(
    "run",
    [
        {"one": {"q1": {"d1": 1.0}}, "two": {"q1": {"d2": 1.0}}},
        {"q1": ["d1", "d2"]},
        OrderedDict(q1={"d1": 1.0}),
        {"q1": OrderedDict(d1=1.0, d3=2.0), "q2": {"d1": np.float32(1.5)}},
        {b"q1": {b"d1": 1.0}},
        {"q1": {"d1": True, "d2": 0.5}},
        [("q1", "d1", 1.0)],
        gainful.Run({"q1": {"d1": 1.0}}, name="mine"),
    ],
    ids=lambda given: type(given).__name__,
)
def test_runs_of_any_form_are_taken_as_ever(run):
    judgments = read_qrels(QRELS)
    repeated(judgments, RUN, "AP, nDCG@3")
    assert evaluate(judgments, run, "AP, nDCG@3").to_dict() == usual(judgments, run, "AP, nDCG@3").to_dict()


@pytest.mark.parametrize(
    "measures",
    [
        "AP",
        AP,
        [AP],
        (AP, "RR"),
        ["AP", RR],
        [nDCG @ 10, P @ 3, nDCG @ 10],
        "map,P.5,10",
        iter([AP]),
        {AP: 1}.keys(),
    ],
    ids=lambda given: type(given).__name__,
)
def test_measures_of_any_form_are_taken_as_ever(measures):
    judgments = read_qrels(QRELS)
    if isinstance(measures, type(iter([]))):
        assert evaluate(judgments, RUN, measures).mean == usual(judgments, RUN, [AP]).mean
        return
    assert_same(repeated(judgments, RUN, measures), usual(judgments, RUN, measures))


@pytest.mark.parametrize("measures", ["", "AQ", [], [1], [[AP]], [P]], ids=str)
def test_measures_that_are_none_are_refused_every_time(measures):
    judgments = read_qrels(QRELS)
    said = {outcome(evaluate, judgments, RUN, measures) for _ in range(3)}
    assert said == {outcome(usual, judgments, RUN, measures)}


def test_settings_judgments_by_more_than_grades_and_other_measures_go_the_usual_way():
    judgments = read_qrels(QRELS)
    for _ in range(3):
        assert type(evaluate(judgments, RUN, "AP", ties="best").runs[0]) is RunScores
        assert type(evaluate(judgments, RUN, "AP(unjudged=condense)").runs[0]) is RunScores
        assert type(evaluate(judgments, RUN, "Compat").runs[0]) is RunScores
        assert evaluate(judgments, RUN, "AP", topics=["q1"]).runs[0].topics == ("q1",)
    by_subtopic = read_qrels([("q1", "a", "d1", 1), ("q1", "b", "d3", 1)], by="subtopics")
    drawn = read_qrels({"q1": {"d1": 1, "d3": 0}}, design={"q1": {"d1": 0.5, "d3": 0.5}})
    for judgments, measures in ((by_subtopic, "StRecall@5, AP"), (drawn, "P@5")):
        assert_same_output(repeated(judgments, RUN, measures), usual(judgments, RUN, measures))


def assert_same_output(scores, wanted):
    assert str(scores.to_dict()) == str(wanted.to_dict())


def test_scores_are_frozen_travel_and_are_changed_like_others():
    scores = repeated(read_qrels(QRELS), RUN, MEASURES)
    wanted = usual(read_qrels(QRELS), RUN, MEASURES)
    with pytest.raises(dataclasses.FrozenInstanceError):
        scores.runs[0].name = "other"
    with pytest.raises(dataclasses.FrozenInstanceError):
        scores.measures = ()
    with pytest.raises(AttributeError, match="has no attribute 'intervals'"):
        scores.runs[0].intervals  # noqa: B018
    for copied in (pickle.loads(pickle.dumps(scores)), copy.copy(scores), copy.deepcopy(wanted)):
        assert_same(copied, wanted)
    run = repeated(read_qrels(QRELS), RUN, MEASURES).runs[0]
    assert copy.copy(run).values.tobytes() == wanted.runs[0].values.tobytes()
    assert dataclasses.replace(run, name="other").to_dict()["name"] == "other"
    for summary in ("mean", "geometric", "median", "std", "sum"):
        assert str(run.summary(summary)) == str(wanted.runs[0].summary(summary))
    run.values[0, 0] = 7.0  # one's own to change
    assert evaluate(read_qrels(QRELS), RUN, MEASURES).runs[0].values[0, 0] != 7.0


def test_scores_outlive_the_judgments_and_the_run():
    judgments, run = read_qrels(QRELS), copy.deepcopy(RUN)
    scores = repeated(judgments, run, MEASURES)
    run["q1"].clear()
    del judgments, run
    assert_same(scores, usual(read_qrels(QRELS), RUN, MEASURES))


def test_judgments_go_when_nobody_has_them_any_more():
    judgments = read_qrels(QRELS)
    repeated(judgments, RUN, MEASURES)
    gone = weakref.ref(judgments)
    gc.disable()  # no cycle keeps them
    try:
        del judgments
        assert gone() is None
    finally:
        gc.enable()


def test_many_lists_of_measures_and_judgments_are_not_kept_for_ever():
    judgments = read_qrels(QRELS)
    for cutoff in range(1, 200):
        for _ in range(3):
            evaluate(judgments, RUN, [P @ cutoff])
    assert len(judgments.kept["repeated calls"]) <= 64


def test_threads_share_judgments():
    judgments = read_qrels(QRELS)
    runs = [{"q1": {"d1": 1.0, "d3": float(n % 3), "x": 0.5}} for n in range(60)]
    wanted = [usual(judgments, run, MEASURES).mean for run in runs]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda run: str(evaluate(judgments, run, MEASURES).mean), runs)) == [
            *map(str, wanted)
        ]


@pytest.mark.parametrize(("read", "most"), [(False, 4), (True, 12)])
def test_a_call_in_a_loop_passes_few_functions(read, most):
    """What costs time in a small call is Python around the numbers: functions are counted, not seconds."""
    run = {"q": {f"d{number}": 10.0 - number for number in range(10)}}
    judgments = read_qrels({"q": {f"d{number}": number % 4 for number in range(0, 20, 2)}})
    measures, called = [P @ 9], []  # which no other test asks for
    repeated(judgments, run, measures)

    def note(frame, event, _):
        if event == "call":
            called.append(f"{frame.f_code.co_filename.rpartition('/')[2]}:{frame.f_code.co_name}")

    sys.setprofile(note)
    try:
        scores = evaluate(judgments, run, measures)
        if read:
            scores.mean  # noqa: B018
    finally:
        sys.setprofile(None)
    assert len(called) <= most, called


def test_measures_that_are_equal_keep_their_own_texts():
    assert RBP(p=0.8) == RBP
    assert str(RBP) != str(RBP(p=0.8))
    for asked in (RBP(p=0.8), RBP, [RBP(p=0.8)], [RBP], (RBP(p=0.8),), (RBP,)):
        wanted = [str(asked)] if not isinstance(asked, list | tuple) else [str(asked[0])]
        for judgments in (read_qrels(QRELS), read_qrels(QRELS)):
            assert [*repeated(judgments, RUN, asked).mean] == wanted
    judgments = read_qrels(QRELS)
    for asked in (RBP(p=0.8), RBP):
        assert [*repeated(judgments, RUN, [asked]).mean] == [str(asked)]


class Documents(dict):
    """A dict that can be asked whether it is still there."""


@pytest.mark.parametrize("in_a_cycle", [False, True])
def test_scores_hold_nothing_of_the_run(in_a_cycle):
    judgments = read_qrels(QRELS)
    repeated(judgments, RUN, "AP")
    documents = Documents(d1=1.0)
    scores = evaluate(judgments, {"q1": documents}, "AP")
    assert type(scores.runs[0]) is LazyRunScores
    gone = weakref.ref(documents)
    if in_a_cycle:
        documents.scores = scores
        del scores
    del documents
    gc.collect()
    assert gone() is None


def test_measures_of_ones_own_are_not_kept_alive():
    class Around:
        """What the function of a measure refers to."""

    def kept_by(call):
        around = Around()

        @measure
        def Mine(judged):
            return judged.retrieved * (around is not None)

        for _ in range(3):
            call(read_qrels(QRELS), RUN, [Mine])
        return weakref.ref(around)

    for call in (usual, evaluate):
        gone = kept_by(call)
        gc.collect()
        assert gone() is None


def test_a_function_that_wraps_one_of_gainfuls_is_asked_each_time():
    factor = [1.0]

    @measure
    @functools.wraps(AP.definition.function)
    def Mine(judged, **given):
        return factor[0] * AP.definition.function(judged, **given)

    assert Mine != AP
    judgments = read_qrels(QRELS)
    full = repeated(judgments, RUN, [Mine]).mean["AP"]
    factor[0] = 0.5
    assert evaluate(judgments, RUN, [Mine]).mean["AP"] == full / 2 > 0


@pytest.mark.parametrize("name", ["exp", "linear"])
def test_a_gain_of_the_name_of_another_has_its_own_numbers(name):
    cubes = nDCG(gain=Gain(name, lambda grade: grade * grade * grade, rising=True))
    qrels, run = {"q": {"a": 2, "b": 1}}, {"q": {"b": 2.0, "a": 1.0}}
    judgments = read_qrels(qrels)
    repeated(judgments, run, [nDCG(gain=name)])
    wanted = (1 + 8 / np.log2(3)) / (8 + 1 / np.log2(3))
    assert repeated(judgments, run, [cubes]).mean["nDCG" + f"(gain={name})"] == pytest.approx(wanted)
    assert usual(read_qrels(qrels), run, [cubes]).mean["nDCG" + f"(gain={name})"] == pytest.approx(wanted)


def test_a_discount_or_a_stop_of_the_name_of_another_is_another():
    assert as_discount("log") != Discount("log", lambda rank, base: rank + base)
    assert as_stop("exp") != Stop("exp", lambda grade, top: grade / (2 * top))
    assert as_stop({1: 0.5}) == as_stop({1: 0.5}) != as_stop({1: 0.25})
    assert as_gain({1: 2}) == as_gain({1: 2}) != as_gain({1: 3})
    assert len({as_gain({1: 2}), as_gain({1: 2}), as_stop({1: 0.5}), as_stop({1: 0.5})}) == 2


def test_a_run_deeper_than_tables_is_scored_in_the_core_the_next_time():
    documents = {f"d{place}": float(-place) for place in range(3000)}
    qrels = {"q": {f"d{place}": place % 3 for place in range(0, 3000, 40)}}
    judgments, measures = read_qrels(qrels), "nDCG, AP, RBP(p=0.8)"
    repeated(judgments, {"q": {"d1": 1.0}}, measures)
    kinds = []
    for _ in range(3):
        scores = evaluate(judgments, {"q": documents}, measures)
        kinds.append(type(scores.runs[0]))
        assert_same(scores, usual(read_qrels(qrels), {"q": documents}, measures))
    assert kinds == [LazyRunScores, LazyRunScores, LazyRunScores]
    assert (
        judgments.kept["repeated calls"][measures][1].scorer.too_deep == 0
    )  # the tables of the next call reach


def test_what_follows_from_the_judgments_is_kept_for_some_lists_of_measures():
    judgments = read_qrels(QRELS)
    for cutoff in range(1, 100):
        for _ in range(3):
            evaluate(judgments, RUN, [nDCG @ cutoff])
    assert 0 < len(judgments.kept["repeated calls"]) <= KEPT


def test_nothing_is_prepared_for_a_call_that_comes_once():
    judgments = read_qrels(QRELS)
    measures = [P @ 77]
    assert repeated_call(judgments, RUN, measures) is None
    assert "repeated calls" not in judgments.kept
