"""The core again in plain Python: slow, literal and short, to read and to test the native one against.

It keeps whole inputs in memory and knows nothing of blocks, threads or spilling; what it returns is what the
native core must return. It is never used in place of the native core. Rows are in `plain_rows`.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gainful._core.faults import Cancelled, Fault
from gainful._core.plain_rows import (
    Faults,
    Row,
    Rows,
    Source,
    check_threads,
    check_word,
    columns,
    parse,
    read_all,
)

__all__ = [
    "Cancelled",
    "Fault",
    "Found",
    "Index",
    "Job",
    "Rows",
    "columns",
    "judge_mapping",
    "judge_rows",
    "judge_stream",
]

Ties = Literal["docid", "input"]
Duplicates = Literal["error", "first", "best"]


# Judgments


def topic_order(topic: bytes) -> tuple[bool, int, bytes, bytes]:
    """Numbers first, by number (the longer is the larger, and Python reads no very long ones); then the others, by bytes."""
    number = re.fullmatch(rb"[0-9]+", topic) is not None
    digits = topic.lstrip(b"0") if number else b""
    return not number, len(digits), digits, topic


def keep(rows: Sequence[Row], duplicates: str, faults: Faults) -> list[Row]:
    """Rows of one topic in the order given, each document once."""
    kept: dict[bytes, tuple[int, Row]] = {}
    first: dict[bytes, Row] = {}
    for place, row in enumerate(rows):
        if row.document not in kept:
            first[row.document] = row
            kept[row.document] = place, row
        elif duplicates == "error":
            text = row.topic + b"\t" + row.document
            faults.note("duplicate", row.place, first[row.document].place, text)
        elif duplicates == "best" and row.value > kept[row.document][1].value:
            kept[row.document] = place, row
    return [row for _, row in sorted(kept.values(), key=lambda pair: pair[0])]


def by_topic(table: Sequence[Row]) -> dict[bytes, list[Row]]:
    groups: dict[bytes, list[Row]] = {}
    for row in table:
        groups.setdefault(row.topic, []).append(row)
    return groups


class Index:
    """Judgments, ready to be matched."""

    def __init__(self, rows: Rows, *, duplicates: Duplicates) -> None:
        check_word("duplicates", duplicates, "error", "first", "best")
        if not len(rows):
            raise Fault("empty", 0, 0, b"", 1)
        faults, groups = Faults(rows.has_lines), by_topic(rows.table)
        self.topics = sorted(groups, key=topic_order)
        kept = [keep(groups[topic], duplicates, faults) for topic in self.topics]
        faults.check()
        self.offsets: NDArray[np.int64] = np.cumsum([0, *map(len, kept)], dtype=np.int64)
        self.grade: NDArray[np.float64] = np.array([row.value for part in kept for row in part], np.float64)
        self.digest = rows.digest
        self.names = [row.document for part in kept for row in part]

    def __len__(self) -> int:
        return len(self.names)

    def documents(self, start: int, stop: int) -> list[bytes]:
        """Ids of the judged documents at some positions."""
        return self.names[start:stop]


# A run meets the judgments


class Found:
    """What one run holds of the judged documents, topic by topic in the Index's order, hits in rank order."""

    def __init__(
        self, index: Index, rows: Rows, ties: str, duplicates: str, faults: Faults, drop_self: bool = False
    ) -> None:
        check_word("ties", ties, "docid", "input")
        check_word("duplicates", duplicates, "error", "first", "best")
        groups = by_topic(rows.table)
        hits: list[tuple[int, int, int, int]] = []
        ends, retrieved = [0], []
        for number, topic in enumerate(index.topics):
            start, stop = map(int, index.offsets[number : number + 2])
            judged = {document: start + i for i, document in enumerate(index.documents(start, stop))}
            given = [row for row in groups.get(topic, []) if not (drop_self and row.document == topic)]
            kept = keep(given, duplicates, faults)
            hits += ranked(kept, judged, ties)
            ends.append(len(hits))
            retrieved.append(len(kept))
        faults.check()
        columns = np.array(hits, np.int32).reshape(-1, 4).T
        self.row, self.rank, self.first, self.last = (np.ascontiguousarray(column) for column in columns)
        self.offsets: NDArray[np.int64] = np.array(ends, np.int64)
        self.retrieved: NDArray[np.int64] = np.array(retrieved, np.int64)
        seen = {*groups, *rows.hollow}
        self.present: NDArray[np.bool_] = np.array([topic in seen for topic in index.topics], np.bool_)
        self.extra = sorted(seen - set(index.topics), key=topic_order)
        self.rows, self.tag, self.digest = len(rows), rows.tag, rows.digest


