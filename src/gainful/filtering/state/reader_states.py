"""States of several readers: the first reader's log is the state itself, every other reader has a state beside it."""

from __future__ import annotations

import os
import re
from contextlib import closing, suppress
from pathlib import Path

from gainful.errors import DataError, UsageError
from gainful.filtering.state.file_creation import beside, copies_of
from gainful.filtering.state.filter import Filter
from gainful.filtering.state.filter_session import Clock
from gainful.filtering.state.store_address import Address, address_name, is_postgres, is_taken, postgres

FIRST = 1
"""The reader whose log is the state itself."""


def reader_address(address: Address, reader: int) -> Address:
    """Where the state of a reader lies.

    >>> reader_address("my.filter", 1), str(reader_address("my.filter", 2))
    ('my.filter', 'my.filter.readers/2.filter')
    >>> reader_address("postgresql://me@localhost/news", 2)
    'postgresql://me@localhost/news?schema=gainful_reader_2'
    """
    if reader < FIRST:
        raise UsageError(f"readers are numbered from {FIRST}; got {reader}")
    if reader == FIRST:
        return address
    if is_postgres(address):
        return postgres(address)[1].reader(reader).address
    return readers_folder(address) / f"{reader}.filter"


def reader_filter(
    address: Address,
    reader: int,
    *,
    create: bool = False,
    clock: Clock | None = None,
    wait: float = 30.0,
) -> Filter:
    """Open the filter of a reader: of the first one the state itself, of others the state of their own beside it.

    create  whether a state that is not there is made, with the settings of the first one
    """
    own = reader_address(address, reader)
    if create and reader != FIRST and not is_taken(own):
        if not is_postgres(address):
            readers_folder(address).mkdir(mode=0o700, exist_ok=True)
        with Filter.open(address, wait=wait) as first:
            settings = first.settings
        with suppress(UsageError):  # another process has made it meanwhile
            Filter.create(
                own,
                analyzer=settings.analyzer,
                epochs=settings.epochs,
                refresh=settings.refresh,
                cap=settings.cap,
                clock=clock,
                wait=wait,
            ).close()
    return Filter.open(own, clock=clock, wait=wait)


def readers_of(address: Address) -> list[int]:
    """The numbers of the readers that have a state, the first one included."""
    if is_postgres(address):
        named, names = _schemas(address)
    else:
        folder = readers_folder(address)
        named = r"([1-9]\d*)\.filter"
        names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    numbers = (re.fullmatch(named, name) for name in names)
    return sorted({FIRST, *(int(number[1]) for number in numbers if number)})


def _schemas(address: Address) -> tuple[str, list[str]]:
    """How schemas of readers are named, and the names of all schemas that hold a state."""
    stores, place = postgres(address)
    with closing(stores.open(place, wait=0)) as store, store.speaking():
        query = "SELECT schemaname FROM pg_tables WHERE tablename = 'state_version'"
        return rf"{place.schema}_reader_([1-9]\d*)", [str(name) for (name,) in store.execute(query)]


def remove_reader(address: Address, reader: int) -> None:
    """Remove the state of a reader for good, with everything in it; it must not be open. The first one's stays."""
    if reader == FIRST:
        raise UsageError(
            f"reader {FIRST} cannot be removed: the state itself is that reader's; `forget_everything` empties it"
        )
    if reader not in readers_of(address):
        raise DataError(f"{address_name(address)} has no reader {reader}.")
    if is_postgres(address):
        stores, place = postgres(address)  # the reader's own schema may be damaged
        with closing(stores.open(place, wait=30.0)) as store, store.writing():
            store.execute(f'DROP SCHEMA "{place.reader(reader).schema}" CASCADE')
        return
    path = Path(reader_address(address, reader))
    for file in (path, *beside(path), *copies_of(path)):
        file.unlink(missing_ok=True)


def readers_folder(address: Address) -> Path:
    """Where the states of all readers but the first lie, beside a file."""
    return Path(f"{os.fspath(address)}.readers")
