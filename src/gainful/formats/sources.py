"""Where bytes come from: a file, standard input, or either of them compressed."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

from gainful._core import Fault
from gainful.errors import DataError
from gainful.formats.ids import shown
from gainful.formats.streams import CHUNK, MAGIC_BYTES, Stream, decompressor_of
from gainful.formats.types import MARK

if TYPE_CHECKING:
    from types import TracebackType

LONGEST_LINE = 64 << 20
_STDIN = 0


class Readable(Protocol):
    """Bytes that the core asks for."""

    @property
    def taken(self) -> int:
        """How many bytes of the file itself have been read."""

    def peek(self, size: int) -> bytes:
        """The next bytes, which are still to be read."""

    def readinto(self, buffer: Any, /) -> int:
        """Fill the buffer from its start; 0 means the end."""

    def rewind(self) -> bool:
        """Start again from the first byte, where that can be done."""


class Source:
    """An input that the core can read: `handle` is a file descriptor or an object with `readinto` and `rewind`."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = "standard input" if path == "-" else shown(path)
        self.fd = _STDIN if path == "-" else _open(path, self.name)
        self._owned = [] if path == "-" else [self.fd]
        try:
            status = os.fstat(self.fd)
            if stat.S_ISDIR(status.st_mode):
                raise DataError(f"{self.name} is a directory; give the file in it that is meant.")
            regular = stat.S_ISREG(status.st_mode) and _at_start(self.fd)
            self.size = status.st_size if regular else None
            head = os.pread(self.fd, MAGIC_BYTES, 0) if regular else _first_bytes(self.fd)
            inflate = decompressor_of(head)
            if regular and inflate is None:
                self.handle: int | Readable = self.fd
            else:
                file = os.fdopen(self.fd, "rb", buffering=0, closefd=False)
                self.handle = Stream(file, b"" if regular else head, inflate, self.name, can_rewind=regular)
        except OSError as fault:
            self.close()
            raise unreadable(self.name, fault) from None
        except BaseException:
            self.close()
            raise

    def head(self, size: int) -> bytes:
        """The first bytes of the content; they are still there for whoever reads it."""
        try:
            return os.pread(self.handle, size, 0) if isinstance(self.handle, int) else self.handle.peek(size)
        except OSError as fault:
            raise unreadable(self.name, fault) from None

    def rewind(self) -> bool:
        """Start again from the first byte, where that can be done; a file always does."""
        return isinstance(self.handle, int) or self.handle.rewind()

    def raw(self) -> io.BufferedReader:
        """The content as a file."""
        return io.BufferedReader(Content(self.handle), CHUNK)

    def lines(self) -> Iterator[bytes]:
        """The content, line by line, without a mark of byte order; a line beyond all measure is refused."""
        file, number = self.raw(), 0
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                raise DataError(f"{self.name}, line {number}: longer than {LONGEST_LINE >> 20} MiB.")
            yield line.removeprefix(MARK) if number == 1 else line

    @property
    def on_disk(self) -> bool:
        """Whether others can open it by its path and find the content itself."""
        return isinstance(self.handle, int) and self.path != "-"

    def place(self, fault: Fault, unit: str) -> tuple[Fault, str]:  # noqa: ARG002 (several files use it)
        """A fault, and the name of the file that its line is counted in."""
        return fault, self.name

    def at(self, number: int, unit: str = "line") -> str:
        """The name of the file and the place in it, as messages have them."""
        fault, name = self.place(Fault("", number, 0, b"", 1), unit)
        return f"{name}, {unit} {fault.args[1]}"

    def read_all(self, limit: int) -> bytes:
        """The whole content; refused when there is more of it than the limit."""
        content = self.raw().read(limit + 1)
        if len(content) > limit:
            raise DataError(
                f"{self.name} holds more than {limit >> 30} GiB; give it as TREC text or JSON lines."
            )
        return content

    def bytes_taken(self, bytes_read: int) -> int:
        """How much of the file itself has been read, when the core has taken so many bytes of its content."""
        return bytes_read if isinstance(self.handle, int) else self.handle.taken

    def close(self) -> None:
        """Give the file back, once, whichever thread asks first; standard input stays open."""
        try:
            os.close(self._owned.pop())
        except IndexError:
            return

    def __enter__(self) -> Source:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Content(io.RawIOBase):
    """What a handle gives, as a file of the standard library."""

    def __init__(self, handle: int | Readable) -> None:
        self.handle, self.place = handle, 0

    def readable(self) -> bool:
        """It is there to be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer from its start; 0 means the end."""
        if not isinstance(self.handle, int):
            return self.handle.readinto(buffer)
        data = os.pread(self.handle, len(buffer), self.place)
        buffer[: len(data)] = data
        self.place += len(data)
        return len(data)


def unreadable(name: str, fault: OSError) -> DataError:
    """What to raise where the system does not give the content of a file."""
    return DataError(f"{name} cannot be read: {fault.strerror or fault}.")


def _open(path: str, name: str) -> int:
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        raise DataError(f"{name}: there is no such file.") from None
    except PermissionError:
        raise DataError(f"{name} may not be read by this user; change its permissions.") from None
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else fault
        raise DataError(f"{name} cannot be opened: {reason}.") from None


def _first_bytes(fd: int) -> bytes:
    head = b""
    while len(head) < MAGIC_BYTES and (more := os.read(fd, CHUNK)):
        head += more
    return head


def _at_start(fd: int) -> bool:
    return os.lseek(fd, 0, os.SEEK_CUR) == 0
