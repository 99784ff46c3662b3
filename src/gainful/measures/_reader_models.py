"""C/W/L: a reader goes down a list, from each rank to the next with some probability.

    reach(rank)   how likely the reader gets to a rank; 1 at the first
    utility       Σ reach · gain / Σ reach: gain for each document read
    total         Σ reach · gain: gain in all
    cost          Σ reach: documents read
    residual      how much higher the utility were if all that nobody judged were of the best, ranks after the end too

Nobody reads below the cutoff. All documents cost the same, so cost is a number of documents.

A stop says how likely a document satisfies a reader, so that the reader stops there:

    exp      (2^grade − 1) / 2^top       Chapelle and others, and gdeval with top = 4
    linear   grade / (top + 1)           NTCIR
    a table  {grade: probability, …}, 0 for grades that are not in it

top is the best grade of the scale; grades above it count as it, and negative ones as 0.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from gainful.errors import MeasureError
from gainful.judging import JudgedRun, PerTopic, Ranking, is_numpy, namespace
from gainful.judging.ranking import Floats, or_else
from gainful.measures._gains import Table
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
    if not is_numpy(namespace(read.rank)):  # the same again, where the ranks are
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


class Stop:
    """A named function from grades and the best grade of the scale to probabilities."""

    __slots__ = ("function", "name")

    def __init__(self, name: str, function: Callable[[Floats, float], Floats]) -> None:
        self.name = name
        self.function = function

    def __call__(self, grade: Floats, top: float) -> Floats:
        """How likely a document of each grade stops a reader."""
        xp = namespace(grade)
        return self.function(xp.minimum(xp.maximum(grade, 0.0), top), top)

    def of(self, top: float) -> "Likely":
        """The worth of a grade on a fixed scale, so that documents can be ordered by it."""
        return Likely(self, top)

    def __repr__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stop) and (self.name, self.function) == (other.name, other.function)

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        known = STOPS.get(self.name) is self
        return (as_stop, (self.name,)) if known else (Stop, (self.name, self.function))


class Chances(Stop):
    """Probabilities written down grade by grade.

    >>> import numpy as np
    >>> Chances({1: 0.25, 2: 0.75})(np.array([0.0, 1.0, 2.0]), 2)
    array([0.  , 0.25, 0.75])
    """

    __slots__ = ("table",)

    def __init__(self, table: Mapping[Any, Any]) -> None:
        self.table = Table(table)
        if self.table.others or any(chance > 1 for _, chance in self.table.gains):
            raise MeasureError(
                f"in a table of stops every chance must be a number, 0 or more and 1 or less; got {dict(table)!r}"
            )
        super().__init__(self.table.name, lambda grade, _: self.table(grade))

    def __call__(self, grade: Floats, top: float) -> Floats:  # noqa: ARG002 (the table knows no scale)
        """How likely a document of each grade stops a reader."""
        return self.table(grade)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chances) and self.table == other.table

    __hash__ = Stop.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return (Chances, (dict(self.table.gains),))


class Likely:
    """A stop whose scale is fixed; better grades are mostly likelier to stop, but a table need not have it so."""

    __slots__ = ("stop", "top")

    def __init__(self, stop: Stop, top: float) -> None:
        self.stop = stop
        self.top = top

    @property
    def rising(self) -> bool:
        """Whether a better grade is never less likely to stop."""
        return not isinstance(self.stop, Chances)

    def __call__(self, grade: Floats) -> Floats:
        return self.stop(grade, self.top)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Likely) and (self.stop, self.top) == (other.stop, other.top)

    def __hash__(self) -> int:
        return hash((self.stop, self.top))


def _exp(grade: Floats, top: float) -> Floats:
    return 2.0 ** (grade - top) - 2.0**-top  # type: ignore[no-any-return]


def _linear(grade: Floats, top: float) -> Floats:
    return grade / (top + 1.0)


exp = Stop("exp", _exp)
linear = Stop("linear", _linear)
STOPS = {stop.name: stop for stop in (exp, linear)}


def as_stop(value: object) -> Stop:
    """A stop from its name, its table, or itself.

    >>> as_stop("linear"), as_stop({3: 0.9, 1: 0.1})
    (linear, {1:0.1,3:0.9})
    """
    if isinstance(value, Stop):
        return value
    if isinstance(value, Mapping):
        return Chances(value)
    if isinstance(value, str) and value in STOPS:
        return STOPS[value]
    raise MeasureError(f"stop must be exp, linear, or a table such as {{1:0.2,2:0.8}}; got {value!r}")
