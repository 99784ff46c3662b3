"""What each document of a list contributes to the value: of one topic, or of all topics of a run at once."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
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
from gainful.presentation.page import Brief
from gainful.statistics.exact_sums import exact_sums

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
_AT_ONCE = 1_000_000  # judgments held while a list grows; ranks × topics taken apart together


@dataclass(frozen=True, eq=False, repr=False)
class Parts(Brief):
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
    terms, known = _terms(measure, judged, values, ~undefined)
    if known[0]:
        return Parts(value, False, 0.0, terms[:, 0], "sum")
    if measure.needs == "anywhere":
        raise MeasureError(
            f"{measure} is not a sum over documents, so the contribution of each document cannot be computed"
        )
    start, growth = _growth(measure, judged, depth)
    return Parts(value, False, start, growth, "growth")


def contributions_by_topic(measure: Measure, judged: JudgedRun, depth: int) -> list[dict[int, float]]:
    """For each topic what the document at each rank contributes, where that is not 0, down to rank depth.

    Nothing is said of a topic whose documents have no contributions that can be computed.

    >>> from gainful.judging import judged_run
    >>> from gainful.measures import P
    >>> contributions_by_topic(P @ 2, judged_run([0, 1]), 10)
    [{2: 0.5}]
    """
    working, read = as_read(measure, judged)
    step = max(1, _AT_ONCE // max(1, int(read.retrieved.max(initial=0))))
    blocks = (read.select(at, min(at + step, len(read))) for at in range(0, len(read), step))
    return [contributions for block in blocks for contributions in _of_block(working, block, depth)]


def _of_block(measure: Measure, judged: JudgedRun, depth: int) -> list[dict[int, float]]:
    values, undefined = measure.evaluate(judged)
    terms, known = _terms(measure, judged, values, ~undefined)
    contributions = _where_not_zero(terms[:depth])
    for topic in np.flatnonzero(~known).tolist():
        contributions[topic] = _alone(measure, judged.select(topic, topic + 1), depth)
    return contributions


def _where_not_zero(terms: Floats) -> list[dict[int, float]]:
    """For each topic the terms that are not 0, by rank."""
    topic, place = np.nonzero(terms.T)
    ends = np.searchsorted(topic, np.arange(terms.shape[1] + 1)).tolist()
    ranks, values = (place + 1).tolist(), terms[place, topic].tolist()
    return [
        dict(zip(ranks[start:stop], values[start:stop], strict=True))
        for start, stop in itertools.pairwise(ends)
    ]


def _alone(measure: Measure, judged: JudgedRun, depth: int) -> dict[int, float]:
    try:
        parts = parts_of(measure, judged).contributions[:depth]
    except MeasureError:
        return {}
    return _where_not_zero(parts[:, None])[0]


def _terms(measure: Measure, judged: JudgedRun, values: Floats, defined: Booleans) -> tuple[Floats, Booleans]:
    """The terms of the sums that the values are, ranks × topics, and the topics for which they are known.

    Where there is nothing to find every term is 0; so they are where the value is no sum over documents, and is not known.
    """
    shape = (int(judged.retrieved.max(initial=0)), len(judged))
    terms, known = np.zeros(shape), ~defined
    for in_parts in _sums_in_parts(measure, judged):
        if known.all():
            break
        watched = WatchedRun(judged, Watch(shape[0], {in_parts}))
        try:
            with np.errstate(
                all="ignore"
            ):  # a part may be divided by nothing; such parts do not sum to the value
                found = measure.definition.function(watched, **measure._given)
        except (ValueError, TypeError, IndexError):  # the text does more with the sum than carry it along
            continue
        if getattr(found, "shape", None) == shape:
            fits = ~known & _sums_to(found, values)
            terms[:, fits] = found[:, fits]
            known |= fits
    return terms, known


def _sums_in_parts(measure: Measure, judged: JudgedRun) -> Iterator[int]:
    """Which sums of the text to take apart: all of them, then each of them alone.

    In a mean weighted by a sum of its own, say, only the sum above the line is to be taken apart. It is the right one
    where the parts sum to the value.
    """
    yield EVERY
    counting = Watch(0)
    measure.evaluate(WatchedRun(judged, counting))
    yield from range(counting.sums)


def _growth(measure: Measure, judged: JudgedRun, depth: int) -> tuple[float, Floats]:
    """The value of nothing, and what each document adds to that of the list before it."""
    if judged.aspects is not None:  # what subtopics and judges say is not laid out side by side
        each = [float(measure(shorten(judged, end))[0]) for end in range(depth + 1)]
        return each[0], np.diff(each)
    step = max(1, _AT_ONCE // (len(judged.pool.rank) + depth + 1))
    ends = [np.arange(at, min(at + step, depth + 1)) for at in range(0, depth + 1, step)]
    values = np.concatenate([measure.evaluate(_grown(judged, some))[0] for some in ends])
    return float(values[0]), np.diff(values)


def _grown(judged: JudgedRun, ends: NDArray[np.intp]) -> JudgedRun:
    """The list as it is when it ends at each of these ranks, one beside the other."""
    times = len(ends)
    counts = np.searchsorted(judged.rank, ends, side="right")
    hits = np.concatenate([np.arange(count) for count in counts]).astype(np.intp)
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


def _sums_to(terms: Floats, values: Floats) -> Booleans:
    """The topics whose terms are finite and sum to the value."""
    finite = np.isfinite(terms)
    sums = exact_sums(np.where(finite, terms, 0.0).T)
    apart = np.abs(sums - values)
    near = apart <= np.maximum(1e-9 * np.maximum(np.abs(sums), np.abs(values)), 1e-12)
    return near & finite.all(axis=0) & np.isfinite(values)
