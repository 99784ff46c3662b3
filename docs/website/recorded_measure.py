"""A measure as a program of few operations: its function is run once, on values that record what is done with them.

`gainful.batch.measure_tracing` records for a GPU: powers become logarithms, and lists become masks. This record is read by
people and computed by worked_example.js: operations, lists and conditions stay as the measure has them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

import numpy as np

from gainful.judging.ranking import Worth
from gainful.measures import Measure

ELEMENTWISE = (
    "maximum",
    "minimum",
    "where",
    "log2",
    "log",
    "exp",
    "sqrt",
    "floor",
    "ceil",
    "abs",
    "round",
    "isnan",
    "isfinite",
)


class NotRecorded(AttributeError):
    """The measure does something that is not recorded."""


class Recorded:
    """A number, or one for each document of a list, that is not known yet: an operation and what it is done to."""

    __array_ufunc__ = None  # so that an array of NumPy leaves arithmetic to this class
    shape = ()
    dtype = np.dtype(np.float64)
    device = None

    def __init__(self, operation: str, *inputs: Any) -> None:
        self.operation = operation
        self.inputs = inputs

    def __array_namespace__(self) -> Functions:
        return FUNCTIONS

    __hash__ = object.__hash__

    def __bool__(self) -> NoReturn:
        raise NotRecorded("a branch depends on the data")

    __float__ = __int__ = __index__ = __bool__

    def __pow__(self, other: Any) -> Recorded:
        return Recorded("power", self, other)

    def __rpow__(self, other: Any) -> Recorded:
        return Recorded("power", other, self)

    def __neg__(self) -> Recorded:
        return Recorded("subtract", 0.0, self)

    def __invert__(self) -> Recorded:
        return Recorded("not", self)


def _both_ways(operation: str) -> tuple[Callable[[Any, Any], Recorded], Callable[[Any, Any], Recorded]]:
    return lambda x, y: Recorded(operation, x, y), lambda x, y: Recorded(operation, y, x)


for _name, _operation in {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "divide",
    "and": "and",
    "or": "or",
}.items():
    _plain, _reflected = _both_ways(_operation)
    setattr(Recorded, f"__{_name}__", _plain)
    setattr(Recorded, f"__r{_name}__", _reflected)
for _name in ("ge", "gt", "le", "lt", "eq", "ne"):
    setattr(Recorded, f"__{_name}__", _both_ways(_name)[0])


class Functions:
    """The functions that go with recorded values, under the names of the array API."""

    __name__ = "recorded"
    nan, inf, pi, int64, float64 = math.nan, math.inf, math.pi, np.int64, np.float64
    concat, flip, cumulative_sum = np.concatenate, np.flip, np.cumulative_sum
    arange = staticmethod(lambda *limits, **_: np.arange(*limits))
    finfo = staticmethod(lambda _: np.finfo(np.float64))

    def __getattr__(self, name: str) -> Callable[..., Recorded]:
        if name not in ELEMENTWISE:
            raise NotRecorded(name)
        return lambda *inputs: Recorded(name, *inputs)

    def zeros_like(self, x: Recorded) -> Recorded:
        """0 for each."""
        return 0.0 * x

    def ones_like(self, x: Recorded) -> Recorded:
        """1 for each."""
        return 0.0 * x + 1.0

    def astype(self, x: Recorded, dtype: Any) -> Recorded:  # noqa: ARG002 (numbers are numbers)
        """Numbers of another type, which are the same numbers."""
        return x

    def reshape(self, x: Recorded, shape: Any) -> Recorded:  # noqa: ARG002 (there is one list)
        """In another shape, which has the same numbers."""
        return x

    def take(self, table: Any, place: Recorded, axis: int = 0) -> Recorded:  # noqa: ARG002 (a table has one)
        """The numbers of a table at these places."""
        return Recorded("take", tuple(float(x) for x in table), place)


FUNCTIONS = Functions()


class RecordedList(Recorded):
    """A list of documents; operations as in `gainful.judging.Ranking`."""

    @property
    def rank(self) -> Recorded:
        """The rank of each document."""
        return Recorded("rank", self)

    @property
    def grade(self) -> Recorded:
        """The grade of each document."""
        return Recorded("grade", self)

    def cut(self, k: Any) -> RecordedList:
        """The list down to rank k; None is all of it."""
        return self if k is None else RecordedList("cut", self, k)

    def only(self, where: Recorded) -> RecordedList:
        """The documents where it holds."""
        return RecordedList("only", self, where)

    def each(self, y: Recorded) -> Recorded:
        """A number of the topic, at each document."""
        return y

    def total(self, x: Any = 1.0, where: Any = True) -> Recorded:
        """Sum of x over the documents where it holds."""
        return Recorded("total", self, x, where)

    def most(self, x: Any, where: Any = True) -> Recorded:
        """Largest x, none below 0, over the documents where it holds."""
        return Recorded("most", self, x, where)

    def running(self, x: Any) -> Recorded:
        """Sum of x down to each document."""
        return Recorded("running", self, x)

    def surviving(self, stop: Any) -> Recorded:
        """Product of 1 − stop over the documents above each."""
        return Recorded("surviving", self, stop)

    def following(self, end: float) -> Recorded:
        """The rank of the next document; after the last one, the end."""
        return Recorded("following", self, end)

    def at(self, x: Recorded, other: RecordedList, *, ahead: float = 0) -> Recorded:
        """The x of this list as it stood at each rank of another, or so many ranks further down."""
        return Recorded("at", self, x, other, ahead)


class RecordedRun(RecordedList):
    """The judged documents of a list, in rank order; what it knows as in `gainful.judging.JudgedRun`."""

    provides: ClassVar[tuple[str, ...]] = ("expected",)
    top = Recorded("best_grade")
    retrieved = Recorded("retrieved")
    expected = Recorded("expected")
    present = retrieved > 0
    pool = RecordedList("judged")

    def count(self, rel: float) -> Recorded:
        """Judged documents of that grade or more."""
        return self.pool.total(where=self.pool.grade >= rel)

    def nothing_relevant(self, rel: float | None) -> Recorded:
        """Whether no document has that grade or more; None asks for any grade above 0."""
        return (self.pool.total(where=self.pool.grade > 0) if rel is None else self.count(rel)) == 0

    def nothing_to_gain(self, gain: Worth) -> Recorded:
        """Whether no judged document has a gain."""
        return self.pool.total(where=gain(self.pool.grade) > 0) == 0  # type: ignore[arg-type,operator]

    def ideal(self, gain: Worth, *, of: str = "judged") -> RecordedList:
        """Best gain first: of every judged document, of those retrieved, or down to as many ranks as were returned."""
        if not gain.rising:
            raise NotRecorded("an ideal list in another order than that of grades")
        if of == "retrieved":
            return RecordedList("best_first", self)
        return self.pool.cut(self.retrieved) if of == "hits" else self.pool

    def ideal_rank(self) -> Recorded:
        """Where each document stands in the ideal list."""
        return Recorded("ideal_rank", self)


@dataclass(frozen=True)
class Program:
    """The operations in an order in which they can be done, each with the numbers of its inputs; the last is the value."""

    operations: list[list[Any]]
    value: Recorded

    def sums(self) -> list[Recorded]:
        """What is summed up along a list to get the value, each once."""
        return list(_sums(self.value, {}))


def recorded(measure: Measure) -> Program:
    """The program of a measure; `NotRecorded`, or the fault of whatever was tried, where it has none."""
    value, _ = measure.evaluate(RecordedRun("run"))  # type: ignore[arg-type]
    if not isinstance(value, Recorded):
        raise NotRecorded("the value does not depend on the list")
    kept: dict[str, Any] = {}
    value = _shared(value, {}, kept)
    return Program([*_listed(value, {})], value)


def _shared(x: Any, known: dict[int, Any], kept: dict[Any, Any]) -> Any:
    """The same operation on the same inputs, once."""
    if not isinstance(x, Recorded):
        return x
    if id(x) not in known:
        inputs = [_shared(each, known, kept) for each in x.inputs]
        key = (x.operation, *[id(each) if isinstance(each, Recorded) else repr(each) for each in inputs])
        if key not in kept:
            kept[key] = type(x)(x.operation, *inputs)
        known[id(x)] = kept[key]
    return known[id(x)]


def _listed(x: Any, places: dict[int, int]) -> Iterator[list[Any]]:
    """Each operation after its inputs: ["add", {"of": 3}, {"is": 1}], where 3 is the place of an earlier one."""
    if not isinstance(x, Recorded) or id(x) in places:
        return
    for each in x.inputs:
        yield from _listed(each, places)
    inputs = [
        {"of": places[id(each)]} if isinstance(each, Recorded) else {"is": _as_json(each)}
        for each in x.inputs
    ]
    x.place = places[id(x)] = len(places)
    yield [x.operation, *inputs]


def _as_json(x: Any) -> Any:
    """A number, a table, or true; what JSON has no number for is a word."""
    if isinstance(x, tuple | bool):
        return x
    return (
        float(x)
        if math.isfinite(x)
        else {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}[str(float(x))]
    )


def _sums(x: Any, seen: dict[int, Any]) -> Iterator[Recorded]:
    if not isinstance(x, Recorded) or id(x) in seen:
        return
    seen[id(x)] = x
    for each in x.inputs:
        yield from _sums(each, seen)
    if x.operation in ("total", "most"):
        yield x
