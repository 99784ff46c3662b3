"""TREC text in blocks, its fields found all at once: for what the core does not keep, ranks and the look of ids."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gainful.checking.id_arrays import PADDING, Integers, Spans
from gainful.formats.sources import Source

BLOCK = 1 << 22
NO_RANK = -1
_COLUMNS = 5  # topic, Q0, document, rank, score; what follows is the tag
_LONGEST_RANK = 9
_NEWLINE, _COMMENT = 10, ord("#")
_MARK = b"\xef\xbb\xbf"


class NotTrecText(Exception):
    """The lines are not those of a run in TREC format."""


@dataclass(frozen=True)
class Rows:
    """Neighbouring rows: their topics, their documents, and the ranks that were written (NO_RANK where none was)."""

    topics: Spans
    documents: Spans
    rank: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.rank)


def rows_of_text(path: str, tell: Callable[[int, int | None], None] | None = None) -> Iterator[Rows]:
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


def rows_of_lists(topics: list[bytes], documents: list[bytes]) -> Iterator[Rows]:
    """Rows that are in memory already."""
    step = 1 << 17
    for start in range(0, len(topics), step):
        here = slice(start, start + step)
        made = Spans.of(topics[here]), Spans.of(documents[here])
        yield Rows(*made, np.full(len(made[0]), NO_RANK, np.int32))


def _rows(text: bytes) -> Rows:
    buffer = np.frombuffer(text + bytes(PADDING), np.uint8)
    blank = (buffer == ord(" ")) | (buffer - np.uint8(9) < 2) | (buffer == 13)  # and tab, line feed, return
    blank[len(text) :] = True
    edges = np.flatnonzero(blank[1:] != blank[:-1]) + 1
    if not blank[0]:
        edges = np.concatenate(([0], edges))
    start, end = _fields(buffer, edges[0::2], edges[1::2], np.flatnonzero(buffer[: len(text)] == _NEWLINE))
    return Rows(
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


def _numbers(
    buffer: NDArray[np.uint8], start: NDArray[np.int64], end: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Whole numbers of up to nine digits; NO_RANK for anything else."""
    start, length = np.ascontiguousarray(start), end - start
    number, sound = np.zeros(len(start), np.int64), length <= _LONGEST_RANK
    for place in range(min(int(length.max(initial=0)), _LONGEST_RANK)):
        there = slice(None) if place == 0 else np.flatnonzero(place < length)
        digit = buffer[start[there] + place] - np.uint8(ord("0"))  # wraps around below 0
        sound[there] &= digit < 10
        number[there] = number[there] * 10 + digit
    number[~sound] = NO_RANK
    return number
