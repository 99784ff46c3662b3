"""An inbox: items of feeds are taken in, delivered ones are listed and searched."""

from datetime import timedelta

import pytest

from gainful.errors import DataError, UsageError
from gainful.filtering import Document
from gainful.filtering.state.filter_results import Ingested


def titles(entries):
    return [entry.title for entry in entries]


def test_items_of_feeds_become_entries_newest_first(any_desk):
    feed = any_desk.subscribe()
    any_desk.publish(feed, *any_desk.garden("balcony"), *any_desk.trade("Brixon"), *any_desk.garden("border"))
    done = any_desk.inbox.take_in()
    assert (done.documents, done.deliveries) == (3, 2)
    entries = any_desk.inbox.entries()
    assert titles(entries) == ["About border", "About balcony"]
    entry = entries[0]
    assert (entry.item, entry.profile, entry.feed) == ("item-3", "garden", f"Feed {feed}")
    assert entry.excerpt.startswith("Compost and mulch keep the soil of a border moist")
    assert (entry.html, entry.text) == (f"<p>{entry.text}</p>", entry.excerpt)
    assert (entry.author, entry.link) == ("Ada", "https://site.example/border")
    assert set(entry.words) == {"mulch", "soil", "Compost"}
    assert entry.score >= entry.threshold == pytest.approx(0.05)
    assert (entry.verdict, entry.read, entry.saved, entry.also_in) == (None, False, False, ())
    assert entry.delivered == any_desk.clock.now
    assert any_desk.inbox.entry(entry.number) == entry
    assert any_desk.inbox.take_in() == Ingested()


def test_the_text_of_an_item_is_kept_with_the_feeds_alone(fed):
    with fed.inbox.filter.store.reading():
        kept = {row[0] for row in fed.inbox.filter.store.rows("SELECT text FROM documents")}
    assert kept == {""}
    assert fed.inbox.filter.check() == []
    assert fed.inbox.filter.rebuild().agrees


def test_the_same_story_in_two_feeds_is_one_entry_that_names_both(any_desk):
    first, second = any_desk.subscribe("one"), any_desk.subscribe("two")
    (item,) = any_desk.garden("balcony")
    any_desk.publish(first, item)
    any_desk.publish(second, any_desk.item("copy", item.text, title=item.title, link=item.link))
    any_desk.inbox.take_in()
    (entry,) = any_desk.inbox.entries()
    assert (entry.feed, entry.also_in) == (f"Feed {first}", (f"Feed {second}",))


def test_items_wait_while_there_is_no_profile(desk):
    desk.inbox.filter.remove_profile("garden")
    desk.publish(desk.subscribe(), *desk.garden("balcony", "border"))
    assert desk.inbox.take_in() == Ingested()
    desk.inbox.filter.add_profile("soil", text="soil and mulch", rule="fixed(theta=0.05)")
    assert desk.inbox.take_in().deliveries == 2


def test_a_worker_may_take_in_a_few_items_at_a_time(desk):
    desk.publish(desk.subscribe(), *desk.garden("a1", "b2", "c3", "d4", "e5"))
    taken = [desk.inbox.take_in(most=2).documents for _ in range(4)]
    assert taken == [2, 2, 1, 0]
    so_far = []
    desk.publish(1, *desk.garden("f6"))
    desk.inbox.take_in(progress=so_far.append)
    assert [total.documents for total in so_far] == [1]
    with pytest.raises(UsageError, match="most must be 1"):
        desk.inbox.take_in(most=0)


def test_an_item_that_was_given_and_not_noted_is_given_again_and_stays_one(desk, monkeypatch):
    desk.publish(desk.subscribe(), *desk.garden("balcony", "border"))

    def killed(reader, numbers):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(desk.inbox.feeds, "seen", killed)
        with pytest.raises(KeyboardInterrupt):
            desk.inbox.take_in()
    assert len(desk.inbox.entries()) == 2
    again = desk.inbox.take_in()
    assert (again.documents, again.again) == (0, 2)
    assert len(desk.inbox.entries()) == 2


def test_documents_that_came_otherwise_stand_beside_items(fed):
    fed.inbox.filter.ingest(
        [Document("mine", "Soil and mulch from a file", "A file", link="javascript:alert(1)")]
    )
    entry = fed.inbox.entries()[0]
    assert (entry.item, entry.title, entry.feed, entry.html, entry.link) == ("mine", "A file", "", "", "")
    assert entry.text == "Soil and mulch from a file"


