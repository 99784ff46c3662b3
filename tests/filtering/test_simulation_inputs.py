"""What goes into a simulation: grids of rules, reference sets, topics, judgments, embeddings; and what is refused."""

from dataclasses import replace

import numpy as np
import pytest

from gainful.errors import DataError, NothingInCommon, UsageError
from gainful.filtering import Document, Rocchio, Rule, Topic, simulate
from gainful.filtering.rule_text import parse_profiles, parse_rules

from .conftest import run

# ---- grids -----------------------------------------------------------------------------------------------------------


def test_rules_and_profiles_make_a_grid(small):
    made = run(small, rules="ratio(share=[0.01,0.02])", profiles="rocchio(terms=[20,80],other=0)")
    names = [row.name for row in made.rows[:4]]
    assert names == [
        "ratio(share=0.01) rocchio(other=0,terms=20)",
        "ratio(share=0.02) rocchio(other=0,terms=20)",
        "ratio(share=0.01) rocchio(other=0,terms=80)",
        "ratio(share=0.02) rocchio(other=0,terms=80)",
    ]
    assert made.rows[0].variant.profile == Rocchio(other=0, terms=20)


def test_a_name_is_read_back_as_itself():
    for text in ("beta_gamma(beta=0,gamma=0.01)", "ratio", "fixed(theta=-0.5)", "none"):
        assert [str(one) for one in parse_rules(text)] == [text]
    assert parse_rules("beta_gamma(beta=0.4)") == parse_rules("beta_gamma") == [Rule("beta_gamma")]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("best", "there is no rule 'best'; there are beta_gamma, expected, optimum"),
        ("ratio(beta=1)", "ratio has no parameter 'beta'; it takes share"),
        ("none(beta=1)", "none has no parameter 'beta'; it takes none"),
        ("fixed", "fixed needs theta"),
        ("ratio(share=0)", "share must be above 0"),
        ("ratio(share='a')", "share must be a number; got 'a'"),
        ("ratio(0.5)", "is not understood; write it as"),
        ("ratio(share=[])", "is not understood"),
        ("ratio(share=open('x'))", "is not understood"),
        ("ratio(**{})", "is not understood"),
        ("ratio(share=0.1,share=0.2)", "is not understood"),
        ("ratio.share", "is not understood"),
        ("(" * 500, "is not understood"),
    ],
)
def test_rules_that_are_none_are_refused(text, reason):
    with pytest.raises(UsageError, match=reason):
        parse_rules(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("bm25", "there are rocchio, regression"),
        ("rocchio(k=1)", "no parameter 'k'"),
        ("rocchio(terms=0)", "terms must be"),
    ],
)
def test_profiles_that_are_none_are_refused(text, reason):
    with pytest.raises(UsageError, match=reason):
        parse_profiles(text)


# ---- what goes in ----------------------------------------------------------------------------------------------------


def test_a_reference_set_is_a_number_a_share_or_another_stream(small):
    number, share = (run(small, rules="zero", reference=one) for one in (90, "10%"))
    apart = simulate(
        small.documents[90:], small.topics, small.qrels, rules="zero", reference=small.documents[:90]
    )
    text = run(small, rules="zero", reference="90")
    for other in (share, apart, text):
        assert [one.tolist() for one in other.rows[0].deliveries] == [
            one.tolist() for one in number.rows[0].deliveries
        ]


@pytest.mark.parametrize(
    ("given_", "reason"),
    [
        (900, "some must remain"),
        (-1, "some must remain"),
        ("x%", "is no share"),
        ("inf%", "is no share"),
    ],
)
def test_a_reference_set_that_cannot_be_is_refused(small, given_, reason):
    with pytest.raises(UsageError, match=reason):
        run(small, reference=given_)


def test_examples_that_a_topic_names_are_used_and_must_come_before_the_start(small):
    document = small.documents[7].id
    topics = [replace(small.topics[0], examples=(document,))]
    made = simulate(small.documents, topics, small.qrels, rules="zero", reference=100, trace=1)
    assert made.traces["zero", "garden"].thresholds[0, 4] == 1
    for wrong, reason in (
        ("d00500", "is document 500 of the stream, after the start"),
        ("nowhere", "is not in the stream"),
    ):
        with pytest.raises(DataError, match=reason):
            simulate(
                small.documents, [replace(small.topics[0], examples=(wrong,))], small.qrels, reference=100
            )


