"""Addresses of states: a path names an SQLite file, postgresql://user@host:port/database a schema of PostgreSQL."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from gainful.errors import DataError, UsageError
from gainful.filtering.state.migration import migrate
from gainful.filtering.state.schema import VERSION
from gainful.filtering.state.sqlite_file import SqliteStore
from gainful.filtering.state.store import Store
from gainful.formats.ids import shown

if TYPE_CHECKING:
    from gainful.filtering.state.postgres_dialect import Place
    from gainful.filtering.state.postgres_schema import PostgresStore

Address = str | os.PathLike[str]


def is_postgres(address: Address) -> bool:
    """Whether an address names a PostgreSQL database.

    >>> is_postgres("postgresql://reader@localhost/news"), is_postgres("my.filter")
    (True, False)
    """
    return isinstance(address, str) and address.lower().startswith(("postgresql://", "postgres://"))


def address_name(address: Address) -> str:
    """An address as messages show it, without a password.

    >>> address_name("postgresql://reader:secret@localhost/news")
    'postgresql://reader@localhost/news'
    """
    return postgres(address)[1].name if is_postgres(address) else shown(os.fspath(address))


def open_store(address: Address, *, wait: float = 30.0) -> Store:
    """Open a state. What is none, or of a newer version, is refused; an older one is migrated, with a copy kept.

    wait  seconds to wait for another process that is writing
    """
    store = _opened(address, wait)
    try:
        if store.version < VERSION:
            migrate(store)
        with store.speaking():
            if store.unfinished:  # forgetting was cut short, by a full disk or a crash
                with suppress(DataError):
                    store.scrub(wait=0)
    except BaseException:
        store.close()
        raise
    return store


def _opened(address: Address, wait: float) -> Store:
    if not is_postgres(address):
        return SqliteStore.open(Path(address), wait=wait)
    stores, place = postgres(address)
    return stores.open(place, wait=wait)


def making_store(address: Address, *, wait: float = 30.0) -> AbstractContextManager[Store]:
    """Make a new state, empty but for its tables, in a context: it is there, whole, when the block ends.

    An address that is taken already is refused.
    """
    if not is_postgres(address):
        return SqliteStore.making(Path(address), wait=wait)
    stores, place = postgres(address)
    return stores.making(place, wait=wait)


def is_taken(address: Address) -> bool:
    """Whether there is something at an address, a state or not."""
    if not is_postgres(address):
        return os.path.lexists(address)
    stores, place = postgres(address)
    with closing(stores(place, 0)) as store, store.speaking():
        return bool(store.tables())


def postgres(address: Address) -> tuple[type[PostgresStore], Place]:
    """What opens states in PostgreSQL, and where this one lies; refused where psycopg is not installed."""
    try:
        from gainful.filtering.state.postgres_dialect import Place
        from gainful.filtering.state.postgres_schema import PostgresStore
    except ImportError as fault:
        raise UsageError(
            f"a state in PostgreSQL needs psycopg ({fault}); install it: pip install 'gainful[postgres]'"
        ) from None
    return PostgresStore, Place.of(str(address))
