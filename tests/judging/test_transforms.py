"""Settings against lists made by hand: order, condense and cut plain Python lists, then compare every rank and grade."""

from itertools import groupby, permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import gainful
from gainful.judging import judged_run
from gainful.judging.transforms import order_ties

GRADES = st.sampled_from([-2, -1, 0, 0, 1, 2, 3])
DOCUMENTS = [f"d{number}" for number in range(12)]
JUDGED = st.dictionaries(st.sampled_from(DOCUMENTS), GRADES, min_size=1)
LISTS = st.dictionaries(st.sampled_from(DOCUMENTS), st.sampled_from([1.0, 2.0, 3.0]), min_size=1)
TOPICS = st.dictionaries(st.sampled_from(["1", "2", "3"]), st.tuples(JUDGED, LISTS), min_size=1)


def by_hand(judged, scores, ties, unjudged, depth):
    """(rank, grade) of each hit, and the length of the list."""
    input_order = {document: place for place, document in enumerate(scores)}
    keys = {
        "docid": lambda document: (-scores[document], [-ord(letter) for letter in document], 0),
        "input": lambda document: (-scores[document], [], input_order[document]),
        "best": lambda document: (-scores[document], [], -goodness(judged.get(document))),
        "worst": lambda document: (-scores[document], [], goodness(judged.get(document))),
    }
    order = sorted(scores, key=keys[ties])
    if ties == "docid":
        order = [
            document for _, tied in groupby(order, key=scores.get) for document in sorted(tied, reverse=True)
        ]
    order = order[:depth]
    if unjudged == "condense":
        order = [document for document in order if judged.get(document, -1) >= 0]
    return [(rank, judged[document]) for rank, document in enumerate(order, 1) if document in judged], len(
        order
    )


def goodness(grade):
    """What a reader thinks of a document: an unjudged one is worse than a judged 0 and better than a negative grade."""
    return -0.5 if grade is None else grade


@given(
    TOPICS,
    st.sampled_from(["docid", "input", "best", "worst"]),
    st.sampled_from(["nonrelevant", "condense"]),
    st.sampled_from([None, 1, 2, 5]),
)
@settings(max_examples=300)
def test_every_rank_and_grade_is_as_by_hand(topics, ties, unjudged, depth):
    qrels = {topic: judged for topic, (judged, _) in topics.items()}
    run = {topic: scores for topic, (_, scores) in topics.items()}
    judged = gainful.evaluate(qrels, run, "AP", ties=ties, unjudged=unjudged, depth=depth).runs[0].judged
    for number, topic in enumerate(sorted(topics)):
        hits, length = by_hand(qrels[topic], run[topic], ties, unjudged, depth)
        part = slice(judged.offsets[number], judged.offsets[number + 1])
        made = list(zip(judged.rank[part].tolist(), judged.grade[part].tolist(), strict=True))
        if ties in ("best", "worst"):  # which of two equal grades comes first does not matter
            assert sorted(made) == sorted(hits)
            assert [rank for rank, _ in made] == sorted(rank for rank, _ in made)
        else:
            assert made == hits
        assert judged.retrieved[number] == length


@given(JUDGED, LISTS, st.sampled_from(["AP", "nDCG@3", "RR", "P@2", "Bpref", "RBP"]))
@settings(max_examples=60, deadline=None)
def test_best_and_worst_are_the_bounds_over_all_orders_of_ties(judged, scores, measure):
    scores = dict(list(scores.items())[:6])

    def value(run, ties="input"):
        return gainful.evaluate({"1": judged}, {"1": run}, measure, ties=ties).mean[measure]

    best, worst = value(scores, "best"), value(scores, "worst")
    for order in permutations(scores):
        assert worst - 1e-12 <= value({document: scores[document] for document in order}) <= best + 1e-12


def test_ties_of_a_record_with_no_hits_stay_empty():
    empty = judged_run([[], []], judged=[[1], [0]])
    assert len(order_ties(empty, best=True).rank) == 0
    np.testing.assert_array_equal(order_ties(empty, best=False).offsets, [0, 0, 0])
