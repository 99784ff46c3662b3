"""Files of states: created atomically beside their name, and copied before they are migrated."""

from __future__ import annotations

import os
import re
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown
from gainful.system_calls import sync_folder


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
        handle, name = tempfile.mkstemp(prefix=".gainful-", dir=path.absolute().parent)
    except FileNotFoundError:
        folder = path.absolute().parent
        raise DataError(
            f"{shown(str(path))} cannot be created: there is no folder {shown(str(folder))}; create it first."
        ) from None
    except OSError as fault:
        raise DataError(f"{shown(str(path))} cannot be created: {fault.strerror}.") from None
    os.close(handle)
    unfinished = Path(name)
    try:
        yield unfinished
        take_name(unfinished, path)
    finally:
        for file in (unfinished, *beside(unfinished)):
            file.unlink(missing_ok=True)


def take_name(finished: Path, path: Path) -> None:
    """Give a finished file its name, unless another file has it by now; on disk when this returns."""
    try:
        os.link(finished, path)  # unlike a renaming it never takes the place of another file
    except FileExistsError:
        raise _there(path) from None
    except OSError:  # a file system that knows no second names
        if os.path.lexists(path):
            raise _there(path) from None
        finished.rename(path)
    sync_folder(path.absolute().parent)


def _there(path: Path) -> UsageError:
    return UsageError(f"{shown(str(path))} already exists; choose another name, or open it.")


def copy_of(path: Path, version: int) -> Path:
    """A copy of an older file beside it, whole, under a name that ends in the version and that no file has yet.

    Nobody else may write meanwhile; the connection that keeps them out cannot read for a copy itself.
    """
    target = path.with_name(f"{path.name}.v{version}")
    number = 1
    while target.exists():
        number += 1
        target = path.with_name(f"{path.name}.v{version}-{number}")
    making = target.with_name(f"{target.name}.part")
    making.unlink(missing_ok=True)
    making.touch(mode=0o600)
    with (
        closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(making)) as copy,
    ):
        source.backup(copy)
    making.chmod(path.stat().st_mode & 0o777)
    handle = os.open(making, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    take_name(making, target)
    making.unlink(missing_ok=True)
    return target


def copies_of(path: Path) -> list[Path]:
    """Copies of older versions beside a file, whole or not, by the names that `copy_of` gives them."""
    named = re.compile(rf"{re.escape(path.name)}\.v\d+(-\d+)?(\.part)?")
    return sorted(file for file in path.absolute().parent.iterdir() if named.fullmatch(file.name))
