"""Subscriptions, items given to each reader once, and nothing that depends on other readers."""

import tempfile
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gainful.errors import DataError, UsageError
from gainful.filtering import Filter
from gainful.filtering.feeds import subscriptions
from gainful.filtering.feeds.feed_records import ParsedItem
from gainful.filtering.feeds.feed_store import FeedStore
from gainful.filtering.state.store_address import open_store

from .publishing import BEGIN, item, prose, publish

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None


@pytest.fixture
def feeds(feeds_of_either):
    """Everything here is the same in both databases."""
    return feeds_of_either


A, B = "https://a.example/feed", "https://b.example/feed"


def numbers(items):
    return [entry.number for entry in items]


def test_a_subscription_shows_title_folder_and_health(feeds, clock):
    feed = feeds.subscribe(1, "A.example/feed", folder="News")
    assert (feed.address, feed.title, feed.folder, feed.added) == (A, A, "News", BEGIN)
    assert (feed.fetched, feed.renewed, feed.due, feed.failures, feed.fault, feed.gone) == (
        *(None, None, BEGIN, 0, ""),
        False,
    )
    clock.pass_by(minutes=5)
    publish(feeds, feed.number, item("one"), site="https://a.example/")
    (feed,) = feeds.feeds(1)
    assert (feed.title, feed.site) == ("Feed 1", "https://a.example/")
    assert feed.fetched == feed.renewed == BEGIN + timedelta(minutes=5)


def test_subscribing_again_keeps_the_feed_and_takes_the_names_that_are_given(feeds):
    first = feeds.subscribe(1, A, title="Mine", folder="F")
    again = feeds.subscribe(1, A, title="Other")
    assert (again.number, again.title, again.folder) == (first.number, "Other", "F")
    assert len(feeds.feeds(1)) == 1


def test_feeds_are_listed_by_folder_and_title_and_renamed_for_one_reader_alone(feeds):
    for reader in (1, 2):
        for address in (B, A):
            feeds.subscribe(reader, address)
    feeds.rename(1, 1, title="Zebra", folder="x")
    feeds.rename(1, 2, title="apple", folder="X")
    assert [feed.title for feed in feeds.feeds(1)] == ["apple", "Zebra"]
    assert [feed.title for feed in feeds.feeds(2)] == [A, B]
    assert feeds.rename(1, 1, title="").title == B


def test_items_are_given_until_the_filter_has_them_oldest_first(feeds):
    feed = feeds.subscribe(1, A).number
    assert publish(feeds, feed, item("one"), item("two"), item("three")) == 3
    assert [entry.title for entry in feeds.unseen(1)] == ["Title of one", "Title of two", "Title of three"]
    assert numbers(feeds.unseen(1, most=2)) == [1, 2]
    feeds.seen(1, [1, 3])
    assert numbers(feeds.unseen(1)) == [2]
    feeds.seen(1, [2])
    assert feeds.unseen(1) == []
    assert publish(feeds, feed, item("one"), item("four")) == 1
    assert numbers(feeds.unseen(1)) == [4]


def test_an_item_becomes_a_document_whose_id_names_it(feeds):
    feed = feeds.subscribe(1, A).number
    long_ago, later = BEGIN - timedelta(days=900), BEGIN + timedelta(days=400)
    publish(feeds, feed, item("one", published=long_ago), item("two", published=later), item("three"))
    first, second, third = (entry.document() for entry in feeds.unseen(1))
    assert (first.id, first.text, first.title, first.link) == (
        "item-1",
        prose("one"),
        "Title of one",
        "https://site.example/one",
    )
    assert first.date == long_ago
    assert second.date == third.date == BEGIN  # no document comes from the future


def test_an_item_keeps_what_it_said_first(feeds):
    feed = feeds.subscribe(1, A).number
    publish(feeds, feed, item("one", text="before"))
    assert publish(feeds, feed, item("one", text="after")) == 0
    assert feeds.unseen(1)[0].text == "before"


def test_every_reader_is_given_every_item_of_the_feeds_they_have_and_no_other(feeds):
    mine, yours = feeds.subscribe(1, A).number, feeds.subscribe(2, B).number
    publish(feeds, mine, item("one"))
    publish(feeds, yours, item("two"))
    assert (numbers(feeds.unseen(1)), numbers(feeds.unseen(2))) == ([1], [2])
    feeds.seen(1, [1, 2])
    assert (numbers(feeds.unseen(1)), numbers(feeds.unseen(2))) == ([], [2])
    assert feeds.items([1, 2], reader=1).keys() == {1}
    assert feeds.items([1, 2, 99], reader=2).keys() == {2}


