"""Results go to standard output or to a file that appears whole or not at all."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from gainful.errors import DataError, UsageError, printable


class OutputFile(click.ParamType[str]):
    """A path to write to, whose folder is there."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The path, refused before any work is done if it cannot be written."""
        path = Path(value)
        if value in ("", "-"):
            so = " Without one, results go to standard output." if param and param.name == "output" else ""
            self.fail(f"{value!r} is not the name of a file.{so}", param, ctx)
        if path.is_dir():
            self.fail(f"{value} is a directory; name a file in it.", param, ctx)
        if not path.parent.is_dir():
            self.fail(f"there is no folder {path.parent}; make it first.", param, ctx)
        if not os.access(path.parent, os.W_OK):
            self.fail(f"the folder {path.parent} may not be written to.", param, ctx)
        return str(value)


def write(content: str | bytes, path: str | None) -> None:
    """Print the content, or put it into the file at once; bytes are not for a terminal."""
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
    from gainful.formats.files import put

    put(raw, path, overwrite=True)  # the command has asked, before it began to work
