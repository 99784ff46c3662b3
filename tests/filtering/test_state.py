"""A filter in use: profiles, documents, deliveries, feedback, and why."""

import io
import json
import math
from datetime import datetime, timedelta

import numpy as np
import pytest

from gainful.errors import DataError, UsageError
from gainful.filtering import Analyzer, Document, Filter, LinearUtility, Rocchio, Rule, Topic

COCOA = Document("cocoa", "Cocoa prices rise after a poor harvest", "Cocoa", link="https://example.org/1")
MATCH = Document("match", "A goal late in the match decides it")
EMPTY = Document("empty", "The, and of it: 12 34.")


@pytest.fixture
def made(folder, states):
    with Filter.create(folder / "state", clock=states.Clock()) as state:
        yield state


@pytest.fixture
def fed(made, states):
    """A reader of theme 1, and three hundred documents."""
    made.add_profile("one", text=states.wish(1))
    made.ingest(states.documents(300, 4))
    return made


def delivered(state, **given):
    return [one.document for one in state.deliveries(**given)]


# ---- documents and deliveries


def test_a_document_that_shares_words_with_a_profile_is_delivered_with_all_that_came_with_it(made, states):
    made.add_profile("beans", text="cocoa harvest and prices")
    done = made.ingest([MATCH, EMPTY, COCOA])
    assert (done.documents, done.again, done.empty, done.deliveries) == (3, 0, 1, 1)
    (one,) = made.deliveries()
    assert (one.profile, one.document, one.title, one.text, one.link) == (
        "beans",
        "cocoa",
        COCOA.title,
        COCOA.text,
        COCOA.link,
    )
    assert one.position == 3
    assert one.score > 0 == one.theta
    assert states.BEGIN < one.time < states.BEGIN + timedelta(hours=1)
    assert one.verdict is None


def test_the_same_document_again_is_counted_and_delivered_once(made):
    made.add_profile("beans", text="cocoa")
    made.ingest([COCOA])
    done = made.ingest([COCOA, COCOA, MATCH])
    assert (done.documents, done.again) == (1, 2)
    assert delivered(made) == ["cocoa"]


def test_the_same_id_with_other_text_is_refused_and_what_came_before_it_stays(made):
    made.ingest([COCOA])
    seen = []
    stream = [MATCH, Document("cocoa", "Other text", place=7), Document("never", "seen")]
    with pytest.raises(
        DataError,
        match=r"'cocoa' \(line 7\) was seen before with other text, as document 1 of the stream, on 2026-",
    ):
        made.ingest(stream, progress=seen.append)
    assert made.stats().documents == 2
    assert seen[-1].documents == 1
    twins = [Document("twin", "a b", place=1), Document("twin", "c d", place=2)]
    with pytest.raises(DataError, match=r"'twin' \(line 2\).*earlier among the same documents \(line 1\)"):
        made.ingest(twins)
    assert made.stats().documents == 3


def test_an_id_with_other_text_can_be_counted_and_what_was_first_seen_stays(made):
    made.add_profile("beans", text="cocoa harvest")
    made.ingest([COCOA])
    edited, twice = Document(COCOA.id, "Another text"), Document("new", "cocoa again")
    done = made.ingest([edited, Document("new", "cocoa"), twice], changed="keep")
    assert (done.documents, done.again, done.changed) == (1, 0, 2)
    assert next((one.document, one.text) for one in made.deliveries()) == (COCOA.id, COCOA.text)
    with pytest.raises(DataError, match=r"seen before with other text.*\(--changed keep\)"):
        made.ingest([edited])
    with pytest.raises(UsageError, match="changed must be error or keep; got 'replace'"):
        made.ingest([edited], changed="replace")
    assert made.check() == []


def test_a_date_beyond_the_calendar_after_its_zone_is_reckoned_locks_nothing(made):
    made.add_profile("beans", text="cocoa", rule="fixed(theta=0.01)")
    zones = [datetime.fromisoformat(one) for one in ("0001-01-01T00:00+14:00", "9999-12-31T23:59-14:00")]
    made.ingest([Document(str(place), "cocoa", date=one) for place, one in enumerate(zones)])
    assert [one.date.year for one in made.deliveries()] == [1, 9999]
    assert made.export(io.StringIO()) == 1 + made.stats().events


