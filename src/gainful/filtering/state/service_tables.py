"""Tables of the service, in the main state: accounts, sessions, passwords of programs, failed logins, leases."""

from __future__ import annotations

from typing import Any, Literal

from gainful.filtering.state.column_types import Positive, Whole

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
