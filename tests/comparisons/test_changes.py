"""What moved: topics that gained and lost, the documents behind them, and how hard topics are."""

import math
from pathlib import Path

import numpy as np
import pytest

import gainful
from gainful.comparisons import Method, ScoreTable, compare, compare_scores, moved
from gainful.comparisons.topic_changes import credited
from gainful.comparisons.topic_tables import difficulty, of_moved, of_topics

TABLE = ScoreTable.of_matrix(
    [[0.1, 0.5, 0.9, 0.3], [0.4, 0.5, 0.2, 0.4], [0.0, 0.1, 0.0, 0.2]], systems=["a", "b", "c"], measure="AP"
)


DATA = Path(__file__).parents[2] / "examples" / "data"


def test_what_the_other_documents_add_is_the_same_to_the_last_bit_on_every_python():
    """From Python 3.12 on, sum() rounds sums of floats otherwise than before; math.fsum never changed."""
    runs = [DATA / "sprinter.run", DATA / "marathon.run"]
    (found,) = moved(gainful.compare(DATA / "qrels.txt", runs, "nDCG@10"), number=50)
    (made,) = credited([found], gainful.evaluate(DATA / "qrels.txt", runs, "nDCG@10"), documents=3)
    topics = [topic for topic in (*made.gained, *made.lost) if topic.rest]
    assert len(topics) > 20
    for topic in topics:
        assert topic.rest == topic.difference - math.fsum(part.part for part in topic.documents)


def test_topics_are_listed_by_how_far_they_moved():
    (found,) = moved(compare_scores(ScoreTable.of_matrix(TABLE.values[0, :2], systems=["a", "b"])), number=1)
    assert [(one.topic, one.a, one.b) for one in found.gained] == [("1", 0.1, 0.4)]
    assert [(one.topic, one.a, one.b) for one in found.lost] == [("3", 0.9, 0.2)]
    (found,) = moved(compare_scores(ScoreTable.of_matrix(TABLE.values[0, :2], systems=["a", "b"])))
    assert [one.topic for one in found.gained] == ["1", "4"]  # the topic that did not move is in neither list
    assert found.concentrated == 1  # topic 3 has all of what moved down
    assert "1 topic makes up half of what moved in the direction of the mean, of 4 topics" in found.sentence()


def test_where_less_is_better_to_gain_is_to_have_less():
    table = ScoreTable.of_matrix([[0.9, 0.1], [0.2, 0.3]], systems=["a", "b"], measure="Fallout@10")
    (found,) = moved(compare_scores(table))
    assert [one.topic for one in found.gained] == ["1"]
    assert [one.topic for one in found.lost] == ["2"]


def test_of_several_systems_the_best_and_the_next_are_looked_at():
    (found,) = moved(compare_scores(TABLE))
    assert (found.a, found.b) == (
        "b",
        "a",
    )  # a has the better mean: what it gained over the next, and lost to it
    assert found.difference == pytest.approx(0.45 - 0.375)
    found = moved(compare_scores(TABLE, Method(baseline="c")))
    assert [(one.a, one.b) for one in found] == [("c", "a"), ("c", "b")]


@pytest.mark.parametrize("measure", ["nDCG@3", "AP", "RR", "RBP", "Bpref", "P@2"])
def test_parts_of_documents_sum_to_the_difference(measure):
    chance = np.random.default_rng(1)
    ids = [f"d{number}" for number in range(9)]
    qrels = {str(topic): {one: int(chance.integers(0, 3)) for one in ids[:6]} for topic in range(5)}
    runs = {
        name: {
            topic: {one: float(chance.normal()) for one in chance.choice(ids, 6, False)} for topic in qrels
        }
        for name in "ab"
    }
    comparison = compare(qrels, runs, measure)
    found = moved(comparison)
    scores = gainful.evaluate(qrels, runs, measure)
    made = credited(found, scores, documents=2)
    for topic in (*made[0].gained, *made[0].lost):
        a, b = (scores[name].per_topic[topic.topic][measure] for name in "ab")
        assert (topic.a, topic.b) == (a, b)
        assert len(topic.documents) <= 2
        assert sum(one.part for one in topic.documents) + topic.rest == pytest.approx(b - a)
        for one in topic.documents:
            ranked = {
                name: sorted(runs[name][topic.topic], key=lambda one: -runs[name][topic.topic][one])
                for name in "ab"
            }
            if one.rank_b is not None:
                assert ranked["b"][one.rank_b - 1] == one.document


def test_the_document_that_rose_gets_the_credit():
    qrels = {"1": {"x": 1}, "2": {"x": 1}}
    a, b = {topic: {"y": 2.0, "x": 1.0} for topic in qrels}, {topic: {"x": 2.0, "y": 1.0} for topic in qrels}
    found = moved(compare(qrels, {"a": a, "b": b}, "RR"))
    made = credited(found, gainful.evaluate(qrels, {"a": a, "b": b}, "RR"))
    (one,) = made[0].gained[0].documents
    assert (one.document, one.grade, one.rank_a, one.rank_b, one.part) == ("x", 1, 2, 1, 1 - 1 / 2)


def test_difficulty_is_the_median_over_systems():
    found = {one.topic: one for one in difficulty(TABLE)}
    one = found["1"]
    values = [0.1, 0.4, 0.0]
    assert (one.median, one.least, one.most, one.best) == (0.1, 0.0, 0.4, "b")
    assert one.spread == pytest.approx(np.std(values, ddof=1))
    assert [one.topic for one in difficulty(TABLE)] == ["1", "3", "4", "2"]  # medians 0.1, 0.2, 0.3, 0.5


def test_where_less_is_better_the_hardest_topic_has_the_most():
    table = ScoreTable.of_matrix([[0.1, 0.5], [0.2, 0.7]], systems=["a", "b"], measure="Fallout@10")
    found = difficulty(table)
    assert [(one.topic, one.best) for one in found] == [("2", "a"), ("1", "a")]


@pytest.mark.parametrize("form", ["table", "csv", "json", "markdown", "latex"])
def test_every_format_has_what_moved_and_topics(form):
    assert "AP" in of_moved(moved(compare_scores(TABLE)), TABLE).text(form)
    assert "head" in of_topics(difficulty(TABLE), TABLE, groups={"1": "head"}).text(form)