def test_deliveries_that_nobody_judged_cost_but_are_not_counted_as_judged(made):
    made.add_profile("beans", text="cocoa")
    made.ingest([Document(f"d{n}", f"cocoa w{n} " + "x " * n) for n in range(8)])
    assert made.profile("beans").deliveries > 1
    assert (made.profile("beans").n, made.profile("beans").alpha) == (0, 1.0)
    made.feedback("beans", "d0", "relevant")
    found = made.history("beans").threshold
    assert found.n == 1
    others = found.curve.delivered - found.curve.relevant  # none of them was judged
    assert found.curve.utility.tolist() == (2 * found.curve.relevant - others).tolist()
    made.feedback("beans", "d1", "not-relevant")
    assert made.profile("beans").n == 2
    assert made.history("beans").threshold.curve.relevant.max() == 1


def test_what_was_read_before_reading_failed_stays(made):
    def broken():
        yield COCOA
        yield MATCH
        raise DataError("stream.jsonl, line 3: not JSON.")

    with pytest.raises(DataError, match="line 3"):
        made.ingest(broken(), batch=256)
    assert made.stats().documents == 2


def test_empty_documents_are_kept_and_never_delivered(made):
    made.add_profile("all", text="cocoa", rule="fixed(theta=-1)")
    made.ingest([EMPTY, Document("void"), MATCH])
    assert made.stats().empty == 2
    assert delivered(made) == []
    assert made.explain("all", "void").reason == "It is empty: without a term nothing can be delivered."


def test_progress_is_told_after_each_batch_that_is_there_for_good(made, states):
    told = []
    made.ingest(
        states.documents(25, 1),
        batch=10,
        progress=lambda done: told.append((done.documents, made.stats().documents)),
    )
    assert told == [(10, 10), (20, 20), (25, 25)]


def test_an_archive_is_delivered_to_nobody_and_ends_with_an_idf_epoch(made, states):
    made.add_profile("one", text=states.wish(1))
    made.ingest(states.documents(90, 1), deliver=False, batch=45)
    assert delivered(made) == []
    assert made.stats().epoch_began == 90
    assert "archive" in made.explain("one", "doc-3").reason
    made.ingest(states.documents(90, 1), deliver=False)  # all of them again: nothing new begins
    assert made.stats().epoch == 2
    assert made.check() == []


def test_deliveries_can_be_asked_for_by_profile_by_time_and_from_an_event_on(fed, states):
    fed.add_profile("two", text=states.wish(2), rule="ratio(share=0.1)")
    first = list(fed.deliveries())
    fed.ingest(states.documents(200, 5, first=300))
    every = list(fed.deliveries())
    assert [one.number for one in every] == sorted(one.number for one in every)
    assert list(fed.deliveries(since=first[-1].number)) == every[len(first) :]
    assert {one.profile for one in fed.deliveries(profile="two")} == {"two"}
    moment = every[-1].time
    assert list(fed.deliveries(since=moment)) == [one for one in every if one.time >= moment]
    with pytest.raises(DataError, match="no profile 'three'; there is 'one', 'two'"):
        fed.deliveries(profile="three")


def test_time_decides_nothing(folder, states):
    found = []
    for number, step in enumerate((1, -1)):
        clock = states.Clock()
        with Filter.create(
            folder / str(number),
            clock=lambda clock=clock, step=step: states.BEGIN + step * (clock() - states.BEGIN),
        ) as state:
            state.add_profile("one", text=states.wish(1))
            state.ingest(states.documents(200, 4), batch=20)
            found.append([(one.document, one.score, one.theta) for one in state.deliveries()])
            assert state.check() == []
    assert found[0] == found[1]


def test_documents_with_vectors_of_their_own_are_refused_in_one_sentence(made):
    with pytest.raises(DataError, match="'v' carries a vector of its own; a filter in use works on words"):
        made.ingest([COCOA, Document("v", vector=(0.1, 0.2))])
    assert made.stats().documents == 1


