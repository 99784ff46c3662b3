"""A new file for SQLite that appears under its name whole or not at all, and that only its owner can read."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown


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
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.absolute().parent)
    except OSError as fault:
        raise DataError(f"{shown(str(path))} cannot be made: {fault.strerror}.") from None
    os.close(handle)
    made = Path(name)
    try:
        yield made
        _take_name(made, path)
    finally:
        for one in (made, *beside(made)):
            one.unlink(missing_ok=True)


def _take_name(made: Path, path: Path) -> None:
    try:
        os.link(made, path)  # unlike a renaming it never takes the place of another file
    except FileExistsError:
        raise _there(path) from None
    except OSError:  # a file system that knows no second names
        if os.path.lexists(path):
            raise _there(path) from None
        made.rename(path)
    folder = os.open(path.absolute().parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _there(path: Path) -> UsageError:
    return UsageError(f"{shown(str(path))} is there already; choose another name, or open it.")
