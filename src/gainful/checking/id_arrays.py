"""Many ids at once: bytes in one buffer, where each begins and ends, and ids normalised for case, type and padding.

Ids that people take for the same are often not the same bytes: `D7` and `d7`, `07` and `7`, `1` and `1.0`.
The plain form of an id is in lower case, without zeros before a number, and without `.0` behind one:

>>> plain(b"D7"), plain(b"007"), plain(b"12.0"), plain(b"v1.0")
(b'd7', b'7', b'12', b'v1.0')

Hashes stand for ids where there are millions of them; 64 bits are enough to notice, and nothing is decided by them
that is not looked at again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Hashes = NDArray[np.uint64]

PADDING = 8  # bytes behind the last id, so that eight can be read from any place in one
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_ZERO, _NINE, _POINT = ord("0"), ord("9"), ord(".")


@dataclass(frozen=True)
class Spans:
    """Ids in a buffer that goes on for eight bytes behind the last one."""

    buffer: NDArray[np.uint8]
    start: Integers
    end: Integers

    @classmethod
    def of(cls, ids: Sequence[bytes]) -> Spans:
        """The ids of a list."""
        ends = np.cumsum(np.fromiter(map(len, ids), np.int64, len(ids)))
        buffer = np.frombuffer(b"".join(ids) + bytes(PADDING), np.uint8)
        return cls(buffer, np.concatenate(([0], ends[:-1])) if len(ids) else ends, ends)

    def __len__(self) -> int:
        return len(self.start)

    def __getitem__(self, place: int) -> bytes:
        return self.buffer[self.start[place] : self.end[place]].tobytes()

    def at(self, places: Integers) -> Spans:
        """Some of the ids, in a buffer of their own."""
        return Spans.of(Spans(self.buffer, self.start[places], self.end[places]).texts())

    def texts(self) -> list[bytes]:
        """The ids, one by one."""
        raw = self.buffer.tobytes()
        return [raw[start:end] for start, end in zip(self.start.tolist(), self.end.tolist(), strict=True)]

    @cached_property
    def hashes(self) -> Hashes:
        """A number for each id, the same for the same bytes."""
        return hashes(self)

    @cached_property
    def plain(self) -> Spans:
        """The ids in their plain form."""
        upper = (self.buffer - np.uint8(ord("A"))) < 26  # wraps around below A
        lower = self.buffer + (upper.view(np.uint8) << 5)
        end = _without_point_zero(lower, self.start, self.end)
        return Spans(lower, _without_zeros(lower, self.start, end), end)


def plain(raw: bytes) -> bytes:
    """One id in its plain form."""
    return Spans.of([raw]).plain[0]


def hashes(ids: Spans) -> Hashes:
    """Eight bytes at a time, mixed."""
    words: NDArray[Any] = np.ndarray((len(ids.buffer) - 7,), np.uint64, ids.buffer, strides=(1,))
    length = ids.end - ids.start
    mixed = (length.astype(np.uint64) + np.uint64(1)) * _MULTIPLIER
    for done in range(0, int(length.max(initial=0)), 8):
        going_on = slice(None) if done == 0 else np.flatnonzero(length > done)
        left = np.minimum(length[going_on] - done, 8).astype(np.uint64)
        kept = np.where(left == 8, _ALL, (np.uint64(1) << (left * np.uint64(8))) - np.uint64(1))
        mixed[going_on] = _mix(mixed[going_on] ^ (words[ids.start[going_on] + done] & kept))
    return mixed


def paired(one: Hashes, other: Hashes) -> Hashes:
    """A number for each pair."""
    return _mix(_mix(one) ^ other)


def _mix(x: Hashes) -> Hashes:
    x = x * _MULTIPLIER
    return x ^ (x >> np.uint64(29))


def _is_digit(letters: NDArray[np.uint8]) -> NDArray[np.bool_]:
    return (letters >= _ZERO) & (letters <= _NINE)


def _without_point_zero(buffer: NDArray[np.uint8], start: Integers, end: Integers) -> Integers:
    """The ends of ids, before a `.0` that follows a number from the first byte on (as far as its first byte tells)."""
    shortened = end.copy()
    told = np.flatnonzero((end - start > 2) & (buffer[end - 1] == _ZERO))
    last = end[told]
    told = told[(buffer[last - 2] == _POINT) & _is_digit(buffer[last - 3]) & _is_digit(buffer[start[told]])]
    shortened[told] -= 2
    return shortened


def _without_zeros(buffer: NDArray[np.uint8], start: Integers, end: Integers) -> Integers:
    """The starts of ids, behind zeros that stand before another digit."""
    moved = start.copy()
    padded = np.flatnonzero(buffer[start] == _ZERO)
    while len(padded):
        padded = padded[end[padded] - moved[padded] > 1]
        first = moved[padded]
        padded = padded[(buffer[first] == _ZERO) & _is_digit(buffer[first + 1])]
        moved[padded] += 1
    return moved
