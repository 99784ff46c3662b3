"""The user-oriented measures against their formulas, written with sets for one topic, and against hand counts.

A topic is a list of document ids, a grade for every judged one, the ids that the user knew and the number of relevant
documents that she expected. A transcription gives a number, or None for a topic with nothing to measure.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gainful
from gainful.errors import MeasureError
from gainful.judging import judged_run
from gainful.judging.knowledge import known_by
from gainful.measures import get
from gainful.measures._many import at_cutoffs

IDS = "abcdefghijkl"
TOPIC = st.tuples(
    st.lists(st.sampled_from(IDS), unique=True, max_size=12),
    st.dictionaries(st.sampled_from(IDS), st.sampled_from([-1, 0, 1, 1, 2]), min_size=1),
    st.sets(st.sampled_from(IDS)),
    st.integers(0, 6),
)
TOPICS = st.dictionaries(st.sampled_from("pqrstu"), TOPIC, min_size=1, max_size=5)


def sets(ranked, judged, known, cutoff, rel):
    A = set(ranked[:cutoff])
    R = {document for document, grade in judged.items() if grade >= rel}
    return A, R, set(known)


def coverage(ranked, judged, known, expected, cutoff=None, rel=1):
    A, R, K = sets(ranked, judged, known, cutoff, rel)
    return Fraction(len(K & R & A), len(K & R)) if K & R else None


def novelty(ranked, judged, known, expected, cutoff=None, rel=1):
    A, R, K = sets(ranked, judged, known, cutoff, rel)
    return Fraction(len((R & A) - K), len(R & A)) if R & A else None


def relative_recall(ranked, judged, known, expected, cutoff=None, rel=1):
    A, R, _ = sets(ranked, judged, known, cutoff, rel)
    return Fraction(len(R & A), expected) if expected else None


def recall_effort(ranked, judged, known, expected, cutoff=None, rel=1):
    found = 0
    for examined, document in enumerate(ranked[:cutoff], 1):
        found += judged.get(document, -9) >= rel
        if expected and found == expected:
            return Fraction(expected, examined)
    return Fraction(expected, len(ranked[:cutoff])) if expected and ranked[:cutoff] else None


VARIANTS = [{}, {"cutoff": 1}, {"cutoff": 4}, {"cutoff": 50}, {"rel": 2}, {"rel": 2, "cutoff": 3}]
LITERAL = {
    "Coverage": (coverage, VARIANTS),
    "Novelty": (novelty, VARIANTS),
    "RelRecall": (relative_recall, VARIANTS),
    "RecallEffort": (recall_effort, VARIANTS),
}


def scored(topics, measures):
    qrels = {topic: judged for topic, (_, judged, _, _) in topics.items()}
    run = {topic: {d: -float(n) for n, d in enumerate(ranked)} for topic, (ranked, *_) in topics.items()}
    known = {topic: known for topic, (_, _, known, _) in topics.items()}
    expected = {topic: number for topic, (*_, number) in topics.items()}
    return gainful.evaluate(qrels, run, measures, known=known, expected=expected)


@pytest.mark.parametrize("name", sorted(LITERAL))
@settings(deadline=None, max_examples=60)
@given(topics=TOPICS)
def test_a_measure_is_its_formula(name, topics):
    literal, variants = LITERAL[name]
    for parameters in variants:
        chosen = get(name)(**parameters)
        scores = scored(topics, chosen)
        undefined = scores.runs[0].undefined.get(str(chosen), [])
        for topic, (ranked, judged, known, expected) in topics.items():
            value = literal(ranked, judged, known, expected, **parameters)
            assert (topic in undefined) == (value is None)
            assert scores.per_topic[topic][str(chosen)] == pytest.approx(float(value or 0), abs=1e-15)


@pytest.mark.parametrize("name", sorted(LITERAL))
@settings(deadline=None, max_examples=40)
@given(topics=TOPICS)
def test_many_cutoffs_at_once_and_topics_alone_have_the_same_bits(name, topics):
    chosen = get(name)
    record = scored(topics, chosen).runs[0].judged
    values, undefined = at_cutoffs(chosen, record, range(1, 15))
    alone = [(chosen @ k).evaluate(record) for k in range(1, 15)]
    assert values.tobytes() == np.array([one for one, _ in alone]).tobytes()
    assert (undefined == np.array([one for _, one in alone])).all()
    for topic in range(len(record)):
        assert (
            chosen(record.select(topic, topic + 1)).tobytes() == chosen(record)[topic : topic + 1].tobytes()
        )


@pytest.mark.parametrize("name", sorted(LITERAL))
def test_the_text_is_run_once_for_all_cutoffs(name, monkeypatch):
    calls = []
    definition = get(name).definition
    text = definition.function
    monkeypatch.setattr(definition, "function", lambda *a, **k: (calls.append(1), text(*a, **k))[1])
    at_cutoffs(get(name), known_by("abc", {"a": 1, "c": 1}, "a", expected=2), range(1, 30))
    assert len(calls) == 1


def test_the_slide_s_sets_by_hand():
    """K = {a, c, e}, R = {a, b, c, d}, A = {a, b, x}: coverage |{a}| / |{a, c}|, novelty |{b}| / |{a, b}|."""
    user = known_by("abx", {"a": 1, "b": 1, "c": 1, "d": 1, "e": 0}, known="ace", expected=4)
    assert get("Coverage")(user) == 1 / 2
    assert get("Novelty")(user) == 1 / 2
    assert get("RelRecall")(user) == 2 / 4
    assert get("RecallEffort")(user) == 4 / 3  # not met: the whole list of three was examined


def test_more_may_be_found_than_expected():
    assert get("RelRecall")(known_by("ab", {"a": 1, "b": 1}, expected=1)) == 2


def test_condensing_moves_the_known_documents_too():
    user = known_by("xya", {"a": 1}, known="a")
    assert (get("Coverage") @ 1)(user) == 0
    assert (get("Coverage")(unjudged="condense") @ 1)(user) == 1


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Coverage", "Coverage needs the documents that the user knew: --known FILE"),
        ("Novelty", "Novelty needs the documents that the user knew: --known FILE"),
        ("RelRecall", "RelRecall needs how many relevant documents the user expected: --expected N or FILE"),
        ("RecallEffort", "RecallEffort needs how many relevant documents the user expected"),
    ],
)
def test_what_is_missing_is_named(name, words):
    with pytest.raises(MeasureError, match=words):
        get(name)(judged_run([1]))
    with pytest.raises(MeasureError, match=words):
        gainful.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, name)
    other = (
        {"expected": 3}
        if "known" in words.lower() and name in ("Coverage", "Novelty")
        else {"known": {"q": ["a"]}}
    )
    with pytest.raises(MeasureError, match=words):
        gainful.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, name, **other)