def test_a_document_with_the_name_of_an_item_shows_its_own_text(fed):
    other = fed.reader(2)
    other.filter.add_profile("garden", text="soil and mulch", rule="fixed(theta=0.05)")
    other.filter.ingest([Document("item-1", "My own soil and mulch", "Mine")])
    (entry,) = other.entries()
    assert (entry.text, entry.html, entry.feed) == ("My own soil and mulch", "", "")


# ---- which entries


def test_pages_go_on_before_the_last_entry(fed):
    first = fed.inbox.entries(most=2)
    second = fed.inbox.entries(most=2, before=first[-1].number)
    assert titles([*first, *second]) == ["About plot", "About border", "About balcony"]
    assert titles(fed.inbox.entries(oldest_first=True)) == ["About balcony", "About border", "About plot"]
    assert titles(fed.inbox.entries(after=first[-1].number)) == ["About plot"]
    with pytest.raises(UsageError, match="most must be 1"):
        fed.inbox.entries(most=0)


def test_entries_are_chosen_by_profile_marks_answers_and_time(any_desk):
    inbox = any_desk.inbox
    inbox.filter.add_profile("trade", text="grocer shares", rule="fixed(theta=0.05)")
    feed = any_desk.subscribe()
    any_desk.publish(feed, *any_desk.garden("balcony", "border"), *any_desk.trade("Brixon"))
    inbox.take_in()
    any_desk.clock.pass_by(hours=1)
    any_desk.publish(feed, *any_desk.garden("plot"))
    inbox.take_in()
    plot, brixon, border, balcony = inbox.entries()
    inbox.mark([plot.number], saved=True)
    inbox.mark([brixon.item], read=True)
    inbox.answer_entry(border.number, "relevant")
    inbox.answer_entry(balcony.number, "not-relevant")
    chosen = {
        "garden": {"profile": "garden"},
        "trade": {"profile": brixon.profile_number},
        "unread": {"unread": True},
        "saved": {"saved": True},
        "relevant": {"answered": "relevant"},
        "other": {"answered": "not-relevant"},
        "any": {"answered": "any"},
        "none": {"answered": "none"},
        "since": {"since": any_desk.clock.now},
        "until": {"until": any_desk.clock.now - timedelta(minutes=1), "profile": "garden"},
    }
    numbers = {
        name: [entry.title.split()[-1] for entry in inbox.entries(**which)] for name, which in chosen.items()
    }
    assert numbers == {
        "garden": ["plot", "border", "balcony"],
        "trade": ["Brixon"],
        "unread": ["plot"],
        "saved": ["plot"],
        "relevant": ["border"],
        "other": ["balcony"],
        "any": ["border", "balcony"],
        "none": ["plot", "Brixon"],
        "since": ["plot"],
        "until": ["border", "balcony"],
    }
    for which in chosen.values():
        assert inbox.count(**which) == len(inbox.entries(**which)) == len(inbox.marks(**which))
    assert inbox.unread() == {"garden": 1, "trade": 0}
    assert inbox.profile_names() == {1: "garden", 2: "trade"}
    marks = inbox.marks(profile="garden", oldest_first=True)
    assert [(entry.verdict, entry.read, entry.saved) for entry in marks] == [
        (False, True, False),
        (True, True, False),
        (None, False, True),
    ]
    assert [entry.delivered for entry in marks] == [balcony.delivered, border.delivered, plot.delivered]


def test_a_search_finds_words_in_titles_and_texts_whatever_their_case(any_desk):
    inbox = any_desk.inbox
    feed = any_desk.subscribe()
    umlaut = any_desk.item("garten", "Compost für 100% Gärten_ in ÖSTERREICH; soil and mulch!", title="Grün")
    any_desk.publish(feed, *any_desk.garden("balcony", "border"), umlaut)
    inbox.filter.ingest([Document("file", "Soil of the Elbe in ÖSTERREICH, mulch", "By file")])
    inbox.take_in()

    def found(text):
        return [entry.title for entry in inbox.entries(search=text)]

    assert found("BALCONY moist") == ["About balcony"]
    assert found("österreich") == ["Grün", "By file"]
    assert found("grün 100% gärten_") == ["Grün"]
    assert found("nowhere") == found("100_ gärten") == []
    assert len(found("  ")) == 4
    assert inbox.count(search="soil", profile="garden") == 4
    assert titles(inbox.entries(search="soil", most=1)) == ["Grün"]


