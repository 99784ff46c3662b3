"""A filter in use: what readers wish for, settings, and which documents thresholds are learned from."""

import numpy as np
import pytest

from gainful.errors import DataError, UsageError
from gainful.filtering import Analyzer, Filter, LinearUtility, Rocchio, Rule, Topic

from .states import COCOA, EMPTY, MATCH, delivered


def test_a_profile_has_its_own_utility_rule_and_way_to_learn(made, states):
    made.add_profile("plain", text="a word")
    made.add_profile("own", text="word", utility="3,-2", rule="ratio(share=0.1)", model="rocchio(terms=20)")
    made.add_profile("short", text="word", beta=0.2, gamma=0.1)
    exact = LinearUtility(1 / 3, -0.1 - 1e-16)
    made.add_profile(
        "objects",
        text="word",
        utility=exact,
        rule=Rule.of("fixed", theta=0.1 + 0.2),
        model=Rocchio(terms=None),
    )
    found = {one.name: one.settings for one in made.profiles()}
    assert (found["plain"].rule, found["plain"].utility) == (
        "expected(beta=0,gamma=1,share=0.005,patience=0,caution=0,example=0.5,recent=0.1,least=15,silence=1,nearness=1.5,optimism=0,hint=0.8,siblings=3)",
        "2,-1",
    )
    assert (found["own"].rule, found["own"].utility, found["own"].rocchio) == (
        "ratio(share=0.1)",
        "3,-2",
        "rocchio(terms=20)",
    )
    assert found["short"].rule == "beta_gamma(beta=0.2,gamma=0.1,share=0.005)"
    assert made.profile("objects").theta == 0.1 + 0.2
    assert float(found["objects"].utility.split(",")[0]) == 1 / 3
    made.edit_profile("short", beta=0.5)
    assert made.profile("short").settings.rule == "beta_gamma(beta=0.5,gamma=0.1,share=0.005)"
    assert made.check() == []


def test_a_profile_may_begin_with_examples_seen_before_or_given_as_documents(made):
    made.ingest([MATCH])
    found = made.add_profile("mixed", examples=["match", COCOA])
    assert (found.n, found.relevant) == (2, 2)
    assert {"cocoa", "goal"} <= dict(found.terms).keys()
    assert delivered(made) == []  # examples are no deliveries
    assert made.stats().documents == 2
    with pytest.raises(DataError, match="no document 'nowhere'"):
        made.add_profile("other", text="x y", examples=["nowhere"])
    assert [one.name for one in made.profiles()] == ["mixed"]
    assert made.check() == []


def test_many_profiles_are_added_at_once_or_none_of_them(made):
    topics = [Topic("first", "cocoa"), Topic("second", "goal"), Topic("third", "")]
    with pytest.raises(DataError, match="profile 'third' has no text"):
        made.add_profiles(topics)
    with pytest.raises(DataError, match="profile 'first' already exists"):
        made.add_profiles([topics[0], topics[0]])
    assert made.profiles() == []
    assert made.add_profiles(topics[:2], rule="zero") == 2
    assert [(one.name, one.settings.rule) for one in made.profiles()] == [
        ("first", "zero(share=0.005)"),
        ("second", "zero(share=0.005)"),
    ]
    assert made.check() == []


@pytest.mark.parametrize("text", ["", "the of and", "12 3"])
def test_a_profile_needs_a_word_or_an_example(made, text):
    with pytest.raises(DataError, match="no text with a word to look for, and no examples"):
        made.add_profile("void", text=text)


def test_an_example_without_a_word_is_no_beginning(made):
    made.ingest([EMPTY])
    with pytest.raises(DataError, match="no text with a word to look for, and no examples that have one"):
        made.add_profile("void", examples=[EMPTY.id])
    assert made.profiles() == []


