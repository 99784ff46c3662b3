"""Items put into a store of feeds without any network, and a clock that only tests move."""

import random
from datetime import UTC, datetime, timedelta

from gainful.filtering.feeds.feed_records import Fetched, ParsedItem

BEGIN = datetime(2026, 3, 1, 6, tzinfo=UTC)


class Clock:
    """Stands still until a test moves it."""

    def __init__(self, begin=BEGIN):
        self.now = begin

    def __call__(self):
        return self.now

    def pass_by(self, **time):
        self.now += timedelta(**time)


def prose(seed, words=60):
    """Words that no other seed has."""
    return " ".join(f"w{seed}x{number}" for number in range(words))


def item(name, **given):
    """An item whose words and link are its own, unless they are given."""
    own = {"title": f"Title of {name}", "text": prose(name), "link": f"https://site.example/{name}"}
    return ParsedItem(f"id-{name}", **{**own, **given})


def publish(store, feed, *items, chance=None, **given):
    """A feed is fetched and has these items; the number of new ones."""
    store.store.execute("UPDATE feeds SET due = 0, leased = 0 WHERE number = ?", (feed,))
    assert feed in {due.number for due in store.due("test")}
    results = [Fetched(feed, tuple(items), title=f"Feed {feed}", **given)]
    new = store.record("test", results, chance=chance or random.Random(0))
    store.release("test")
    return new[feed]
