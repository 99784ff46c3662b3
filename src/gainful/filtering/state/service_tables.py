"""Tables of the service, in the main state: accounts, sessions, passwords of programs, failed logins, leases."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from gainful.filtering.state.column_types import Positive, Truth, Whole

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
"""

SERVICE_COLUMNS: dict[str, Any] = {
    **dict.fromkeys(("reader", "highest"), Positive),
    **dict.fromkeys(("created", "expires", "since"), int),
    **dict.fromkeys(("name_key", "password", "label", "holder"), str),
    "failures": Whole,
    "single": Literal[1],
}
"""What a column holds, by its name in a query (see `schema.COLUMNS`)."""

# ---- what other programs are given: secret addresses, mail, webhooks

SERVICE_TABLES += """
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

SERVICE_COLUMNS |= {
    "key": bytes,
    "for_profile": Positive | None,
    "period": Literal["day", "week"],
    "weekday": Annotated[int, Meta(ge=0, le=6)],
    "hour": Annotated[int, Meta(ge=0, le=23)],
    "most": Positive,
    "confirmed": Truth,
    **dict.fromkeys(("purpose", "hint", "zone", "last_period", "secret"), str),
}