def test_names_of_profiles_are_free_again_after_removal_and_not_before(made, states):
    made.add_profile("one", text=states.wish(1))
    with pytest.raises(DataError, match="a profile 'one' already exists"):
        made.add_profile("one", text="other")
    made.ingest(states.documents(100, 1))
    before = delivered(made)
    made.remove_profile("one")
    assert made.profiles() == []
    assert made.ingest(states.documents(100, 2, first=100)).deliveries == 0
    assert delivered(made) == before  # the past stays
    made.add_profile("one", text=states.wish(2))
    assert made.profile("one").deliveries == 0
    assert delivered(made, profile="one") == []
    assert made.check() == []


def test_a_profile_can_be_renamed_and_its_text_changed(fed, states):
    fed.add_profile("two", text=states.wish(2))
    with pytest.raises(DataError, match="'two' already exists"):
        fed.edit_profile("one", rename="two")
    found = fed.edit_profile("one", rename="first", text=states.wish(3))
    assert found.name == "first"
    assert {term[:6] for term, _ in found.terms[:3]} == {"theme3"}
    assert {one.profile for one in fed.deliveries()} <= {"first", "two"}


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"rule": "best"}, "no rule 'best'"),
        ({"rule": "zero", "beta": 0.1}, "within the rule"),
        ({"beta": 2}, "beta must be from 0 to 1"),
        ({"utility": "0,-1"}, "nothing to gain"),
        ({"rule": "beta_gamma(beta=[0.1,0.2])"}, "names 2 combinations"),
        ({"model": "svm"}, "no model of a profile 'svm'"),
    ],
)
def test_parameters_out_of_their_range_are_refused(made, given, why):
    with pytest.raises(UsageError, match=why):
        made.add_profile("one", text="word", **given)
    with pytest.raises(UsageError, match="name that is not empty"):
        made.add_profile(" ", text="word")


def test_settings_of_the_state_can_be_changed_and_are_events(fed, states):
    fed.configure(cap=50, epochs=None)
    fed.ingest(states.documents(300, 8, first=300))
    assert fed.stats().history <= 50 + 50 // 4
    assert fed.settings.epochs is None
    assert fed.check() == []
    for wrong in ({"cap": 0}, {"epochs": 1}, {"refresh": 0}, {"language": "german"}):
        with pytest.raises(UsageError):
            fed.configure(**wrong)


def test_text_becomes_terms_as_the_state_was_told(folder):
    with Filter.create(folder / "state", analyzer=Analyzer(language=None, stop=False)) as state:
        state.add_profile("one", text="the readers")
    with Filter.open(folder / "state") as state:
        assert dict(state.profile("one").terms).keys() == {"the", "readers"}


# ---- the cap


def test_judged_documents_and_the_high_scoring_tail_of_each_profile_stay_in_the_history(folder, states):
    with Filter.create(folder / "state", cap=30, refresh=1e9, epochs=None) as state:
        state.add_profile("one", text=states.wish(1))
        state.add_profile("two", text=states.wish(2))
        state.ingest(states.documents(20, 4))
        state.bulk([("one", "doc-0", "not-relevant"), ("two", "doc-5", "relevant")])
        state.ingest(
            states.documents(17, 5, first=20)
        )  # 37 documents are 30 and a quarter: the history is cut
        found = {name: state.history(name) for name in ("one", "two")}
        with Filter.create(folder / "all", cap=None, refresh=1e9, epochs=None) as other:
            other.add_profile("one", text=states.wish(1))
            other.add_profile("two", text=states.wish(2))
            other.ingest(states.documents(20, 4))
            other.bulk([("one", "doc-0", "not-relevant"), ("two", "doc-5", "relevant")])
            other.ingest(states.documents(17, 5, first=20))
            whole = {name: other.history(name) for name in ("one", "two")}
        kept = set(found["one"].documents.tolist())
        assert len(kept) == 30
        assert {0, 5} <= kept
        for name in ("one", "two"):
            scores = whole[name].scores
            best = [
                number for number in np.lexsort((-np.arange(37), -scores))[:15].tolist() if scores[number] > 0
            ]
            assert set(best) <= kept
        assert state.stats().documents == 37  # those that left still count