def ranked(rows: list[Row], judged: dict[bytes, int], ties: str) -> Iterator[tuple[int, int, int, int]]:
    """(position in the judgments, rank, first and last rank of the tie group) of each hit, in rank order."""
    if ties == "docid":
        rows = sorted(rows, key=lambda row: row.document, reverse=True)
    rows = sorted(rows, key=lambda row: -row.value)
    rank = 1
    for _, group in groupby(rows, key=lambda row: row.value):
        tied = list(group)
        for i, row in enumerate(tied):
            if row.document in judged:
                yield judged[row.document], rank + i, rank, rank + len(tied) - 1
        rank += len(tied)


def judge_rows(
    index: Index, rows: Rows, *, ties: Ties, duplicates: Duplicates, threads: int, drop_self: bool = False
) -> Found:
    """A run that is already in memory."""
    check_threads(threads)
    return Found(index, rows, ties, duplicates, Faults(rows.has_lines), drop_self)


def judge_stream(
    index: Index,
    capsule: Any,
    names: tuple[str, str, str],
    *,
    ties: Ties,
    duplicates: Duplicates,
    threads: int,
    drop_self: bool = False,
) -> Found | None:
    """A run in an Arrow stream; None where topics are scattered, or something is wrong with it."""
    try:
        rows = Rows.of_stream(capsule, *names)
        together = [topic for topic, _ in groupby(rows.topics)]
        scattered = {topic for topic in together if together.count(topic) > 1}
        if scattered & set(index.topics):
            return None
        return judge_rows(index, rows, ties=ties, duplicates=duplicates, threads=threads, drop_self=drop_self)
    except Fault:
        return None


def judge_mapping(index: Index, nested: Any, *, ties: Ties) -> Found:
    """A run as nested mappings."""
    found = Found(index, Rows.of_mapping(nested), ties, "error", Faults(has_lines=False))
    found.digest = ""
    return found


class Job:
    """One run being judged; here it is done before the constructor returns."""

    def __init__(
        self,
        index: Index,
        source: int | Source,
        *,
        ties: Ties,
        duplicates: Duplicates,
        threads: int,
        drop_self: bool = False,
        _block: int = 0,
        _memory: int = 0,
    ) -> None:
        check_threads(threads)
        check_word("ties", ties, "docid", "input")
        check_word("duplicates", duplicates, "error", "first", "best")
        self.bytes_read = 0
        self.outcome: Found | Exception
        try:
            self.outcome = self.judge(index, source, ties, duplicates, drop_self)
        except Exception as error:
            self.outcome = error

    def judge(
        self, index: Index, source: int | Source, ties: Ties, duplicates: Duplicates, drop_self: bool
    ) -> Found:
        data = read_all(source)
        self.bytes_read = len(data)
        faults = Faults()
        pairs = list(parse(data, "run", faults))
        if not pairs:
            faults.check()
            raise Fault("empty", 0, 0, b"", 1)
        return Found(index, Rows([row for row, _ in pairs], pairs[0][1]), ties, duplicates, faults, drop_self)

    def wait(self, seconds: float) -> bool:  # noqa: ARG002 - the native job's signature
        """True when finished."""
        return True

    def cancel(self) -> None:
        """Stop; the result is then that it was stopped."""
        self.outcome = Cancelled()

    def result(self) -> Found:
        """What was found."""
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome
