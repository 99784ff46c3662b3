"""Measures that need more than a grade for each document: asked for in evaluate, and refused where it is not there."""

import numpy as np
import pytest

from gainful import evaluate, parse, read_qrels
from gainful.errors import MeasureError, UsageError
from gainful.measures import get, names
from gainful.scores import evaluation

SUBTOPICS = {"t1": {"wine": {"a": 1, "c": 1}, "beer": {"c": 1}}, "t2": {"x": {"d": 1}, "y": {"e": 1}}}
RUN = {"t1": {"a": 3.0, "b": 2.0, "c": 1.0}, "t2": {"e": 2.0, "d": 1.0}}


def test_judgments_are_read_as_the_measures_need_them():
    scores = evaluate(SUBTOPICS, RUN, "StRecall@2, P@1, AP")
    assert scores.per_topic["t1"] == {
        "StRecall@2": 1 / 2,
        "P@1": 1.0,
        "AP": (1 + 2 / 3) / 2,
    }  # relevant to any subtopic
    assert scores.mean["StRecall@2"] == (1 / 2 + 1) / 2


def test_judgments_that_were_read_without_are_refused_with_the_way_out():
    plain = read_qrels({"t1": {"a": 1}})
    for name, by in {"alpha_nDCG": "subtopics", "AP_avgjg": "judges", "Prefs": "preferences"}.items():
        with pytest.raises(MeasureError) as fault:
            evaluate(plain, RUN, name)
        assert str(fault.value).startswith(f"{name} needs judgments ")
        assert f"--qrels-by {by} (by='{by}' in Python)" in str(fault.value)


def test_judgments_by_subtopic_serve_every_need():
    judgments = read_qrels(SUBTOPICS, by="subtopics")
    assert evaluate(judgments, RUN, "AP_IA, AP_avgjg, NumPrefs, nDCG").mean["AP_IA"] > 0


def test_preferences_in_parts_serve_preferences_alone():
    judgments = read_qrels({"t1": {"Ann": {"1": {"a": 1, "b": 0}}}}, by="preferences")
    assert evaluate(judgments, RUN, "Prefs, AP").mean == {"Prefs": 1.0, "AP": 1.0}
    with pytest.raises(MeasureError, match="AP_IA needs judgments that name subtopics"):
        evaluate(judgments, RUN, "AP_IA")


def test_some_topics_blocks_and_missing_ones_change_no_value(monkeypatch):
    measures = "alpha_nDCG@3, ERR_IA@3, AP_avgjg, Prefs"
    whole = evaluate(SUBTOPICS, RUN, measures)
    some = evaluate(SUBTOPICS, RUN, measures, topics="t2")
    assert some.per_topic == {"t2": whole.per_topic["t2"]}
    monkeypatch.setattr(evaluation, "BLOCK", 2)
    assert evaluate(SUBTOPICS, RUN, measures).per_topic == whole.per_topic
    without = evaluate(SUBTOPICS, {"t2": RUN["t2"]}, measures)
    assert without.per_topic["t2"] == whole.per_topic["t2"]
    assert set(without.per_topic["t1"].values()) == {0.0}


def test_a_second_column_that_says_nothing_is_noted():
    notes = evaluate({"t1": {"0": {"a": 1}}}, RUN, "StRecall@5").notes
    assert any("every topic has one subtopic" in note for note in notes)
    assert not any("one subtopic" in note for note in evaluate(SUBTOPICS, RUN, "StRecall@5").notes)
    assert not any(
        "one subtopic" in note for note in evaluate({"t1": {"0": {"a": 1}}}, RUN, "AP_avgjg").notes
    )


def test_preferences_are_worked_out_in_blocks_with_the_same_bits(monkeypatch):
    from gainful.judging import preferences

    chance = np.random.default_rng(5)
    told = {
        f"t{topic}": {
            f"j{judge}": {f"d{d}": int(chance.integers(0, 4)) for d in range(30)} for judge in range(3)
        }
        for topic in range(12)
    }
    run = {topic: {f"d{d}": float(chance.random()) for d in range(0, 40, 2)} for topic in told}
    measures = (
        "Prefs, PairPrefs, JudgePrefs, JudgePrefs(nonrel=balanced), Prefs(counted=touched), NumPrefsFul"
    )
    whole = evaluate(told, run, measures)
    monkeypatch.setattr(preferences, "AT_ONCE", 1000)
    assert evaluate(told, run, measures).per_topic == whole.per_topic
    monkeypatch.setattr(preferences, "KEPT", 0)
    assert evaluate(told, run, measures).per_topic == whole.per_topic


def test_condensing_may_be_asked_for_by_a_measure_alone():
    judgments = {"t1": {"a": 1, "c": 1, "d": 0}}
    scores = evaluate(judgments, RUN, "P@2, P(judged_only=True)@2, P(unjudged=condense)@2")
    assert scores.mean == {"P@2": 1 / 2, "P(unjudged=condense)@2": 1.0}
    assert evaluate(judgments, RUN, "P@2", unjudged="condense").mean == {"P@2": 1.0}


