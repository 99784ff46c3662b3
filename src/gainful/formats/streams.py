"""Bytes that are read in order, and decompressed on the way."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from typing import Any, Protocol

from gainful.errors import DataError
from gainful.formats.decompressors import CHUNK, MOST_WINDOW, Unpack, unpacking_of
from gainful.system_calls import read_at

HELD_ANYHOW, HELD_TIMES = 64 << 20, 32
"""What is held in memory may unpack to so many bytes, and beyond these to so many times what was compressed."""


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
