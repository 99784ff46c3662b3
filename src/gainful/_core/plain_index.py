"""Judgments in plain Python: indexed, and ready to be matched."""

import math
import re
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gainful._core.faults import Fault
from gainful._core.plain_lines import Faults, Row
from gainful._core.plain_rows import Rows, check_word


def topic_order(topic: bytes) -> tuple[bool, int, bytes, bytes]:
    """Numbers first, by number (the longer is the larger, and Python reads no very long ones); then the others, by bytes."""
    number = re.fullmatch(rb"[0-9]+", topic) is not None
    digits = topic.lstrip(b"0") if number else b""
    return not number, len(digits), digits, topic


def keep(rows: Sequence[Row], duplicates: str, faults: Faults) -> list[Row]:
    """Rows of one topic in the order given, each document once."""
    if duplicates in ("counted", "once"):
        return list(rows)
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

    def __init__(self, rows: Rows, *, duplicates: Literal["error", "first", "best"]) -> None:
        check_word("duplicates", duplicates, "error", "first", "best")
        if not len(rows):
            raise Fault("empty", 0, 0, b"", 1)
        faults, groups = Faults(rows.has_lines), by_topic(rows.table)
        self.topics = sorted(groups, key=topic_order)
        kept = [keep(groups[topic], duplicates, faults) for topic in self.topics]
        faults.check()
        self.offsets: NDArray[np.intp] = np.cumsum([0, *map(len, kept)], dtype=np.intp)
        self.grade: NDArray[np.float64] = np.array([row.value for part in kept for row in part], np.float64)
        self.rows = rows
        self.dropped = len(rows) - len(self.grade)
        self.names = [row.document for part in kept for row in part]

    def __len__(self) -> int:
        return len(self.names)

    @property
    def digest(self) -> str:
        """What stands for the rows that were given."""
        return self.rows.digest

    @property
    def grades(self) -> list[float]:
        """The lowest grade of 0 or more, and the highest of all."""
        grades = self.grade.tolist()
        lowest = min((grade for grade in grades if grade >= 0), default=math.inf)
        return [lowest + 0.0, max(grades) + 0.0]  # no zero below zero

    @property
    def longest(self) -> int:
        """The most documents judged for one topic."""
        return int(np.diff(self.offsets).max())

    def first_beyond(self, largest: float) -> int | None:
        """The first row whose grade is no number up to this size."""
        beyond = (row for row, grade in enumerate(self.grade.tolist()) if not abs(grade) <= largest)
        return next(beyond, None)

    def documents(self, start: int, stop: int) -> list[bytes]:
        """Ids of the judged documents at some positions."""
        return self.names[start:stop]
