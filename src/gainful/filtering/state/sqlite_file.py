"""The SQLite file of a state: created atomically, opened, locked, written in transactions; its errors as sentences."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from gainful.errors import DataError, UsageError
from gainful.filtering.state.schema import (
    APPLICATION,
    COLUMNS,
    DERIVED,
    DERIVED_TABLES,
    LOG,
    VERSION,
    appearing,
)
from gainful.formats.ids import shown

Row = tuple[Any, ...]

_WAY_OUT = "`gainful filter rebuild` rebuilds everything from the log; if the log itself is damaged, restore a backup."
_WRITTEN = {  # columns that a query names differently
    "last_event": "number",
    "last_term": "number",
    "last_document": "number",
    "changed_profile": "profile",
    "changed_document": "document",
    "changed_terms": "terms",
    "changed_tf": "tf",
    "kept_id": "id",
}


@lru_cache(maxsize=256)
def _shape(names: tuple[str, ...]) -> Any:
    """The type of a row with these columns."""
    return tuple[tuple(COLUMNS.get(name, Any) for name in names)]  # type: ignore[misc]


class Store:
    """One connection to a state's file.

    A transaction is there for good once it ends: the file is written ahead (WAL) and synchronised at every commit.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, wait: float) -> None:
        self.path = path
        self.name = shown(str(path))
        self.wait = wait
        self._connection = connection
        self.execute = connection.execute
        self.executemany = connection.executemany

    @classmethod
    @contextmanager
    def making(cls, path: Path, *, wait: float) -> Iterator[Store]:
        """A new file, empty but for its tables: it appears under its name, whole, when the block ends.

        Until then it lies beside that name. Only its owner can read it, for it holds what people read and think of it.
        """
        with appearing(path) as temporary:
            store = cls._connected(temporary, "rw", wait)
            store.name = shown(str(path))
            try:
                with store.speaking():
                    store.execute("PRAGMA journal_mode = WAL")
                    store.execute("PRAGMA synchronous = FULL")
                with store.writing():
                    store.script(LOG + DERIVED)
                    store.execute(f"PRAGMA application_id = {APPLICATION:d}")
                    store.execute(f"PRAGMA user_version = {VERSION:d}")
                    yield store
            finally:
                store.close()

    @classmethod
    def open(cls, path: Path, *, wait: float) -> Store:
        """A file that is there, of this version; refuses what is no state. Older ones must be migrated first."""
        if not path.is_file():
            what = "is not a file" if path.exists() else "is not there"
            raise DataError(f"{shown(str(path))} {what}; create a state with `gainful filter init`.")
        opened = cls._connected(path, "rw", wait)
        try:
            with opened.speaking():
                opened.execute("PRAGMA synchronous = FULL")
                if opened.one("PRAGMA application_id") != APPLICATION:
                    raise DataError(f"{opened.name} is not the state of a filter, but another SQLite file.")
                if opened.one("SELECT count(*) FROM sqlite_master WHERE type NOT IN ('table', 'index')"):
                    raise opened.damaged("it has views or triggers, which filters never create")
                if opened.version > VERSION:
                    raise DataError(
                        f"{opened.name} was written by a newer Gainful (version {opened.version} of the file; this one "
                        f"reads up to {VERSION}); update Gainful to open it."
                    )
        except UnicodeDecodeError:  # SQLite quotes what it cannot read, and that is not text
            opened.close()
            raise DataError(f"{opened.name} is damaged (its schema is not text); restore a backup.") from None
        except BaseException:
            opened.close()
            raise
        return opened

    @classmethod
    def _connected(cls, path: Path, mode: str, wait: float) -> Store:
        if not 0 <= wait < 1e6:
            raise UsageError(f"wait must be 0 seconds or more; got {wait:g}")
        try:
            uri = f"{path.absolute().as_uri()}?mode={mode}"
            connection = sqlite3.connect(uri, uri=True, timeout=wait, isolation_level=None)
            connection.execute("PRAGMA trusted_schema = OFF")  # a file may come from anybody
        except sqlite3.Error as fault:
            raise DataError(f"{shown(str(path))} cannot be opened: {shown(str(fault))}.") from None
        return cls(path, connection, wait)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @property
    def version(self) -> int:
        """The version of the file's tables."""
        version = int(self.one("PRAGMA user_version"))
        if version < 1:
            raise self.damaged(f"version {version} of the file")
        return version

    @property
    def touched(self) -> int:
        """A number that changes when another connection has written to the file."""
        return int(self.one("PRAGMA data_version"))

    # ---- reading: every row comes through here

    def rows(self, query: str, given: Any = ()) -> Iterator[Row]:
        """The rows of a query, each value of the type that `COLUMNS` states; anything else is a `DataError`."""
        cursor = self.execute(query, given)
        names = [column[0] for column in cursor.description]
        shape = _shape(tuple(names))
        for row in cursor:
            try:
                yield msgspec.convert(row, shape, builtin_types=(bytes,))
            except msgspec.ValidationError as fault:
                raise self._damaged_value(query, names, row, str(fault)) from None

    def row(self, query: str, *given: object) -> Row | None:
        """The first row; None where there is none."""
        return next(self.rows(query, given), None)

    def one(self, query: str, *given: object) -> Any:
        """The first value of the first row; None where there is no row."""
        row = self.row(query, *given)
        return None if row is None else row[0]

    def needed(self, what: str, query: str, *given: object) -> Row:
        """The first row of a query that must have one, since other rows name it."""
        row = self.row(query, *given)
        if row is None:
            raise self.damaged(f"{what} is missing")
        return row

    def _damaged_value(self, query: str, names: list[str], row: Row, reason: str) -> DataError:
        """The error that names table, row and column of a value that this program cannot have written."""
        place = re.search(r"\$\[(\d+)\]", reason)
        at = int(place[1]) if place else 0
        column = _WRITTEN.get(names[at], names[at])
        tables = list(dict.fromkeys(re.findall(r"(?:FROM|JOIN) ([a-z]+)", query)))
        first = _WRITTEN.get(names[0], names[0])
        having = [table for table in tables if column in self._columns(table)] or tables
        if len(having) > 1:
            holding = f"SELECT count(*) FROM {{}} WHERE {first} IS ?"
            having = [
                table
                for table in having
                if first in self._columns(table)
                and self.execute(holding.format(table), row[:1]).fetchone()[0]
            ] or having
        expected = reason.split(" - at", maxsplit=1)[0].replace("`", "")
        key = f", where {first} is {shown(f'{row[0]!r:.40}')}" if at else ""
        return self.damaged(
            f"table {' or '.join(having)}, column {column}{key}: {shown(f'{row[at]!r:.40}')} ({expected})"
        )

    def _columns(self, table: str) -> list[str]:
        return [str(column[1]) for column in self.execute(f"PRAGMA table_info({table})")]

    def damaged(self, what: str) -> DataError:
        """The error for a file that holds what this program cannot have written."""
        return DataError(f"{self.name} is damaged: {what}. {_WAY_OUT}")

    def script(self, statements: str) -> None:
        """Several statements within the transaction under way."""
        for statement in statements.split(";\n"):
            if statement.strip():
                self.execute(statement)

    def empty_derived(self) -> None:
        """Empty the tables that are derived from the log."""
        for table in DERIVED_TABLES:
            self.execute(f"DROP TABLE IF EXISTS {table}")
        self.script(DERIVED)

    # ---- transactions

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction, committed when the block ends and rolled back if it raises."""
        with self.speaking():
            self.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.execute("COMMIT")
            except BaseException:
                self.undo()
                raise

    @contextmanager
    def reading(self) -> Iterator[None]:
        """A read transaction: one view of the file, whatever others write meanwhile."""
        with self.speaking():
            self.execute("BEGIN")
            try:
                yield
            finally:
                self.undo()

    def undo(self) -> None:
        """Roll the current transaction back, if there is one."""
        if self._connection.in_transaction:
            try:
                self.execute("ROLLBACK")
            except sqlite3.Error:  # SQLite has undone it already
                self._connection.rollback()

    @contextmanager
    def speaking(self) -> Iterator[None]:
        """Turn errors of SQLite into readable ones."""
        try:
            yield
        except sqlite3.Error as fault:
            raise DataError(self._said(fault)) from None

    def _said(self, fault: sqlite3.Error) -> str:
        code = getattr(fault, "sqlite_errorcode", 0) & 0xFF
        said = shown(str(fault))
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return (
                f"{self.name} is in use by another process, after {self.wait:g} s of waiting; nothing was changed. "
                "Try again, or wait longer."
            )
        if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            return (
                f"{self.name} cannot be written ({said}); is the disk full? Nothing of this step was kept, and what was "
                "there before is intact."
            )
        if code == sqlite3.SQLITE_NOTADB:
            return f"{self.name} is not the state of a filter."
        if code == sqlite3.SQLITE_CORRUPT:
            return f"{self.name} is damaged ({said}); restore a backup."
        if said.startswith("no such "):
            return str(self.damaged(said))
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
            return (
                f"{self.name} cannot be written ({said}). Even reading writes beside it: copy it into a folder of your own, "
                "or have file and folder made writable."
            )
        return f"{self.name}: {said}."

    # ---- for good

    def promise_scrub(self) -> None:
        """Note, within the transaction under way, that the file must be rewritten without what it deletes."""
        self.execute("CREATE TABLE IF NOT EXISTS unfinished (what TEXT NOT NULL)")
        self.execute("INSERT INTO unfinished VALUES ('scrub')")

    @property
    def unfinished(self) -> bool:
        """Whether something was deleted and the file has not been rewritten since."""
        return bool(
            self.one("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'unfinished'")
        )

    def scrub(self, *, wait: float | None = None) -> None:
        """Rewrite the file without what was deleted, and empty the write-ahead log."""
        within = self.wait if wait is None else wait
        try:
            self.execute(f"PRAGMA busy_timeout = {round(1000 * within):d}")
            self._checkpoint(within)
            self.execute("VACUUM")
            self._checkpoint(within)
            self.execute("DROP TABLE IF EXISTS unfinished")
        except sqlite3.Error as fault:
            raise DataError(
                f"{self.name} could not be rewritten ({shown(str(fault))}), so traces of erased data may remain in "
                f"it and in {self.name}-wal. Is the disk full? Make room: the next command on this state finishes it, or "
                "`gainful filter forget traces`."
            ) from None
        finally:
            self.execute(f"PRAGMA busy_timeout = {round(1000 * self.wait):d}")

    def _checkpoint(self, wait: float) -> None:
        until = time.monotonic() + wait
        while True:
            busy, _, _ = self.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if not busy:
                return
            if time.monotonic() >= until:
                raise DataError(
                    f"{self.name} is open in another process, so traces of erased data may remain in "
                    f"{self.name}-wal; close it there, and remove them with `gainful filter forget traces`."
                )
            time.sleep(0.05)
