"""Many ids at once: bytes in one buffer, where each begins and ends; ids normalised for case, type and padding; and the
rows of a run in TREC text as such arrays.

The plain form of an id is that of `formats.ids.plain`, here of many at once.

Hashes stand for ids where there are millions of them; 64 bits are enough to notice, and nothing is decided by them
that is not looked at again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful.formats.sources import Source

Integers = NDArray[np.intp]
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
        ends = np.cumsum(np.fromiter(map(len, ids), np.intp, len(ids)))
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


def paired(first: Hashes, second: Hashes) -> Hashes:
    """A number for each pair."""
    return _mix(_mix(first) ^ second)


def _mix(x: Hashes) -> Hashes:
    x = x * _MULTIPLIER
    return x ^ (x >> np.uint64(29))


def _is_digit(letters: NDArray[np.uint8]) -> NDArray[np.bool_]:
    return (letters >= _ZERO) & (letters <= _NINE)


def _without_point_zero(buffer: NDArray[np.uint8], start: Integers, end: Integers) -> Integers:
    """The ends of ids, before a `.0` that follows a number from the first byte on (as far as its first byte tells)."""
    shortened = end.copy()
    ending = np.flatnonzero((end - start > 2) & (buffer[end - 1] == _ZERO))
    last = end[ending]
    ending = ending[
        (buffer[last - 2] == _POINT) & _is_digit(buffer[last - 3]) & _is_digit(buffer[start[ending]])
    ]
    shortened[ending] -= 2
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


# ---- rows of text ---------------------------------------------------------------------------------------

BLOCK = 1 << 20
NO_RANK = -1
_COLUMNS = 5  # topic, Q0, document, rank, score; what follows is the tag
_LONGEST_RANK = 9
_NEWLINE, _COMMENT = 10, ord("#")
_MARK = b"\xef\xbb\xbf"


class NotTrecText(Exception):
    """The lines are not those of a run in TREC format."""


@dataclass(frozen=True)
class TextRows:
    """Neighbouring rows: their topics, their documents, and the ranks that were written (NO_RANK where none was)."""

    topics: Spans
    documents: Spans
    rank: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.rank)


def rows_of_text(path: str, tell: Callable[[int, int | None], None] | None = None) -> Iterator[TextRows]:
    """The rows of a run in TREC format, block by block; NotTrecText where a line has too few fields."""
    with Source(path) as source:
        file, rest, taken = source.raw(), b"", 0
        while data := file.read(BLOCK):
            taken += len(data)
            whole = data.rfind(b"\n") + 1
            text = rest + data[:whole] if whole else b""
            rest = data[whole:] if whole else rest + data
            if text:
                yield _rows(text.removeprefix(_MARK))
            if tell:
                tell(source.bytes_taken(taken), source.size)
        if rest:
            yield _rows(rest.removeprefix(_MARK) + b"\n")


def rows_of_lists(topics: list[bytes], documents: list[bytes]) -> Iterator[TextRows]:
    """TextRows that are in memory already."""
    step = 1 << 17
    for start in range(0, len(topics), step):
        here = slice(start, start + step)
        spans = Spans.of(topics[here]), Spans.of(documents[here])
        yield TextRows(*spans, np.full(len(spans[0]), NO_RANK, np.int32))


def _rows(text: bytes) -> TextRows:
    buffer = np.frombuffer(text + bytes(PADDING), np.uint8)
    blank = (buffer == ord(" ")) | (buffer - np.uint8(9) < 2) | (buffer == 13)  # and tab, line feed, return
    blank[len(text) :] = True
    edges = np.flatnonzero(blank[1:] != blank[:-1]) + 1
    if not blank[0]:
        edges = np.concatenate(([0], edges))
    start, end = _fields(buffer, edges[0::2], edges[1::2], np.flatnonzero(buffer[: len(text)] == _NEWLINE))
    return TextRows(
        Spans(buffer, start[:, 0], end[:, 0]),
        Spans(buffer, start[:, 2], end[:, 2]),
        _numbers(buffer, start[:, 3], end[:, 3]).astype(np.int32),
    )


def _fields(
    buffer: NDArray[np.uint8], starts: Integers, ends: Integers, newlines: Integers
) -> tuple[Integers, Integers]:
    """Where the first fields of each line begin and end, for lines that are neither blank nor comments."""
    lines = len(newlines)
    if (
        lines and len(starts) % lines == 0 and len(starts) // lines >= _COLUMNS
    ):  # the usual file: all lines alike
        start, end = starts.reshape(lines, -1), ends.reshape(lines, -1)
        apart = (start[1:, 0] > newlines[:-1]).all() and (end[:, -1] <= newlines).all()
        if apart and not (buffer[start[:, 0]] == _COMMENT).any():
            return start, end
    before = np.searchsorted(starts, newlines)  # fields that begin before the end of each line
    first = np.concatenate(([0], before[:-1]))
    count = before - first
    line_start = np.concatenate(([0], newlines[:-1] + 1))
    used = (count > 0) & (buffer[line_start] != _COMMENT)
    if (count[used] < _COLUMNS).any():
        raise NotTrecText
    place = first[used][:, None] + np.arange(_COLUMNS)
    return starts[place], ends[place]


def _numbers(buffer: NDArray[np.uint8], start: NDArray[np.intp], end: NDArray[np.intp]) -> NDArray[np.intp]:
    """Whole numbers of up to nine digits; NO_RANK for anything else."""
    start, length = np.ascontiguousarray(start), end - start
    number, sound = np.zeros(len(start), np.intp), length <= _LONGEST_RANK
    for place in range(min(int(length.max(initial=0)), _LONGEST_RANK)):
        there = slice(None) if place == 0 else np.flatnonzero(place < length)
        digit = buffer[start[there] + place] - np.uint8(ord("0"))  # wraps around below 0
        sound[there] &= digit < 10
        number[there] = number[there] * 10 + digit
    number[~sound] = NO_RANK
    return number
