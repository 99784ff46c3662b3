"""Subscriptions: which reader has which feed, under which name, and how the feed is doing."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from gainful.errors import DataError, UsageError
from gainful.filtering.feeds.feed_address import regular_address, shown_address
from gainful.filtering.feeds.feed_records import Feed
from gainful.filtering.feeds.fetch_schedule import FIRST_INTERVAL
from gainful.filtering.safe_text import line
from gainful.filtering.state.events import moment, stamp
from gainful.filtering.state.filter_session import Clock, now
from gainful.filtering.state.store import Store

MOST_FEEDS = 5_000
"""Feeds of one reader."""

BACKLOG = 50
"""Items that a reader is given of a feed that others had before."""

_TITLE, _FOLDER = 300, 200  # characters of names that readers give
_FEED = (
    "SELECT number, address, site, feeds.title AS feed_title, subscriptions.title AS own_title, folder, added, fetched, "
    "renewed, due, failures, fault, gone FROM feeds JOIN subscriptions ON feed = number"
)

_ORPHANED = "SELECT number FROM items WHERE feed = ? AND NOT EXISTS (SELECT 1 FROM given WHERE given.item = items.number)"
_ORPHANS = (
    f"DELETE FROM item_keys WHERE item IN ({_ORPHANED})",
    f"DELETE FROM items WHERE number IN ({_ORPHANED})",
    "DELETE FROM feeds WHERE number = ? AND NOT EXISTS (SELECT 1 FROM items WHERE items.feed = feeds.number)",
)


def folder_path(folder: str) -> str:
    """A folder as it is kept: on one line, a slash between a folder and one within it.

    >>> folder_path(" /News/ /Science ")
    'News/Science'
    """
    parts = (part.strip() for part in line(folder, _FOLDER).split("/"))
    return "/".join(part for part in parts if part)


class Subscriptions:
    """Feeds of readers, in a state; every call is one transaction.

    store  the main state, which all readers share
    clock  gives the time; the system's by default
    """

    def __init__(self, store: Store, clock: Clock | None = None) -> None:
        self.store = store
        self.clock = clock or now

    def time(self) -> int:
        """What the clock says, as the state holds it."""
        return stamp(self.clock())

    def subscribe(
        self, reader: int, address: str, *, title: str = "", folder: str = "", feed_title: str = ""
    ) -> Feed:
        """Let a reader have a feed; it is due at once. Nothing is fetched.

        A feed that the reader has already stays, with the title and folder given now, if any. One that was gone is tried
        again.

        title       the reader's own, instead of the one that the feed gives itself
        folder      in which the reader keeps it; A/B is B within A
        feed_title  what the feed calls itself, where that is known before it is fetched
        """
        regular = regular_address(address)
        with self.store.writing():
            feed = self._subscribed(reader, regular, title, folder)
            self.store.execute(
                "UPDATE feeds SET title = ? WHERE number = ? AND title = ''", (line(feed_title, _TITLE), feed)
            )
            return self._feed(reader, feed)

    def subscribe_all(self, reader: int, feeds: Iterable[tuple[str, str, str]]) -> int:
        """Let a reader have many feeds, each an address, a title and a folder; all of them, or none where one is refused.

        The number of feeds that the reader did not have before.
        """
        regular = [(regular_address(address), title, folder) for address, title, folder in feeds]
        query = "SELECT count(*) FROM subscriptions WHERE reader = ?"
        with self.store.writing():
            before = int(self.store.one(query, reader))
            for feed in regular:
                self._subscribed(reader, *feed)
            return int(self.store.one(query, reader)) - before

    def _subscribed(self, reader: int, address: str, title: str, folder: str) -> int:
        """The number of a feed that the reader has now."""
        named = line(title, _TITLE), folder_path(folder)
        feed = self._feed_number(address)
        query = "SELECT feed FROM subscriptions WHERE reader = ? AND feed = ?"
        if self.store.one(query, reader, feed) is None:
            self._subscribe(reader, feed, *named)
        else:
            self._rename(reader, feed, *(name or None for name in named))
        return feed

    def _feed_number(self, address: str) -> int:
        """The number of a feed, which is added where nobody has it."""
        number = self.store.one("SELECT number FROM feeds WHERE address = ?", address)
        time = self.time()
        if number is not None:
            self.store.execute(
                "UPDATE feeds SET due = ?, gone = 0 WHERE number = ? AND gone = 1", (time, number)
            )
            return int(number)
        number = self.store.one("SELECT coalesce(max(number), 0) + 1 FROM feeds")
        self.store.execute(
            "INSERT INTO feeds (number, address, location, site, title, etag, modified, due, every, failures, fault, gone, "
            "lease, leased) VALUES (?, ?, ?, '', '', '', '', ?, ?, 0, '', 0, '', 0)",
            (number, address, address, time, FIRST_INTERVAL),
        )
        return int(number)

    def _subscribe(self, reader: int, feed: int, title: str, folder: str) -> None:
        if self.store.one("SELECT count(*) FROM subscriptions WHERE reader = ?", reader) >= MOST_FEEDS:
            raise DataError(
                f"a reader can have {MOST_FEEDS:,} feeds, and has as many; unsubscribe from some first."
            )
        before = self.store.one(
            "SELECT number FROM items WHERE feed = ? ORDER BY number DESC LIMIT 1 OFFSET ?", feed, BACKLOG
        )
        self.store.execute(
            "INSERT INTO subscriptions (reader, feed, title, folder, added, upto) VALUES (?, ?, ?, ?, ?, ?)",
            (reader, feed, title, folder, self.time(), before or 0),
        )

    def unsubscribe(self, reader: int, feed: int) -> Feed:
        """Take a feed from a reader, and say which; what the reader was given of it stays."""
        with self.store.writing():
            gone = self._feed(reader, feed)
            self.store.execute("DELETE FROM subscriptions WHERE reader = ? AND feed = ?", (reader, feed))
            self._tidy(feed)
        return gone

    def rename(self, reader: int, feed: int, *, title: str | None = None, folder: str | None = None) -> Feed:
        """Change the reader's own title of a feed, or its folder; an empty title is the feed's own again."""
        with self.store.writing():
            self._feed(reader, feed)
            self._rename(
                reader,
                feed,
                None if title is None else line(title, _TITLE),
                None if folder is None else folder_path(folder),
            )
            return self._feed(reader, feed)

    def _rename(self, reader: int, feed: int, title: str | None, folder: str | None) -> None:
        self.store.execute(
            "UPDATE subscriptions SET title = coalesce(?, title), folder = coalesce(?, folder) "
            "WHERE reader = ? AND feed = ?",
            (title, folder, reader, feed),
        )

    def feeds(self, reader: int) -> list[Feed]:
        """The feeds of a reader with their health, by folder and title."""
        with self.store.reading():
            listed = [_feed(row) for row in self.store.rows(f"{_FEED} WHERE reader = ?", (reader,))]
        return sorted(listed, key=lambda feed: (feed.folder.casefold(), feed.title.casefold(), feed.number))

    def feed(self, reader: int, feed: int) -> Feed:
        """A feed of a reader."""
        with self.store.reading():
            return self._feed(reader, feed)

    def _feed(self, reader: int, feed: int) -> Feed:
        row = self.store.row(f"{_FEED} WHERE reader = ? AND number = ?", reader, feed)
        if row is None:
            raise UsageError(f"there is no feed {feed} among yours; `gainful filter feeds` lists them.")
        return _feed(row)

    def full_addresses(self, reader: int) -> dict[int, str]:
        """Addresses of a reader's feeds by their numbers, with passwords: for requests, never to be shown."""
        query = "SELECT number, address FROM feeds JOIN subscriptions ON feed = number WHERE reader = ?"
        with self.store.reading():
            return dict(self.store.rows(query, (reader,)))

    # ---- leaving

    def forget(self, reader: int) -> None:
        """Remove everything of a reader for good: subscriptions, and what was given; then items and feeds that nobody has.

        Traces in the file are removed now, or by whoever opens the state next where others are using it.
        """
        query = (
            "SELECT feed FROM subscriptions WHERE reader = ? UNION SELECT feed FROM given JOIN items ON number = item "
            "WHERE reader = ?"
        )
        with self.store.writing():
            self.store.erase_deleted()
            feeds = [feed for (feed,) in self.store.rows(query, (reader, reader))]
            self.store.execute("DELETE FROM subscriptions WHERE reader = ?", (reader,))
            self.store.execute("DELETE FROM given WHERE reader = ?", (reader,))
            for feed in feeds:
                self._tidy(feed)
            self.store.promise_scrub()
        with suppress(DataError):
            self.store.scrub(wait=0)

    def _tidy(self, feed: int) -> None:
        """Remove a feed that nobody has any more, but for what somebody was given of it."""
        if self.store.one("SELECT count(*) FROM subscriptions WHERE feed = ?", feed):
            return
        for statement in _ORPHANS:
            self.store.execute(statement, (feed,))


def _feed(row: tuple[Any, ...]) -> Feed:
    number, address, site, title, own, folder, added, fetched, renewed, due, failures, fault, gone = row
    known = shown_address(address)
    return Feed(
        number,
        known,
        site,
        own or title or known,
        folder,
        moment(added),
        None if fetched is None else moment(fetched),
        None if renewed is None else moment(renewed),
        None if gone else moment(due),
        failures,
        fault,
        bool(gone),
    )
