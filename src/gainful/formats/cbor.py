"""The little of CBOR (RFC 8949) that ranx writes: maps of text to maps of text to numbers, packed with lz4."""

from __future__ import annotations

import struct
from typing import Any

MAGIC = b"\x04\x22\x4d\x18"
_FLOATS = {25: ("e", 2), 26: ("f", 4), 27: ("d", 8)}
_SIZES = {24: 1, 25: 2, 26: 4, 27: 8}


def unpacked(content: bytes, limit: int) -> bytes:
    """The content under any number of lz4 frames; ranx packs twice."""
    from lz4.frame import LZ4FrameDecompressor

    while content.startswith(MAGIC):
        decompressor = LZ4FrameDecompressor()
        content = decompressor.decompress(content, limit)
        if not decompressor.eof:
            raise ValueError("the lz4 frame is cut short or too large")
    return content


def decode(content: bytes) -> Any:
    r"""What the bytes say.

    >>> decode(b"\xa1\x62q1\xa1\x62d3\xfb\x3f\xd3\x33\x33\x33\x33\x33\x33")
    {'q1': {'d3': 0.3}}
    """
    value, end = _item(content, 0)
    if end != len(content):
        raise ValueError("bytes are left over")
    return value


def _item(content: bytes, at: int) -> tuple[Any, int]:
    kind, low = content[at] >> 5, content[at] & 31
    at += 1
    if kind == 7 and low in _FLOATS:
        form, size = _FLOATS[low]
        return struct.unpack_from(f">{form}", content, at)[0], at + size
    size = _SIZES.get(low, 0)
    if low > 27 or kind not in (0, 1, 3, 5) or at + size > len(content):
        raise ValueError(f"byte {at - 1} begins nothing that is expected here")
    number = int.from_bytes(content[at : at + size]) if size else low
    at += size
    if kind in (0, 1):
        return (number if kind == 0 else -1 - number), at
    if kind == 3:
        if at + number > len(content):
            raise ValueError("a text is cut short")
        return content[at : at + number].decode("utf-8", "surrogateescape"), at + number
    made = {}
    for _ in range(number):
        key, at = _item(content, at)
        if not isinstance(key, str | int):
            raise ValueError(f"a map has the key {key!r:.60}")
        made[key], at = _item(content, at)
    return made, at
