"""What the text of a run says beside its scores: ranks, topics as their own documents, ids that look like judged ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from gainful._core import Index
from gainful.checking.id_arrays import PADDING, Hashes, Integers, Spans, paired
from gainful.formats.sources import Source

_Number = TypeVar("_Number", np.int32, np.int64)
_TABLE = 1 << 22  # slots of the first, rough look-up


class Judged:
    """The judged documents in their plain form, to be looked up by the million."""

    def __init__(self, index: Index) -> None:
        documents = Spans.of(index.documents(0, len(index)))
        topics = Spans.of(index.topics)
        lengths = np.diff(index.offsets)
        keys = paired(np.repeat(topics.plain.hashes, lengths), documents.plain.hashes)
        order = np.argsort(keys)
        found, first, times = np.unique(keys[order], return_index=True, return_counts=True)
        once = times == 1  # where two judged ids have one plain form, the collection tells them apart
        self.keys: Hashes = found[once]
        self.row: Integers = order[first[once]]
        self.raw: Hashes = documents.hashes[self.row]
        self._there = np.zeros(_TABLE, bool)
        self._there[self.keys & np.uint64(_TABLE - 1)] = True

    def look_alikes(self, rows: TextRows, topics: Hashes) -> tuple[Integers, Integers]:
        """TextRows whose document looks like one that is judged for a topic that looks the same, and is another; and which.

        `topics` are the hashes of the plain forms of the topics.
        """
        keys = paired(topics, rows.documents.plain.hashes)
        near = np.flatnonzero(self._there[keys & np.uint64(_TABLE - 1)])
        if not len(near):
            return near, near
        place = np.minimum(np.searchsorted(self.keys, keys[near]), len(self.keys) - 1)
        found = (self.keys[place] == keys[near]) & (self.raw[place] != rows.documents.hashes[near])
        return near[found], self.row[place[found]]


@dataclass(frozen=True)
class Scan:
    """One pass over the text of a run.

    starts, topic  rows where another topic begins, and the number of that topic
    names          ids of the topics, by number
    rank           the rank written in each row, NO_RANK where none was; None where the layout has no ranks
    selves         rows whose document is their topic
    alike, like    rows whose document looks like a judged one and is not, and the judgment it looks like
    from_text      whether lines of TREC text were read, not lists
    """

    rows: int
    starts: Integers
    topic: Integers
    names: tuple[bytes, ...]
    rank: NDArray[np.int32] | None
    selves: Integers
    alike: Integers
    like: Integers
    from_text: bool

    def numbers_of(self, rows: Integers) -> Integers:
        """The numbers of the topics of these rows."""
        return self.topic[np.searchsorted(self.starts, rows, side="right") - 1]

    @cached_property
    def order(self) -> Integers | None:
        """TextRows put together by topic, in the order they came; None where they lie together already."""
        if len(self.names) == len(self.starts):
            return None
        few = (
            len(self.names) <= np.iinfo(np.uint16).max
        )  # NumPy counts small numbers instead of comparing them
        number = self.topic.astype(np.uint16 if few else np.uint32)
        return np.argsort(np.repeat(number, np.diff(np.append(self.starts, self.rows))), kind="stable")

    @cached_property
    def offsets(self) -> Integers:
        """Where the rows of each topic begin, once they are together; one more than there are topics."""
        lengths = np.diff(np.append(self.starts, self.rows))
        counts = np.bincount(self.topic, lengths, minlength=len(self.names)).astype(np.int64)
        return np.concatenate(([0], np.cumsum(counts)))

    def together(self, values: NDArray[Any]) -> NDArray[Any]:
        """One value a row, put together by topic."""
        return values if self.order is None else values[self.order]


def scan(
    path: str | None,
    lists: Callable[[], tuple[list[bytes], list[bytes]]],
    judged: Judged,
    rows: int,
    tell: Callable[[int, int | None], None] | None = None,
) -> Scan:
    """Scan a file, or the lists of topics and documents where it is not TREC text with so many rows."""
    if path is not None:
        try:
            found = _scanned(rows_of_text(path, tell), judged, from_text=True)
        except NotTrecText:
            pass
        else:
            if found.rows == rows:
                return found
    return _scanned(rows_of_lists(*lists()), judged, from_text=False)


def _scanned(blocks: Iterable[TextRows], judged: Judged, *, from_text: bool) -> Scan:
    base = 0
    topics = _Topics()
    ranks: list[NDArray[np.int32]] = []
    selves: list[Integers] = []
    alike: list[tuple[Integers, Integers]] = []
    for block in blocks:
        if not len(block):
            continue
        plain = topics.add(block.topics, base)
        ranks.append(block.rank)
        selves.append(np.flatnonzero(block.documents.hashes == block.topics.hashes) + base)
        rows, like = judged.look_alikes(block, plain)
        alike.append((rows + base, like))
        base += len(block)
    rank = _joined(ranks)
    return Scan(
        rows=base,
        starts=_joined(topics.starts),
        topic=_joined(topics.numbers),
        names=tuple(topics.names),
        rank=None if (rank == NO_RANK).all() else rank,
        selves=_joined(selves),
        alike=_joined([rows for rows, _ in alike]),
        like=_joined([like for _, like in alike]),
        from_text=from_text,
    )


class _Topics:
    """Topics as they come, numbered in that order."""

    def __init__(self) -> None:
        self.names: list[bytes] = []
        self.starts: list[Integers] = []
        self.numbers: list[Integers] = []
        self._known: dict[int, int] = {}
        self._last = -1

    def add(self, topics: Spans, base: int) -> Hashes:
        """Take in the topics of the next rows; the hash of the plain form of each."""
        begins = np.flatnonzero(np.concatenate(([True], topics.hashes[1:] != topics.hashes[:-1])))
        _, first, which = np.unique(topics.hashes[begins], return_index=True, return_inverse=True)
        came = np.argsort(first)  # different topics, in the order in which they came
        heads = topics.at(begins[first[came]])
        numbers, plain = np.empty(len(came), np.int64), np.empty(len(came), np.uint64)
        numbers[came] = np.fromiter(
            map(self._number, heads.hashes.tolist(), heads.texts()), np.int64, len(came)
        )
        plain[came] = heads.plain.hashes
        number = numbers[which]
        goes_on = slice(1 if number[0] == self._last else 0, None)
        self.starts.append(begins[goes_on] + base)
        self.numbers.append(number[goes_on])
        self._last = int(number[-1])
        return np.repeat(plain[which], np.diff(np.append(begins, len(topics))))

    def _number(self, key: int, name: bytes) -> int:
        number = self._known.setdefault(key, len(self.names))
        if number == len(self.names):
            self.names.append(name)
        return number


def _joined(parts: list[NDArray[_Number]]) -> NDArray[_Number]:
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


BLOCK = 1 << 22
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
        made = Spans.of(topics[here]), Spans.of(documents[here])
        yield TextRows(*made, np.full(len(made[0]), NO_RANK, np.int32))


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
