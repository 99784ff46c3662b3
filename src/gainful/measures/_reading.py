"""C/W/L: a reader goes down a list, from each rank to the next with some probability.

    reach(rank)   how likely the reader gets to a rank; 1 at the first
    utility       Σ reach · gain / Σ reach: gain for each document read
    total         Σ reach · gain: gain in all
    cost          Σ reach: documents read
    residual      how much higher the utility were if all that nobody judged were of the best, ranks after the end too

Nobody reads below the cutoff. All documents cost the same, so cost is a number of documents.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np

from gainful.errors import MeasureError
from gainful.judging import JudgedRun, PerTopic, Ranking, namespace
from gainful.judging.ranking import Floats, or_else
from gainful.measures._series import looked_up, ranks, so_far

Part = Literal["utility", "total", "cost", "residual"]


class Reading(NamedTuple):
    """What a reader gains and how many documents that takes, as expected."""

    gained: PerTopic
    cost: PerTopic


def part_of(part: Part, known: Reading, best: Callable[[], Reading]) -> PerTopic:
    """The part that is asked for, of what is known and, for the residual, of the best that may be."""
    if part == "total":
        return known.gained
    if part == "cost":
        return known.cost
    utility = known.gained / known.cost
    if part == "utility":
        return utility
    at_best = best()
    return at_best.gained / at_best.cost - utility


def scaled(judged: JudgedRun, grade: Floats, bottom: float, top: float | None) -> Floats:
    """The grade's place between bottom, worth 0, and top, worth 1; None is the best grade in the judgments."""
    whole = or_else(judged.top, bottom + 1.0) if top is None else top
    if not isinstance(whole, int | float):  # an array on a device, whose value is not known here
        if bottom > 0:
            raise MeasureError(f"bottom={bottom:g} needs top=… on arrays: it must be above bottom")
    elif whole <= bottom:
        raise MeasureError(f"top must be above bottom; got {whole:g} and {bottom:g}")
    xp = namespace(grade)
    return (xp.minimum(xp.maximum(grade, bottom), whole) - bottom) / (whole - bottom)  # type: ignore[no-any-return]


def steady(
    judged: JudgedRun,
    part: Part,
    *,
    cutoff: int,
    bottom: float,
    top: float | None,
    weight: Callable[[Floats], Floats],
    stops: bool,
) -> PerTopic:
    """A part for readers whose reach is weight(rank), times 1 − gain for every document above if that stops them."""
    read = judged.cut(cutoff)
    gain = scaled(judged, read.grade, bottom, top)
    summed_up = _summed_up(weight, ranks(cutoff))
    everything = float(summed_up[-1])
    if namespace(read.rank) is not np:  # the same again, where the ranks are
        summed_up = _summed_up(weight, ranks(cutoff, like=read.rank))
    left = read.surviving(gain) if stops else 1.0 + 0.0 * read.rank
    reach = weight(read.rank) * left
    further = everything - looked_up(summed_up, read.rank)
    cost = everything - (read.total(left * gain * further) if stops else 0.0 * judged.retrieved)
    known = Reading(read.total(reach * gain), cost)

    def best() -> Reading:
        if not stops:
            unjudged = everything - read.total(weight(read.rank), where=read.grade >= 0)
            return Reading(known.gained + unjudged, cost)
        return _best_until_unjudged(read, gain, left, weight, cutoff)

    return part_of(part, known, best)


def _summed_up(weight: Callable[[Floats], Floats], every: Floats) -> Floats:
    """Σ weight down to each rank of 1, 2, …; 0 at rank 0."""
    summed: Floats = namespace(every).concat((0.0 * every[:1], so_far(weight(every))))
    return summed


def _best_until_unjudged(
    read: Ranking, gain: Floats, left: Floats, weight: Callable[[Floats], Floats], cutoff: int
) -> Reading:
    """The first rank that nobody judged is taken to be of the best, and stops every reader who gets there."""
    known = read.grade >= 0
    before = known & (read.running(known) == read.rank)  # judged, and so is everything above
    first_unjudged = read.total(where=before) + 1
    get_there = 1 - read.total(left * gain, where=before)
    there = namespace(gain).where(first_unjudged <= cutoff, weight(first_unjudged) * get_there, 0.0)
    reach = weight(read.rank) * left
    return Reading(read.total(reach * gain, where=before) + there, read.total(reach, where=before) + there)
