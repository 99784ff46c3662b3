"""What is said of topics beside their scores: a file of two columns, topic and a group or a weight."""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from gainful.errors import DataError, NothingInCommon, UsageError
from gainful.formats.ids import from_bytes, shown, some, unshown
from gainful.formats.sources import Source, is_path
from gainful.statistics import paired_tests
from gainful.statistics.intervals import INTERVALS

if TYPE_CHECKING:
    from gainful.comparisons.method import Method

T = TypeVar("T")

_HEADS = ("topic", "query", "qid", "query_id", "query-id", "topic_id", "id", "tid")


def read_pairs(given: Any, what: str, value: Callable[[Any], T]) -> dict[str, T]:
    """Topic and value from a mapping, or from a file of two columns: spaces, tabs, commas or semicolons.

    what   the value's name, for messages and to tell a line of heads
    value  makes the value of its text; a ValueError says what is wrong with it
    """
    if isinstance(given, Mapping):
        return {
            _id(topic): _made(value, raw, what, f"topic '{shown(_id(topic))}'")
            for topic, raw in given.items()
        }
    if not is_path(given):
        raise UsageError(
            f"{what}s of topics are a file of topic and {what}, or {{topic: {what}}}; got {type(given).__name__}."
        )
    path = os.fsdecode(given)
    values: dict[str, T] = {}
    for number, fields in _lines(path):
        where = f"{shown(path)}, line {number}"
        if len(fields) != 2:
            columns = f"{len(fields)} column{'' if len(fields) == 1 else 's'}"
            raise DataError(f"{where}: {columns} where topic and {what} are expected.")
        if not values and _is_head(fields, what):
            continue
        topic = unshown(fields[0])
        read_value = _made(value, fields[1], what, where)
        if topic in values and values[topic] != read_value:
            raise DataError(
                f"{where}: topic '{shown(topic)}' occurs twice with different {what}s; remove one."
            )
        values[topic] = read_value
    if not values:
        raise DataError(f"{shown(path)} holds no rows; expected lines of topic and {what}.")
    return values


def _made(value: Callable[[Any], T], given: Any, what: str, where: str) -> T:
    try:
        return value(given)
    except (ValueError, TypeError) as fault:
        text = shown(given) if isinstance(given, str) else repr(given)
        raise DataError(f"{where}: {what} {fault}; got '{text}'.") from None


def _is_head(fields: Sequence[str], what: str) -> bool:
    """Whether the first line names the columns."""
    return fields[0].lower() in _HEADS or fields[1].lower() in (what, f"{what}s")


def _lines(path: str) -> list[tuple[int, list[str]]]:
    """Number and fields of every line that holds any; comments are none.

    The separator is that of the first line: a tab, a comma or a semicolon where it has one, else blanks.
    """
    with Source(path) as source:
        raw = b"".join(source.lines()).removeprefix(b"\xef\xbb\xbf")
    if b"\0" in raw:
        raise DataError(f"{shown(path)}: this is a binary file, not text.")
    lines = [
        (number, line)
        for number, line in enumerate(from_bytes(raw).splitlines(), 1)
        if line.strip() and not line.startswith("#")
    ]
    if not lines:
        return []
    separator = next((mark for mark in "\t,;" if mark in lines[0][1]), None)
    if separator is None:
        return [(number, line.split()) for number, line in lines]
    reader = csv.reader(io.StringIO("\n".join(line for _, line in lines)), delimiter=separator, strict=True)
    try:
        rows = [[field.strip() for field in row] for row in reader]
    except csv.Error as fault:
        raise DataError(f"{shown(path)}, line {lines[reader.line_num - 1][0]}: {fault}.") from None
    return [(number, row) for (number, _), row in zip(lines, rows, strict=False)]


def _id(value: Any) -> str:
    return from_bytes(value) if isinstance(value, bytes) else str(value)


Floats = NDArray[np.float64]


def read_weights(given: Any) -> dict[str, float]:
    """The weight of each topic, from a file of topic and weight or from a mapping.

    >>> read_weights({"q1": 3, "q2": "0.5"})
    {'q1': 3.0, 'q2': 0.5}
    """
    return read_pairs(given, "weight", _weight)


def weights_of_topics(weights: Mapping[str, float], topics: Sequence[str]) -> tuple[Floats, list[str]]:
    """The weights in the order of the topics, 0 where there is none; and what is to be noted."""
    weight_of_each = np.array([weights.get(topic, 0.0) for topic in topics])
    if not weight_of_each.any():
        raise NothingInCommon("no topic that is compared has a weight above 0; are these the right ids?")
    notes = []
    if lacking := [topic for topic in topics if topic not in weights]:
        notes.append(f"{_count(lacking)} no weight, left out: {some(lacking)}")
    if unknown := sorted(set(weights) - set(topics)):
        notes.append(f"{_count(unknown)} a weight and no scores, ignored: {some(unknown)}")
    return weight_of_each, notes


def check_weighted(method: Method) -> None:
    """Raise if the test or the interval does not take weights of topics."""
    if not method.paired_test.weights:
        others = [name for name in paired_tests.names() if paired_tests.get(name).weights]
        raise UsageError(
            f"test {method.test} does not support weights; with weights use {' or '.join(others)}."
        )
    if not INTERVALS[method.interval].weights:
        others = [name for name, interval in INTERVALS.items() if interval.weights]
        raise UsageError(
            f"interval {method.interval} does not support weights; with weights use {', '.join(others)}."
        )


def _weight(value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not 0 <= number < math.inf:
        raise ValueError("must be a number, 0 or more")
    return number


def _count(topics: Sequence[str]) -> str:
    return f"{len(topics):,} topic{' has' if len(topics) == 1 else 's have'}"
