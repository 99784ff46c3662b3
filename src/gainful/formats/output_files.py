"""Files that are written atomically, and replace others only if that is asked for."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown
from gainful.formats.sources import file_type

_NO_LINKS = (
    errno.EPERM,
    errno.ENOTSUP,
    errno.ENOSYS,
    errno.EMLINK,
)  # of file systems that have no second names


def put(raw: bytes, path: str, *, overwrite: bool = False) -> None:
    """Write the bytes to a file, atomically."""
    with putting(path, overwrite=overwrite) as file:
        file.write(raw)


@contextmanager
def putting(path: str, *, overwrite: bool = False, private: bool = False) -> Iterator[BinaryIO]:
    """A file to write to, bit by bit, that appears under its name when all is written and on the disk.

    overwrite  replace a file that is there, and keep its permissions; otherwise one that is there, or appears while
               this one is written, stays and is an error
    private    only its owner may read it; otherwise the usual permissions of new files
    """
    target, special = _target(path)
    if not special and not overwrite and file_type(str(target)) is not None:
        raise _there_already(path)
    try:
        if special:
            with target.open("wb") as file:
                yield file
            return
        handle, temporary = tempfile.mkstemp(prefix=".gainful-", dir=target.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
                os.fchmod(file.fileno(), 0o600 if private else _mode(target))
                file.flush()
                os.fsync(file.fileno())
            if overwrite:
                Path(temporary).replace(target)
            else:
                _place(temporary, target)
            _sync_folder(target.parent)
        finally:
            Path(temporary).unlink(missing_ok=True)
    except FileExistsError:
        raise _there_already(path) from None
    except OSError as fault:
        raise DataError(f"{shown(path)} cannot be written: {fault.strerror or fault}.") from None


def is_special(path: str) -> bool:
    """Whether a device or a pipe is there, such as /dev/stdout, which is written to and not replaced."""
    return file_type(path) not in (None, stat.S_IFREG)


def _there_already(path: str) -> UsageError:
    return UsageError(f"{shown(path)} already exists; choose another name, or replace it with --overwrite.")


def _target(path: str) -> tuple[Path, bool]:
    """Where to write, behind links, which stay links; and whether that is a device or a pipe."""
    try:
        return (Path(path), True) if is_special(path) else (Path(path).resolve(), False)
    except (OSError, RuntimeError, ValueError) as fault:  # no way to it; links in a circle; no name at all
        raise DataError(f"{shown(path)} cannot be written: {fault}.") from None


def _place(temporary: str, target: Path) -> None:
    """Give the file its name; FileExistsError where another has it."""
    try:
        target.hardlink_to(temporary)
    except FileExistsError:
        raise
    except OSError as fault:
        if fault.errno not in _NO_LINKS:
            raise
        os.close(
            os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        )  # the name is taken first, then the place
        Path(temporary).replace(target)


def _mode(target: Path) -> int:
    """Permissions of the file that is replaced, or of a new one."""
    try:
        return stat.S_IMODE(target.stat().st_mode) & 0o777
    except OSError:
        return 0o666 & ~_umask()


def _sync_folder(folder: Path) -> None:
    """Have the new name on the disk too, where the system lets a folder be opened."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:  # some file systems cannot; the content itself is on the disk
        pass
    finally:
        os.close(descriptor)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
