"""Weights of topics: how much each counts, for instance by its traffic."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.attributes import read_pairs
from gainful.errors import NothingInCommon, UsageError
from gainful.formats.ids import some

if TYPE_CHECKING:
    from gainful.comparisons.method import Method

Floats = NDArray[np.float64]

TESTS = ("signflip", "t")
INTERVALS = ("t", "bca", "percentile")


def read_weights(given: Any) -> dict[str, float]:
    """The weight of each topic, from a file of topic and weight or from a mapping.

    >>> read_weights({"q1": 3, "q2": "0.5"})
    {'q1': 3.0, 'q2': 0.5}
    """
    return read_pairs(given, "weight", _weight)


def of_topics(weights: Mapping[str, float], topics: Sequence[str]) -> tuple[Floats, list[str]]:
    """The weights in the order of the topics, 0 where there is none; and what is to be noted."""
    made = np.array([weights.get(topic, 0.0) for topic in topics])
    if not made.any():
        raise NothingInCommon("no topic that is compared has a weight above 0; are these the right ids?")
    notes = []
    if lacking := [topic for topic in topics if topic not in weights]:
        notes.append(f"{_count(lacking)} no weight, left out: {some(lacking)}")
    if unknown := sorted(set(weights) - set(topics)):
        notes.append(f"{_count(unknown)} a weight and no scores, ignored: {some(unknown)}")
    return made, notes


def check(method: Method) -> None:
    """Refuse what has no form with weights."""
    if method.test not in TESTS:
        raise UsageError(f"test {method.test} does not take weights; with weights use {' or '.join(TESTS)}.")
    if method.interval not in INTERVALS:
        raise UsageError(
            f"interval {method.interval} does not take weights; with weights use {', '.join(INTERVALS)}."
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
