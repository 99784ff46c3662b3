"""Many topics become one number; of no topic, a sum is 0 and any other summary NaN."""

from __future__ import annotations

import math
from collections.abc import Callable

from gainful.arrays import np
from gainful.judging import PerTopic

FLOOR = 0.00001
"""What a geometric mean takes a smaller value for, as trec_eval does: one topic at zero does not make the whole zero."""


def mean(values: PerTopic) -> float:
    """Arithmetic mean; summed exactly, so that no order or grouping of topics changes a bit.

    >>> mean(np.array([0.1, 0.2, 0.6]))
    0.3
    """
    return math.fsum(values) / len(values) if len(values) else math.nan


def geometric(values: PerTopic) -> float:
    """Geometric mean, values below 0.00001 taken as that.

    >>> round(geometric(np.array([0.1, 0.4])), 6)  # √(0.1 · 0.4)
    0.2
    """
    return math.exp(mean(np.log(np.maximum(values, FLOOR))))


def median(values: PerTopic) -> float:
    """The value in the middle.

    >>> median(np.array([0.1, 0.9, 0.2]))
    0.2
    """
    return float(np.median(values)) if len(values) else math.nan


def std(values: PerTopic) -> float:
    """Standard deviation over topics (of a sample: n − 1); NaN for one topic.

    >>> std(np.array([1.0, 3.0])) == math.sqrt(2)
    True
    """
    if len(values) < 2:
        return math.nan
    middle = mean(values)
    return math.sqrt(math.fsum((values - middle) ** 2) / (len(values) - 1))


def total(values: PerTopic) -> float:
    """Sum over topics; for counts.

    >>> total(np.array([2.0, 3.0]))
    5.0
    """
    return math.fsum(values)


SUMMARIES: dict[str, Callable[[PerTopic], float]] = {
    "mean": mean,
    "geometric": geometric,
    "median": median,
    "std": std,
    "sum": total,
}


def in_words(name: str) -> str:
    """What a summary is called in a sentence and above a column.

    >>> in_words("median"), in_words("geometric")
    ('median', 'geometric mean')
    """
    return {"geometric": "geometric mean", "std": "standard deviation"}.get(name, name)
