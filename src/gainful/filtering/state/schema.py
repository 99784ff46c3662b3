"""The tables of a state: those of the log, which are the truth, and those made from it, which can be rebuilt."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

APPLICATION = 0x474E464C  # "GNFL": says that an SQLite file is a state
VERSION = 2

LOG = """
-- Everything that happened, in order; what it was is in the table of its kind.
CREATE TABLE events (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, time INTEGER NOT NULL);
-- Documents seen, numbered from 0 in the order of their arrival; id is NULL once a document is forgotten.
CREATE TABLE documents (
    number INTEGER PRIMARY KEY, event INTEGER NOT NULL, id BLOB UNIQUE, digest BLOB, deliverable INTEGER NOT NULL,
    size INTEGER NOT NULL, date INTEGER, title TEXT NOT NULL, text TEXT NOT NULL, link TEXT NOT NULL DEFAULT '');
CREATE INDEX documents_empty ON documents (number) WHERE size = 0;
CREATE INDEX documents_kept_back ON documents (number) WHERE NOT deliverable;
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
"""

DERIVED = """
CREATE TABLE profiles (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, active INTEGER NOT NULL, added INTEGER NOT NULL,
    body TEXT NOT NULL, terms BLOB NOT NULL, tf BLOB NOT NULL);
CREATE UNIQUE INDEX profiles_names ON profiles (name) WHERE active;
-- What readers say now.
CREATE TABLE judgments (
    profile INTEGER NOT NULL, document INTEGER NOT NULL, verdict INTEGER NOT NULL,
    PRIMARY KEY (profile, document)) WITHOUT ROWID;
-- Documents that thresholds are learned from: all, unless there is a cap.
CREATE TABLE history (document INTEGER PRIMARY KEY);
-- The idf in force: how many documents had each term when the epoch began.
CREATE TABLE epoch (number INTEGER PRIMARY KEY, began INTEGER NOT NULL, frequency BLOB NOT NULL);
-- Profile and threshold as they are now, and how the threshold came to be there.
CREATE TABLE learned (
    profile INTEGER PRIMARY KEY, seen INTEGER NOT NULL, theta REAL NOT NULL, theta_opt REAL, theta_zero REAL, alpha REAL,
    n INTEGER NOT NULL, start REAL, top REAL, terms BLOB NOT NULL, weights BLOB NOT NULL);
CREATE TABLE renewals (
    profile INTEGER NOT NULL, seen INTEGER NOT NULL, theta REAL NOT NULL, theta_opt REAL,
    theta_zero REAL, alpha REAL, n INTEGER NOT NULL, PRIMARY KEY (profile, seen)) WITHOUT ROWID;
"""

DERIVED_TABLES = {
    "profiles": "number",
    "judgments": "profile, document",
    "history": "document",
    "epoch": "number",
    "learned": "profile",
    "renewals": "profile, seen",
}
"""Tables made from the log, and the order in which their rows are compared."""

_Whole = Annotated[int, Meta(ge=0, le=2**53)]
_Positive = Annotated[int, Meta(ge=1, le=2**53)]

COLUMNS: dict[str, Any] = {
    **dict.fromkeys(("number", "event", "document", "position", "size", "began", "seen", "n"), _Whole),
    **dict.fromkeys(("last_event", "last_term", "profile"), _Positive),
    **dict.fromkeys(("last_document", "changed_profile", "changed_document"), _Whole | None),
    **dict.fromkeys(("time", "added"), int),
    **dict.fromkeys(("date",), int | None),
    **dict.fromkeys(("kind", "title", "text", "link", "term", "name", "body"), str),
    **dict.fromkeys(("terms", "tf", "weights", "frequency", "hash", "id", "digest"), bytes),
    **dict.fromkeys(("changed_terms", "changed_tf", "kept_id"), bytes | None),
    **dict.fromkeys(("deliverable", "active"), Literal[0, 1]),
    "verdict": Literal[0, 1] | None,
    **dict.fromkeys(("score", "theta"), float),
    **dict.fromkeys(("theta_opt", "theta_zero", "alpha", "start", "top"), float | None),
}
"""What a column holds, by its name in a query; a name that is not here is not checked (counts of rows)."""

STEPS: dict[int, str] = {
    # Version 1 knew no links of documents, kept neither start nor top, and did not keep how thresholds came about.
    1: """
        ALTER TABLE documents ADD COLUMN link TEXT NOT NULL DEFAULT '';
        CREATE INDEX documents_kept_back ON documents (number) WHERE NOT deliverable;
    """,
}
"""What makes the log of a version that of the next one; tables made from the log are rebuilt after the last step."""
