"""Contributions: what each document of a list adds to the value of a measure; they sum to it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gainful.errors import MeasureError
from gainful.explaining.tracing import EVERY, Watch, WatchedRun, as_read
from gainful.judging import JudgedRun, Ranking
from gainful.judging.knowledge import Knowledge
from gainful.judging.transforms import shorten
from gainful.measures import Measure

Floats = NDArray[np.float64]
_AT_ONCE = 1_000_000  # judgments held while a list grows


@dataclass(frozen=True, eq=False)
class Parts:
    """The value of a list, document by document.

    value          what `evaluate` computes
    undefined      the topic has nothing relevant: the value is the one that the measure declares
    start          the value of an empty list
    contributions  what the document at each rank contributes; start plus all of them is the value
    how            "sum": the measure is a sum over documents, and these are its terms;
                   "growth": it is not, and each is the change in value when the list is extended by this document
    """

    value: float
    undefined: bool
    start: float
    contributions: Floats
    how: Literal["sum", "growth"]


def parts_of(measure: Measure, judged: JudgedRun) -> Parts:
    """What each document of one topic's list contributes to the value.

    >>> from gainful.judging import judged_run
    >>> from gainful.measures import AP, RBPres
    >>> parts_of(AP, judged_run([1, None, 1])).contributions.round(4)
    array([0.5   , 0.    , 0.3333])
    >>> left = parts_of(RBPres(p=0.5), judged_run([1, None, 0]))
    >>> left.start, left.contributions, left.how
    (1.0, array([-0.5  ,  0.   , -0.125]), 'growth')
    """
    measure, judged = as_read(measure, judged)
    values, undefined = measure.evaluate(judged)
    value, depth = float(values[0]), int(judged.retrieved[0])
    if undefined[0]:
        return Parts(value, True, value, np.zeros(depth), "sum")
    terms = _terms(measure, judged, value, depth)
    if terms is not None:
        return Parts(value, False, 0.0, terms, "sum")
    if measure.needs == "anywhere":
        raise MeasureError(
            f"{measure} is not a sum over documents, so the contribution of each document cannot be computed"
        )
    start, growth = _growth(measure, judged, depth)
    return Parts(value, False, start, growth, "growth")


def _terms(measure: Measure, judged: JudgedRun, value: float, depth: int) -> Floats | None:
    """The terms of the sum that the value is, or None where it is not one.

    All sums of the text are taken apart, then each of them alone: in a mean weighted by a sum of its own, say, only
    the sum above the line is to be taken apart. It is the right one where the parts sum to the value.
    """
    counting = Watch(depth)
    measure.evaluate(WatchedRun(judged, counting))
    for in_parts in [EVERY, *range(counting.sums)]:
        watched = WatchedRun(judged, Watch(depth, {in_parts}))
        try:
            with np.errstate(
                all="ignore"
            ):  # a part may be divided by nothing; such parts do not sum to the value
                found = measure.definition.function(watched, **measure._given)
        except (ValueError, TypeError, IndexError):  # the text does more with the sum than carry it along
            continue
        if getattr(found, "shape", None) == (depth, 1) and _sums_to(found, value):
            return found[:, 0]
    return None


def _growth(measure: Measure, judged: JudgedRun, depth: int) -> tuple[float, Floats]:
    """The value of nothing, and what each document adds to that of the list before it."""
    if judged.aspects is not None:  # what subtopics and judges say is not laid out side by side
        each = [float(measure(shorten(judged, end))[0]) for end in range(depth + 1)]
        return each[0], np.diff(each)
    step = max(1, _AT_ONCE // (len(judged.pool.rank) + depth + 1))
    ends = [np.arange(at, min(at + step, depth + 1)) for at in range(0, depth + 1, step)]
    values = np.concatenate([measure.evaluate(_grown(judged, some))[0] for some in ends])
    return float(values[0]), np.diff(values)


def _grown(judged: JudgedRun, ends: NDArray[np.int64]) -> JudgedRun:
    """The list as it is when it ends at each of these ranks, one beside the other."""
    times = len(ends)
    counts = np.searchsorted(judged.rank, ends, side="right")
    hits = np.concatenate([np.arange(count) for count in counts]).astype(np.int64)
    knowledge = judged.knowledge
    return JudgedRun(
        np.concatenate(([0], np.cumsum(counts))),
        judged.rank[hits],
        judged.grade[hits],
        pool=_side_by_side(judged.pool, times),
        retrieved=ends.astype(np.float64),
        present=np.ones(times, dtype=np.bool_),
        row=judged.row[hits],
        knowledge=None if knowledge is None else _known_by_each(knowledge, times),
    )


def _side_by_side(pool: Ranking, times: int) -> Ranking:
    offsets = np.arange(times + 1) * len(pool.rank)
    return Ranking(offsets, np.tile(pool.rank, times), np.tile(pool.grade, times), top=pool.top)


def _known_by_each(knowledge: Knowledge, times: int) -> Knowledge:
    pool = None if knowledge.pool is None else _side_by_side(knowledge.pool, times)
    return Knowledge(
        knowledge.rows, pool, None if knowledge.expected is None else np.tile(knowledge.expected, times)
    )


def _sums_to(parts: Floats, value: float) -> bool:
    return bool(np.isfinite(parts).all()) and math.isclose(
        math.fsum(parts[:, 0]), value, rel_tol=1e-9, abs_tol=1e-12
    )
