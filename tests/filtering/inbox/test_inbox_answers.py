"""An inbox: answers and marks, near misses and reasons, several readers and processes."""

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gainful.errors import DataError
from gainful.filtering import Document


def titles(entries):
    return [entry.title for entry in entries]


def test_an_answer_moves_the_threshold_once_however_often_it_is_sent(any_desk):
    inbox = any_desk.inbox
    inbox.filter.edit_profile("garden", rule="expected")
    any_desk.publish(any_desk.subscribe(), *any_desk.garden("balcony", "border"), *any_desk.trade("Brixon"))
    inbox.take_in()
    entry = inbox.entries()[0]
    moved = inbox.answer_entry(entry.number, "relevant")
    assert (moved.profile, moved.item, moved.verdict, moved.changed) == ("garden", entry.item, True, True)
    assert (moved.judged, moved.relevant) == (1, 1)
    assert moved.after == inbox.filter.profile("garden").theta != moved.before
    again = inbox.answer("garden", entry.item, "relevant")
    assert (again.changed, again.before, again.after) == (False, moved.after, moved.after)
    assert inbox.filter.stats().feedback == 1
    assert (inbox.entries()[0].verdict, inbox.entries()[0].read) == (True, True)
    back = inbox.answer("garden", entry.item, "undo")
    assert (back.verdict, back.changed, back.judged) == (None, True, 0)
    assert not inbox.answer("garden", entry.item, "undo").changed
    assert inbox.answer("garden", entry.item, "not-relevant").relevant == 0
    assert inbox.filter.rebuild().agrees


def test_an_answer_may_leave_the_document_unread(fed):
    entry = fed.inbox.entries()[0]
    fed.inbox.answer_entry(entry.number, "relevant", mark_read=False)
    assert (fed.inbox.entries()[0].verdict, fed.inbox.entries()[0].read) == (True, False)


def test_reasons_and_probabilities_follow_the_answers(fed):
    inbox = fed.inbox
    inbox.filter.edit_profile("garden", rule="expected")
    *_, first = inbox.entries()
    assert first == inbox.entries()[-1]
    assert "thrive" not in first.words
    inbox.answer_entry(first.number, "relevant")
    after = inbox.entries()[-1]
    assert "thrive" in after.words
    assert after.score == first.score
    explained = inbox.filter.explain("garden", first.item)
    assert (first.probability, after.probability) == (None, pytest.approx(explained.probability))
    parts = explained.parts
    stems = {part.term for part in parts if part.adds > 0}
    analyzer = inbox.filter.settings.analyzer
    assert [analyzer.terms(word)[0] for word in after.words] == [
        part.term for part in parts[: len(after.words)]
    ]
    assert stems >= {analyzer.terms(word)[0] for word in after.words}


def test_a_page_asks_the_database_as_often_for_many_entries_as_for_few(desk, monkeypatch):
    desk.publish(desk.subscribe(), *desk.garden(*(f"place{number}" for number in range(40))))
    desk.inbox.take_in()
    asked = []
    ask = type(desk.inbox.filter.store).execute

    def counting(store, query, given=()):
        asked.append(query)
        return ask(store, query, given)

    monkeypatch.setattr(type(desk.inbox.filter.store), "execute", counting)

    def statements(most):
        asked.clear()
        assert len(desk.inbox.entries(most=most)) == most
        return len(asked)

    statements(1)  # the engine is read
    assert statements(10) == statements(40)
    assert 0 < statements(40) < 30


def test_what_was_nearly_delivered_is_listed_and_can_be_answered(any_desk):
    inbox = any_desk.inbox
    inbox.filter.edit_profile("garden", rule="fixed(theta=0.9)")
    any_desk.publish(any_desk.subscribe(), *any_desk.garden("balcony", "border"), *any_desk.trade("Brixon"))
    inbox.take_in()
    assert inbox.entries() == []
    near = inbox.near()
    assert {entry.title for entry in near} == {"About balcony", "About border"}
    assert (near[0].number, near[0].delivered, near[0].threshold) == (None, None, 0.9)
    assert 0 < near[0].score < 0.9
    assert "soil" in near[0].words
    assert near[0].text.startswith("Compost")
    moved = inbox.answer("garden", near[0].item, "relevant")
    assert (moved.changed, moved.judged) == (True, 1)
    assert [entry.item for entry in inbox.near("garden", most=5)] == [near[1].item]
    (answered,) = inbox.about([("garden", near[0].item)])
    assert (answered.number, answered.verdict, answered.read) == (None, True, True)


def test_of_many_profiles_those_with_the_fewest_answers_are_asked_for_near_misses(fed, monkeypatch):
    inbox = fed.inbox
    for number in range(25):
        inbox.filter.add_profile(f"soil {number}", text="soil and seedlings", rule="fixed(theta=0.99)")
    inbox.answer("soil 24", "item-1", "relevant")
    asked = []
    monkeypatch.setattr(inbox.filter, "near_misses", lambda name, **_: asked.append(name) or [])
    assert inbox.near() == []
    assert asked == [f"soil {number}" for number in range(23, 3, -1)]


