"""What the text of a run says beside its scores: ranks, topics as their own documents, ids that look like judged ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gainful._core import Found, Index, Rows
from gainful.checking.checkup import NAMED
from gainful.checking.id_arrays import (
    NO_RANK,
    Hashes,
    Integers,
    NotTrecText,
    Spans,
    TextRows,
    paired,
    rows_of_lists,
    rows_of_text,
)
from gainful.formats import Judgments
from gainful.formats.ids import from_bytes

_TABLE = 1 << 22  # slots of the first, rough look-up
_AT_ONCE = 1 << 19  # rows put together by topic at once
_TOPICS_AT_ONCE = (1 << 16) - 1  # and topics, whose numbers fit into 16 bits then


class Judged:
    """The judged documents in their plain form, to be looked up by the million."""

    def __init__(self, index: Index) -> None:
        documents = Spans.of(index.documents(0, len(index)))
        topics = Spans.of(index.topics)
        lengths = np.diff(index.offsets)
        keys = paired(np.repeat(topics.plain.hashes, lengths), documents.plain.hashes)
        order = np.argsort(keys)
        distinct, first, times = np.unique(keys[order], return_index=True, return_counts=True)
        once = times == 1  # where two judged ids have one plain form, the collection tells them apart
        self.keys: Hashes = distinct[once]
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
        alike = (self.keys[place] == keys[near]) & (self.raw[place] != rows.documents.hashes[near])
        return near[alike], self.row[place[alike]]


@dataclass(frozen=True)
class Scan:
    """One pass over the text of a run.

    topic        the number of the topic of each row; topics are numbered as they come
    names        ids of the topics, by number
    rank         the rank written in each row, NO_RANK where none was; None where the layout has no ranks
    selves       rows whose document is their topic
    alike, like  rows whose document looks like a judged one and is not, and the judgment it looks like
    from_text    whether lines of TREC text were read, not lists
    """

    topic: NDArray[np.int32]
    names: tuple[bytes, ...]
    rank: NDArray[np.int32] | None
    selves: Integers
    alike: Integers
    like: Integers
    from_text: bool

    @cached_property
    def lengths(self) -> Integers:
        """How many rows each topic has."""
        lengths = np.zeros(len(self.names), np.intp)
        for at in range(0, len(self.topic), _AT_ONCE):  # NumPy widens what it counts
            lengths += np.bincount(self.topic[at : at + _AT_ONCE], minlength=len(lengths))
        return lengths

    @cached_property
    def apart(self) -> bool:
        """Whether the rows of some topic do not lie together."""
        return not bool((self.topic[1:] >= self.topic[:-1]).all())

    def shards(self) -> Iterator[Shard]:
        """The rows put together by topic, some topics at a time, which bounds memory."""
        ends = np.cumsum(self.lengths)
        first = 0
        while first < len(ends):
            before = int(ends[first - 1]) if first else 0
            last = max(first + 1, int(np.searchsorted(ends, before + _AT_ONCE, side="right")))
            last = min(last, first + _TOPICS_AT_ONCE)
            offsets = np.concatenate(([0], ends[first:last] - before))
            rows: Integers | slice = slice(before, before + int(offsets[-1]))
            if self.apart:
                rows = np.flatnonzero((self.topic >= first) & (self.topic < last))
                rows = rows[np.argsort(in_16_bits(self.topic[rows] - first), kind="stable")]
            yield Shard(first, last, rows, offsets)
            first = last


def in_16_bits(numbers: NDArray[np.int32]) -> NDArray[np.uint16 | np.int32]:
    """Whole numbers from −1 on in as many bits, in the same order, where they fit: NumPy sorts them several times as fast.

    >>> in_16_bits(np.array([3, -1, 2], np.int32))
    array([4, 0, 3], dtype=uint16)
    """
    fit = not len(numbers) or int(numbers.max()) < np.iinfo(np.uint16).max
    return (numbers + 1).astype(np.uint16) if fit else numbers


class Shard(NamedTuple):
    """The rows of some topics.

    first, last  the topics, from first to before last
    rows         the rows, put together by topic in the order they came
    offsets      where the rows of each topic begin; one more than there are topics
    """

    first: int
    last: int
    rows: Integers | slice
    offsets: Integers


def highest_and_lowest(
    scanned: Scan, values: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The highest and the lowest score of each topic."""
    highest, lowest = np.empty((2, len(scanned.names)))
    for first, last, rows, offsets in scanned.shards():
        scores = values[rows]
        highest[first:last] = np.maximum.reduceat(scores, offsets[:-1])
        lowest[first:last] = np.minimum.reduceat(scores, offsets[:-1])
    return highest, lowest


def scan(
    path: str | None,
    again: Callable[[], Rows],
    judged: Judged,
    rows: int,
    tell: Callable[[int, int | None], None] | None = None,
) -> Scan:
    """Scan a file, or the rows in memory where it is not TREC text with so many rows."""
    if path is not None:
        with suppress(NotTrecText):
            return _scanned(rows_of_text(path, tell), judged, rows, from_text=True)
    held = again()
    return _scanned(rows_of_lists(held.topics, held.documents), judged, rows, from_text=False)


