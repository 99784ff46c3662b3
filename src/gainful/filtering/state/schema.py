"""The tables of a state, and what their columns hold.

Tables of the log are the truth; those made from it can be rebuilt. Shared tables hold what is no reader's own: feeds and
their items, accounts. The text is the same for every database (see `column_types`).
"""

from __future__ import annotations

import re
from typing import Any

from gainful.filtering.state.column_types import Positive, Truth, Whole
from gainful.filtering.state.tables_beside_log import (
    FEED_COLUMNS,
    FEED_TABLES,
    INBOX_COLUMNS,
    INBOX_TABLES,
    SERVICE_COLUMNS,
    SERVICE_TABLES,
)

APPLICATION = 0x474E464C  # "GNFL": says that an SQLite file is a state
VERSION = 6

LOG = """
-- Everything that happened, in order; what it was is in the table of its kind.
CREATE TABLE events (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, time INTEGER NOT NULL);
-- Documents seen, numbered from 0 in the order of their arrival; id is NULL once a document is forgotten.
-- text_kept: 0 where the text was counted but is kept elsewhere.
CREATE TABLE documents (
    number INTEGER PRIMARY KEY, event INTEGER NOT NULL, id BLOB UNIQUE, digest BLOB, deliverable INTEGER NOT NULL,
    size INTEGER NOT NULL, date INTEGER, title TEXT NOT NULL, text TEXT NOT NULL, link TEXT NOT NULL DEFAULT '',
    text_kept INTEGER NOT NULL DEFAULT 1);
CREATE INDEX documents_empty ON documents (number) WHERE size = 0;
CREATE INDEX documents_kept_back ON documents (number) WHERE deliverable = 0;
-- Terms of each document by their numbers, and how often they occur: fixed when it arrives.
CREATE TABLE counts (document INTEGER PRIMARY KEY, terms BLOB NOT NULL, tf BLOB NOT NULL);
CREATE TABLE terms (number INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE);
CREATE TABLE deliveries (
    event INTEGER PRIMARY KEY, profile INTEGER NOT NULL, document INTEGER NOT NULL,
    score REAL NOT NULL, theta REAL NOT NULL);
CREATE UNIQUE INDEX deliveries_once ON deliveries (profile, document);
-- position: how many documents had been seen; verdict: 1 relevant, 0 not relevant, NULL taken back.
CREATE TABLE feedback (
    event INTEGER PRIMARY KEY, position INTEGER NOT NULL, profile INTEGER NOT NULL, document INTEGER NOT NULL,
    verdict INTEGER);
-- Settings, profiles, idf epochs, cuts of the history, forgetting; terms and tf are those of a profile's text.
CREATE TABLE changes (
    event INTEGER PRIMARY KEY, position INTEGER NOT NULL, profile INTEGER, body TEXT NOT NULL, terms BLOB, tf BLOB);
-- Hashes of the ids of forgotten documents.
CREATE TABLE forgotten (hash BLOB PRIMARY KEY) WITHOUT ROWID;
-- One number, which every change of the log raises: by it other processes know that they must read again.
CREATE TABLE revisions (revision INTEGER NOT NULL);
"""

DERIVED = """
CREATE TABLE profiles (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, active INTEGER NOT NULL, added INTEGER NOT NULL,
    body TEXT NOT NULL, terms BLOB NOT NULL, tf BLOB NOT NULL);
CREATE UNIQUE INDEX profiles_names ON profiles (name) WHERE active = 1;
-- What readers say now; place: how rare the document's score was when they said it, for rules that ask for it.
CREATE TABLE judgments (
    profile INTEGER NOT NULL, document INTEGER NOT NULL, verdict INTEGER NOT NULL, place REAL,
    PRIMARY KEY (profile, document)) WITHOUT ROWID;
-- How rare the scores of deliveries were when they arrived, for rules by which profiles learn from each other.
CREATE TABLE arrivals (
    profile INTEGER NOT NULL, document INTEGER NOT NULL, place REAL NOT NULL, PRIMARY KEY (profile, document)) WITHOUT ROWID;
-- Documents that thresholds are learned from: all, unless there is a cap.
CREATE TABLE history (document INTEGER PRIMARY KEY);
-- The idf in force: how many documents had each term when the epoch began.
CREATE TABLE epoch (number INTEGER PRIMARY KEY, began INTEGER NOT NULL, frequency BLOB NOT NULL);
-- Profiles as they are now.
CREATE TABLE learned (profile INTEGER PRIMARY KEY, terms BLOB NOT NULL, weights BLOB NOT NULL);
-- Each threshold since its profile was added, and how it came to be there; the last one holds.
CREATE TABLE renewals (
    profile INTEGER NOT NULL, seen INTEGER NOT NULL, theta REAL NOT NULL, theta_opt REAL, theta_zero REAL, alpha REAL,
    n INTEGER NOT NULL, start REAL, top REAL, PRIMARY KEY (profile, seen)) WITHOUT ROWID;
"""

DERIVED_TABLES = {
    "profiles": "number",
    "judgments": "profile, document",
    "arrivals": "profile, document",
    "history": "document",
    "epoch": "number",
    "learned": "profile",
    "renewals": "profile, seen",
}
"""Tables made from the log, and the order in which their rows are compared."""

THRESHOLD = (
    "renewals ON renewals.profile = learned.profile "
    "AND renewals.seen = (SELECT max(seen) FROM renewals AS every WHERE every.profile = learned.profile)"
)
"""Joins a profile of `learned` with the threshold that holds."""

SHARED = FEED_TABLES + INBOX_TABLES + SERVICE_TABLES


def names_of(tables: str) -> tuple[str, ...]:
    """The names of tables that a text creates."""
    return tuple(re.findall(r"CREATE TABLE (\w+)", tables))


TABLES = names_of(LOG + DERIVED + SHARED)
"""The names of all tables."""

LOG_COLUMNS: dict[str, Any] = {
    **dict.fromkeys(
        ("number", "event", "document", "position", "size", "began", "seen", "n", "revision"), Whole
    ),
    **dict.fromkeys(("last_event", "last_term", "profile"), Positive),
    **dict.fromkeys(("last_document", "changed_profile", "changed_document"), Whole | None),
    **dict.fromkeys(("time", "added"), int),
    **dict.fromkeys(("date",), int | None),
    **dict.fromkeys(("kind", "title", "text", "link", "term", "name", "body"), str),
    **dict.fromkeys(("terms", "tf", "weights", "frequency", "hash", "id", "digest"), bytes),
    **dict.fromkeys(("changed_terms", "changed_tf", "kept_id"), bytes | None),
    **dict.fromkeys(("deliverable", "active", "text_kept"), Truth),
    "verdict": Truth | None,
    **dict.fromkeys(("score", "theta"), float),
    **dict.fromkeys(("theta_opt", "theta_zero", "alpha", "start", "top", "place"), float | None),
}

COLUMNS: dict[str, Any] = {**LOG_COLUMNS, **FEED_COLUMNS, **INBOX_COLUMNS, **SERVICE_COLUMNS}
"""What a column holds, by its name in a query; a name that is not here is not checked (counts of rows)."""
