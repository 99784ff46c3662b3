"""What operating systems do differently, each call with its twin: POSIX, Windows, and Pyodide in a browser.

The native core has its own in native/platform.h.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from threading import Lock

READING = (
    os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0)
)
"""How a file is opened for its bytes, and not for other programs that are started meanwhile."""

_moving = Lock()


def _moved_and_read(descriptor: int, size: int, place: int) -> bytes:
    with _moving:  # the descriptor's one place is moved, and moved back
        before = os.lseek(descriptor, 0, os.SEEK_CUR)
        try:
            os.lseek(descriptor, place, os.SEEK_SET)
            return os.read(descriptor, size)
        finally:
            os.lseek(descriptor, before, os.SEEK_SET)


read_at: Callable[[int, int, int], bytes] = os.pread if hasattr(os, "pread") else _moved_and_read
"""Bytes of a file, so many at most, from a place on, whoever else reads."""


system_limit: Callable[[str], int] = os.sysconf if hasattr(os, "sysconf") else lambda name: -1  # noqa: ARG005
"""A limit of the system by its name in POSIX; below 0 where there is none, or none that is known."""


def processors() -> int:
    """How many processors this process may use; in a browser one, as no threads can be started there."""
    if sys.platform == "emscripten":
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def set_permissions(descriptor: int, mode: int) -> None:
    """Permissions of an open file, where the system has such."""
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, mode)


def sync_folder(folder: str | os.PathLike[str]) -> None:
    """Have the new names in a folder on the disk too, where the system lets a folder be opened."""
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


def lock(descriptor: int) -> None:
    """Keep the file from others who ask, until it is closed; OSError where somebody has it."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