def test_a_reader_who_comes_later_is_given_the_latest_items(feeds):
    feed = feeds.subscribe(1, A).number
    publish(feeds, feed, *(item(f"n{number}") for number in range(subscriptions.BACKLOG + 7)))
    feeds.subscribe(2, A)
    given = numbers(feeds.unseen(2))
    assert (len(given), given[0]) == (subscriptions.BACKLOG, 8)


def test_a_story_of_two_feeds_is_given_once_and_says_so(feeds):
    first, second = feeds.subscribe(1, A).number, feeds.subscribe(1, B, title="Bee").number
    publish(feeds, first, item("one", link="https://story.example/1"))
    publish(feeds, second, item("two", link="http://www.story.example/1/?utm_source=b#x"))
    assert numbers(feeds.unseen(1)) == [1]
    assert feeds.items([1, 2], reader=1)[2].story == 1
    assert feeds.also_in(1, [1]) == {1: ["Bee"]}
    feeds.seen(1, [1])
    publish(feeds, second, item("three", link="https://story.example/1?ref=x"))
    assert numbers(feeds.unseen(1)) == [3]  # by now the second feed has two items with that link


def test_a_fellow_readers_feed_neither_hides_nor_joins_nor_reveals_a_story(feeds):
    feeds.subscribe(1, "https://private.example/")
    mine, other = feeds.subscribe(2, A).number, feeds.subscribe(2, B).number
    words = prose("w", 60).split()
    # The private item is near to both of the others, which are not near to each other.
    near = [" ".join(words[start : start + 54]) for start in (0, 3, 6)]
    publish(feeds, 1, item("private", text=near[1]))
    publish(feeds, mine, item("one", text=near[0]))
    publish(feeds, other, item("two", text=near[2]))
    assert numbers(feeds.unseen(2)) == [2, 3]
    assert feeds.also_in(2, [1, 2]) == {}
    feeds.subscribe(2, "https://private.example/")
    assert numbers(feeds.unseen(2)) == [2, 3]
    assert feeds.also_in(2, [2, 3]) == {2: ["Feed 1"]}


def test_what_a_reader_left_is_not_named_any_more(feeds):
    first, second = feeds.subscribe(1, A).number, feeds.subscribe(1, B).number
    for feed in (first, second):
        publish(feeds, feed, item("one"))
    feeds.unseen(1)
    assert feeds.also_in(1, [1]) == {1: [f"Feed {second}"]}
    feeds.unsubscribe(1, second)
    assert feeds.also_in(1, [1]) == {}


def test_search_finds_stories_by_all_words_in_any_case(feeds):
    feed = feeds.subscribe(1, A).number
    publish(
        feeds, feed, item("one", title="Ärger im Hafen", text="100% of _cocoa_"), item("two", title="Cocoa")
    )
    feeds.unseen(1)
    assert feeds.search(1, ["ärger", "COCOA"]) == {1}
    assert feeds.search(1, ["cocoa"]) == {1, 2}
    assert feeds.search(1, ["100%"]) == feeds.search(1, ["_cocoa_"]) == {1}
    assert feeds.search(1, ["c%a"]) == feeds.search(1, ["' OR 1=1 --"]) == feeds.search(2, ["cocoa"]) == set()


def test_unsubscribing_keeps_what_was_given_and_removes_what_nobody_has(feeds):
    feed = feeds.subscribe(1, A).number
    publish(feeds, feed, item("one"), item("two"))
    assert numbers(feeds.unseen(1, most=1)) == [1]
    assert feeds.unsubscribe(1, feed).address == A
    assert feeds.feeds(1) == []
    assert feeds.store.one("SELECT count(*) FROM items") == 1
    feeds.forget(1)
    assert all(
        feeds.store.one(f"SELECT count(*) FROM {table}") == 0
        for table in ("feeds", "items", "item_keys", "given", "subscriptions")
    )


def test_forgetting_a_reader_leaves_what_others_have(feeds):
    for reader in (1, 2):
        feeds.subscribe(reader, A)
    publish(feeds, 1, item("one"))
    assert numbers(feeds.unseen(1)) == numbers(feeds.unseen(2)) == [1]
    feeds.forget(1)
    assert (feeds.feeds(1), feeds.unseen(1), feeds.items([1], reader=1)) == ([], [], {})
    assert (len(feeds.feeds(2)), numbers(feeds.unseen(2))) == (1, [1])


