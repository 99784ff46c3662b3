"""Models' labels in comparisons: other scales are read as grades, stray and missing ones are named, impossible ones refused."""

import pytest

import gainful
from gainful.errors import DataError
from gainful.judging.notes import grouped

from .people_and_labels import LABELS, PEOPLE, TOPICS, TWO


def stated(labels, measure="nDCG@10"):
    """Intervals of the difference, and what notes say."""
    comparison = gainful.compare(PEOPLE, TWO, measure, model_qrels=labels)
    return comparison.pairs[0].interval, grouped(
        gainful.evaluate(PEOPLE, TWO, measure, model_qrels=labels).notes
    )


def changed(change):
    return {topic: {d: change(label) for d, label in labels.items()} for topic, labels in LABELS.items()}


@pytest.mark.parametrize("measure", ["nDCG@10", "AP", "P(rel=2)@5"])
def test_labels_on_another_scale_are_read_as_grades_whatever_their_size(measure):
    expected, _ = stated(LABELS, measure)
    for change, words in (
        (lambda label: 10 * label - 7, "from -7 to 23"),
        (lambda label: label / 3, "from 0 to 1"),
        (lambda label: [1, 2.5, 4, 5][label], "from 1 to 5"),
    ):
        interval, notes = stated(changed(change), measure)
        assert interval == pytest.approx(expected)
        assert any(
            note.startswith(f"labels of model are {words}, people's grades 0 to 3: labels are read")
            for note in notes
        )
    two = changed(lambda label: int(label >= 2))
    interval, notes = stated(two, measure)
    assert interval == pytest.approx(stated(changed(lambda label: 3 * (label >= 2)), measure)[0])
    assert any(
        "labels of model are binary, people's grades 0 to 3: label 1 is read as the best grade" in note
        for note in notes
    )


@pytest.mark.parametrize("topic", [min(PEOPLE), min(set(LABELS) - set(PEOPLE))], ids=["judged", "unjudged"])
def test_few_labels_off_the_scale_are_left_out_counted_and_named(topic):
    odd = changed(lambda label: label)
    odd[topic] = odd[topic] | {"d0": 9}
    without = LABELS | {topic: {d: label for d, label in LABELS[topic].items() if d != "d0"}}
    interval, notes = stated(odd)
    assert interval == stated(without)[0]
    assert any("1 label of model is off the people's scale 0 to 3 (9): left out" in note for note in notes)


def test_labels_below_0_are_on_the_scale_of_people_who_gave_such_grades():
    """Grades from −2 (junk) to 1: labels on the same scale are taken as they are, also where they are below 0."""
    junk = {topic: {d: grade - 2 for d, grade in graded.items()} for topic, graded in PEOPLE.items()}
    labels = changed(lambda label: label - 2)
    above = {
        topic: {d: max(label, 0) for d, label in graded.items()} for topic, graded in labels.items()
    }  # which is worth as much
    pairs = []
    for given in (labels, above):
        compared = gainful.compare(junk, TWO, "DCG@10", model_qrels=given)
        pairs.append((compared.pairs[0].difference, compared.pairs[0].interval))
        assert not any(
            "people's grades" in note or "off the people's scale" in note for note in compared.notes
        )
    assert pairs[0] == pairs[1]


def test_missing_labels_are_noted_and_topics_without_any_refused():
    some = {topic: dict(list(labels.items())[1:]) for topic, labels in LABELS.items()}
    _, notes = stated(some)
    assert any("no label for 10 documents that people judged (8 %)" in note for note in notes)
    fewer = {topic: labels for topic, labels in LABELS.items() if topic != "q0"}
    with pytest.raises(
        DataError, match=r"1 topic that people judged has no label by some model: q0.\nGive labels"
    ):
        gainful.evaluate(PEOPLE, TWO, "nDCG@10", model_qrels=fewer)


def test_labels_of_other_documents_are_refused():
    other = {topic: {f"x{d}": label for d, label in labels.items()} for topic, labels in LABELS.items()}
    with pytest.raises(DataError, match="has labels for none of the documents that people judged"):
        gainful.evaluate(PEOPLE, TWO, "nDCG@10", model_qrels=other)


@pytest.mark.parametrize(
    ("labels", "why"),
    [
        (PEOPLE, "are the people's own judgments"),
        ({"other": {"d0": 1}}, "labels for none of the topics that people judged"),
        (
            {topic: LABELS[topic] for topic in TOPICS[3:]},
            "3 topics that people judged have no label",
        ),
        (
            [("q0", "d0", 1), ("q0", "d0", 2)],
            "1 pair has several labels, 1 of them different ones. Several passes",
        ),
    ],
)
def test_labels_that_cannot_be_what_they_are_said_to_be_are_refused(labels, why):
    if isinstance(labels, list):
        labels = [labels]
    with pytest.raises(DataError, match=why):
        gainful.compare(PEOPLE, TWO, model_qrels=labels)