def test_unknown_names_and_numbers_are_refused_or_left_out(fed):
    inbox = fed.inbox
    with pytest.raises(DataError, match="no profile 'nobody'"):
        inbox.entries(profile="nobody")
    with pytest.raises(DataError, match="no delivery 4711"):
        inbox.entry(4711)
    with pytest.raises(DataError, match="no delivery 4711"):
        inbox.answer_entry(4711, "relevant")
    with pytest.raises(DataError, match="no profile 'nobody'"):
        inbox.answer("nobody", "item-1", "relevant")
    with pytest.raises(DataError, match="no document 'item-99'"):
        inbox.answer("garden", "item-99", "relevant")
    with pytest.raises(UsageError, match="an answer is relevant, not-relevant, undo"):
        inbox.answer("garden", "item-1", "perhaps")
    with pytest.raises(UsageError, match="answered must be one of"):
        inbox.count(answered="perhaps")
    assert inbox.entries(profile=77) == []
    first = inbox.entries()[0]
    assert inbox.entries_of([4711, first.number]) == [first]
    assert inbox.about([("garden", "item-99"), ("nobody", "item-1")]) == []
    assert inbox.mark([4711, "item-99"], read=True) == 0


def test_numbers_of_any_size_are_taken(any_desk):
    inbox = any_desk.inbox
    any_desk.publish(any_desk.subscribe(), *any_desk.garden("balcony"))
    inbox.take_in()
    for number in (-1, 0, 2**53 + 1, 2**63, 10**40, -(10**40)):
        assert inbox.entries_of([number]) == inbox.entries(profile=number) == []
        assert inbox.count(before=number) + inbox.count(after=number) == 1
        assert inbox.mark([number], read=True) == 0
        with pytest.raises(DataError, match="no delivery"):
            inbox.answer_entry(number, "relevant")
        assert inbox.mark_all_read(number) == 0
        assert inbox.mark_all_read(until=number) == (number > 0)
        inbox.mark(["item-1"], read=False)


def test_texts_of_any_kind_are_searched_for_and_refused_as_names(any_desk):
    inbox = any_desk.inbox
    any_desk.publish(any_desk.subscribe(), *any_desk.garden("balcony"))
    inbox.take_in()
    assert inbox.count(search="soil \0") == 1
    for text in ("\0", "\ud800", "%", "_", "!", "\\", "' OR 1=1 --", "x" * 100_000, "word " * 5000):
        assert inbox.count(search=f"soil{text}") == (text == "\0")
        with pytest.raises(DataError):
            inbox.answer(text, "item-1", "relevant")
        with pytest.raises(DataError):
            inbox.answer("garden", text, "relevant")
        with pytest.raises(DataError):
            inbox.entries(profile=text)
        assert inbox.about([(text, "item-1")]) == []
    assert inbox.unread() == {"garden": 1}


def test_after_everything_is_forgotten_nothing_of_it_is_shown(fed):
    inbox = fed.inbox
    inbox.mark([entry.number for entry in inbox.entries()], saved=True)
    inbox.filter.forget_everything()
    assert (inbox.entries(), inbox.near(), inbox.unread()) == ([], [], {})
    inbox.filter.add_profile("garden", text="compost, soil and mulch", rule="fixed(theta=0.05)")
    inbox.filter.ingest(
        [Document("a1", "Other soil for the first document"), Document("b2", "Mulch, which is new")]
    )
    assert [(entry.excerpt, entry.saved) for entry in inbox.entries(oldest_first=True)] == [
        ("Other soil for the first document", False),
        ("Mulch, which is new", False),
    ]


def test_a_forgotten_document_is_in_no_list(fed):
    inbox = fed.inbox
    first = inbox.entries()[0]
    inbox.mark([first.number], saved=True)
    inbox.filter.forget_document(first.item)
    assert first.item not in {entry.item for entry in inbox.entries()}
    assert inbox.about([("garden", first.item)]) == []
    assert inbox.take_in() == Ingested()


def test_entries_of_a_removed_profile_are_gone(fed):
    fed.inbox.filter.remove_profile("garden")
    assert fed.inbox.entries() == []
    assert fed.inbox.unread() == {}
