"""Scores from the core say what scores from arrays say, in every form, and need no NumPy."""

import copy
import dataclasses
import pickle
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gainful
from gainful._core import Scorer
from gainful.errors import GainfulError
from gainful.programs.recorded_measures import recorded
from gainful.scores import evaluate
from gainful.scores.lazy_scores import CoreScoring, LazyRunScores
from gainful.scores.score_output import FORMS
from gainful.scores.score_set import RunScores

EXAMPLES = Path(__file__).parents[2] / "examples" / "data"
MEASURES = "nDCG@2, nDCG(discount=jk), DCG(base=3), AP, RR, P@3, R@2, Judged@3, ERR, RBP(p=0.8), G, binG, Bpref, NumRet, Q"
SUMMARIES = "AP(summary=geometric), RR(summary=median), P@3(summary=std), NumRel"


def on_arrays(qrels, runs, measures, **given):
    """The scores by formulas on arrays."""
    with patch.object(CoreScoring, "scored", lambda *_: None):
        return evaluate(qrels, runs, measures, **given)


def outcome(call, *given, **named):
    """The scores, or the fault with what it says."""
    try:
        return call(*given, **named)
    except GainfulError as fault:
        return type(fault), str(fault)


def said(scores):
    """All that is printed and written of scores."""
    forms = [
        form(scores, per_topic=per_topic, places=4)
        for name, form in FORMS.items()
        if name != "parquet"
        for per_topic in (False, True)
    ]
    of_runs = [
        (
            run.missing,
            run.undefined,
            run.extra,
            run.dropped,
            run.per_topic,
            run.summary("median"),
            str(run),
            repr(run),
        )
        for run in scores
    ]
    return forms, scores.notes, of_runs, scores.grades, str(scores)


ids = st.sampled_from(["d1", "d2", "d3", "d10", "é", "x"])
topics = st.sampled_from(["q1", "q2", "q3", "10", "9"])
grades = st.one_of(st.integers(-2, 4), st.sampled_from([0.5, 1.5]))
values = st.one_of(st.sampled_from([0.0, 1.0, 1.0 + 1e-12, 2.0]), st.floats(-5, 5))
rows = st.lists(st.tuples(topics, ids, values), min_size=1, max_size=20, unique_by=lambda row: row[:2])


@settings(max_examples=150)
@given(
    qrels=st.dictionaries(
        topics, st.dictionaries(ids, grades, min_size=1, max_size=6), min_size=1, max_size=4
    ),
    runs=st.lists(rows, min_size=1, max_size=3),
    ties=st.sampled_from(["docid", "ascending", "input", "reverse"]),
    missing=st.sampled_from(["empty", "error"]),
)
def test_everything_said_is_what_arrays_say(qrels, runs, ties, missing):
    named = {f"run {number}": run for number, run in enumerate(runs)}
    given = {"ties": ties, "missing": missing}
    wanted = outcome(on_arrays, qrels, named, f"{MEASURES}, {SUMMARIES}", **given)
    found = outcome(evaluate, qrels, named, f"{MEASURES}, {SUMMARIES}", **given)
    if isinstance(wanted, tuple):
        assert found == wanted
        return
    assert {type(run) for run in found} == {LazyRunScores}
    assert {type(run) for run in wanted} == {RunScores}
    assert str(said(found)) == str(said(wanted))  # as text: NaN is no equal of itself
    for run, expected in zip(found, wanted, strict=True):
        assert run.values.tobytes() == expected.values.tobytes()
        assert run.nothing_to_find.tolist() == expected.nothing_to_find.tolist()
        assert run.judged.rank.tobytes() == expected.judged.rank.tobytes()


