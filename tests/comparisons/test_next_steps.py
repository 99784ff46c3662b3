"""What to look at next: topics and documents that cost most, and the unjudged documents that decide."""

import json
import math

import pytest

import gainful
from gainful.comparisons.topic_changes import moved

DISCOUNT = {rank: 1 / math.log2(rank + 1) for rank in range(1, 13)}


def ranked(*documents):
    return {document: float(len(documents) - place) for place, document in enumerate(documents)}


QRELS = {f"q{number}": {"good": 1, "bad": 0} for number in range(4)}
OLD = {topic: ranked("good", "bad") for topic in QRELS}
FAR = ranked(*(f"x{number}" for number in range(11)), "good")
NEW = OLD | {"q1": FAR, "q2": ranked("bad", "good")}
TEXTS = {"queries": {"q1": "red shoes"}, "documents": {"good": "Trainers", "x0": "Boots"}}


def steps(measure="nDCG@10", old=OLD, new=NEW, **more):
    return gainful.compare(QRELS, {"old": old, "new": new}, measure, **more).next_steps


def test_each_topic_names_the_document_that_cost_most_with_its_ranks_also_below_the_cutoff():
    found = steps(**TEXTS)
    first, second = found.lost
    assert (first.topic, first.query) == ("q1", "red shoes")
    (document,) = first.documents
    assert (document.document, document.title, document.rank_a, document.rank_b) == (
        "good",
        "Trainers",
        1,
        12,
    )
    assert document.part == pytest.approx(-1)
    assert second.documents[0].part == pytest.approx(DISCOUNT[2] - 1)
    assert found.table().rows == [
        ["q1 red shoes", "−1.000", "good Trainers", "1 → 12", "1.000"],
        ["q2", "−0.369", "good Trainers", "1 → 2", "0.369"],
    ]


def test_unjudged_documents_that_would_turn_the_verdict_are_named_with_their_worth():
    found = steps(**TEXTS)
    assert found.unjudged.open == 10  # the first ten of q1; the eleventh is below the cutoff
    # with n of them relevant, q1 is worth their share of n + 1 to new, and 1 of n + 1 to old; q2 stays lost by 1 − 1/log2 3
    ahead = {
        number: (sum(list(DISCOUNT.values())[:number]) - 1) / sum(list(DISCOUNT.values())[: number + 1])
        for number in (2, 3)
    }
    assert ahead[2] < 1 - DISCOUNT[2] < ahead[3]
    assert found.unjudged.needed == 3
    assert found.sentences()[-1].startswith(
        "If relevant, 3 of the 10 unjudged documents in the top 10 would put new ahead; "
        "judge first x0 “Boots” of topic q1 (worth 0.250), x1 of topic q1 (worth "
    )


def test_a_system_that_unjudged_documents_could_put_ahead():
    behind = {topic: ranked("x", "good") for topic in QRELS}
    found = steps("P@1", new=behind)
    # P@1 is 1 for old and 0 for new on four topics; relevant, each x brings new one topic, and old stays ahead or level
    assert (found.unjudged.open, found.unjudged.needed) == (4, None)
    found = steps("P@2", old=OLD | {"q0": ranked("bad", "worse")}, new=behind)
    # P@2: old (0 + 1/2 · 3)/4, new 1/2: new leads; "worse" on q0 is open and worth 1/2 to old: level, not ahead
    assert found.lead.leader == "new"
    assert {document.document for document in found.unjudged.first} == {"x", "worse"}


def test_the_pair_is_followed_in_one_direction_as_in_what_moved():
    runs = {"best": OLD, "next": NEW, "last": {topic: ranked("bad") for topic in QRELS}}
    board = gainful.compare(QRELS, runs, "nDCG@10")
    assert (board.next_steps.a, board.next_steps.b) == ("next", "best")
    assert [(pair.a, pair.b) for pair in moved(board)] == [("next", "best")]
    against = gainful.compare(QRELS, runs, "nDCG@10", baseline="best")
    assert (against.next_steps.a, against.next_steps.b) == ("best", "next")
    assert [topic.topic for topic in against.next_steps.lost] == ["q1", "q2"]


def test_saved_scores_have_topics_and_no_documents(tmp_path):
    scores = gainful.evaluate(QRELS, {"old": OLD, "new": NEW}, "RR")
    (tmp_path / "saved.json").write_text(json.dumps(scores.to_dict()))
    found = gainful.compare(QRELS, [str(tmp_path / "saved.json")], "RR").next_steps
    assert [topic.documents for topic in found.lost] == [(), ()]
    assert found.unjudged is None


@pytest.mark.parametrize(
    ("measure", "lost"),
    [
        *[("SetF", 1), ("Bpref", 1), ("RBPres", 1), ("AP(unjudged=condense)", 1), ("Judged@10", 1)],
        *[("NumRet", 0), ("Fallout@10", 0)],
    ],
)
def test_next_steps_of_any_measure_add_up_to_the_topics_difference(measure, lost):
    found = steps(measure)
    assert found.to_dict()["measure"] == measure
    assert len(found.lost) == lost
    for topic in found.lost:
        parts = sum(document.part for document in topic.documents)
        assert parts + topic.rest == pytest.approx(topic.difference)


def test_the_same_steps_stand_in_text_json_and_notebook():
    comparison = gainful.compare(QRELS, {"old": OLD, "new": NEW}, "nDCG@10", **TEXTS)
    said, table = comparison.next_steps.sentences(), comparison.next_steps.table()
    text, page = str(comparison), comparison._repr_html_()
    assert table.text() in text
    assert " ".join(said[-1].split()) in " ".join(text.split())
    assert table.html() in page
    held = comparison.to_dict()["next"]
    assert held.keys() == {"measure", "a", "b", "lost", "unjudged", "topics_needed", "sentences"}
    assert held["lost"][0]["documents"][0]["title"] == "Trainers"
    assert held["unjudged"].keys() == {"depth", "open", "needed", "documents", "judge_first"}


def test_small_files_are_followed_and_opened_once(tmp_path):
    for name, run in (("old", OLD), ("new", NEW)):
        lines = (
            f"{topic} Q0 {document} 1 {score} {name}\n"
            for topic, of in run.items()
            for document, score in of.items()
        )
        (tmp_path / f"{name}.run").write_text("".join(lines))
    paths = [str(tmp_path / f"{name}.run") for name in ("old", "new")]
    assert gainful.compare(QRELS, paths, "nDCG@10").next_steps.unjudged.open == 10
    named = {"old": paths[0], "new": paths[1]}
    assert gainful.compare(QRELS, named, "nDCG@10").next_steps.unjudged.open == 10


def test_what_counts_documents_or_where_less_is_better_names_nothing_to_judge():
    assert steps("Judged@2").unjudged is None
    assert steps("Fallout@2").unjudged is None
