"""What unpacks compressed content, recognised by its first bytes, never by the name of the file."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, Protocol

from gainful.errors import UsageError

CHUNK = 1 << 16
_GZIP_BUFFER = 1 << 20

MOST_WINDOW = 256 << 20
"""Bytes of memory that a decompressor may take for its dictionary, or window."""


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

MAGIC_BYTES = max(map(len, MAGIC))
"""How many bytes of content tell whether it is compressed."""


def unpacking_of(head: bytes) -> Unpack | None:
    """What unpacks content that begins with these bytes; None where it is plain."""
    return next((unpack for magic, unpack in _MAGIC.items() if head.startswith(magic)), None)
