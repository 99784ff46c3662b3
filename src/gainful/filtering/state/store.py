"""Store: a connection to the tables of a state, whatever database they lie in; checked rows, transactions, errors."""

from __future__ import annotations

import itertools
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sized
from contextlib import contextmanager, suppress
from functools import lru_cache
from types import GenericAlias
from typing import Any, ClassVar, Protocol

import msgspec

from gainful.errors import DataError
from gainful.filtering.state.schema import COLUMNS, DERIVED, DERIVED_TABLES, TABLES
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


class StoreUnavailable(DataError):
    """A database that cannot be reached now: it is away, or the connection was lost. The next call tries again."""


class Answer(Protocol):
    """What a statement gives back, in every database."""

    @property
    def description(self) -> Any:
        """The columns, each with its name first."""

    @property
    def rowcount(self) -> int:
        """How many rows a statement has changed."""

    def fetchone(self) -> Any:
        """The next row, None at the end."""

    def fetchmany(self, size: int = ..., /) -> list[Any]:
        """The next rows, none at the end."""

    def close(self) -> None:
        """Read no further."""

    def __iter__(self) -> Iterator[Any]: ...


_BLOCK, _SCANNED = 200, 2000  # rows that are checked together, and read together


@lru_cache(maxsize=1024)
def _shapes(names: tuple[str, ...]) -> tuple[Any, Any]:
    """The type of a row with these columns, and of some rows: a record, whose fields msgspec looks at only once."""
    row = GenericAlias(tuple, tuple(COLUMNS.get(name, Any) for name in names))
    return row, msgspec.defstruct("Block", [("rows", GenericAlias(list, (row,)))])


def question_marks(values: Sized) -> str:
    """As many placeholders as there are values, for VALUES or IN.

    >>> question_marks([7, 8])
    '?, ?'
    """
    return ", ".join("?" * len(values))


def _read(answer: Answer) -> Iterator[Row]:
    while rows := answer.fetchmany(_SCANNED):
        yield from rows


