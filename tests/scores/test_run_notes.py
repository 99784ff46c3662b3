"""Notes about what reading a run left out, and about scores that are close."""

import pytest

from gainful import evaluate
from gainful.scores import Scores

QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 1}}
CLOSE = {"1": {"a": 0.30000000001, "b": 0.3, "c": 0.1}, "2": {"a": 0.5, "b": 0.4}}


@pytest.mark.parametrize("rule", ["first", "best"])
def test_rows_that_were_dropped_are_counted_in_a_note(rule):
    rows = [("1", "a", 3.0), ("1", "a", 2.0), ("1", "b", 1.0), ("1", "a", 4.0), ("2", "a", 1.0)]
    judged = [("1", "a", 1), ("1", "a", 1), ("2", "a", 1)]
    scores = evaluate(judged, rows, "AP", duplicates=rule)
    assert scores.runs[0].dropped == 2
    assert [note for note in scores.notes if "dropped" in note] == [
        f"1 row of the judgments dropped as duplicates; the {rule} of each counts (--duplicates {rule})",
        f"run: 2 rows dropped as duplicates; the {rule} of each counts (--duplicates {rule})",
    ]


def test_scores_that_are_tied_in_32_bits_at_a_cutoff_are_worth_a_note():
    scores = evaluate(QRELS, CLOSE, "P@1, P@2")
    assert [note for note in scores.notes if "32" in note] == [
        "run: scores equal as 32-bit floats but not as 64-bit floats straddle rank 1 in 1 topic of 2; "
        "trec_eval 9 and tools built on it treat them as ties; so does --scores 32"
    ]
    assert not [note for note in evaluate(QRELS, CLOSE, "P@2").notes if "32" in note]
    parts = [evaluate(QRELS, CLOSE, "P@1, P@2", topics=[topic]) for topic in QRELS]
    assert Scores.merge(*parts).notes == scores.notes


def test_scores_of_32_bits_are_ordered_as_trec_eval_9_orders_them():
    assert evaluate(QRELS, CLOSE, "P@1").mean == {"P@1": (1 + 1) / 2}
    narrow = evaluate(QRELS, CLOSE, "P@1", scores="32")
    assert narrow.mean == {"P@1": (0 + 1) / 2}  # b before a, by document id
    assert narrow.settings.stated().endswith("scores: 32 bits")
    rows = [(topic, document, score) for topic, run in CLOSE.items() for document, score in run.items()]
    assert evaluate(QRELS, rows[::-1], "P@1", scores="32").mean == narrow.mean
