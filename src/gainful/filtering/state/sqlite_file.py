"""A state in an SQLite file: created atomically, opened, locked, rewritten; SQLite's errors as sentences."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gainful.errors import DataError, UsageError
from gainful.filtering.state.file_creation import appearing, copies_of, copy_of
from gainful.filtering.state.schema import APPLICATION, DERIVED, LOG, SHARED, VERSION
from gainful.filtering.state.store import Store
from gainful.formats.ids import shown


class SqliteStore(Store):
    """One connection to a state's file, which is written ahead (WAL) and synchronised at every commit."""

    faults = sqlite3.Error

    def __init__(self, path: Path, connection: sqlite3.Connection, wait: float) -> None:
        self.path = path
        self.name = shown(str(path))
        self.wait = wait
        self._connection = connection

    @classmethod
    @contextmanager
    def making(cls, path: Path, *, wait: float) -> Iterator[SqliteStore]:
        """A new file, empty but for its tables: it appears under its name, whole, when the block ends.

        Until then it lies beside that name. Only its owner can read it, for it holds what people read and think of it.
        """
        with appearing(path) as temporary:
            store = cls._connected(temporary, wait)
            store.name = shown(str(path))
            try:
                with store.speaking():
                    store.execute("PRAGMA journal_mode = WAL")
                    store.execute("PRAGMA synchronous = FULL")
                with store.writing():
                    store.script(LOG + DERIVED + SHARED)
                    store.execute(f"PRAGMA application_id = {APPLICATION:d}")
                    store.set_version(VERSION)
                    yield store
            finally:
                store.close()

    @classmethod
    def open(cls, path: Path, *, wait: float) -> SqliteStore:
        """A file that is there, of this version or an older one; refuses what is no state."""
        if not path.is_file():
            what = "is not a file" if path.exists() else "is not there"
            raise DataError(f"{shown(str(path))} {what}; create a state with `gainful filter init`.")
        opened = cls._connected(path, wait)
        try:
            with opened.speaking():
                opened._refuse_what_is_no_state()
        except UnicodeDecodeError:  # SQLite quotes what it cannot read, and that is not text
            opened.close()
            raise DataError(f"{opened.name} is damaged (its schema is not text); restore a backup.") from None
        except BaseException:
            opened.close()
            raise
        return opened

    def _refuse_what_is_no_state(self) -> None:
        self.execute("PRAGMA synchronous = FULL")
        if self.one("PRAGMA application_id") != APPLICATION:
            if not self.size():
                raise DataError(f"{self.name} is empty; copy it again, or restore a backup.")
            raise DataError(f"{self.name} is not the state of a filter, but another SQLite file.")
        if self.one("SELECT count(*) FROM sqlite_master WHERE type NOT IN ('table', 'index')"):
            raise self.damaged("it has views or triggers, which filters never create")
        if self.version > VERSION:
            raise DataError(
                f"{self.name} was written by a newer Gainful (version {self.version} of the file; this one "
                f"reads up to {VERSION}); update Gainful to open it."
            )

    @classmethod
    def _connected(cls, path: Path, wait: float) -> SqliteStore:
        if not 0 <= wait < 1e6:
            raise UsageError(f"wait must be 0 seconds or more; got {wait:g}")
        try:
            connection = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode=rw",
                uri=True,
                timeout=wait,
                isolation_level=None,
                check_same_thread=False,
            )
            connection.execute("PRAGMA trusted_schema = OFF")  # a file may come from anybody
        except sqlite3.Error as fault:
            raise DataError(f"{shown(str(path))} cannot be opened: {shown(str(fault))}.") from None
        return cls(path, connection, wait)

    # ---- statements

    def execute(self, query: str, given: Any = ()) -> sqlite3.Cursor:
        """Run one statement, with values for its placeholders."""
        return self._connection.execute(query, given)

    def executemany(self, query: str, given: Iterable[Any]) -> None:
        """Run one statement for each of many values."""
        self._connection.executemany(query, given)

    def _scanned(self, query: str, given: Any) -> sqlite3.Cursor:
        return self.execute(query, given)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    # ---- the state as a whole

    @property
    def version(self) -> int:
        """The version of the file's tables."""
        version = int(self.one("PRAGMA user_version"))
        if version < 1:
            raise self.damaged(f"version {version} of the file")
        return version

    def set_version(self, version: int) -> None:
        """Note the version of the tables in the file's header."""
        self.execute(f"PRAGMA user_version = {version:d}")

    def tables(self) -> set[str]:
        """The names of the tables that are there."""
        return {name for (name,) in self.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}

    def columns(self, table: str) -> list[str]:
        """The names of a table's columns, in their order."""
        return [str(column[1]) for column in self.execute(f"PRAGMA table_info({table})")]

    def size(self) -> int:
        """The size of the file."""
        return self.path.stat().st_size

    def structural_faults(self) -> list[str]:
        """What SQLite finds wrong with the pages of the file."""
        return [str(said) for (said,) in self.execute("PRAGMA integrity_check") if said != "ok"]

    # ---- transactions

    def _begin_writing(self) -> None:
        self.execute("BEGIN IMMEDIATE")

    def _begin_reading(self) -> None:
        self.execute("BEGIN")

    def _commit(self) -> None:
        self.execute("COMMIT")

    def undo(self) -> None:
        """Roll the current transaction back, if there is one."""
        if self._connection.in_transaction:
            try:
                self.execute("ROLLBACK")
            except sqlite3.Error:  # SQLite has undone it already
                self._connection.rollback()

    def _readable(self, fault: Exception) -> DataError:
        return DataError(self._said(fault))

    def _said(self, fault: Exception) -> str:
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

    def erase_deleted(self) -> None:
        """Overwrite with zeros what is deleted from now on."""
        self.execute("PRAGMA secure_delete = ON")

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

    def keep_copy(self) -> None:
        """Keep a copy of a file of an older version beside it."""
        with self.speaking():
            copy_of(self.path, self.version)

    def copies(self) -> list[str]:
        """Copies of older versions beside the file."""
        return [str(path) for path in copies_of(self.path)]