def test_ids_that_are_not_utf_8_and_text_with_half_a_surrogate_pair_are_kept(made):
    made.add_profile("beans", text="cocoa")
    made.ingest([Document("caf\udce9", "cocoa \ud800 beans", "\x00title")])
    (one,) = made.deliveries()
    assert (one.document, one.text, one.title) == ("caf\udce9", "cocoa � beans", "\x00title")
    made.feedback("beans", "caf\udce9", "relevant")
    assert made.check() == []
    with pytest.raises(DataError, match="surrogate"):
        made.ingest([Document("\ud800", "cocoa")])


# ---- feedback


def test_feedback_moves_profile_and_threshold(fed):
    before = fed.profile("one")
    first = next(fed.deliveries())
    fed.feedback("one", first.document, "relevant")
    after = fed.profile("one")
    assert (before.n, after.n, after.relevant, after.other) == (0, 1, 1, 0)
    assert before.theta_opt is None
    assert after.theta_opt is not None
    assert after.theta == pytest.approx(after.theta_opt - after.alpha * (after.theta_opt - after.theta_zero))
    assert len(after.terms) > len(before.terms) == 3
    assert next(fed.deliveries()).verdict == "relevant"


def test_feedback_taken_back_leaves_what_had_never_been_said(fed, states):
    fed.edit_profile("one", beta=0.4)  # as it was, but made anew now
    before = fed.profile("one")
    fed.feedback("one", "doc-7", "relevant")
    assert fed.profile("one") != before
    fed.feedback("one", "doc-7", "undo")
    assert fed.profile("one") == before
    with pytest.raises(DataError, match="nothing to undo: 'one' has given no feedback on 'doc-7'"):
        fed.feedback("one", "doc-7", "undo")
    assert fed.rebuild().agrees


def test_the_order_in_which_feedback_comes_decides_nothing(folder, states):
    said = [("one", f"doc-{number}", "relevant" if number % 3 else "not-relevant") for number in range(3, 30)]
    found = []
    for name, order in (("forth", said), ("back", said[::-1])):
        with Filter.create(folder / name) as state:
            state.add_profile("one", text=states.wish(1))
            state.ingest(states.documents(100, 4))
            for one in order:
                state.feedback(*one)
            made = state.profile("one")
            found.append((made.terms, made.theta, made.theta_opt, made.theta_zero, made.n))
    assert found[0] == found[1]


def test_feedback_may_be_late_and_on_documents_that_were_never_delivered(fed, states):
    never = next(f"doc-{number}" for number in range(300) if f"doc-{number}" not in delivered(fed))
    fed.feedback("one", never, "relevant")
    fed.ingest(states.documents(100, 5, first=300))
    fed.feedback("one", delivered(fed)[0], "not-relevant")
    made = fed.profile("one")
    assert (made.relevant, made.other) == (1, 1)
    assert never not in delivered(fed)


def test_feedback_on_a_document_that_left_the_history_brings_it_back(folder, states):
    with Filter.create(folder / "state", cap=40) as state:
        state.add_profile("one", text=states.wish(1))
        state.ingest(states.documents(200, 4))
        kept = set(state.history("one").documents.tolist())
        gone = next(number for number in range(200) if number not in kept and number % 50 != 49)
        state.feedback("one", f"doc-{gone}", "relevant")
        state.feedback("one", "doc-3", "not-relevant")
        found = state.history("one")
        assert gone in found.documents.tolist()
        assert found.documents.tolist() == sorted(found.documents.tolist())
        assert found.relevant == {gone}
        assert state.check() == []


def test_feedback_in_bulk_is_taken_whole_or_not_at_all(fed):
    with pytest.raises(DataError, match="no document 'nowhere'"):
        fed.bulk([("one", "doc-1", "relevant"), ("one", "nowhere", "relevant")])
    assert fed.profile("one").n == 0
    assert (
        fed.bulk([("one", "doc-1", "relevant"), ("one", "doc-2", "not-relevant"), ("one", "doc-1", "undo")])
        == 3
    )
    assert fed.profile("one").n == 1
    assert fed.check() == []


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (("nobody", "doc-1", "relevant"), "has no profile 'nobody'; there is 'one'"),
        (("one", "doc-1", "good"), "feedback is relevant, not-relevant or undo; got 'good'"),
        (("one", "gone\n", "relevant"), r"no document 'gone\\x0a'"),
    ],
)
def test_feedback_for_what_is_not_there_is_refused(fed, said, why):
    with pytest.raises(DataError, match=why):
        fed.feedback(*said)


