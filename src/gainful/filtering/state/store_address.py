"""Addresses of states: a path names an SQLite file, postgresql://user@host:port/database a schema of PostgreSQL."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from gainful.errors import DataError
from gainful.filtering.state.migration import migrate
from gainful.filtering.state.schema import VERSION
from gainful.filtering.state.sqlite_file import SqliteStore
from gainful.filtering.state.store import Store

Address = str | os.PathLike[str]


def is_postgres(address: Address) -> bool:
    """Whether an address names a PostgreSQL database.

    >>> is_postgres("postgresql://reader@localhost/news"), is_postgres("my.filter")
    (True, False)
    """
    return isinstance(address, str) and address.lower().startswith(("postgresql://", "postgres://"))


def open_store(address: Address, *, wait: float = 30.0) -> Store:
    """Open a state. What is none, or of a newer version, is refused; an older one is migrated, with a copy kept.

    wait  seconds to wait for another process that is writing
    """
    store = SqliteStore.open(Path(address), wait=wait)
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


def making_store(address: Address, *, wait: float = 30.0) -> AbstractContextManager[Store]:
    """Make a new state, empty but for its tables, in a context: it is there, whole, when the block ends.

    An address that is taken already is refused.
    """
    return SqliteStore.making(Path(address), wait=wait)
