"""JSON as msgspec writes and reads it: compact, with null for numbers that are none or infinite, and without NaN."""

from __future__ import annotations

import json
import math
from typing import Any

DecodeError = ValueError


def encode(value: Any) -> bytes:
    """The value as JSON."""
    try:
        return _encoded(value)
    except ValueError:  # a number that JSON does not have
        return _encoded(_finite(value))


def _encoded(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def decode(text: bytes | str) -> Any:
    """What the JSON holds."""
    return json.loads(text, parse_constant=_refuse)


def _refuse(word: str) -> None:
    raise DecodeError(f"JSON has no number {word}")


def format(text: bytes, *, indent: int) -> bytes:  # noqa: A001 (msgspec's name)
    """The JSON in lines."""
    return json.dumps(json.loads(text), ensure_ascii=False, indent=indent).encode()


class Decoder:
    """Decodes one text after the other."""

    decode = staticmethod(decode)