# ---- profiles


def test_a_profile_has_its_own_utility_rule_and_way_to_learn(made, states):
    made.add_profile("plain", text="a word")
    made.add_profile("own", text="word", utility="3,-2", rule="ratio(share=0.1)", rocchio="rocchio(terms=20)")
    made.add_profile("short", text="word", beta=0.2, gamma=0.1)
    exact = LinearUtility(1 / 3, -0.1 - 1e-16)
    made.add_profile(
        "objects",
        text="word",
        utility=exact,
        rule=Rule.of("fixed", theta=0.1 + 0.2),
        rocchio=Rocchio(terms=None),
    )
    found = {one.name: one.settings for one in made.profiles()}
    assert (found["plain"].rule, found["plain"].utility) == ("beta_gamma(beta=0.4,gamma=0.02)", "2,-1")
    assert (found["own"].rule, found["own"].utility, found["own"].rocchio) == (
        "ratio(share=0.1)",
        "3,-2",
        "rocchio(terms=20)",
    )
    assert found["short"].rule == "beta_gamma(beta=0.2,gamma=0.1)"
    assert made.profile("objects").theta == 0.1 + 0.2
    assert float(found["objects"].utility.split(",")[0]) == 1 / 3
    made.edit_profile("short", beta=0.5)
    assert made.profile("short").settings.rule == "beta_gamma(beta=0.5,gamma=0.1)"
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
    with pytest.raises(DataError, match="profile 'first' is there already"):
        made.add_profiles([topics[0], topics[0]])
    assert made.profiles() == []
    assert made.add_profiles(topics[:2], rule="zero") == 2
    assert [(one.name, one.settings.rule) for one in made.profiles()] == [
        ("first", "zero"),
        ("second", "zero"),
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
    with pytest.raises(DataError, match="a profile 'one' is there already"):
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
    with pytest.raises(DataError, match="'two' is there already"):
        fed.edit_profile("one", rename="two")
    found = fed.edit_profile("one", rename="first", text=states.wish(3))
    assert found.name == "first"
    assert {term[:6] for term, _ in found.terms} == {"theme3"}
    assert {one.profile for one in fed.deliveries()} <= {"first", "two"}


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"rule": "best"}, "no rule 'best'"),
        ({"rule": "zero", "beta": 0.1}, "within the rule"),
        ({"beta": 2}, "beta must be from 0 to 1"),
        ({"utility": "0,-1"}, "nothing to gain"),
        ({"rule": "beta_gamma(beta=[0.1,0.2])"}, "names 2 combinations"),
        ({"rocchio": "svm"}, "no profile 'svm'"),
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


# ---- questions


def test_an_explanation_adds_up_to_the_score(fed):
    for document in delivered(fed)[:3]:
        fed.feedback("one", document, "relevant")
    one = fed.explain("one", delivered(fed)[-1])
    assert math.fsum(part.in_document * part.in_profile for part in one.parts) == pytest.approx(
        one.score, abs=1e-15
    )
    assert one.margin == one.score - one.profile.theta
    assert [part.adds for part in one.parts] == sorted((part.adds for part in one.parts), reverse=True)
    assert one.delivered.document == one.document
    assert one.reason.startswith(f"It was delivered as document {one.position} of the stream: its score was")
    history = fed.history("one")
    assert one.score == history.scores[history.documents.tolist().index(one.position - 1)]


def test_why_not_and_what_would_have_changed_it(fed, states):
    history = fed.history("one")
    below = history.documents[(history.scores > 0) & (history.scores < history.threshold.theta)].tolist()
    sent = set(delivered(fed))
    number = next(one for one in below if f"doc-{one}" not in sent)
    found = fed.explain("one", f"doc-{number}")
    assert found.delivered is None
    assert not found.delivers
    assert "below the threshold" in found.reason
    told = float(found.change[0].split()[3])
    assert found.score - 1e-4 < told <= found.score
    assert found.change[0].endswith("or less would deliver it.")
    assert f"doc-{number}" in {one.document for one in fed.preview("one", found.score).would_come}
    assert f"doc-{number}" not in {
        one.document for one in fed.preview("one", np.nextafter(found.score, 1)).would_come
    }
    nothing = history.documents[history.scores == 0].tolist()
    other = next(one for one in nothing if one % 50 != 49 and f"doc-{one}" not in sent)
    assert fed.explain("one", f"doc-{other}").reason == "It shares no term with the profile."
    fed.add_profile("late", text=states.wish(2))
    assert "before the profile was there" in fed.explain("late", "doc-1").reason


