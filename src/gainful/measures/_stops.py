"""Stops: how likely a document satisfies a reader, so that the reader stops there.

exp      (2^grade − 1) / 2^top       Chapelle and others, and gdeval with top = 4
linear   grade / (top + 1)           NTCIR
a table  {grade: probability, …}, 0 for grades that are not in it

top is the best grade of the scale; grades above it count as it, and negative ones as 0.
"""

from collections.abc import Callable, Mapping
from typing import Any

from gainful.errors import MeasureError
from gainful.judging.ranking import Floats, namespace
from gainful.measures._gains import Table


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
        return isinstance(other, Stop) and self.name == other.name

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
