"""The ledger of fetching: which feeds are due, who is fetching them, and what came of it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from gainful.filtering.feeds.feed_records import MOST_ITEMS, DueFeed, Fetched, ParsedItem
from gainful.filtering.feeds.fetch_schedule import HORIZON, LEASE, backoff, next_interval, spread
from gainful.filtering.feeds.given_items import GivenItems
from gainful.filtering.feeds.item_markup import paragraphs
from gainful.filtering.feeds.same_story import StoryText, keys
from gainful.filtering.safe_text import line, web
from gainful.filtering.state.events import stamp

_TITLE, _LINK, _AUTHOR, _TEXT = 500, 2_000, 200, 200_000  # characters
_HEADER = 500  # characters of what a server says of its content
_DUE = (
    "gone = 0 AND (due <= :time OR due > :horizon) AND (leased <= :time OR leased > :time + :lease) "
    "AND EXISTS (SELECT 1 FROM subscriptions WHERE feed = number)"
)
_Fresh = tuple[
    ParsedItem, bytes, list[bytes]
]  # an item, the hash of its id, the keys by which its story is found


class FetchLedger(GivenItems):
    """Feeds that are due, each leased to one fetcher at a time, and the results of fetching them."""

    def due(self, holder: str, *, most: int = 1_000) -> list[DueFeed]:
        """Feeds that are due now and that nobody else is fetching; they are this fetcher's for ten minutes.

        Those that failed the last time come after the others.

        holder  a name for the fetcher that no other has
        """
        time = self.time()
        given = {"time": time, "horizon": time + HORIZON, "lease": LEASE, "most": most}
        query = (
            f"SELECT number, address, location, etag, modified FROM feeds WHERE {_DUE} "
            "ORDER BY CASE WHEN failures > 0 THEN 1 ELSE 0 END, due, number LIMIT :most"
        )
        with self.store.writing():
            feeds = [DueFeed(*row) for row in self.store.rows(query, given)]
            self.store.executemany(
                "UPDATE feeds SET lease = ?, leased = ? WHERE number = ?",
                [(holder, time + LEASE, feed.number) for feed in feeds],
            )
        return feeds

    def count_due(self) -> int:
        """How many feeds are due now and not being fetched."""
        time = self.time()
        given = {"time": time, "horizon": time + HORIZON, "lease": LEASE}
        with self.store.reading():
            return int(next(self.store.rows(f"SELECT count(*) FROM feeds WHERE {_DUE}", given))[0])

    def renew(self, holder: str) -> None:
        """Keep the feeds that a fetcher holds for another ten minutes."""
        with self.store.writing():
            self.store.execute("UPDATE feeds SET leased = ? WHERE lease = ?", (self.time() + LEASE, holder))

    def release(self, holder: str) -> None:
        """Give back the feeds that a fetcher holds and has not fetched."""
        with self.store.writing():
            self.store.execute("UPDATE feeds SET lease = '', leased = 0 WHERE lease = ?", (holder,))

    def record(self, holder: str, results: Sequence[Fetched], *, chance: Random) -> dict[int, int]:
        """Write what came of fetching feeds; the number of new items by feed.

        Results of feeds that are no longer this fetcher's are left out: another one has fetched them since.

        chance  spreads the times of the next fetches
        """
        fresh = {result.feed: self._fresh(result) for result in results}
        with self.store.writing():
            return {
                result.feed: self._record(result, fresh[result.feed], chance)
                for result in results
                if self.store.one(
                    "SELECT number FROM feeds WHERE number = ? AND lease = ?", result.feed, holder
                )
            }

    def _record(self, result: Fetched, fresh: list[_Fresh], chance: Random) -> int:
        every, failures = self.store.needed(
            "a feed", "SELECT every, failures FROM feeds WHERE number = ?", result.feed
        )
        self.store.execute("UPDATE feeds SET lease = '', leased = 0 WHERE number = ?", (result.feed,))
        if result.busy:
            self._plan(result.feed, spread(result.wait, chance), every)
            return 0
        if result.fault or result.gone:
            self._plan(result.feed, spread(max(result.wait, backoff(failures + 1)), chance), every)
            self._note_fault(result, failures + 1)
            return 0
        new = sum(self._add(result.feed, *entry) for entry in fresh)
        every = next_interval(every, new=new > 0, least=result.wait)
        self._plan(result.feed, spread(every, chance), every)
        self._note_success(result, new=new > 0)
        return new

    def _plan(self, feed: int, wait: int, every: int) -> None:
        """When to fetch a feed next, and how often from now on."""
        self.store.execute(
            "UPDATE feeds SET due = ?, every = ? WHERE number = ?", (self.time() + wait, every, feed)
        )

    def _note_fault(self, result: Fetched, failures: int) -> None:
        self.store.execute(
            "UPDATE feeds SET failures = ?, fault = ?, gone = ? WHERE number = ?",
            (failures, line(result.fault, 300), int(result.gone), result.feed),
        )
        if result.location:  # where it had moved to it is no more
            self.store.execute(
                "UPDATE feeds SET location = ?, etag = '', modified = '' WHERE number = ?",
                (result.location, result.feed),
            )

    def _note_success(self, result: Fetched, *, new: bool) -> None:
        self.store.execute(
            "UPDATE feeds SET fetched = :time, renewed = CASE WHEN :new = 1 THEN :time ELSE renewed END, failures = 0, "
            "fault = '' WHERE number = :feed",
            {"time": self.time(), "new": int(new), "feed": result.feed},
        )
        if result.location:
            self.store.execute(
                "UPDATE feeds SET location = ? WHERE number = ?", (result.location, result.feed)
            )
        if result.items is not None:
            self.store.execute(
                "UPDATE feeds SET title = ?, site = ?, etag = ?, modified = ? WHERE number = ?",
                (
                    line(result.title, 300),
                    web(result.site)[:2_000],
                    *(_header(value) for value in (result.etag, result.modified)),
                    result.feed,
                ),
            )

    # ---- items

    def _fresh(self, result: Fetched) -> list[_Fresh]:
        """Items that are not known yet, each with the hash of its id and the keys by which its story is found."""
        by_hash = {_hashed(item.id): item for item in (result.items or ())[-MOST_ITEMS:]}
        with self.store.reading():
            query = "SELECT hash FROM items WHERE feed = ? AND hash IN"
            known = {hash_ for (hash_,) in self._among(query, list(by_hash), result.feed)}
        fresh = [(_bounded(item), hash_) for hash_, item in by_hash.items() if hash_ not in known]
        return [
            (item, hash_, keys(StoryText(result.feed, item.title, item.text, item.link)))
            for item, hash_ in fresh
        ]

    def _add(self, feed: int, item: ParsedItem, hash_: bytes, marks: list[bytes]) -> int:
        """1 where the item was new, 0 where somebody has added it meanwhile."""
        published = None if item.published is None else stamp(item.published)
        number = self.store.one("SELECT coalesce(max(number), 0) + 1 FROM items")
        added = self.store.execute(
            "INSERT INTO items (number, feed, hash, title, link, author, html, text, published, arrived) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (feed, hash) DO NOTHING",
            (
                number,
                feed,
                hash_,
                item.title,
                item.link,
                item.author,
                item.html,
                item.text,
                published,
                self.time(),
            ),
        ).rowcount
        if added:
            rows = [(mark, number, feed) for mark in marks]
            self.store.executemany("INSERT INTO item_keys (hash, item, feed) VALUES (?, ?, ?)", rows)
        return added


def _bounded(item: ParsedItem) -> ParsedItem:
    """The item as a state can hold it; of markup that is too long the text is left, since a cut could end within a tag."""
    markup, text = _storable(item.html), _storable(item.text)[:_TEXT]
    return replace(
        item,
        title=line(_storable(item.title)[:_TITLE]),
        link=web(_storable(item.link)[:_LINK]),
        author=line(_storable(item.author)[:_AUTHOR]),
        html=markup if len(markup) <= _TEXT else paragraphs(text),
        text=text,
    )


def _storable(text: str) -> str:
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def _header(value: str) -> str:
    """What a server said of its content, if it can be said back; nothing otherwise."""
    return value if len(value) <= _HEADER and value.isascii() and value.isprintable() else ""


def _hashed(id_: str) -> bytes:
    return hashlib.blake2b(id_.encode("utf-8", "replace"), digest_size=16).digest()
