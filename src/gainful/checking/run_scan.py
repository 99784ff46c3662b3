"""What the text of a run says beside its scores: ranks, topics as their own documents, ids that look like judged ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

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

_Number = TypeVar("_Number", np.int32, np.intp)
_TABLE = 1 << 22  # slots of the first, rough look-up


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
        counts = np.bincount(self.topic, lengths, minlength=len(self.names)).astype(np.intp)
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
            scanned = _scanned(rows_of_text(path, tell), judged, from_text=True)
        except NotTrecText:
            pass
        else:
            if scanned.rows == rows:
                return scanned
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
        numbers, plain = np.empty(len(came), np.intp), np.empty(len(came), np.uint64)
        numbers[came] = np.fromiter(
            map(self._number, heads.hashes.tolist(), heads.texts()), np.intp, len(came)
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
    return np.concatenate(parts) if parts else np.zeros(0, np.intp)


class Texts:
    """Ids of documents by row: of a file, read again in one pass; of what is in memory, from there."""

    def __init__(self, path: str | None, rows: Rows, scanned: Scan) -> None:
        self._path = path if scanned.from_text else None
        self._rows = rows

    def __call__(self, rows: Integers) -> list[bytes]:
        """The ids of the documents in these rows, which rise."""
        if self._path is None:
            documents = self._rows.documents
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


def constant_topics(scanned: Scan, rows: Rows, judgments: Judgments) -> int:
    """Judged topics of the run in which all scores, more than one, are equal."""
    values, starts = scanned.together(rows.values), scanned.offsets[:-1]
    if not len(values):
        return 0
    flat = np.maximum.reduceat(values, starts) == np.minimum.reduceat(values, starts)
    judged = set(judgments.index.topics)
    flat &= np.diff(scanned.offsets) > 1
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
            scanned.numbers_of(rows).tolist(), like.tolist(), texts(rows), strict=True
        )
    ], len(lost)


def selves(scanned: Scan, rows: Rows) -> tuple[list[str], int]:
    """Topics that have a document of their own id, and in how many of them it has the highest score."""
    if not len(scanned.selves):
        return [], 0
    topics = scanned.numbers_of(scanned.selves)
    highest = np.maximum.reduceat(scanned.together(rows.values), scanned.offsets[:-1])
    first = int((rows.values[scanned.selves] >= highest[topics]).sum())
    return [from_bytes(scanned.names[topic]) for topic in topics.tolist()], first
