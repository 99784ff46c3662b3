"""Notes: every run has its own, and few sentences are shown."""

import pickle

import gainful
from gainful.judging.notes import DECIDES, GOOD_TO_KNOW, Note, grouped

TOPICS = [f"q{number}" for number in range(10)]
QRELS = {topic: {"a": 1, "b": 0} for topic in TOPICS}


def run(topics, tied=0, extra=()):
    """A run of so many topics, with tied scores in some and topics that nobody judged."""
    ranked = {
        topic: {"a": 1.0, "b": 1.0 if number < tied else 0.5} for number, topic in enumerate(TOPICS[:topics])
    }
    return ranked | {topic: {"x": 1.0} for topic in extra}


def test_a_board_of_many_runs_has_one_sentence_for_each_kind_the_most_important_first():
    runs = {f"run{number}": run(10 - number, tied=number, extra=["z"] * (number > 1)) for number in range(5)}
    scores = gainful.evaluate(QRELS, runs, "P@1")
    assert len(scores.notes) == 4 + 4 + 3
    assert grouped(scores.notes) == [
        "4 runs lack judged topics, which are scored as empty lists; most: run4 lacks 4 of 10",
        "tied scores straddle a cutoff in 4 runs; most: run4 at rank 1 in 4 of 10 topics; "
        "their order is by document id, descending (--ties)",
        "3 runs have topics that are not judged, which are ignored; most: run2 has 1",
    ]


def test_what_is_true_of_one_run_alone_is_said_in_full():
    runs = {"whole": run(10), "part": run(8, tied=2)}
    assert grouped(gainful.evaluate(QRELS, runs, "P@1, P@2").notes) == [
        "part: 2 judged topics of 10 not in the run, scored as empty lists: q8, q9",
        "part: tied scores straddle rank 1 in 2 topics of 10; their order is by document id, descending (--ties)",
    ]


def test_what_decides_stands_before_what_is_good_to_know_and_nothing_is_said_twice():
    notes = [Note("later", matters=GOOD_TO_KNOW), "plain", "plain", Note("first", matters=DECIDES)]
    assert grouped(notes) == ["first", "plain", "later"]


def test_a_note_travels_to_another_process_whole():
    note = Note("lacks", kind="k", matters=DECIDES, many="{runs}", worst="w", amount=3, run="a {b}")
    copy = pickle.loads(pickle.dumps(note))
    assert (copy, vars(copy)) == ("a {b}: lacks", vars(note))
    assert grouped([copy, copy.about("c")]) == ["2 runs"]


def test_names_with_braces_are_shown_as_they_are():
    scores = gainful.evaluate(QRELS, {"{a}": run(7), "{b}": run(8)}, "P@1")
    assert grouped(scores.notes)[0].endswith("most: {a} lacks 3 of 10")
