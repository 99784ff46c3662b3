"""One run, or one set of judgments, in several files: a directory, a glob, or a list of paths.

The files are read one after the other, as if they were one; a topic may be in several of them. Of a directory, files
whose names begin with . or _ are left out, as Spark and others do.
"""

from __future__ import annotations

import stat
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from gainful._core import Fault
from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown
from gainful.formats.sources import Kept, Paths, Source, file_type, unreadable
from gainful.formats.streams import Content
from gainful.formats.types import MARK

_WILD = frozenset("*?[")


def parts_of(path: str) -> list[str] | None:
    """The files of a directory, a glob or a list of paths; None if the path is one file, or does not exist."""
    if isinstance(path, Paths):
        return list(path.parts)
    if not path:
        raise UsageError("a file name is empty; is a shell variable not set?")
    if isinstance(path, Kept):
        return None
    there = file_type(path)
    if there == stat.S_IFDIR:
        from pathlib import Path

        try:
            names = sorted(str(file) for file in Path(path).iterdir() if file.name[0] not in "._")
        except OSError as fault:
            raise unreadable(shown(path), fault) from None
        files = [name for name in names if file_type(name) == stat.S_IFREG]
        if not files:
            raise DataError(
                f"{shown(path)} is a directory without files; give the folder that contains them, or a glob."
            )
        return files
    if _WILD.isdisjoint(path) or path == "-" or there is not None:
        return None
    from glob import glob

    files = sorted(name for name in glob(path) if file_type(name) == stat.S_IFREG)  # noqa: PTH207 (relative ones stay so)
    if not files:
        raise DataError(f"{shown(path)}: no file matches.")
    return files


class Parts(Source):
    """Files that are read one after the other, as if they were one."""

    def __init__(self, path: str, paths: list[str]) -> None:
        self.path = path
        self.paths = paths
        self.fd, self._owned = -1, []
        self.size = sum(_size(part) for part in paths)
        self.chain = self.handle = _Chain(paths)

    @property
    def on_disk(self) -> bool:
        """Never: no other process can open all files by one path."""
        return False

    def bytes_taken(self, bytes_read: int) -> int:  # noqa: ARG002 (files may be compressed)
        """How much of the files themselves has been read."""
        return self.chain.taken

    def place(self, fault: Fault, unit: str) -> tuple[Fault, str]:
        """The fault with its line counted in the file it is in, and the name of that file."""
        kind, line, other, text, count = fault.args
        if not line or unit != self.chain.unit:
            return fault, self.name
        where, number = self.chain.located(line)
        if kind != "duplicate" or not other:
            return Fault(kind, number, other, text, count), where
        first, before = self.chain.located(other)
        if first == where:
            return Fault(kind, number, before, text, count), where
        both = f"{where}, {unit} {number} and {first}, {unit} {before} (all of {self.name} is read as one)"
        return Fault(kind, 0, 0, text, count), both

    def close(self) -> None:
        """Close the file that is open."""
        self.chain.close()


class _Chain:
    """The bytes of several files, one after the other; a last line without a newline gets one.

    header  every file begins with the names of its columns: those of the later ones become empty lines
    unit    what is counted of each file: lines, or rows
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = paths
        self.header = self.held = False
        self.unit = "line"
        self._source: Source | None = None
        self.rewind()

    can_rewind = True

    def rewind(self) -> bool:
        """Start again from the first byte of the first file."""
        self.close()
        self.counts: list[int] = []
        """Of each file that was begun: its lines, or rows."""
        self.done = 0
        self._begun = False
        self.ahead = b""
        self._number, self._last = 0, b"\n"
        return True

    @property
    def taken(self) -> int:
        """Bytes of the files that have been read."""
        source = self._source
        return self.done + (0 if source is None else source.bytes_taken(self._content.place))

    def peek(self, size: int) -> bytes:
        """The first bytes of the first file that is not empty; they are not consumed."""
        for path in self.paths:
            with Source(path) as source:
                if head := source.head(size):
                    return head
        return b""

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer from its start; 0 means the end."""
        view = memoryview(buffer)
        while not self.ahead:
            if self._source is None:
                if not self._begin():
                    return 0
                continue  # a header, or a line after a mark, may be ahead already
            block = bytearray(len(view))
            del block[self._content.readinto(block) :]
            self.ahead = self._noted(bytes(block)) if block else self._end()
        data, self.ahead = self.ahead[: len(view)], self.ahead[len(view) :]
        view[: len(data)] = data
        return len(data)

    def located(self, line: int) -> tuple[str, int]:
        """The file that has this line of the whole, and the line number in that file."""
        ends = [0, *accumulate(self.counts)]
        number = bisect_left(ends, line) - 1
        return shown(self.paths[number]), line - ends[number]

    def close(self) -> None:
        """Close the file that is open."""
        if self._source is not None:
            self._source.close()
            self._source = None

    def _begin(self) -> bool:
        if self._number == len(self.paths):
            return False
        self._source = Source(self.paths[self._number])
        if self.held:
            self._source.hold()
        self._content = Content(self._source.handle)
        self.counts.append(0)
        self._last = b"\n"
        head = self._source.head(len(MARK))
        if self._begun and (self.header or head == MARK):
            self.ahead = self._noted(self._without_header())
        self._begun |= bool(head)
        self._number += 1
        return True

    def _without_header(self) -> bytes:
        """The lines down to the column names, replaced by empty lines so that later lines keep their numbers."""
        lines, content = b"", self._content
        while True:
            line = _line(content)
            bare = line.removeprefix(MARK) if not lines else line
            if not self.header or not line:
                return lines + bare
            lines += b"\n"
            if bare.strip() and not bare.startswith(b"#"):
                return lines

    def _noted(self, data: bytes) -> bytes:
        self.counts[-1] += data.count(b"\n")
        self._last = data[-1:] or self._last
        return data

    def _end(self) -> bytes:
        assert self._source is not None
        self.done += self._source.bytes_taken(self._content.place)
        self.close()
        return b"" if self._last == b"\n" else self._noted(b"\n")


def _line(content: Content) -> bytes:
    line = bytearray()
    byte = bytearray(1)
    while content.readinto(byte):
        line += byte
        if byte == b"\n":
            break
    return bytes(line)


def _size(path: str) -> int:
    from pathlib import Path

    try:
        return Path(path).stat().st_size
    except OSError:
        return 0  # opening it will raise the error
