"""What a profile with a calibrated rule says of itself, in words that a reader understands."""

from dataclasses import replace

import pytest

from gainful.filtering import Filter
from gainful.filtering.answer_text import explained, in_words, profile_record, profiled
from gainful.filtering.history_text import history_tables
from gainful.presentation.text_style import percent

from .states import delivered


@pytest.fixture
def learned(fed):
    """A reader of theme 1 who answered, learned by regression under the rule of expected utility."""
    fed.edit_profile("one", rule="expected(gamma=1000)", model="regression")
    right = [document for document in delivered(fed) if "theme1x" in text_of(fed, document)]
    fed.bulk(
        [
            ("one", document, "relevant" if document in right else "not-relevant")
            for document in delivered(fed)
        ]
    )
    return fed


def text_of(state, id_):
    return next(delivery.text for delivery in state.deliveries() if delivery.document == id_)


def test_a_profile_says_from_which_probability_it_delivers_and_what_that_comes_from(learned):
    profile = learned.profile("one")
    text = profiled(profile, terms=15)
    assert (
        "The profile delivers what is relevant with a probability of at least 33 %, from which a delivery is worth its cost.\n"
        in text
    )
    assert f"This is estimated from {profile.n} answers.\n" in text
    assert f"theta       {profile.theta:.4f} = theta_opt − alpha · (theta_opt − theta_zero)\n" in text
    record = profile_record(profile)["estimate"]
    assert record == {
        "needed": pytest.approx(1 / 3),
        "lowest": pytest.approx(1 / 3),
        "answers": profile.n,
        "others": 0,
        "silent": 0,
        "silence": 0.0,
        "shared_relevant": 0,
        "shared_other": 0,
    }


def said_of(state, **changes):
    profile = state.profile("one")
    others = {"other": changes.pop("other")} if "other" in changes else {}
    return in_words(replace(profile, estimate=replace(profile.estimate, **changes), **others))


def test_deliveries_without_an_answer_are_said_to_be_left_out_or_read_as_a_hint(learned):
    left_out = said_of(learned, answers=41, others=3, silent=12, silence=0.0, other=5)
    assert left_out.endswith(
        "estimated from 41 answers and 3 examples (these count little); "
        "12 deliveries without an answer left out, "
        'because this reader says "not relevant" too.\n\n'
    )
    beside = said_of(learned, answers=2, silent=4, other=0, shared_relevant=6, shared_other=1)
    shared = "beginning with 7 answers to other profiles (each profile counts as 3 at most)"
    assert f"estimated from 2 answers, {shared}; 4 deliveries" in beside
    assert 'because this reader says "not relevant" too' in beside
    assert "because it is not known what silence means here" in said_of(learned, silent=2, other=0)
    assert "2 deliveries without an answer hardly count (weight 0.04)" in said_of(
        learned, silent=2, silence=0.04
    )
    hint = said_of(learned, silent=1, silence=0.784)
    assert (
        '1 delivery without an answer counts as a hint of "not relevant" (weight 0.78), '
        "because this reader hardly ever says so" in hint
    )


def test_a_profile_that_explores_says_how_far_down(learned):
    learned.edit_profile("one", rule="expected(beta=1)")
    profile = learned.profile("one")
    assert profile.estimate.lowest < 1 / 3
    lowest = percent(profile.estimate.lowest, 0)
    assert f"at least {lowest}, to explore; from 33 % on a delivery is worth its cost." in in_words(profile)


def test_a_profile_without_a_relevant_document_says_that_it_delivers_to_learn(fed):
    fed.edit_profile("one", rule="expected")
    assert in_words(fed.profile("one")) == (
        "While nothing is judged relevant, the profile delivers what is nearest to its text, to learn from the answers.\n"
        "Then it delivers what is relevant with a probability of at least 33 %.\n\n"
    )


def test_a_rule_that_estimates_nothing_says_nothing_of_probabilities(fed):
    fed.edit_profile("one", rule="beta_gamma")
    assert in_words(fed.profile("one")) == ""
    assert "probability" not in profiled(fed.profile("one"), terms=15)
    assert fed.explain("one", "doc-1").probability is None


def test_terms_that_speak_against_a_document_are_named(learned):
    profile = learned.profile("one")
    against = [term for term, weight in profile.terms[::-1] if weight < 0]
    assert against
    text = profiled(profile, terms=3)
    assert f"Speaks against a document: {against[0]} (−" in text
    assert f"and {len(against) - 3:,} more terms." in text
    wanted = sum(weight > 0 for _, weight in profile.terms)
    assert f"{wanted - 3:,} more terms; --terms {wanted} shows all." in text


def test_an_explanation_names_what_speaks_against_a_document_and_how_probable_it_is(learned):
    history = learned.history("one")
    below = [f"doc-{number}" for number in history.documents[history.scores < 0].tolist()]
    unseen = next(document for document in below if document not in delivered(learned))
    found = learned.explain("one", unseen)
    assert "weigh more against it than for it" in found.reason
    text = explained(found)
    worst = min(found.parts, key=lambda part: part.adds)
    assert f"Speaks against it: {worst.term}" in text
    assert "By its score it is relevant with a probability of" in text
    assert sum(part.adds for part in found.parts) == pytest.approx(found.score)


def test_the_strongest_terms_of_an_explanation_are_those_that_add_or_take_away_most(learned):
    found = learned.explain("one", delivered(learned)[-1])
    table = explained(found).split("score (sum)")[0]
    for part in sorted(found.parts, key=lambda part: -abs(part.adds))[:15]:
        assert f"\n{part.term} " in table


def test_answers_to_other_profiles_are_said_to_decide_and_when_they_will(states, folder):
    """The threshold of a profile waits for its own turn; what is shown of it is as of now, and says so."""
    with Filter.create(folder / "state", clock=states.Clock(), cap=None) as made:
        stream = states.documents(1000, 5)
        made.ingest(stream[:900], deliver=False)
        made.add_profile("A", text=states.wish(1))
        made.add_profile("B", text=states.wish(2))
        made.ingest(stream[900:])
        untold = history_tables(made.history("B"))
        assert "come from the streams of other readers alone" in untold
        assert "since then" not in untold + profiled(made.profile("B"), terms=3)
        good = [one.id for one in stream if "theme1x" in one.text][:15]
        bad = [one.id for one in stream if one.text and "theme1x" not in one.text][:15]
        made.bulk([("A", one, "relevant") for one in good] + [("A", one, "not-relevant") for one in bad])
        state, history = made.profile("B"), made.history("B")
        now = history.threshold.theta
        assert (state.theta_now, f"{now:.4f}") != (state.theta, f"{state.theta:.4f}")
        told = (
            f"The threshold of {state.theta:.4f} was set at document {state.seen:,}; "
            f"with the documents and the answers to other profiles since then it would be {now:.4f}."
        )
        assert told in profiled(state, terms=3)
        assert told in explained(made.explain("B", good[0]))
        assert told in history_tables(history)
        assert "come from 30 answers to other profiles and the streams of other readers." in history_tables(
            history
        )
        decided = (
            "30 answers to other profiles decide how near it must be (each profile counts as 3 at most)."
        )
        assert decided in profiled(state, terms=3)
        made.edit_profile("B", text=states.wish(2) + " again")
        assert "since then" not in profiled(made.profile("B"), terms=3) + history_tables(made.history("B"))