# ---- Hole -------------------------------------------------------------------------------------------------


def holes(judgments, run, topic, cutoff):
    """As BEIR counts them: documents without a judgment for any topic, of the first ones, by cutoff."""
    anywhere = {document for judged in judgments.values() for document in judged}
    ranked = sorted(run.get(topic, {}).items(), key=lambda item: (item[1], item[0]), reverse=True)
    return sum(document not in anywhere for document, _ in ranked[:cutoff]) / cutoff


LITERAL = {
    "Hole": (holes, [1, 3, 10]),
}


def many(seed):
    chance = np.random.default_rng(seed)
    judgments = {
        f"t{t}": {f"d{d}": int(d % 3 > 0) for d in chance.choice(60, 6, replace=False)} for t in range(8)
    }
    run = {
        f"t{t}": {f"d{d}": float(chance.integers(0, 9)) for d in chance.choice(60, 12, replace=False)}
        for t in range(1, 9)
    }
    return judgments, run


@pytest.mark.parametrize("seed", range(5))
def test_a_hole_is_a_document_that_was_judged_for_no_topic(seed, tmp_path):
    judgments, run = many(seed)
    path = tmp_path / "a.run"
    path.write_text(
        "".join(f"{t} Q0 {d} 0 {s} tag\n" for t, scored in run.items() for d, s in scored.items())
    )
    for cutoff in LITERAL["Hole"][1]:
        for given in (run, path):
            found = evaluate(judgments, given, f"Hole@{cutoff}")
            assert {t: v[f"Hole@{cutoff}"] for t, v in found.per_topic.items()} == {
                t: pytest.approx(holes(judgments, run, t, cutoff)) for t in judgments
            }
    some = evaluate(judgments, run, "Hole@3", topics="t2,t5")
    assert some.per_topic == {t: evaluate(judgments, run, "Hole@3").per_topic[t] for t in ("t2", "t5")}


def test_holes_within_a_depth_and_of_a_condensed_list():
    judgments, run = {"t1": {"a": 1}, "t2": {"b": 1}}, {"t1": {"x": 3.0, "a": 2.0, "b": 1.0}}
    assert evaluate(judgments, run, "Hole@4").mean["Hole@4"] == (1 / 4 + 0) / 2
    assert evaluate(judgments, run, "Hole@4", depth=1).per_topic["t1"] == {"Hole@4": 1 / 4}
    assert evaluate(judgments, run, "Hole@4", unjudged="condense").per_topic["t1"] == {"Hole@4": 0.0}


def test_a_run_without_any_judged_document_is_all_holes():
    assert evaluate({"t1": {"a": 1}}, {"t1": {"x": 3.0, "y": 2.0}}, "Hole@2").mean == {"Hole@2": 1.0}


def test_standard_input_cannot_be_read_twice(monkeypatch, tmp_path):
    path = tmp_path / "run"
    path.write_text("t1 Q0 a 1 1.0 tag\n")
    with path.open() as file:
        monkeypatch.setattr("sys.stdin", file)
        import os

        saved = os.dup(0)
        os.dup2(file.fileno(), 0)
        try:
            with pytest.raises(
                UsageError,
                match=r"a run from standard input can be read only once, but this measure reads it twice; write it to a file\.",
            ):
                evaluate({"t1": {"a": 1}}, "-", "Hole@2")
        finally:
            os.dup2(saved, 0)
            os.close(saved)


@pytest.mark.parametrize("name", names())
def test_the_command_line_reads_judgments_as_the_measure_declares_whatever_it_is_called(name):
    from gainful.cli.evaluate import _needed

    measure = get(name)
    needs = measure.needs if measure.needs in ("subtopics", "judges", "preferences") else None
    at = f"@{10 if measure.definition.at == 'cutoff' else 0.1}" if measure._lacks else ""
    for text in (*(each + at for each in (measure.name, *measure.aliases)), *measure.trec):
        assert _needed([text]) == needs, text


def test_the_command_line_takes_what_all_measures_together_need():
    from gainful.cli.evaluate import _needed

    assert _needed(["AP, nDCG@10,20", "RBP(p=0.8)"]) is None
    assert _needed(["AP, alpha_nDCG@10"]) == "subtopics"
    assert _needed(["map_avgjg, prefs_simp"]) == "judges"
    assert _needed(["all_prefs"]) == "preferences"
    assert parse("α_nDCG@10") == parse("alpha_nDCG@10")
    with pytest.raises(MeasureError, match="is not a measure"):
        _needed(["x" * 300])


def test_a_measure_of_ones_own_name_needs_no_numpy_before_reading_starts():
    import subprocess
    import sys

    code = (
        "import sys; from gainful.cli.evaluate import _needed; "
        "print(_needed(['nDCG@5,10, AP(rel=2)@100']), 'numpy' in sys.modules)"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert made.stdout == "None False\n"
