"""Tables beside the log: feeds and items, which all readers share; a reader's inbox; accounts and what the service keeps.

Those of feeds and of the service lie in the main state, those of an inbox in the state of its reader. For each of the three
there is the text that creates its tables, and what their columns hold, by names in a query (see `schema.COLUMNS`).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from gainful.filtering.state.column_types import Positive, Truth, Whole

# ---- feeds

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

# ---- the inbox of a reader

INBOX_TABLES = """
-- Documents that were read or saved. Reading says nothing about relevance, so the log knows nothing of it.
CREATE TABLE marks (document INTEGER PRIMARY KEY, read INTEGER NOT NULL, saved INTEGER NOT NULL);
-- Numbered lists shown in a terminal: what stood in each line, a delivery or a near miss.
CREATE TABLE listed (
    list INTEGER NOT NULL, line INTEGER NOT NULL, profile INTEGER NOT NULL, document INTEGER NOT NULL,
    time INTEGER NOT NULL, PRIMARY KEY (list, line));
CREATE INDEX listed_before ON listed (profile, document);
-- A profile's deliveries from the newest on.
CREATE INDEX deliveries_of_profiles ON deliveries (profile, event);
"""

INBOX_COLUMNS: dict[str, Any] = {
    **dict.fromkeys(("read", "saved"), Truth),
    **dict.fromkeys(("list", "line"), Positive),
    # of a delivery that need not be there
    **dict.fromkeys(("delivery", "delivered_time"), int | None),
    **dict.fromkeys(("then_score", "then_theta"), float | None),
}

# ---- the service: accounts and sessions; secret addresses, mail and webhooks

SERVICE_TABLES = """
-- Readers who log in. password is an argon2 hash, or empty where only a link lets somebody in; body holds preferences as JSON.
CREATE TABLE accounts (
    reader INTEGER PRIMARY KEY, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE, password TEXT NOT NULL,
    created INTEGER NOT NULL, body TEXT NOT NULL);
-- The highest number that a reader ever had, so that none is given twice; a single row.
CREATE TABLE account_numbers (single INTEGER PRIMARY KEY, highest INTEGER NOT NULL);
-- Sessions of browsers and one-time links, by the hash of their secret.
CREATE TABLE sessions (hash BLOB PRIMARY KEY, reader INTEGER NOT NULL, created INTEGER NOT NULL, expires INTEGER NOT NULL);
CREATE TABLE login_links (hash BLOB PRIMARY KEY, reader INTEGER NOT NULL, expires INTEGER NOT NULL);
-- Passwords for programs, made by the service: hash of the secret.
CREATE TABLE api_passwords (
    hash BLOB PRIMARY KEY, reader INTEGER NOT NULL, number INTEGER NOT NULL, label TEXT NOT NULL, created INTEGER NOT NULL);
CREATE UNIQUE INDEX api_passwords_numbers ON api_passwords (reader, number);
-- Failed logins by the hash of an account's name or of a client's address, counted since a time.
CREATE TABLE login_failures (hash BLOB PRIMARY KEY, failures INTEGER NOT NULL, since INTEGER NOT NULL);
-- Of several processes the one that does a duty, and until when the others leave it to it.
CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, expires INTEGER NOT NULL);
-- Keys that links in messages are signed with, each made when it is first needed.
CREATE TABLE signing_keys (purpose TEXT PRIMARY KEY, key BLOB NOT NULL);
-- Addresses at which deliveries can be read without a password, by the hash of their secret. for_profile is NULL for all
-- profiles; hint is the beginning of the secret, by which its reader knows it again.
CREATE TABLE secret_feeds (
    hash BLOB PRIMARY KEY, reader INTEGER NOT NULL, number INTEGER NOT NULL, for_profile INTEGER, hint TEXT NOT NULL,
    created INTEGER NOT NULL);
CREATE UNIQUE INDEX secret_feeds_numbers ON secret_feeds (reader, number);
-- Digests by mail. period is day or week, sent at hour (and weekday, 0 for Monday) in zone; last_period is the date of the
-- last one that was begun, upto the last entry that was sent, due the time before which a failed one is not tried again.
CREATE TABLE mail_digests (
    reader INTEGER PRIMARY KEY, address TEXT NOT NULL, period TEXT NOT NULL, weekday INTEGER NOT NULL, hour INTEGER NOT NULL,
    zone TEXT NOT NULL, most INTEGER NOT NULL, confirmed INTEGER NOT NULL, last_period TEXT NOT NULL, upto INTEGER NOT NULL,
    due INTEGER NOT NULL, failures INTEGER NOT NULL, fault TEXT NOT NULL);
-- Addresses that are told of deliveries: upto is the last entry that was acknowledged, due the time of the next attempt,
-- leased the time until which another process tries.
CREATE TABLE webhooks (
    number INTEGER PRIMARY KEY, reader INTEGER NOT NULL, for_profile INTEGER, address TEXT NOT NULL, secret TEXT NOT NULL,
    created INTEGER NOT NULL, upto INTEGER NOT NULL, due INTEGER NOT NULL, failures INTEGER NOT NULL, fault TEXT NOT NULL,
    gone INTEGER NOT NULL, leased INTEGER NOT NULL);
CREATE INDEX webhooks_of_readers ON webhooks (reader);
"""

SERVICE_COLUMNS: dict[str, Any] = {
    **dict.fromkeys(("reader", "highest"), Positive),
    **dict.fromkeys(("created", "expires", "since"), int),
    **dict.fromkeys(("name_key", "password", "label", "holder"), str),
    "failures": Whole,
    "single": Literal[1],
    "key": bytes,
    "for_profile": Positive | None,
    "period": Literal["day", "week"],
    "weekday": Annotated[int, Meta(ge=0, le=6)],
    "hour": Annotated[int, Meta(ge=0, le=23)],
    "most": Positive,
    "confirmed": Truth,
    **dict.fromkeys(("purpose", "hint", "zone", "last_period", "secret"), str),
}