def test_a_preview_counts_what_a_threshold_would_have_done(fed):
    sent = delivered(fed)
    fed.bulk([("one", sent[0], "relevant"), ("one", sent[1], "not-relevant")])
    every = fed.preview("one", 0.0)
    assert (every.relevant, every.other, every.missed, every.lost) == (1, 1, 0, ())
    assert every.gained == len(every.would_come) - sum(one.delivered for one in every.would_come)
    assert every.utility == 2 - (len(every.would_come) - 1)
    none = fed.preview("one", 2.0)
    assert (none.would_come, none.missed, none.utility) == ((), 1, 0)
    assert {one.document for one in none.lost} == set(sent)
    with pytest.raises(UsageError, match="must be a number"):
        fed.preview("one", math.nan)


def test_the_history_of_a_profile_draws_the_charts_of_the_laboratory(fed):
    pytest.importorskip("altair")
    from gainful.filtering.charts import threshold_over_time, utility_curve

    fed.feedback("one", delivered(fed)[0], "relevant")
    found = fed.history("one")
    assert found.threshold.theta == fed.profile("one").theta
    assert found.replay.renewed[-1] == 300
    assert len(found.replay.deliveries) == len(delivered(fed))
    utility_curve(found.threshold)
    threshold_over_time(found.replay, relevant=found.relevant)


def test_a_curve_is_drawn_around_nothing_before_anything_is_judged(fed):
    from gainful.filtering.charts import utility_curve

    found = fed.history("one").threshold
    assert found.curve.utility.max() < found.curve.nothing == 0
    low, high = domain_of(utility_curve(found))
    assert low <= found.curve.utility[:10].min() < 0 < high


def domain_of(chart):
    """Of the axis of utility."""
    return next(
        layer["encoding"]["y"]["scale"]["domain"]
        for layer in chart.to_dict()["layer"]
        if "y" in layer["encoding"]
    )


def test_the_words_of_many_deliveries_are_those_of_each(fed):
    fed.feedback("one", next(fed.deliveries()).document, "relevant")
    some = list(fed.deliveries())
    assert len(some) > 1
    assert fed.parts(some) == [fed.explain("one", one.document).parts for one in some]


def test_a_state_that_cannot_be_written_says_what_helps(fed):
    fed._store.execute("PRAGMA query_only = ON")  # as where file or folder are another's
    with pytest.raises(DataError, match="copy it into a folder of your own"):
        fed.feedback("one", "doc-1", "relevant")


def test_an_export_holds_every_event_in_order(fed):
    fed.feedback("one", "doc-1", "relevant")
    fed.feedback("one", "doc-1", "undo")
    fed.add_profile("mute", text="word", rule="none")
    file = io.StringIO()
    lines = fed.export(file)
    header, *events = map(json.loads, file.getvalue().splitlines())
    assert lines == 1 + len(events)
    assert header["kind"] == "filter state"
    assert [one["event"] for one in events] == list(range(1, fed.stats().events + 1))
    found = [(one["id"], one["text"]) for one in events if one["kind"] == "document"]
    assert len(found) == 300
    assert [one["document"] for one in events if one["kind"] == "delivery"] == delivered(fed)
    assert [one["verdict"] for one in events if one["kind"] == "feedback"] == ["relevant", "undo"]
    assert events[0]["body"]["language"] == "english"


def test_a_state_in_numbers(fed):
    found = fed.stats()
    assert (found.documents, found.profiles, found.empty, found.history) == (300, 1, 6, 300)
    assert found.events == 1 + 1 + 300 + found.deliveries + found.epoch + found.feedback
    assert found.epoch_began == 256
