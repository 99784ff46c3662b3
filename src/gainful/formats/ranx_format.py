"""What ranx saves as .lz4: {topic: {document: value}} in CBOR, packed with lz4, and packed again; only read."""

from __future__ import annotations

import io
from typing import Any

from gainful.errors import DataError, UsageError
from gainful.formats.records import LIMIT
from gainful.formats.registry import Format, register
from gainful.formats.sources import Source
from gainful.formats.streams import Stream, decompressor_of, held_content
from gainful.formats.types import Kind

_LZ4 = b"\x04\x22\x4d\x18"  # still there after one unpacking


def _read(source: Source, kind: Kind) -> dict[Any, Any]:  # noqa: ARG001 (readers are called alike)
    try:
        import cbor2
    except ImportError:
        raise UsageError(
            "reading what ranx saves needs one more package: `pip install 'gainful[lz4]'`."
        ) from None
    content = source.read_all(LIMIT)
    while inflate := decompressor_of(content):
        content = held_content(Stream(io.BytesIO(content), b"", inflate, source.name, can_rewind=False))
    try:
        nested = cbor2.loads(content)
    except (cbor2.CBORError, ValueError, RecursionError) as fault:
        raise DataError(f"{source.name} is not what ranx saves as lz4: {fault}.") from None
    if not isinstance(nested, dict) or not all(isinstance(documents, dict) for documents in nested.values()):
        raise DataError(f"{source.name}: expected {{topic: {{document: value}}}}.")
    return nested


register(Format("ranx", _read, recognise=lambda head: head.startswith(_LZ4), joins=False))
