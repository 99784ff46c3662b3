"""Where bytes come from: a file, standard input, or either of them compressed.

What is compressed is told from the first bytes, never from the name.
"""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from gainful._core import Fault
from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown

if TYPE_CHECKING:
    from types import TracebackType

_CHUNK = 1 << 16
LONGEST_LINE = 64 << 20
_MAGIC_BYTES = 6
_STDIN = 0


class Decompressor(Protocol):
    """What the decompressors of the standard library have in common."""

    @property
    def eof(self) -> bool:
        """Whether the compressed data have come to their end."""

    @property
    def needs_input(self) -> bool:
        """Whether nothing more comes out before something goes in."""

    @property
    def unused_data(self) -> bytes:
        """What was given beyond the end."""

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """Take these bytes in; give out at most so many."""


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
            head = os.pread(self.fd, _MAGIC_BYTES, 0) if regular else _first_bytes(self.fd)
            inflate = _decompressor(head)
            if regular and inflate is None:
                self.handle: int | Readable = self.fd
            else:
                file = os.fdopen(self.fd, "rb", buffering=0, closefd=False)
                self.handle = Stream(file, b"" if regular else head, inflate, self.name, can_rewind=regular)
        except BaseException:
            self.close()
            raise

    def head(self, size: int) -> bytes:
        """The first bytes of the content; they are still there for whoever reads it."""
        return os.pread(self.handle, size, 0) if isinstance(self.handle, int) else self.handle.peek(size)

    def rewind(self) -> bool:
        """Start again from the first byte, where that can be done; a file always does."""
        return isinstance(self.handle, int) or self.handle.rewind()

    def raw(self) -> io.BufferedReader:
        """The content as a file."""
        return io.BufferedReader(Content(self.handle), _CHUNK)

    def lines(self) -> Iterator[bytes]:
        """The content, line by line; a line beyond all measure is refused."""
        file, number = self.raw(), 0
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                raise DataError(f"{self.name}, line {number}: longer than {LONGEST_LINE >> 20} MiB.")
            yield line

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


class Stream:
    """Bytes that are read in order, decompressed on the way."""

    def __init__(
        self,
        file: BinaryIO | Any,
        head: bytes,
        inflate: Callable[[], Decompressor] | None,
        name: str,
        *,
        can_rewind: bool,
    ) -> None:
        self.file = file
        self.head = head
        self.inflate = inflate
        self.name = name
        self.can_rewind = can_rewind
        self.taken = 0
        self.decompressor = inflate() if inflate else None
        self.ahead = b""  # content that was looked at and is still to be read

    def peek(self, size: int) -> bytes:
        """The next bytes, fewer only at the end."""
        while len(self.ahead) < size and (more := self._next(size)):
            self.ahead += more
        return self.ahead[:size]

    def rewind(self) -> bool:
        """Start again from the first byte, where that can be done."""
        if self.can_rewind:
            self.file.seek(0)
            self.taken = 0
            self.ahead = b""
            self.decompressor = self.inflate() if self.inflate else None
        return self.can_rewind

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer from its start; 0 means the end."""
        view = memoryview(buffer)
        if self.ahead:
            data, self.ahead = self.ahead[: len(view)], self.ahead[len(view) :]
        else:
            data = self._next(len(view))
        view[: len(data)] = data
        return len(data)

    def _next(self, size: int) -> bytes:
        return self._inflated(size) if self.decompressor else self._raw(size)

    def _raw(self, size: int) -> bytes:
        if self.head:
            data, self.head = self.head[:size], self.head[size:]
        else:
            data = self.file.read(size)
        self.taken += len(data)
        return data

    def _inflated(self, size: int) -> bytes:
        decompressor = self.decompressor
        assert decompressor is not None
        while True:
            if decompressor.eof:
                # Another member may follow; gzip pads with zeros, which are not one.
                rest = decompressor.unused_data or self._raw(_CHUNK)
                while rest and not rest.strip(b"\0"):
                    rest = self._raw(_CHUNK)
                if not rest:
                    return b""
                assert self.inflate is not None
                self.decompressor = decompressor = self.inflate()
            elif decompressor.needs_input:
                rest = self._raw(_CHUNK)
                if not rest:
                    raise DataError(
                        f"{self.name}: the compressed data end too early; the file is cut short or damaged. Fetch it again."
                    )
            else:
                rest = b""
            try:
                data = decompressor.decompress(rest, size)
            except MemoryError:
                raise
            except Exception as fault:  # each library has its own class for damaged data
                raise DataError(
                    f"{self.name} cannot be decompressed ({fault}); the file is damaged. Fetch it again."
                ) from fault
            if data:
                return data


class _Zlib:
    """zlib, isal or zlib-ng behind the interface of the other decompressors."""

    def __init__(self, decompressobj: Callable[..., Any]) -> None:
        self._inner = decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return bool(self._inner.eof)

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return bytes(self._inner.unused_data)

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return bytes(self._inner.decompress(self._inner.unconsumed_tail + data, max_length))


def _gz() -> Decompressor:
    for module in ("isal.isal_zlib", "zlib_ng.zlib_ng"):  # faster, where they are installed
        try:
            return _Zlib(import_module(module).decompressobj)
        except ImportError:
            continue
    import zlib

    return _Zlib(zlib.decompressobj)


def _bz2() -> Decompressor:
    from bz2 import BZ2Decompressor

    return BZ2Decompressor()


def _xz() -> Decompressor:
    from lzma import LZMADecompressor

    return LZMADecompressor()


def _zst() -> Decompressor:
    if sys.version_info >= (3, 14):
        from compression.zstd import ZstdDecompressor
    else:
        from backports.zstd import ZstdDecompressor
    return ZstdDecompressor()


def _lz4() -> Decompressor:
    try:
        decompressor: Decompressor = import_module("lz4.frame").LZ4FrameDecompressor()
    except ImportError:
        raise UsageError("reading lz4 needs one more package: `pip install lz4`.") from None
    return decompressor


_MAGIC: dict[bytes, Callable[[], Decompressor]] = {
    b"\x1f\x8b": _gz,
    b"BZh": _bz2,
    b"\xfd7zXZ\0": _xz,
    b"\x28\xb5\x2f\xfd": _zst,
    b"\x04\x22\x4d\x18": _lz4,
}


def _decompressor(head: bytes) -> Callable[[], Decompressor] | None:
    return next((make for magic, make in _MAGIC.items() if head.startswith(magic)), None)


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
    while len(head) < _MAGIC_BYTES and (more := os.read(fd, _CHUNK)):
        head += more
    return head


def _at_start(fd: int) -> bool:
    return os.lseek(fd, 0, os.SEEK_CUR) == 0
