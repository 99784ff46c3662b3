"""Tables of feeds and of their items, which are stored once for all readers; they lie in the main state."""

from __future__ import annotations

from typing import Any

from gainful.filtering.state.column_types import Positive, Truth, Whole

FEED_TABLES = """
-- Feeds that somebody reads or has read. address: as it was subscribed to; location: where it is fetched, which differs
-- after a permanent redirect. etag, modified: what the server said of its content. fetched, renewed: the last successful
-- fetch, and the last that brought items. due: when to fetch it next; every: microseconds between two fetches. lease,
-- leased: who is fetching it, and until when nobody else does.
CREATE TABLE feeds (
    number INTEGER PRIMARY KEY, address TEXT NOT NULL UNIQUE, location TEXT NOT NULL, site TEXT NOT NULL,
    title TEXT NOT NULL, etag TEXT NOT NULL, modified TEXT NOT NULL, fetched INTEGER, renewed INTEGER,
    due INTEGER NOT NULL, every INTEGER NOT NULL, failures INTEGER NOT NULL, fault TEXT NOT NULL, gone INTEGER NOT NULL,
    lease TEXT NOT NULL, leased INTEGER NOT NULL);
CREATE INDEX feeds_due ON feeds (due);
-- What feeds hold, as it was when it was first seen. hash: of the id that the feed gives it.
CREATE TABLE items (
    number INTEGER PRIMARY KEY, feed INTEGER NOT NULL, hash BLOB NOT NULL, title TEXT NOT NULL, link TEXT NOT NULL,
    author TEXT NOT NULL, html TEXT NOT NULL, text TEXT NOT NULL, published INTEGER, arrived INTEGER NOT NULL);
CREATE UNIQUE INDEX items_once ON items (feed, hash);
CREATE INDEX items_of_feed ON items (feed, number);
-- By what items of the same story are found: hashes of the link, of the words, of samples of the words.
CREATE TABLE item_keys (
    hash BLOB NOT NULL, feed INTEGER NOT NULL, item INTEGER NOT NULL, PRIMARY KEY (hash, feed, item)) WITHOUT ROWID;
CREATE INDEX item_keys_of_item ON item_keys (item);
-- Who reads which feed. title: the reader's own name for it, if any; upto: the last item that was looked at for the reader.
CREATE TABLE subscriptions (
    reader INTEGER NOT NULL, feed INTEGER NOT NULL, title TEXT NOT NULL, folder TEXT NOT NULL, added INTEGER NOT NULL,
    upto INTEGER NOT NULL, PRIMARY KEY (reader, feed)) WITHOUT ROWID;
CREATE INDEX subscriptions_of_feed ON subscriptions (feed);
-- Items that each reader was given. story: the item that stands for all that tell the same, among this reader's own;
-- taken: whether the reader's filter has it, or has the one that stands for it.
CREATE TABLE given (
    reader INTEGER NOT NULL, item INTEGER NOT NULL, story INTEGER NOT NULL, taken INTEGER NOT NULL,
    PRIMARY KEY (reader, item)) WITHOUT ROWID;
CREATE INDEX given_stories ON given (reader, story);
CREATE INDEX given_items ON given (item);
CREATE INDEX given_waiting ON given (reader, item) WHERE taken = 0;
"""

FEED_COLUMNS: dict[str, Any] = {
    **dict.fromkeys(("feed", "item", "story", "reader"), Positive),
    **dict.fromkeys(("failures", "upto", "every"), Whole),
    **dict.fromkeys(("address", "location", "site", "etag", "modified", "fault", "lease", "folder"), str),
    **dict.fromkeys(("author", "html", "own_title", "feed_title"), str),
    **dict.fromkeys(("due", "leased", "arrived"), int),
    **dict.fromkeys(("fetched", "renewed", "published"), int | None),
    **dict.fromkeys(("gone", "taken"), Truth),
}
"""What a column holds, by its name in a query (see `schema.COLUMNS`)."""