class Store(ABC):
    """A connection to a state. One thread uses it at a time; it may pass from one thread to another.

    name  the state's address as messages show it, without a password
    wait  seconds to wait for another writer

    When a transaction has ended it is there for good: the database has synchronised it to the disk.
    """

    name: str
    wait: float
    faults: ClassVar[type[Exception] | tuple[type[Exception], ...]]
    """What the database raises."""
    not_erased: ClassVar[str] = ""
    """Where deleted data may remain for a while after the state was rewritten, as a sentence."""

    # ---- statements

    @abstractmethod
    def execute(self, query: str, given: Any = ()) -> Answer:
        """Run one statement, with values for its placeholders `?` (a sequence) or `:name` (a mapping)."""

    @abstractmethod
    def executemany(self, query: str, given: Iterable[Any]) -> None:
        """Run one statement for each of many values."""

    @abstractmethod
    def _scanned(self, query: str, given: Any) -> Answer:
        """The answer to a query with many rows, which need not all be in memory."""

    def script(self, statements: str) -> None:
        """Run several statements, each ended by a semicolon and a new line, within the transaction under way."""
        for statement in statements.split(";\n"):
            if statement.strip():
                self.execute(statement)

    def fill(self, table: str, rows: Iterable[Row]) -> None:
        """Insert many whole rows into a table."""
        following = iter(rows)
        for first in following:
            statement = f"INSERT INTO {table} VALUES ({question_marks(first)})"
            self.executemany(statement, itertools.chain([first], following))

    @abstractmethod
    def close(self) -> None:
        """Close the connection."""

    # ---- reading: every row comes through here

    def rows(self, query: str, given: Any = ()) -> Iterator[Row]:
        """The rows of a query, each value of the type that `COLUMNS` states; anything else is a `DataError`."""
        yield from self._checked(query, self.execute(query, given), _BLOCK)

    def scan(self, query: str, given: Any = (), *, checked: bool = True) -> Iterator[Row]:
        """The rows of a query that has many, read some at a time within a transaction; checked as in `rows` or not."""
        answer = self._scanned(query, given)
        try:
            yield from self._checked(query, answer, _SCANNED) if checked else _read(answer)
        finally:
            faults = self.faults if isinstance(self.faults, tuple) else (self.faults,)
            with suppress(*faults):  # who gave up reading may have closed the database before
                answer.close()

    def _checked(self, query: str, answer: Answer, size: int) -> Iterator[Row]:
        names = tuple(column[0] for column in answer.description)
        block = _shapes(names)[1]
        while rows := answer.fetchmany(size):
            try:
                checked = msgspec.convert({"rows": rows}, block, builtin_types=(bytes,))
            except msgspec.ValidationError:
                raise self._damaged_row(query, names, rows) from None
            yield from checked.rows

    def _damaged_row(self, query: str, names: tuple[str, ...], rows: list[Row]) -> DataError:
        """The error for the first row that holds a value of another type."""
        for row in rows:
            try:
                msgspec.convert(row, _shapes(names)[0], builtin_types=(bytes,))
            except msgspec.ValidationError as fault:
                return self._damaged_value(query, names, row, str(fault))
        raise AssertionError("a block of sound rows was refused")

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

    def _damaged_value(self, query: str, names: tuple[str, ...], row: Row, reason: str) -> DataError:
        """The error that names table, row and column of a value that this program cannot have written."""
        place = re.search(r"\$\[(\d+)\]", reason)
        at = int(place[1]) if place else 0
        column = _WRITTEN.get(names[at], names[at])
        tables = list(dict.fromkeys(re.findall(r"(?:FROM|JOIN) ([a-z_]+)", query)))
        first = _WRITTEN.get(names[0], names[0])
        having = [table for table in tables if column in self.columns(table)] or tables
        if len(having) > 1:
            having = [table for table in having if self._holds(table, first, row[0])] or having
        expected = reason.split(" - at", maxsplit=1)[0].replace("`", "")
        key = f", where {first} is {shown(f'{row[0]!r:.40}')}" if at else ""
        return self.damaged(
            f"table {' or '.join(having)}, column {column}{key}: {shown(f'{row[at]!r:.40}')} ({expected})"
        )

    def _holds(self, table: str, column: str, value: object) -> bool:
        """Whether a table has that value in that column."""
        if column not in self.columns(table):
            return False
        equals, given = ("IS NULL", ()) if value is None else ("= ?", (value,))
        query = f"SELECT count(*) FROM {table} WHERE {column} {equals}"
        return bool(self.execute(query, given).fetchone()[0])

    def damaged(self, what: str) -> DataError:
        """The error for a state that holds what this program cannot have written."""
        return DataError(f"{self.name} is damaged: {what}. {_WAY_OUT}")

    # ---- the state as a whole

    @property
    @abstractmethod
    def version(self) -> int:
        """The version of the tables."""

    @abstractmethod
    def set_version(self, version: int) -> None:
        """Note the version of the tables, within the transaction under way."""

    @abstractmethod
    def tables(self) -> set[str]:
        """The names of the tables that are there."""

    @abstractmethod
    def columns(self, table: str) -> list[str]:
        """The names of a table's columns, in their order; none for a table that is not there."""

    @abstractmethod
    def size(self) -> int:
        """How many bytes the state takes."""

    @abstractmethod
    def structural_faults(self) -> list[str]:
        """What the database itself finds wrong with its tables, a phrase each."""

    def missing_tables(self) -> list[str]:
        """Phrases that name the tables that should be there and are not, but for those that can be rebuilt."""
        gone = [table for table in TABLES if table not in self.tables() and table not in DERIVED_TABLES]
        return [f"table {table} is missing" for table in gone]

    def empty_derived(self) -> None:
        """Empty the tables that are derived from the log; those that are missing are created."""
        self.drop_derived()
        self.script(DERIVED)

    def drop_derived(self) -> None:
        """Remove the tables that are derived from the log: another version had other columns."""
        for table in DERIVED_TABLES:
            self.execute(f"DROP TABLE IF EXISTS {table}")

    @property
    def touched(self) -> int:
        """A number that changes when a filter, of this process or another one, has changed the log."""
        return int(self.one("SELECT coalesce(max(revision), 0) AS revision FROM revisions"))

    def revise(self) -> int:
        """Note, within the transaction under way, that the log has changed; what `touched` will be."""
        revision = self.touched + 1
        self.execute("DELETE FROM revisions")
        self.execute("INSERT INTO revisions VALUES (?)", (revision,))
        return revision

    # ---- transactions

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction of the only writer, committed when the block ends and rolled back if it raises."""
        with self.speaking():
            self._begin_writing()
            try:
                yield
                self._commit()
            except BaseException:
                self.undo()
                raise

    @contextmanager
    def reading(self) -> Iterator[None]:
        """A read transaction: one view of the state, whatever others write meanwhile."""
        with self.speaking():
            self._begin_reading()
            try:
                yield
            finally:
                self.undo()

    @contextmanager
    def trying(self) -> Iterator[None]:
        """A transaction of the only writer that is always rolled back."""
        with self.speaking():
            self._begin_writing()
            try:
                yield
            finally:
                self.undo()

    @abstractmethod
    def _begin_writing(self) -> None:
        """Begin a transaction in which nobody else writes."""

    @abstractmethod
    def _begin_reading(self) -> None:
        """Begin a transaction that sees one moment of the state."""

    @abstractmethod
    def _commit(self) -> None:
        """Keep what the transaction has done."""

    @abstractmethod
    def undo(self) -> None:
        """Roll the current transaction back, if there is one."""

    @contextmanager
    def speaking(self) -> Iterator[None]:
        """Turn errors of the database into readable ones."""
        try:
            yield
        except self.faults as fault:
            raise self._readable(fault) from None

    @abstractmethod
    def _readable(self, fault: Exception) -> DataError:
        """An error of the database as one that says what to do."""

    # ---- for good

    @abstractmethod
    def erase_deleted(self) -> None:
        """Overwrite what the transaction under way deletes, where the database can."""

    def promise_scrub(self) -> None:
        """Note, within the transaction under way, that the state must be rewritten without what it deletes."""
        self.execute("CREATE TABLE IF NOT EXISTS unfinished (what TEXT NOT NULL)")
        self.execute("INSERT INTO unfinished VALUES ('scrub')")

    @property
    def unfinished(self) -> bool:
        """Whether something was deleted and the state has not been rewritten since."""
        return "unfinished" in self.tables()

    @abstractmethod
    def scrub(self, *, wait: float | None = None) -> None:
        """Rewrite the state without what was deleted."""

    @abstractmethod
    def keep_copy(self) -> None:
        """Keep a copy of a state of an older version before it is migrated, within the transaction under way."""

    @abstractmethod
    def copies(self) -> list[str]:
        """Copies of older versions, which may hold what was deleted since."""
