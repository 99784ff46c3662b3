"""Results go to standard output, or to a file that is written atomically; what cannot be is refused before any work is done."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import Any

import click

from gainful.errors import DataError, UsageError, printable
from gainful.formats.sources import file_type

LONGEST_NAME = 255  # bytes, on the file systems in use


class OutputFile(click.ParamType[str]):
    """A path to write to, whose folder is there."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The path, refused before any work is done if it cannot be written."""
        path = Path(value)
        folder = file_type(str(path.parent))
        if value in ("", "-"):
            so = " Without one, results go to standard output." if param and param.name == "output" else ""
            self.fail(f"{value!r} is not the name of a file.{so}", param, ctx)
        if len(os.fsencode(path.name)) > LONGEST_NAME:
            self.fail(
                f"the name of the file is longer than {LONGEST_NAME} bytes; choose a shorter one.", param, ctx
            )
        if file_type(value) == stat.S_IFDIR:
            self.fail(f"{value} is a directory; name a file in it.", param, ctx)
        if folder != stat.S_IFDIR:
            self.fail(f"there is no folder {path.parent}; make it first.", param, ctx)
        if not os.access(path.parent, os.W_OK):
            self.fail(f"the folder {path.parent} may not be written to.", param, ctx)
        return str(value)


def write(content: str | bytes, path: str | None, *, overwrite: bool | None = None) -> None:
    """Print the content, or write it to the file, atomically; bytes are not for a terminal.

    overwrite  replace a file that is there, also one that appeared while the command worked; as the command's own
               --overwrite says, unless given
    """
    raw = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    if isinstance(content, bytes) and path is None and sys.stdout.isatty():
        raise UsageError("this format is not for a terminal; name a file with -o.")
    if path is None:
        if isinstance(content, str) and sys.stdout.isatty():
            raw = printable(content).encode("utf-8", "backslashreplace")
        try:
            sys.stdout.flush()
            sys.stdout.buffer.write(raw)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            raise
        except OSError as fault:
            raise DataError(f"standard output cannot be written: {fault.strerror}.") from None
        return
    from gainful.formats.output_files import put

    if overwrite is None:
        overwrite = bool(click.get_current_context().params.get("overwrite"))
    put(raw, path, overwrite=overwrite)


def refuse_existing(*paths: str | None, overwrite: bool) -> None:
    """Raise, before any work is done, where a file would be replaced."""
    for path in paths:
        if path and not overwrite and file_type(path) == stat.S_IFREG:
            raise UsageError(f"{path} is there already; choose another name, or replace it with --overwrite.")


def refuse_one_file(what: str, path: str | None, **others: str | None) -> None:
    """Raise where a file to be written is also one of these others, each under its name."""
    for name, other in others.items():
        if path and other and os.path.realpath(path) == os.path.realpath(other):
            raise UsageError(f"{path} cannot be both the {what} and the {name}; choose another name for one.")


def refuse_two_inputs(*paths: str) -> None:
    """Raise where standard input would have to be read twice."""
    if paths.count("-") > 1:
        raise UsageError("standard input can be read once only; - stands more than once.")