def test_a_topic_with_nothing_to_begin_with_is_refused(small):
    with pytest.raises(DataError, match="topics, line 1: topic 'garden' has no text and no examples"):
        simulate(small.documents, [replace(small.topics[0], text=" ")], small.qrels, reference=0)


def test_a_topic_without_judgments_is_refused_or_left_out(small):
    topics = [*small.topics, Topic("opera", "opera singer", place=9)]
    with pytest.raises(DataError, match="topics, line 9: topic 'opera' has no judgments"):
        simulate(small.documents, topics, small.qrels, rules="zero")
    made = simulate(small.documents, topics, small.qrels, rules="zero", unjudged_topics="skip")
    assert "opera" not in made.topics
    assert any("1 topic without judgments left out" in note for note in made.notes)


def test_topics_with_nothing_to_find_after_the_start_are_left_out_and_counted(small):
    early = {"garden": {small.documents[5].id: 1}, "chess": small.qrels["chess"]}
    made = simulate(small.documents, small.topics, early, rules="zero", reference=100, unjudged_topics="skip")
    assert made.topics == ("chess",)
    assert made.nothing_to_find == ("garden",)
    with pytest.raises(NothingInCommon):
        simulate(small.documents, small.topics[:1], {"garden": early["garden"]}, rules="zero", reference=100)


def test_judgments_of_documents_elsewhere_count_for_nothing(small):
    more = {topic: {**grades, "elsewhere": 1} for topic, grades in small.qrels.items()}
    made, plain = (
        simulate(small.documents, small.topics, more, rules="zero"),
        run(small, rules="zero", reference=0),
    )
    assert made.rows[0].scores.mean == plain.rows[0].scores.mean
    assert any("not in the stream count for nothing: 8" in note for note in made.notes)


def test_empty_documents_are_kept_and_never_delivered(small):
    documents = list(small.documents)
    documents[200] = Document("empty", "")
    made = simulate(documents, small.topics, small.qrels, rules=["fixed(theta=-1)", "zero"], reference=100)
    assert len(made.documents) == 900
    assert all(200 not in of.tolist() for row in made.rows for of in row.deliveries)


# ---- documents that carry their own vectors ----------------------------------------------------------------------------


def embedded(seed=1, count=400):
    """Documents around four directions, topics near two of them."""
    chance = np.random.default_rng(seed)
    centres = chance.normal(size=(4, 16))
    kinds = chance.integers(0, 4, count)
    vectors = centres[kinds] + 0.6 * chance.normal(size=(count, 16))
    documents = [Document(f"d{number}", vector=tuple(map(float, one))) for number, one in enumerate(vectors)]
    topics = [Topic("x", vector=tuple(map(float, centres[0] + chance.normal(size=16)))), Topic("y")]
    qrels = {
        name: {f"d{one}": 1 for one in np.flatnonzero(kinds == kind)} for name, kind in (("x", 0), ("y", 1))
    }
    return documents, topics, qrels


def test_the_same_code_filters_embeddings():
    documents, topics, qrels = embedded()
    made = simulate(documents, topics, qrels, rules=["beta_gamma", "zero"], reference=60, examples=2)
    values = made["beta_gamma"].scores.mean
    assert values["T11SU"] > 0.6
    assert made["hindsight: beta_gamma"].scores.mean["T11U"] >= values["T11U"]


def test_a_topic_needs_a_vector_of_the_same_length_or_examples():
    documents, topics, qrels = embedded()
    with pytest.raises(DataError, match="topic 'y' has no vector and no examples"):
        simulate(documents, topics, qrels, reference=0)
    with pytest.raises(DataError, match="topic 'x' has a vector of 3 numbers, and the documents have 16"):
        simulate(documents, [Topic("x", vector=(1.0, 2.0, 3.0))], qrels, reference=0)


@pytest.mark.parametrize(
    ("before", "has"),
    [
        (Document("r", vector=(1.0, 2.0, 3.0)), "vectors of 3 numbers"),
        (Document("r", "words"), "no vector"),
    ],
)
def test_a_reference_set_must_be_of_the_same_kind_as_the_stream(before, has):
    documents, topics, qrels = embedded()
    said = f"the reference set have {has}, and those of the stream have vectors of 16 numbers"
    with pytest.raises(DataError, match=said):
        simulate(documents, topics[:1], qrels, reference=[before])
