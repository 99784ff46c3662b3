"""States of several readers: the first reader's log is the state itself, every other reader has a state beside it."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from gainful.errors import DataError, UsageError
from gainful.filtering.state.file_creation import beside, copies_of
from gainful.filtering.state.filter import Filter
from gainful.filtering.state.filter_session import Clock
from gainful.filtering.state.store_address import Address
from gainful.formats.ids import shown

FIRST = 1
"""The reader whose log is the state itself."""


def reader_address(address: Address, reader: int) -> Address:
    """Where the state of a reader lies.

    >>> reader_address("my.filter", 1), str(reader_address("my.filter", 2))
    ('my.filter', 'my.filter.readers/2.filter')
    """
    if reader < FIRST:
        raise UsageError(f"readers are numbered from {FIRST}; got {reader}")
    if reader == FIRST:
        return address
    return _folder(address) / f"{reader}.filter"


def reader_filter(
    address: Address,
    reader: int,
    *,
    create: bool = False,
    clock: Clock | None = None,
    wait: float = 30.0,
) -> Filter:
    """Open the filter of a reader: of the first one the state itself, of others the state of their own beside it.

    create  whether a state that is not there is made, with the usual settings
    """
    own = reader_address(address, reader)
    if create and reader != FIRST and not _exists(own):
        _folder(address).mkdir(mode=0o700, exist_ok=True)
        with suppress(UsageError):  # another process has made it meanwhile
            Filter.create(own, clock=clock, wait=wait).close()
    return Filter.open(own, clock=clock, wait=wait)


def readers_of(address: Address) -> list[int]:
    """The numbers of the readers that have a state, the first one included."""
    folder = _folder(address)
    names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    numbers = (re.fullmatch(r"([1-9]\d*)\.filter", name) for name in names)
    return sorted({FIRST, *(int(number[1]) for number in numbers if number)})


def remove_reader(address: Address, reader: int) -> None:
    """Remove the state of a reader for good, with everything in it; it must not be open. The first one's stays."""
    if reader == FIRST:
        raise UsageError(f"reader {FIRST} cannot be removed: the state itself is that reader's")
    path = Path(reader_address(address, reader))
    if not path.is_file():
        raise DataError(f"{shown(os.fspath(address))} has no reader {reader}.")
    for file in (path, *beside(path), *copies_of(path)):
        file.unlink(missing_ok=True)


def _exists(address: Address) -> bool:
    return os.path.lexists(address)


def _folder(address: Address) -> Path:
    """Where the states of all readers but the first lie."""
    return Path(f"{os.fspath(address)}.readers")
