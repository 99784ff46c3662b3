"""Moving a state with all its readers to another address: copied, compared by digest, and there whole or not at all."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from gainful.errors import DataError, UsageError
from gainful.filtering.state.reader_states import FIRST, reader_address, readers_folder, readers_of
from gainful.filtering.state.schema import TABLES
from gainful.filtering.state.sqlite_file import SqliteStore
from gainful.filtering.state.store import Row, Store
from gainful.filtering.state.store_address import (
    Address,
    address_name,
    is_postgres,
    is_taken,
    making_store,
    open_store,
    postgres,
)
from gainful.formats.ids import shown


@dataclass(frozen=True)
class MovedState:
    """What was moved: where from and where to (without passwords), and how many readers, tables and rows there were."""

    source: str
    target: str
    readers: int
    tables: int
    rows: int


def move(source: Address, target: Address, *, wait: float = 30.0) -> MovedState:
    """Copy a state with all its readers to an address where nothing is yet, and compare every table by its digest.

    Nobody else can write to the source meanwhile; it stays as it is. The target is there once all of it is written and
    compared; whatever fails, only what this call has made is removed again.
    """
    if is_taken(target):
        raise UsageError(f"{address_name(target)} already exists; a state is moved to where nothing is.")
    with ExitStack() as opened:
        readers = readers_of(source)
        stores = {reader: _locked(opened, source, reader, wait) for reader in readers}
        with _targets(target, readers, wait) as places:
            counts = [_copied(stores[reader], place) for reader, place in places]
            if readers_of(source) != readers:
                raise DataError(
                    f"a reader was added to {address_name(source)} or removed meanwhile; move it again."
                )
    rows = sum(sum(count) for count in counts)
    return MovedState(address_name(source), address_name(target), len(readers), len(TABLES), rows)


def _locked(opened: ExitStack, source: Address, reader: int, wait: float) -> Store:
    """The state of a reader, which nobody else writes to until `opened` ends."""
    store = opened.enter_context(closing(open_store(reader_address(source, reader), wait=wait)))
    opened.enter_context(store.trying())
    return store


def _copied(source: Store, target: Store) -> list[int]:
    """How many rows of each table were copied; refused where what lies there then is not the same."""
    counts = []
    for table in TABLES:
        columns = ", ".join(target.columns(table))
        query = f"SELECT {columns} FROM {table}"
        read = TableDigest()
        target.fill(table, read.passing(source.scan(query, checked=False)))
        written = TableDigest()
        for _ in written.passing(target.scan(query, checked=False)):
            pass
        if read != written:
            raise DataError(
                f"{target.name} does not hold table {table} as {source.name} does; nothing was moved."
            )
        counts.append(read.count)
    return counts


@dataclass
class TableDigest:
    """A digest of the rows of a table, to the last bit, in whatever order they come."""

    count: int = 0
    total: int = 0

    def passing(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows, each counted as it passes."""
        for row in rows:
            same = tuple(
                0.0 if value == 0 and isinstance(value, float) else value for value in row
            )  # −0.0: SQLite has none
            digest = hashlib.blake2b(repr(same).encode("utf-8", "surrogatepass"), digest_size=32).digest()
            self.total = (self.total + int.from_bytes(digest, "little")) % (1 << 256)
            self.count += 1
            yield row


# ---- where it goes


def _targets(
    target: Address, readers: list[int], wait: float
) -> AbstractContextManager[Iterator[tuple[int, Store]]]:
    """Empty states for all readers, one after the other; they are there for good when the block ends."""
    return _schemas(target, readers, wait) if is_postgres(target) else _files(target, readers, wait)


@contextmanager
def _schemas(target: Address, readers: list[int], wait: float) -> Iterator[Iterator[tuple[int, Store]]]:
    """Schemas that are made in one transaction."""
    stores, place = postgres(target)

    def places() -> Iterator[tuple[int, Store]]:
        for reader in readers:
            with store.entered(place if reader == FIRST else place.reader(reader)):
                store.define()
                yield reader, store

    with closing(stores(place, wait)) as store, store.writing():
        yield places()


@contextmanager
def _files(target: Address, readers: list[int], wait: float) -> Iterator[Iterator[tuple[int, Store]]]:
    """Files: those of further readers are made in a hidden folder; it and the state itself take their names at the end."""
    path, folder = Path(target), readers_folder(target)
    if os.path.lexists(folder):
        raise UsageError(
            f"{shown(str(folder))} is left of a state that is gone; remove it, or choose another name"
        )
    try:
        hidden = Path(tempfile.mkdtemp(prefix=".gainful-", dir=path.absolute().parent))
    except OSError as fault:
        raise DataError(f"{shown(str(path))} cannot be created: {fault.strerror}.") from None

    def places() -> Iterator[tuple[int, Store]]:
        for reader in readers:
            if reader == FIRST:
                yield reader, first
            else:
                with making_store(hidden / f"{reader}.filter", wait=wait) as store:
                    yield reader, store

    unfinished = hidden
    try:
        with SqliteStore.making(path, wait=wait) as first:
            yield places()
            if len(readers) > 1:
                hidden.rename(folder)
                unfinished = folder
    except BaseException:
        shutil.rmtree(unfinished)
        raise
    if len(readers) == 1:
        hidden.rmdir()
