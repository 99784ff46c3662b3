"""A state in a schema of PostgreSQL: created in one transaction, locked, connected again; its errors as sentences."""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import TransactionStatus

from gainful.errors import DataError, UsageError
from gainful.filtering.state.postgres_dialect import Place, adapt, definition, placeholders
from gainful.filtering.state.schema import APPLICATION, DERIVED, DERIVED_TABLES, LOG, SHARED, VERSION
from gainful.filtering.state.store import Answer, Store, StoreUnavailable
from gainful.formats.ids import shown

_MARK = "CREATE TABLE state_version (application BIGINT NOT NULL, version BIGINT NOT NULL)"
_SETTINGS = {  # notice within a minute that the other side is gone; an address may say otherwise
    "application_name": "gainful",
    "client_encoding": "UTF8",
    "connect_timeout": "10",
    "keepalives_idle": "20",
    "keepalives_interval": "10",
    "keepalives_count": "3",
}
_STARTING = re.compile("starting up|not yet accepting connections|in recovery mode")
_AWAY = (errors.AdminShutdown, errors.CrashShutdown, errors.CannotConnectNow, errors.TooManyConnections)


class PostgresStore(Store):
    """One connection to a state's schema; it is made again when it was lost, between two transactions.

    A writer holds a lock of the state until its transaction ends; readers never wait. Commits are synchronous.
    """

    faults = psycopg.Error
    not_erased = (
        "PostgreSQL's write-ahead log holds it until that is recycled, and replicas, archives and backups as long as "
        "they are kept"
    )

    def __init__(self, place: Place, wait: float) -> None:
        if not 0 <= wait < 1e6:
            raise UsageError(f"wait must be 0 seconds or more; got {wait:g}")
        self.place = place
        self.name = place.name
        self.wait = wait
        self._within = False  # whether a transaction is under way
        self._scans = itertools.count()
        self._connection = self._connected()

    def _connected(self) -> psycopg.Connection[tuple[Any, ...]]:
        """A new connection; one to a server that is just starting is waited for."""
        given = conninfo_to_dict(self.place.conninfo)
        usual = {name: value for name, value in _SETTINGS.items() if name not in given}
        conninfo = make_conninfo(self.place.conninfo, **usual)
        until = time.monotonic() + self.wait
        while True:
            try:
                connection = psycopg.connect(conninfo, autocommit=True)
                break
            except psycopg.OperationalError as fault:
                if not _STARTING.search(str(fault)) or time.monotonic() > until:
                    raise StoreUnavailable(f"{self.name} cannot be reached: {_sentence(fault)}") from None
                time.sleep(0.1)
        adapt(connection)
        connection.execute(f'SET search_path = "{self.place.schema}"'.encode())
        connection.execute("SET synchronous_commit = on")
        return connection

    @classmethod
    @contextmanager
    def making(cls, place: Place, *, wait: float) -> Iterator[PostgresStore]:
        """A new state, empty but for its tables, in a schema that is not there or has no tables; whole when the block ends."""
        store = cls(place, wait)
        try:
            with store.writing():
                store.define()
                yield store
        finally:
            store.close()

    def define(self) -> None:
        """Create schema and tables, within the transaction under way."""
        if self.tables():
            raise UsageError(f"{self.name} already exists; choose another schema (?schema=NAME), or open it.")
        self.execute(f'CREATE SCHEMA IF NOT EXISTS "{self.place.schema}"')
        self.script(LOG + DERIVED + SHARED)
        self.execute(_MARK)
        self.execute("INSERT INTO state_version VALUES (?, ?)", (APPLICATION, VERSION))

    @contextmanager
    def entered(self, place: Place) -> Iterator[None]:
        """Another schema of the same database, as long as the block, within the transaction under way."""
        before = self.place
        try:
            self._enter(place)
            yield
            self._enter(before)
        finally:
            self.place, self.name = before, before.name

    def _enter(self, place: Place) -> None:
        self.place, self.name = place, place.name
        self.execute(f'SET LOCAL search_path = "{place.schema}"')
        self.execute(f"SELECT pg_advisory_xact_lock({place.lock})")

    @classmethod
    def open(cls, place: Place, *, wait: float) -> PostgresStore:
        """A state that is there, of this version or an older one; refuses what is no state."""
        opened = cls(place, wait)
        try:
            with opened.reading():
                opened._refuse_what_is_no_state()
        except BaseException:
            opened.close()
            raise
        return opened

    def _refuse_what_is_no_state(self) -> None:
        tables = self.tables()
        if not tables:
            raise DataError(f"{self.name} is not there; create a state with `gainful filter init`.")
        if "state_version" not in tables or self.one("SELECT application FROM state_version") != APPLICATION:
            raise DataError(
                f"{self.name} is not the state of a filter: schema {self.place.schema} is another's."
            )
        if self.version > VERSION:
            raise DataError(
                f"{self.name} was written by a newer Gainful (version {self.version} of its tables; this one "
                f"reads up to {VERSION}); update Gainful to open it."
            )

    # ---- statements

    def execute(self, query: str, given: Any = ()) -> Answer:
        """Run one statement, with values for its placeholders."""
        cursor = self._living().cursor(binary=True)
        return cursor.execute(placeholders(query), given) if given else cursor.execute(query.encode())

    def executemany(self, query: str, given: Iterable[Any]) -> None:
        """Run one statement for each of many values."""
        self._living().cursor().executemany(placeholders(query), given)

    def _scanned(self, query: str, given: Any) -> Answer:
        cursor = self._connection.cursor(f"scan_{next(self._scans)}")
        if given:
            return cursor.execute(placeholders(query), given, binary=True)
        return cursor.execute(query.encode(), binary=True)

    def script(self, statements: str) -> None:
        """Run several statements, with PostgreSQL's names of types, within the transaction under way."""
        super().script(definition(statements))

    def fill(self, table: str, rows: Iterable[Any]) -> None:
        """Copy rows into a table."""
        with self._connection.cursor().copy(f"COPY {table} FROM STDIN".encode()) as copy:
            for row in rows:
                copy.write_row(row)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _living(self) -> psycopg.Connection[tuple[Any, ...]]:
        """The connection; a new one where it was lost and no transaction was under way."""
        if self._connection.closed and not self._within:
            self._connection = self._connected()
        return self._connection

    # ---- the state as a whole

    @property
    def version(self) -> int:
        """The version of the tables."""
        return int(self.needed("table state_version: its row", "SELECT version FROM state_version")[0])

    def set_version(self, version: int) -> None:
        """Note the version of the tables."""
        self.execute("UPDATE state_version SET version = ?", (version,))

    def tables(self) -> set[str]:
        """The names of the tables that are there."""
        query = "SELECT tablename FROM pg_tables WHERE schemaname = ?"
        return {name for (name,) in self.execute(query, (self.place.schema,))}

    def columns(self, table: str) -> list[str]:
        """The names of a table's columns, in their order."""
        query = (
            "SELECT column_name FROM information_schema.columns WHERE table_schema = ? AND table_name = ? "
            "ORDER BY ordinal_position"
        )
        return [name for (name,) in self.execute(query, (self.place.schema, table))]

    def size(self) -> int:
        """The size of all tables and their indexes."""
        query = "SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class WHERE relnamespace = to_regnamespace(?)"
        return int(self.execute(query + " AND relkind = 'r'", (self.place.schema,)).fetchone()[0])

    def structural_faults(self) -> list[str]:
        """Nothing: PostgreSQL notices damaged pages when it reads them."""
        return []

    def empty_derived(self) -> None:
        """Empty the tables that are derived from the log; readers go on with what was there until the transaction ends."""
        if self.tables() >= DERIVED_TABLES.keys():
            for table in DERIVED_TABLES:
                self.execute(f"DELETE FROM {table}")
        else:
            super().empty_derived()

    # ---- transactions

    def _begin_writing(self) -> None:
        self._begin(
            f"BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = {self._milliseconds(self.wait)}; "
            f"SELECT pg_advisory_xact_lock({self.place.lock})"
        )

    def _begin_reading(self) -> None:
        self._begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

    def _begin(self, statements: str) -> None:
        """Begin a transaction; on a new connection where the old one turns out to be lost, since nothing was done yet."""
        try:
            self._living().execute(statements.encode(), prepare=False)
        except psycopg.OperationalError:
            if not self._connection.closed:
                self._rollback()
                raise
            self._living().execute(statements.encode(), prepare=False)
        self._within = True

    def _commit(self) -> None:
        try:
            answer = self._connection.execute("COMMIT")
        except psycopg.OperationalError as fault:
            if not self._connection.closed:
                raise
            raise StoreUnavailable(
                f"the connection to {self.name} was lost while a change was being kept ({_sentence(fault)}); look whether "
                "it is there before you repeat it."
            ) from None
        if answer.statusmessage != "COMMIT":  # PostgreSQL rolls back, without an error, what had one before
            raise DataError(f"{self.name}: nothing of this step was kept, because a part of it had failed.")
        self._within = False

    def undo(self) -> None:
        """Roll the current transaction back, if there is one."""
        self._within = False
        self._rollback()

    def _rollback(self) -> None:
        connection = self._connection
        if not connection.closed and connection.info.transaction_status is not TransactionStatus.IDLE:
            try:
                connection.rollback()
            except psycopg.Error:  # the server undoes what nobody commits
                connection.close()

    def _readable(self, fault: Exception) -> DataError:
        said = _sentence(fault)
        if isinstance(fault, errors.LockNotAvailable):
            return DataError(
                f"{self.name} is in use by another process, after {self.wait:g} s of waiting; nothing was changed. "
                "Try again, or wait longer."
            )
        if isinstance(fault, errors.DiskFull):
            return DataError(
                f"{self.name} cannot be written: {said} Nothing of this step was kept, and what was there before is intact."
            )
        if isinstance(fault, _AWAY) or self._connection.closed:
            return StoreUnavailable(
                f"the connection to {self.name} was lost: {said} Nothing of this step was kept."
            )
        if isinstance(fault, errors.DataCorrupted | errors.IndexCorrupted):
            return DataError(f"{self.name} is damaged: {said} Restore a backup.")
        if isinstance(fault, errors.UndefinedTable | errors.UndefinedColumn):
            return self.damaged(said.rstrip("."))
        return DataError(f"{self.name}: {said}")

    # ---- for good

    def erase_deleted(self) -> None:
        """Nothing: PostgreSQL keeps deleted rows until its tables are rewritten."""

    def scrub(self, *, wait: float | None = None) -> None:
        """Rewrite all tables without what was deleted."""
        within = self._milliseconds(self.wait if wait is None else wait)
        try:
            self.execute(f"SET lock_timeout = {within}")
            for table in sorted(self.tables()):
                self.execute(f"VACUUM (FULL) {table}")
            self.execute("DROP TABLE IF EXISTS unfinished")
        except psycopg.Error as fault:
            raise DataError(
                f"{self.name} could not be rewritten ({_sentence(fault).rstrip('.')}), so traces of erased data may remain in "
                "its files; the next command on this state finishes it, or `gainful filter forget traces`."
            ) from None
        finally:
            with suppress(psycopg.Error):
                self.execute("RESET lock_timeout")

    def keep_copy(self) -> None:
        """Keep a copy of the tables of an older version, in a schema of its own."""
        copy = f"{self.place.schema}_v{self.version}"
        self.execute(f'CREATE SCHEMA "{copy}"')
        for table in sorted(self.tables()):
            self.execute(f'CREATE TABLE "{copy}".{table} AS TABLE {table}')

    def copies(self) -> list[str]:
        """Schemas that hold copies of older versions."""
        names = [str(name) for (name,) in self.execute("SELECT nspname FROM pg_namespace ORDER BY nspname")]
        return [f"schema {name}" for name in names if re.fullmatch(rf"{self.place.schema}_v\d+", name)]

    @staticmethod
    def _milliseconds(wait: float) -> int:
        """A limit on waiting, which 0 would take away."""
        return max(1, round(1000 * wait))


def _sentence(fault: Exception) -> str:
    """What PostgreSQL says, in one line, ended by a full stop or a question mark of its own."""
    said = shown(" ".join(str(fault).split())).rstrip(".")
    return said if said.endswith("?") else f"{said}."