def test_a_long_run_of_many_topics_is_scored_in_parts_to_the_same_bits(tmp_path):
    """More hits than are laid side by side at once."""
    topics, depth = 150, 1000
    qrels = {f"q{t}": {f"d{d}": (t * d) % 4 for d in range(0, depth, 2)} for t in range(topics)}
    path = tmp_path / "long.run"
    path.write_text(
        "".join(f"q{t} Q0 d{d} 0 {(d * 37 + t) % 997} tag\n" for t in range(topics) for d in range(depth))
    )
    found, wanted = evaluate(qrels, path, MEASURES), on_arrays(qrels, path, MEASURES)
    assert type(found.runs[0]) is LazyRunScores
    assert len(found.runs[0].judged.rank) > 1 << 16
    assert found.runs[0].values.tobytes() == wanted.runs[0].values.tobytes()
    assert found.notes == wanted.notes


@pytest.mark.parametrize(
    "given",
    [
        *({"ties": ties} for ties in ("best", "worst", "expected")),
        *({"missing": "skip"}, {"undefined": "skip"}, {"undefined": "1"}, {"unjudged": "condense"}),
        *({"pool": "retrieved"}, {"depth": 1}, {"round_topics": 2}, {"topics": ["q1"]}),
    ],
    ids=str,
)
def test_settings_that_change_the_record_are_for_arrays(given):
    qrels, run = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1}}, [("q1", "d2", 2.0), ("q1", "d1", 1.0)]
    scores = evaluate(qrels, [run], "AP, P@1", **given)
    assert type(scores.runs[0]) is RunScores


def test_the_lowest_grade_is_no_zero_below_zero():
    for grades_ in ({"d1": -0.0, "d2": 0.0}, {"d1": 0.0, "d2": -0.0}):
        lowest, highest = evaluate({"q": grades_}, [[("q", "d1", 1.0)]], "AP").grades
        assert (str(lowest), str(highest)) == ("0.0", "0.0")


def test_rounded_means_are_rounded_here_too():
    qrels, run = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1}}, [("q1", "d2", 2.0), ("q1", "d1", 1.0)]
    scores = evaluate(qrels, [run], "RR", round_mean=1, round_halves="up")
    assert type(scores.runs[0]) is LazyRunScores
    assert scores.mean == {"RR": 0.3}  # (1/2 + 0) / 2


def test_a_copy_and_what_is_replaced_are_whole():
    qrels, run = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1}}, [("q1", "d2", 2.0), ("q1", "d1", 1.0)]
    lazy = evaluate(qrels, [run], "AP, P@1").runs[0]
    others = copy.copy(lazy), pickle.loads(pickle.dumps(lazy)), dataclasses.replace(lazy, name="other")
    for other in others:
        assert type(other) is RunScores
        assert (other.mean, other.missing, other.notes) == (lazy.mean, ("q2",), lazy.notes)


def test_grades_that_are_too_large_are_refused_before_anything_is_scored():
    with pytest.raises(GainfulError, match="the grade of document 'd1' of topic 'q' is 1e\\+101"):
        evaluate({"q": {"d1": 1e101}}, [[("q", "d1", 1.0)]], "AP")


COMMAND = """
import sys
from gainful.cli import run
code = run(sys.argv[1:])
print(code, sorted({'numpy', 'scipy'} & sys.modules.keys()), file=sys.stderr)
"""