def test_terms_of_a_profile_are_words_of_its_description_and_of_judged_or_delivered_documents(any_desk):
    inbox = any_desk.inbox
    inbox.filter.add_profile("trees", text="shady trees and hedges", rule="fixed(theta=0.99)")
    any_desk.publish(any_desk.subscribe(), *any_desk.garden("balcony"), *any_desk.trade("Brixon"))
    inbox.take_in()
    inbox.answer("trees", "item-2", "relevant")
    inbox.filter.ingest([Document("mine", "trees by the fireplaces")])
    inbox.answer("trees", "mine", "not-relevant")
    words = inbox.whole_words("trees", ["shadi", "hedg", "warehous", "fireplac", "balconi"])
    assert words == {
        "shadi": "shady",
        "hedg": "hedges",
        "warehous": "warehouse",
        "fireplac": "fireplaces",
        "balconi": "balconi",
    }
    assert inbox.whole_words("garden", ["balconi", "seedl"]) == {"balconi": "balcony", "seedl": "seedlings"}
    with pytest.raises(DataError, match="no profile 'nobody'"):
        inbox.whole_words("nobody", ["soil"])


def test_marks_belong_to_the_document_and_are_taken_away_again(any_desk):
    inbox = any_desk.inbox
    inbox.filter.add_profile("soil", text="soil and seedlings", rule="fixed(theta=0.05)")
    any_desk.publish(any_desk.subscribe(), *any_desk.garden("balcony", "border"))
    inbox.take_in()
    assert inbox.unread() == {"garden": 2, "soil": 2}
    assert inbox.mark(["item-1"], read=True, saved=True) == 1
    assert inbox.unread() == {"garden": 1, "soil": 1}
    inbox.mark([entry.number for entry in inbox.entries(saved=True)], saved=False)
    assert inbox.count(saved=True) == 0
    assert inbox.unread() == {"garden": 1, "soil": 1}
    assert inbox.mark(["item-1"], read=False) == 1
    assert inbox.mark(["item-1"]) == 1
    assert inbox.unread() == {"garden": 2, "soil": 2}
    oldest = inbox.entries(profile="garden", oldest_first=True)[0]
    assert inbox.mark_all_read("garden", until=oldest.number) == 1
    assert inbox.unread() == {"garden": 1, "soil": 1}
    assert inbox.mark_all_read(until=any_desk.clock.now - timedelta(days=1)) == 0
    assert inbox.mark_all_read(until=any_desk.clock.now) == 1
    assert inbox.mark_all_read() == 0
    assert inbox.filter.stats().feedback == 0


def test_readers_have_marks_and_answers_of_their_own(any_desk):
    mine, other = any_desk.inbox, any_desk.reader(2)
    other.filter.add_profile("garden", text="compost, soil and mulch", rule="fixed(theta=0.05)")
    feed = any_desk.subscribe()
    any_desk.subscribe(reader=2)
    private = any_desk.subscribe("private")
    any_desk.publish(feed, *any_desk.garden("balcony"))
    any_desk.publish(private, *any_desk.garden("secret"))
    for inbox in (mine, other):
        inbox.take_in()
    assert titles(mine.entries()) == ["About secret", "About balcony"]
    assert titles(other.entries()) == ["About balcony"]
    mine.answer("garden", "item-1", "relevant")
    mine.mark(["item-1"], saved=True)
    (entry,) = other.entries()
    assert (entry.verdict, entry.read, entry.saved) == (None, False, False)
    assert other.filter.stats().feedback == 0
    assert other.entries(search="secret") == []


def test_an_inbox_sees_what_another_process_has_done(fed):
    other = fed.reader(1)
    entry = fed.inbox.entries()[0]
    other.answer_entry(entry.number, "relevant")
    fed.publish(fed.feed, *fed.garden("terrace"))
    other.take_in()
    assert titles(fed.inbox.entries(most=1)) == ["About terrace"]
    assert not fed.inbox.answer_entry(entry.number, "relevant").changed


ACTS = st.lists(
    st.tuples(
        st.sampled_from(["relevant", "not-relevant", "undo", "read", "unread", "save", "unsave"]),
        st.integers(0, 2),
    ),
    max_size=12,
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts=ACTS)
def test_whatever_is_clicked_each_entry_shows_the_last_of_it(fed, acts):
    inbox = fed.inbox
    items = [entry.item for entry in inbox.entries(oldest_first=True)]
    for item in items:
        inbox.answer("garden", item, "undo")
    inbox.mark(items, read=False, saved=False)
    expected = {item: [None, False, False] for item in items}
    for act, place in acts:
        item = items[place]
        if act in ("read", "unread"):
            inbox.mark([item], read=act == "read")
            expected[item][1] = act == "read"
        elif act in ("save", "unsave"):
            inbox.mark([item], saved=act == "save")
            expected[item][2] = act == "save"
        else:
            inbox.answer("garden", item, act)
            expected[item][0] = {"relevant": True, "not-relevant": False, "undo": None}[act]
            expected[item][1] |= act != "undo"
    assert {entry.item: [entry.verdict, entry.read, entry.saved] for entry in inbox.entries()} == expected
    assert inbox.unread() == {"garden": sum(not read for _, read, _ in expected.values())}
