"""The value of every measure for every topic of a judged run, as the settings ask for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gainful.judging import JudgedRun
from gainful.judging.settings import Settings
from gainful.judging.transforms import order_ties
from gainful.measures import Measure
from gainful.measures._tied_orders import bounds_over_orders, by_grade, over_tied_orders

if TYPE_CHECKING:
    from gainful.scores.run_scores import RunScores

BLOCK = 1_000_000
"""Hits that are scored at once; bounds memory and changes no value."""


class TopicValues(NamedTuple):
    """Measures × topics.

    values     the values
    undefined  where there was nothing to find
    errors     standard errors of values that are means of a random sample of the orders of tied documents; None where none is
    """

    values: NDArray[np.float64]
    undefined: NDArray[np.bool_]
    errors: NDArray[np.float64] | None = None


def values_of(judged: JudgedRun, measures: tuple[Measure, ...], settings: Settings) -> TopicValues:
    """The value of every measure for every topic."""
    return _settled(_computed(judged, measures, expected=settings.ties == "expected"), settings)


def _settled(computed: TopicValues, settings: Settings) -> TopicValues:
    """The values as the settings want them: of topics with nothing to find, and rounded."""
    values, undefined, errors = computed
    if settings.undefined not in ("keep", "skip"):
        values[undefined] = float(settings.undefined)
    if settings.round_topics is not None:
        flat = [settings.rounded(value, settings.round_topics) for value in values.ravel().tolist()]
        values = np.array(flat, np.float64).reshape(values.shape)
    return TopicValues(values, undefined, errors)


def _computed(judged: JudgedRun, measures: tuple[Measure, ...], *, expected: bool) -> TopicValues:
    """Every measure of every topic, in blocks of topics."""
    topics = len(judged)
    small = judged.aspects is None and len(judged.rank) <= BLOCK and len(judged.pool.rank) <= BLOCK
    values = np.empty((len(measures), topics))
    undefined = np.empty((len(measures), topics), bool)
    errors = np.zeros((len(measures), topics)) if expected else None
    for start, stop in [(0, topics)] if small else _blocks(judged):
        block = judged if stop - start == topics else judged.select(start, stop)
        for number, measure in enumerate(measures):
            here = number, slice(start, stop)
            if errors is None:
                values[here], undefined[here] = measure.evaluate(block)
            else:
                values[here], undefined[here], errors[here] = over_tied_orders(measure, block)
    return TopicValues(values, undefined, errors if errors is not None and errors.any() else None)


def _blocks(judged: JudgedRun) -> Iterator[tuple[int, int]]:
    """Ranges of topics with at most BLOCK hits (and as many judgments), one topic at the least."""
    topics, start = len(judged), 0
    all_offsets = [judged.offsets, judged.pool.offsets]
    all_offsets += [] if judged.aspects is None else [judged.aspects.entries]
    while start < topics:
        stop = min(
            int(np.searchsorted(offsets, offsets[start] + BLOCK, side="right")) - 1 for offsets in all_offsets
        )
        stop = min(max(stop, start + 1), topics)
        yield start, stop
        start = stop


def values_at_bounds(run: RunScores) -> Iterator[RunScores]:
    """The run with its tied documents in the worst order, and in the best one."""
    odd = {
        number: bounds_over_orders(measure, run.judged)
        for number, measure in enumerate(run.measures)
        if not by_grade(measure)
    }
    for place, settings in enumerate(
        (replace(run.settings, ties="worst"), replace(run.settings, ties="best"))
    ):
        ordered = order_ties(run.judged, best=settings.ties == "best")
        computed = _computed(ordered, run.measures, expected=False)
        for number, bounds in odd.items():
            computed.values[number] = bounds[place]
        values, undefined, _ = _settled(computed, settings)
        yield replace(run, values=values, nothing_to_find=undefined, tie_errors=None, settings=settings)