@pytest.mark.parametrize("form", ["table", "trec", "csv", "json", "jsonl", "markdown", "latex"])
def test_the_command_needs_no_numpy(form):
    runs = [str(EXAMPLES / name) for name in ("sprinter.run", "marathon.run")]
    words = ["evaluate", str(EXAMPLES / "qrels.txt"), *runs, "-q", "-f", form]
    done = subprocess.run([sys.executable, "-c", COMMAND, *words], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "0 []"
    assert "marathon" in done.stdout


def test_a_call_needs_no_numpy_either():
    code = f"""
import sys
import gainful
judgments = gainful.read_qrels({str(EXAMPLES / "qrels.txt")!r})
for run in ({str(EXAMPLES / "plain.run")!r}, {{"1": {{"d": 1.0}}}}):
    for _ in range(3):
        scores = gainful.evaluate(judgments, run, "nDCG@10, AP")
        assert scores.mean["AP"] >= 0 and scores.per_topic and str(scores) and not scores.runs[0].undefined
print("numpy" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_power_of_the_rank_has_numpy_s_bits_and_asks_for_it():
    words = ["evaluate", str(EXAMPLES / "qrels.txt"), str(EXAMPLES / "plain.run"), "-m", "RBP"]
    done = subprocess.run([sys.executable, "-c", COMMAND, *words], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "0 ['numpy']"


@pytest.mark.parametrize(
    "measures", ["Fallout(documents=2)", "Utility(avoided=1,documents=2)", "DCG(gain=exp)"]
)
def test_topics_that_a_formula_refuses_are_refused(measures):
    """A collection of two documents, of which five were retrieved; and a gain without end."""
    qrels = {"q": {"d1": 1, "d2": 2000 if "exp" in measures else 0}}
    run = [("q", f"d{number}", float(number)) for number in range(5)]
    for _ in range(3):
        said = outcome(evaluate, qrels, [run], measures)
        assert said == outcome(on_arrays, qrels, [run], measures)
        assert isinstance(said, tuple)


@pytest.mark.parametrize(("grade", "refused"), [(1000, False), (1001, True)])
def test_a_gain_is_without_end_from_the_same_grade_on(grade, refused):
    """Formulas refuse it by its size, programs by powers that they do not have."""
    given = {"q": {"d": grade}}, [[("q", "d", 1.0)]], "DCG(gain=exp)"
    said = outcome(evaluate, *given)
    assert isinstance(said, tuple) == refused
    assert str(said) == str(outcome(on_arrays, *given))


def test_a_run_deeper_than_tables_gets_longer_ones_and_the_deepest_arrays_alone():
    qrels = {"q": {"d1": 1, "d2999": 1, "d69999": 1}}
    runs = {
        str(depth): [("q", f"d{number}", float(-number)) for number in range(depth)]
        for depth in (10, 3000, 70_000, 20)
    }
    scores = evaluate(qrels, runs, "RBP, AP")
    kinds = {run.name: type(run) for run in scores}
    assert kinds == {"10": LazyRunScores, "3000": LazyRunScores, "70000": RunScores, "20": LazyRunScores}
    assert [run.mean for run in scores] == [run.mean for run in on_arrays(qrels, runs, "RBP, AP")]


def test_a_bad_grade_is_named_before_a_bad_run_is_read(tmp_path):
    run = tmp_path / "bad.run"
    run.write_text("q Q0 d 1 n/a tag\n")
    for settings_ in ({}, {"ties": "best"}, {"depth": 5}):
        with pytest.raises(GainfulError, match="the grade of document"):
            evaluate({"q": {"d": 1e101}}, run, "AP", **settings_)


def scoring_and_found(qrels, other):
    scoring = CoreScoring(gainful.read_qrels(qrels), gainful.measures.parse_many("AP"), gainful.Settings())
    return scoring, evaluate(other, [[("q", "d", 1.0), ("q", "e", 0.5)]], "AP").runs[0]._scored.found


@pytest.mark.parametrize("other", [{"q": {"d": 1}, "p": {"d": 1}}, {"q": {"c": 0, "d": 1, "e": 2}}], ids=str)
def test_a_run_matched_with_other_judgments_is_refused_by_the_core(other):
    scoring, found = scoring_and_found({"q": {"d": 1}}, other)
    with pytest.raises(ValueError, match="other judgments"):
        scoring.scored(gainful.Run([("q", "d", 1.0)]), found)
    if len(other) == 1:
        with pytest.raises(ValueError, match="other judgments"):
            found.judged_share(gainful.read_qrels({"q": {"d": 1}}).index, 10)


def test_programs_that_do_not_fit_are_refused_by_the_core():
    judgments = gainful.read_qrels({"q": {"d": 1}})
    of_judgments, program = recorded((gainful.nDCG,)).program(1.0).native()
    with pytest.raises(ValueError, match="do not fit"):
        Scorer(judgments.index, program, of_judgments)