def test_what_is_forgotten_leaves_no_trace_in_the_file(folder, clock):
    with closing(new_store(folder / "mine")) as store:
        feeds = FeedStore(store, clock)
        feeds.subscribe(2, "https://me:verysecretword@a.example/feed")
        publish(feeds, 1, item("one", text=f"anothersecretword {prose('x', 3000)}"))
        feeds.unseen(2)
        assert any(b"secretword" in path.read_bytes() for path in folder.glob("mine*"))
        feeds.forget(2)
    assert not any(b"secretword" in path.read_bytes() for path in folder.glob("mine*"))


@pytest.mark.parametrize("call", ["unsubscribe", "rename", "feed"])
def test_a_feed_of_another_reader_is_no_feed_of_mine(feeds, call):
    feed = feeds.subscribe(2, A).number
    with pytest.raises(UsageError, match=r"no feed 1 among yours"):
        getattr(feeds, call)(1, feed)


def test_a_reader_has_a_bounded_number_of_feeds(feeds, monkeypatch):
    monkeypatch.setattr(subscriptions, "MOST_FEEDS", 2)
    for name in "ab":
        feeds.subscribe(1, f"https://{name}.example/")
    with pytest.raises(DataError, match="can have 2 feeds"):
        feeds.subscribe(1, "https://c.example/")
    assert len(feeds.feeds(1)) == 2


def test_passwords_are_kept_for_requests_and_never_shown(feeds):
    feed = feeds.subscribe(1, "https://me:secret@a.example/feed")
    assert feed.address == feed.title == "https://me:***@a.example/feed"
    assert "secret" not in repr(feeds.feeds(1))
    assert feeds.full_addresses(1) == {1: "https://me:secret@a.example/feed"}
    assert feeds.subscribe(2, A).number != feed.number


def test_hostile_items_are_bounded_and_stored_as_text(feeds):
    feed = feeds.subscribe(1, A).number
    hostile = ParsedItem(
        "x" * 10_000_000,
        title="t\0\ud800'; DROP TABLE items; --" + "y" * 10_000_000,
        link="javascript:alert(1)",
        author="\x1b[2J{{7*7}}",
        text="\0",
        published=datetime.max.replace(tzinfo=UTC),
    )
    publish(feeds, feed, hostile)
    (entry,) = feeds.unseen(1)
    assert entry.title.startswith("t?'; DROP TABLE items; --yyy")
    assert len(entry.title) <= 500
    assert (entry.link, entry.author, entry.text) == ("", "[2J{{7*7}}", "")
    assert entry.document().date == BEGIN


def test_of_markup_that_is_too_long_the_text_is_left(feeds):
    feed = feeds.subscribe(1, A).number
    publish(feeds, feed, item("long", html=f"<p>{'<a href=x>y</a>' * 20_000}</p>", text="a < b\nc"))
    (entry,) = feeds.unseen(1)
    assert entry.html == "<p>a &lt; b</p><p>c</p>"


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 5), st.integers(1, 4)), max_size=12))
def test_whatever_arrives_each_story_reaches_each_reader_once(steps):
    """Feeds publish stories by number; readers look at any time. Each reader gets each story of their feeds exactly once."""
    with (
        tempfile.TemporaryDirectory(dir=MEMORY) as folder,
        closing(new_store(Path(folder) / "state")) as store,
    ):
        check_stories(FeedStore(store), steps)


def new_store(path):
    Filter.create(path).close()
    return open_store(path)


def check_stories(feeds, steps):
    readers = {1: (0, 1), 2: (1, 2), 3: (0, 1, 2)}
    for reader, theirs in readers.items():
        for feed in theirs:
            feeds.subscribe(reader, f"https://{feed}.example/")
    number = {int(feed.address[8]): feed.number for feed in feeds.feeds(3)}
    told: dict[int, list[str]] = {reader: [] for reader in readers}
    published: dict[int, set[int]] = {feed: set() for feed in range(3)}
    for feed, story, reader in steps:
        publish(feeds, number[feed], item(f"s{story}"))
        published[feed].add(story)
        if reader in readers:
            fresh = feeds.unseen(reader, most=2)
            told[reader] += [entry.title for entry in fresh]
            feeds.seen(reader, numbers(fresh))
    for reader, theirs in readers.items():
        while fresh := feeds.unseen(reader, most=2):
            told[reader] += [entry.title for entry in fresh]
            feeds.seen(reader, numbers(fresh))
        due = set().union(*(published[feed] for feed in theirs))
        assert sorted(told[reader]) == sorted(f"Title of s{story}" for story in due)
