"""Bytes that are read in order, and decompressed on the way.

Compression is recognised by the first bytes, never by the name.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any, Protocol

from gainful.errors import DataError, UsageError
from gainful.system_calls import read_at

CHUNK = 1 << 16
MAGIC_BYTES = 6
_GZIP_BUFFER = 1 << 20

MOST_WINDOW = 256 << 20
"""Bytes of memory that a decompressor may take for its dictionary, or window."""

HELD_ANYHOW, HELD_TIMES = 64 << 20, 32
"""What is held in memory may unpack to so many bytes, and beyond these to so many times what was compressed."""


class Unpacked(Protocol):
    """Decompressed content."""

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill the buffer from its start; 0 means the end. EOFError where the compressed data end too early."""


class Decompressor(Protocol):
    """What the decompressors of the standard library have in common."""

    @property
    def eof(self) -> bool:
        """Whether the compressed data have come to their end."""

    @property
    def needs_input(self) -> bool:
        """Whether nothing more comes out before something goes in."""

    @property
    def unused_data(self) -> bytes | None:
        """What was given beyond the end; lz4 has None for nothing."""

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """Take these bytes in; give out at most so many."""


Raw = Callable[[memoryview], int]
"""Fills a buffer with compressed bytes."""

Unpack = Callable[[Raw], Unpacked]


class Readable(Protocol):
    """Bytes that the core asks for."""

    held: bool
    """Whether what is read stays in memory: compressed bytes may then not unpack to very much more than they are."""

    @property
    def can_rewind(self) -> bool:
        """Whether `rewind` can do what it says."""

    @property
    def taken(self) -> int:
        """How many bytes of the file itself have been read."""

    def peek(self, size: int) -> bytes:
        """The next bytes, which are still to be read."""

    def readinto(self, buffer: Any, /) -> int:
        """Fill the buffer from its start; 0 means the end."""

    def rewind(self) -> bool:
        """Start again from the first byte, where that can be done."""


class Content(io.RawIOBase):
    """What a handle gives, as a file of the standard library."""

    def __init__(self, handle: int | Readable) -> None:
        self.handle, self.place = handle, 0

    def readable(self) -> bool:
        """It is there to be read."""
        return True

    def seek(self, place: int, whence: int = os.SEEK_SET, /) -> int:
        """Go on from this byte of a file; other content is read in order only."""
        if whence != os.SEEK_SET or not isinstance(self.handle, int):
            raise io.UnsupportedOperation("seek")
        self.place = place
        return place

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer from its start; 0 means the end."""
        if not isinstance(self.handle, int):
            return self.handle.readinto(buffer)
        data = read_at(self.handle, len(buffer), self.place)
        buffer[: len(data)] = data
        self.place += len(data)
        return len(data)


class Stream:
    """Bytes that are read in order, decompressed on the way."""

    def __init__(
        self,
        file: io.RawIOBase | io.BytesIO,
        head: bytes,
        unpack: Unpack | None,
        name: str,
        *,
        can_rewind: bool,
    ) -> None:
        self.file = file
        self.head = head
        self.unpack = unpack
        self.name = name
        self.can_rewind = can_rewind
        self.held = False  # whether what is read stays in memory
        self.taken = self.unpacked = 0
        self.content = unpack(self._raw_into) if unpack else None
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
            self.taken = self.unpacked = 0
            self.ahead = b""
            self.content = self.unpack(self._raw_into) if self.unpack else None
        return self.can_rewind

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer from its start; 0 means the end."""
        view = memoryview(buffer)
        if not self.ahead:
            return self._following(view)
        data, self.ahead = self.ahead[: len(view)], self.ahead[len(view) :]
        view[: len(data)] = data
        return len(data)

    def _next(self, size: int) -> bytes:
        view = memoryview(bytearray(min(size, CHUNK)))
        return bytes(view[: self._following(view)])

    def _following(self, view: memoryview) -> int:
        return self._unpacked_into(view) if self.content else self._raw_into(view)

    def _raw_into(self, view: memoryview) -> int:
        if self.head:
            data, self.head = self.head[: len(view)], self.head[len(view) :]
            view[: len(data)] = data
            count = len(data)
        else:
            count = self.file.readinto(view) or 0
        self.taken += count
        return count

    def _unpacked_into(self, view: memoryview) -> int:
        assert self.content is not None
        try:
            count = self.content.readinto(view)
        except (MemoryError, DataError):
            raise
        except EOFError:
            raise DataError(
                f"{self.name}: the compressed data end too early; the file is cut short or damaged. Fetch it again."
            ) from None
        except Exception as fault:  # each library has its own class for damaged data
            if isinstance(fault, OSError) and fault.errno is not None:
                raise  # the file itself cannot be read
            raise self._not_decompressed(fault) from None
        self.unpacked += count
        self._check_expansion()
        return count

    def _not_decompressed(self, fault: Exception) -> DataError:
        if "memory" in str(fault).lower():
            return DataError(
                f"{self.name} was compressed with a dictionary of more than {MOST_WINDOW >> 20} MiB (or a window of more "
                "than 128 MiB); compress it again with xz -9, or zstd without --long."
            )
        return DataError(
            f"{self.name} cannot be decompressed ({fault}); the file is damaged. Fetch it again."
        )

    def _check_expansion(self) -> None:
        if self.held and self.unpacked > HELD_ANYHOW + HELD_TIMES * self.taken:
            raise DataError(
                f"{self.name}: {self.taken:,} compressed bytes unpack to more than {self.unpacked:,}, too many to hold in "
                f"memory (at most {HELD_ANYHOW >> 20} MiB and {HELD_TIMES} times the file).\n"
                "If such repetitive content is intended, decompress the file first."
            )


