"""Files that appear whole or not at all, and never in the place of another unless that is asked for."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown


def put(raw: bytes, path: str, *, overwrite: bool = False) -> None:
    """Write the bytes to a file at once."""
    with putting(path, overwrite=overwrite) as file:
        file.write(raw)


@contextmanager
def putting(path: str, *, overwrite: bool = False, private: bool = False) -> Iterator[BinaryIO]:
    """A file to write to, bit by bit, that appears under its name when all is written.

    private  only its owner can read it; otherwise whom the system lets read new files
    """
    target, special = _target(path)
    if not special and target.exists() and not overwrite:
        raise UsageError(
            f"{shown(path)} is there already; choose another name, or replace it with --overwrite."
        )
    try:
        if special:
            with target.open("wb") as file:
                yield file
            return
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
            if not private:
                Path(temporary).chmod(0o666 & ~_umask())
            Path(temporary).replace(target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as fault:
        raise DataError(f"{shown(path)} cannot be written: {fault.strerror}.") from None


def is_special(path: str) -> bool:
    """Whether a device or a pipe is there, such as /dev/stdout, which is written to and not replaced."""
    return Path(path).exists() and not Path(path).is_file()


def _target(path: str) -> tuple[Path, bool]:
    """Where to write, behind links, which stay links; and whether that is a device or a pipe."""
    try:
        return (Path(path), True) if is_special(path) else (Path(path).resolve(), False)
    except (OSError, RuntimeError, ValueError) as fault:  # no way to it; links in a circle; no name at all
        raise DataError(f"{shown(path)} cannot be written: {fault}.") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