def begins_as_text(path: str) -> bool:
    """Whether the first rows of a file are TREC text, so that it can be scanned."""
    try:
        next(rows_of_text(path), None)
    except NotTrecText:
        return False
    return True


def _scanned(blocks: Iterable[TextRows], judged: Judged, rows: int, *, from_text: bool) -> Scan:
    """The scan of so many rows; NotTrecText where there are fewer or more."""
    base = 0
    topics = _Topics()
    topic, rank = np.empty((2, rows), np.int32)
    selves: list[Integers] = []
    alike: list[tuple[Integers, Integers]] = []
    for block in blocks:
        if not len(block):
            continue
        if base + len(block) > rows:
            raise NotTrecText
        here = slice(base, base + len(block))
        topic[here], plain = topics.add(block.topics)
        rank[here] = block.rank
        selves.append(np.flatnonzero(block.documents.hashes == block.topics.hashes) + base)
        places, like = judged.look_alikes(block, plain)
        alike.append((places + base, like))
        base += len(block)
    if base < rows:
        raise NotTrecText
    return Scan(
        topic=topic,
        names=tuple(topics.names),
        rank=None if (rank == NO_RANK).all() else rank,
        selves=_joined(selves),
        alike=_joined([places for places, _ in alike]),
        like=_joined([like for _, like in alike]),
        from_text=from_text,
    )


class _Topics:
    """Topics as they come, numbered in that order."""

    def __init__(self) -> None:
        self.names: list[bytes] = []
        self._known: dict[int, int] = {}

    def add(self, topics: Spans) -> tuple[Integers, Hashes]:
        """Take in the topics of the next rows: the number of each, and the hash of its plain form."""
        begins = np.flatnonzero(np.concatenate(([True], topics.hashes[1:] != topics.hashes[:-1])))
        _, first, which = np.unique(topics.hashes[begins], return_index=True, return_inverse=True)
        came = np.argsort(first)  # different topics, in the order in which they came
        heads = topics.at(begins[first[came]])
        numbers, plain = np.empty(len(came), np.intp), np.empty(len(came), np.uint64)
        numbers[came] = np.fromiter(
            map(self._number, heads.hashes.tolist(), heads.texts()), np.intp, len(came)
        )
        plain[came] = heads.plain.hashes
        times = np.diff(begins, append=len(topics))
        return np.repeat(numbers[which], times), np.repeat(plain[which], times)

    def _number(self, key: int, name: bytes) -> int:
        number = self._known.setdefault(key, len(self.names))
        if number == len(self.names):
            self.names.append(name)
        return number


def _joined(parts: list[Integers]) -> Integers:
    return np.concatenate(parts) if parts else np.zeros(0, np.intp)


class Texts:
    """Ids of documents by row: of a file, read again in one pass; of what is in memory, from there."""

    def __init__(self, path: str | None, rows: Callable[[], Rows], scanned: Scan) -> None:
        self._path = path if scanned.from_text else None
        self._rows = rows

    def __call__(self, rows: Integers) -> list[bytes]:
        """The ids of the documents in these rows, which rise."""
        if self._path is None:
            documents = self._rows().documents
            return [documents[row] for row in rows.tolist()]
        ids: list[bytes] = []
        base, done = 0, 0
        for block in rows_of_text(self._path):
            stop = int(np.searchsorted(rows, base + len(block)))
            ids += [block.documents[row] for row in (rows[done:stop] - base).tolist()]
            base, done = base + len(block), stop
            if done == len(rows):
                break
        return ids


def constant_topics(
    scanned: Scan, highest: NDArray[np.float64], lowest: NDArray[np.float64], judgments: Judgments
) -> int:
    """Judged topics of the run in which all scores, more than one, are equal: the highest is the lowest."""
    judged = set(judgments.index.topics)
    flat = (highest == lowest) & (scanned.lengths > 1)
    return sum(scanned.names[topic] in judged for topic in np.flatnonzero(flat))


def look_alikes(
    scanned: Scan, judgments: Judgments, found: Found, texts: Texts
) -> tuple[list[tuple[str, str, str]], int]:
    """Documents that look like judged ones that were not retrieved: some as (topic, retrieved, judged), and how many."""
    met = np.zeros(len(judgments), bool)
    met[found.row] = True
    lost = np.flatnonzero(~met[scanned.like])
    rows, like = scanned.alike[lost[:NAMED]], scanned.like[lost[:NAMED]]
    return [
        (
            from_bytes(scanned.names[topic]),
            from_bytes(document),
            from_bytes(judgments.index.documents(judged, judged + 1)[0]),
        )
        for topic, judged, document in zip(
            scanned.topic[rows].tolist(), like.tolist(), texts(rows), strict=True
        )
    ], len(lost)


def selves(scanned: Scan, values: NDArray[np.float64], highest: NDArray[np.float64]) -> tuple[list[str], int]:
    """Topics that have a document of their own id, and in how many of them it has the highest score."""
    topics = scanned.topic[scanned.selves]
    first = int((values[scanned.selves] >= highest[topics]).sum())
    return [from_bytes(scanned.names[topic]) for topic in topics.tolist()], first
