"""trec_eval: an executable of that name, for scripts and programs that call it."""

from __future__ import annotations

import os
import shlex
import shutil
import stat
import sys

from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown
from gainful.formats.sources import file_type

NAME = "trec_eval"
SCRIPT = """#!/bin/sh
# trec_eval's command line, answered by Gainful; written by `gainful install-trec-eval`. Delete this file to undo.
exec {python} -P -c 'from gainful.cli import main; main()' trec_eval "$@"
"""


def write_launcher(folder: str) -> str:
    """Write an executable `trec_eval` into a folder, which runs `gainful trec_eval` with this Python; returns its path.

    A file of that name that is there stays, and is an error.
    """
    if file_type(folder) != stat.S_IFDIR:
        raise UsageError(f"there is no folder {shown(folder)}; create it first, and put it on the path.")
    path = os.path.join(folder, NAME)  # noqa: PTH118 (the folder stays as it was given)
    content = SCRIPT.format(python=shlex.quote(sys.executable)).encode()
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o777)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
    except FileExistsError:
        raise UsageError(
            f"{shown(path)} already exists and stays; move it away first, or name another folder."
        ) from None
    except OSError as fault:
        raise DataError(f"{shown(path)} cannot be written: {fault.strerror}.") from None
    return path


def called_now() -> str | None:
    """The trec_eval that the path leads to; None where there is none."""
    return shutil.which(NAME)
