"""Files that appear whole or not at all, and never in the place of another unless that is asked for."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from gainful.errors import DataError, UsageError


def put(raw: bytes, path: str, *, overwrite: bool = False) -> None:
    """Write the bytes to a file at once."""
    with putting(path, overwrite=overwrite) as file:
        file.write(raw)


@contextmanager
def putting(path: str, *, overwrite: bool = False, private: bool = False) -> Iterator[BinaryIO]:
    """A file to write to, bit by bit, that appears under its name when all is written.

    private  only its owner can read it; otherwise whom the system lets read new files
    """
    target = Path(path).resolve()  # a link stays a link
    if target.exists() and not overwrite:
        raise UsageError(f"{path} is there already; choose another name, or replace it with --overwrite.")
    try:
        if target.exists() and not target.is_file():  # a device or a pipe is written to, not replaced
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
        raise DataError(f"{path} cannot be written: {fault.strerror}.") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