def held_content(stream: Stream) -> bytes:
    """All that is still to be read, in memory."""
    stream.held, content = True, bytearray()
    while block := stream.peek(CHUNK):
        content += block
        stream.ahead = stream.ahead[len(block) :]
    return bytes(content)


def decompressed_sizes(content: bytes) -> Iterator[int]:
    """How many bytes each piece of compressed content has, one piece after the other; none is kept."""
    stream = Stream(io.BytesIO(content), b"", unpacking_of(content), "content", can_rewind=False)
    while size := len(stream.peek(CHUNK)):
        stream.ahead = b""
        yield size


class BytesReader:
    """Bytes in memory, as the core reads them."""

    def __init__(self, data: bytes) -> None:
        self.data = memoryview(data)
        self.place = 0

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer from its start; 0 means the end."""
        part = self.data[self.place : self.place + len(buffer)]
        buffer[: len(part)] = part
        self.place += len(part)
        return len(part)

    def rewind(self) -> bool:
        """Start again from the first byte."""
        self.place = 0
        return True


class _Pieces:
    """Content of one compressed member after the other, as a decompressor gives it out piece by piece."""

    def __init__(self, decompressor: Callable[[], Decompressor], raw: Raw) -> None:
        self._make, self._raw = decompressor, raw
        self._decompressor = decompressor()
        self._taken_in = memoryview(bytearray(CHUNK))

    def readinto(self, buffer: memoryview, /) -> int:
        filled = 0
        # Larger pieces would be given back to the system one by one, and their memory be cleared for each anew.
        while filled < len(buffer) and (data := self._piece(min(len(buffer) - filled, CHUNK))):
            buffer[filled : filled + len(data)] = data
            filled += len(data)
        return filled

    def _piece(self, size: int) -> bytes:
        while True:
            decompressor = self._decompressor
            if decompressor.eof:
                # Another member may follow; gzip pads with zeros, which are not one.
                rest = (decompressor.unused_data or b"").lstrip(b"\0")
                while not rest and (more := self._compressed()):
                    rest = more.lstrip(b"\0")
                if not rest:
                    return b""
                self._decompressor = decompressor = self._make()
            elif decompressor.needs_input:
                rest = self._compressed()
                if not rest:
                    raise EOFError
            else:
                rest = b""
            if data := decompressor.decompress(rest, size):
                return data

    def _compressed(self) -> bytes:
        return bytes(self._taken_in[: self._raw(self._taken_in)])


class _Zlib:
    """zlib behind the interface of the other decompressors."""

    def __init__(self) -> None:
        import zlib

        self._inner = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)


class _GzipFile(io.RawIOBase):
    """Compressed bytes as a file of the standard library: isal and zlib-ng crash on any other object."""

    def __init__(self, raw: Raw) -> None:
        super().__init__()
        self._raw = raw

    def readinto(self, buffer: Any, /) -> int:
        view = memoryview(buffer)
        if len(view) > _GZIP_BUFFER:  # it grows until the header of a member fits
            raise ValueError("a header of more than a megabyte")
        return self._raw(view)


def _gz(raw: Raw) -> Unpacked:
    for module in ("isal.isal_zlib", "zlib_ng.zlib_ng"):  # faster, where they are installed
        try:
            # It fills a buffer without asking for Python's lock on the way, which an import may hold for long.
            unpacked: Unpacked = import_module(module)._GzipReader(_GzipFile(raw), _GZIP_BUFFER)
        except (ImportError, AttributeError):
            continue
        return unpacked
    return _Pieces(_Zlib, raw)


def _bz2() -> Decompressor:
    from bz2 import BZ2Decompressor

    return BZ2Decompressor()


def _xz() -> Decompressor:
    from lzma import LZMADecompressor

    return LZMADecompressor(memlimit=MOST_WINDOW)


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


_MAGIC: dict[bytes, Unpack] = {
    b"\x1f\x8b": _gz,
    b"BZh": partial(_Pieces, _bz2),
    b"\xfd7zXZ\0": partial(_Pieces, _xz),
    b"\x28\xb5\x2f\xfd": partial(_Pieces, _zst),
    b"\x04\x22\x4d\x18": partial(_Pieces, _lz4),
}


MAGIC = tuple(_MAGIC)
"""How compressed content begins."""


def unpacking_of(head: bytes) -> Unpack | None:
    """What unpacks content that begins with these bytes; None where it is plain."""
    return next((unpack for magic, unpack in _MAGIC.items() if head.startswith(magic)), None)
