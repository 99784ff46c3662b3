"""A filter in use: documents arrive, deliveries go out, feedback comes back."""

import io
import math
from datetime import datetime, timedelta

import pytest

from gainful.errors import DataError, UsageError
from gainful.filtering import Document, Filter

from .states import COCOA, EMPTY, MATCH, delivered

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
        match=r"'cocoa' \(line 7\) arrived before with a different text, as document 1 of the stream, on 2026-",
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
    with pytest.raises(DataError, match=r"arrived before with a different text.*\(--changed keep\)"):
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
    made.add_profile("beans", text="cocoa", rule="expected(patience=10)")
    made.ingest([Document(f"d{n}", f"cocoa w{n} " + "x " * n) for n in range(8)])
    assert made.profile("beans").deliveries > 1
    guesses = made.profile("beans").deliveries
    assert (made.profile("beans").n, made.profile("beans").alpha) == (0, math.exp(-guesses / 10))
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
    assert made.explain("all", "void").reason == "It has no terms, so it cannot be delivered."


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
    with pytest.raises(DataError, match="'v' has its own vector, but filters work on text"):
        made.ingest([COCOA, Document("v", vector=(0.1, 0.2))])
    assert made.stats().documents == 1


def test_ids_that_are_not_utf_8_are_kept_and_what_no_database_holds_as_text_is_replaced(made):
    made.add_profile("beans", text="cocoa")
    made.ingest([Document("caf\udce9", "cocoa \ud800 beans", "\x00title")])
    (one,) = made.deliveries()
    assert (one.document, one.text, one.title) == ("caf\udce9", "cocoa � beans", "�title")
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
    assert (before.alpha, before.theta) == (0, before.theta_opt)
    assert after.theta == pytest.approx(after.theta_opt - after.alpha * (after.theta_opt - after.theta_zero))
    assert after.terms != before.terms
    assert next(fed.deliveries()).verdict == "relevant"


def test_feedback_taken_back_leaves_what_had_never_been_said(fed, states):
    fed.edit_profile("one", rule="expected")  # as it was, but made anew now
    before = fed.profile("one")
    fed.feedback("one", "doc-7", "relevant")
    assert fed.profile("one") != before
    fed.feedback("one", "doc-7", "undo")
    assert fed.profile("one") == before
    with pytest.raises(DataError, match="nothing to undo: 'one' has given no feedback on 'doc-7'"):
        fed.feedback("one", "doc-7", "undo")
    assert fed.rebuild().agrees


def test_the_order_in_which_feedback_comes_decides_nothing_for_a_rule_that_counts(folder, states):
    said = [("one", f"doc-{number}", "relevant" if number % 3 else "not-relevant") for number in range(3, 30)]
    found = []
    for name, order in (("forth", said), ("back", said[::-1])):
        with Filter.create(folder / name) as state:
            state.add_profile("one", text=states.wish(1), rule="beta_gamma", model="rocchio")
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
