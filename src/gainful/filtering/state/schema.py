"""The tables of a state, and the migration of older files.

Tables of the log are the truth; those made from it can be rebuilt. A new file appears atomically; an older one is copied,
then its log is brought to this version.
"""

from __future__ import annotations

import os
import re
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta

from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown

APPLICATION = 0x474E464C  # "GNFL": says that an SQLite file is a state
VERSION = 3

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
-- What readers say now; place: how rare the document's score was when they said it, for rules that ask for it.
CREATE TABLE judgments (
    profile INTEGER NOT NULL, document INTEGER NOT NULL, verdict INTEGER NOT NULL, place REAL,
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
    **dict.fromkeys(("theta_opt", "theta_zero", "alpha", "start", "top", "place"), float | None),
}
"""What a column holds, by its name in a query; a name that is not here is not checked (counts of rows)."""

STEPS: dict[int, str] = {
    # Version 1 knew no links of documents, kept neither start nor top, and did not keep how thresholds came about.
    1: """
        ALTER TABLE documents ADD COLUMN link TEXT NOT NULL DEFAULT '';
        CREATE INDEX documents_kept_back ON documents (number) WHERE NOT deliverable;
    """,
    # Version 2 did not keep the places of judged documents; they follow from the log.
    2: "",
}
"""What makes the log of a version that of the next one; tables made from the log are rebuilt after the last step."""


if TYPE_CHECKING:
    from gainful.filtering.state.sqlite_file import Store


def beside(path: Path) -> list[Path]:
    """Files that SQLite keeps beside a file while it is in use; old ones would be taken for those of a new file."""
    return [path.with_name(path.name + ending) for ending in ("-wal", "-shm", "-journal")]


@contextmanager
def appearing(path: Path) -> Iterator[Path]:
    """A new file beside a name, for its owner alone; it takes the name when the block ends, if nobody has it by then."""
    if os.path.lexists(path):
        raise _there(path)
    for left in beside(path):
        if os.path.lexists(left):
            raise UsageError(
                f"{shown(str(left))} is left of a file that is gone; remove it, or choose another name than "
                f"{shown(str(path))}."
            )
    try:
        handle, name = tempfile.mkstemp(prefix=".gainful-", dir=path.absolute().parent)
    except OSError as fault:
        raise DataError(f"{shown(str(path))} cannot be created: {fault.strerror}.") from None
    os.close(handle)
    unfinished = Path(name)
    try:
        yield unfinished
        take_name(unfinished, path)
    finally:
        for file in (unfinished, *beside(unfinished)):
            file.unlink(missing_ok=True)


def take_name(finished: Path, path: Path) -> None:
    """Give a finished file its name, unless another file has it by now; on disk when this returns."""
    try:
        os.link(finished, path)  # unlike a renaming it never takes the place of another file
    except FileExistsError:
        raise _there(path) from None
    except OSError:  # a file system that knows no second names
        if os.path.lexists(path):
            raise _there(path) from None
        finished.rename(path)
    folder = os.open(path.absolute().parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _there(path: Path) -> UsageError:
    return UsageError(f"{shown(str(path))} already exists; choose another name, or open it.")


def copy_of(store: Store) -> Path:
    """A copy of an older file beside it, whole, under a name that ends in the version and that no file has yet.

    Nobody else may write meanwhile; the connection that keeps them out cannot read for a copy itself.
    """
    target = store.path.with_name(f"{store.path.name}.v{store.version}")
    number = 1
    while target.exists():
        number += 1
        target = store.path.with_name(f"{store.path.name}.v{store.version}-{number}")
    making = target.with_name(f"{target.name}.part")
    making.unlink(missing_ok=True)
    making.touch(mode=0o600)
    with (
        store.speaking(),
        closing(sqlite3.connect(f"{store.path.absolute().as_uri()}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(making)) as copy,
    ):
        source.backup(copy)
    making.chmod(store.path.stat().st_mode & 0o777)
    handle = os.open(making, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    take_name(making, target)
    making.unlink(missing_ok=True)
    return target


def copies_of(path: Path) -> list[Path]:
    """Copies of older versions beside a file, whole or not, by the names that `copy_of` gives them."""
    named = re.compile(rf"{re.escape(path.name)}\.v\d+(-\d+)?(\.part)?")
    return sorted(file for file in path.absolute().parent.iterdir() if named.fullmatch(file.name))


def migrate(store: Store) -> None:
    """Bring the log of an older file to this version, within the transaction under way."""
    for version in range(store.version, VERSION):
        store.script(STEPS[version])
    store.empty_derived()
    store.execute(f"PRAGMA user_version = {VERSION:d}")
