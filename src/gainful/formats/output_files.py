"""Files that are written: rows in any format as their content, atomically, and in place of others only if that is asked for."""

from __future__ import annotations

import errno
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path, PurePath
from typing import BinaryIO

from gainful._core import Rows
from gainful.errors import DataError, UsageError
from gainful.formats import registry
from gainful.formats.ids import shown
from gainful.formats.sources import file_type
from gainful.formats.types import Kind
from gainful.system_calls import set_permissions, sync_folder

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
                set_permissions(file.fileno(), 0o600 if private else _mode(target))
                file.flush()
                os.fsync(file.fileno())
            if overwrite:
                Path(temporary).replace(target)
            else:
                _place(temporary, target)
            sync_folder(target.parent)
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


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


PACKED = (".gz", ".bz2", ".xz", ".zst", ".lz4")


def layout_for(path: str) -> str:
    """The layout that a file's ending asks for.

    >>> layout_for("runs/bm25.jsonl.gz")
    'jsonl'
    """
    pure = PurePath(path)
    if pure.suffix.lower() in PACKED:
        pure = pure.with_suffix("")
    form = registry.for_ending(pure.suffix.lower())
    if form is None:
        raise UsageError(
            f"{path}: the suffix does not give the format; use --to {'|'.join(registry.written_names())}."
        )
    return form.name


def written(rows: Rows, kind: Kind, layout: str, *, path: str, tag: str = "gainful") -> bytes:
    """The content of a file that holds the rows, compressed as its ending asks."""
    form = registry.find(layout)
    if form is None or form.write is None:
        raise UsageError(
            f"a file is written as one of {', '.join(registry.written_names())}; got {layout!r}."
        )
    return packed(form.write(rows, kind, tag), path)


def triples(rows: Rows) -> Iterator[tuple[bytes, bytes, float]]:
    """Topic, document and value, row by row."""
    return zip(rows.topics, rows.documents, rows.values.tolist(), strict=True)


def number_text(value: float) -> str:
    """A number as text; whole numbers have no decimal point."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def value_names(kind: Kind) -> tuple[str, str, str]:
    """What the columns are called in a file that is written."""
    return "topic", "document", "score" if kind == "run" else "grade"


def packed(content: bytes, path: str) -> bytes:
    """The content, compressed as the ending of the file asks."""
    suffix = PurePath(path).suffix.lower()
    modules = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma", ".lz4": "lz4.frame"}
    modules[".zst"] = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    if suffix not in modules:
        return content
    try:
        smaller: bytes = import_module(modules[suffix]).compress(content)
    except ImportError:
        raise UsageError(
            f"writing {suffix} needs one more package: `pip install {'lz4' if suffix == '.lz4' else 'backports.zstd'}`."
        ) from None
    return smaller
