"""Symbols: what a measure computes is recorded as an expression of them, in place of arrays.

A symbol stands for a number of each topic, or for a number at each rank of a list. Its template is the operation in
Triton's language, and its inputs fill the template, so that a measure becomes part of a kernel as it is written.
What cannot be recorded raises `Untraceable`; such a measure is computed by operations on arrays.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn

import numpy as np
from numpy.typing import NDArray

Level = Literal["topic", "run", "ideal"]
"""A number for each topic, or one for each rank of the candidates or of the ideal list."""
NOTHING = float("-inf")


class Untraceable(AttributeError):
    """The measure uses an operation, or asks for something, that is not recorded; symbols do not have it."""


@dataclass(eq=False)
class Symbol:
    """A value that is not known yet.

    template  the operation, with {0}, {1}, … where the inputs go
    boolean   whether it is true or false
    at_ranks  its values at ranks 1, 2, …, where they follow from the rank alone
    reads     the list that is summed up and its last rank (None: all); for operations along a list
    """

    template: str
    inputs: tuple[Any, ...] = ()
    level: Level = "topic"
    boolean: bool = False
    at_ranks: NDArray[np.float64] | None = None
    reads: tuple[Level, int | None] | None = None
    shape: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.shape = ("topics",) if self.level == "topic" else ("topics", "ranks")

    def __array_namespace__(self) -> Symbols:
        return SYMBOLS

    __hash__ = object.__hash__

    def __bool__(self) -> NoReturn:
        raise Untraceable("a branch depends on the data")

    __float__ = __int__ = __index__ = __bool__

    def __getattr__(self, name: str) -> NoReturn:
        raise Untraceable(name)

    def __getitem__(self, place: Any) -> NoReturn:
        raise Untraceable("a place of an array")

    # ---- arithmetic --------------------------------------------------------------------------------------

    def __add__(self, other: Any) -> Symbol:
        return operation("{0} + {1}", self, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Symbol:
        return operation("{0} - {1}", self, other)

    def __rsub__(self, other: Any) -> Symbol:
        return operation("{0} - {1}", other, self)

    def __mul__(self, other: Any) -> Symbol:
        return operation("{0} * {1}", self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Symbol:
        return operation("{0} / {1}", self, other)

    def __rtruediv__(self, other: Any) -> Symbol:
        return operation("{0} / {1}", other, self)

    def __neg__(self) -> Symbol:
        return operation("-{0}", self)

    def __pow__(self, other: Any) -> Symbol:
        if other == 2:
            return self * self
        raise Untraceable("a power of a value")

    def __rpow__(self, base: Any) -> Symbol:
        """By logarithm: in Triton only powers of 2 are an operation."""
        if not isinstance(base, int | float) or base <= 0:
            raise Untraceable("a power")
        return operation("tl.exp2({0})", self if base == 2 else self * math.log2(base))

    def __ge__(self, other: Any) -> Symbol:
        return operation("{0} >= {1}", self, other, boolean=True)

    def __gt__(self, other: Any) -> Symbol:
        return operation("{0} > {1}", self, other, boolean=True)

    def __le__(self, other: Any) -> Symbol:
        return operation("{0} <= {1}", self, other, boolean=True)

    def __lt__(self, other: Any) -> Symbol:
        return operation("{0} < {1}", self, other, boolean=True)

    def __eq__(self, other: object) -> Symbol:  # type: ignore[override]
        return operation("{0} == {1}", self, other, boolean=True)

    def __ne__(self, other: object) -> Symbol:  # type: ignore[override]
        return operation("{0} != {1}", self, other, boolean=True)

    def __and__(self, other: Symbol) -> Symbol:
        return logical("{0} & {1}", self, other)

    def __or__(self, other: Symbol) -> Symbol:
        return logical("{0} | {1}", self, other)

    def __invert__(self) -> Symbol:
        return logical("{0} == 0", self)


def operation(template: str, *inputs: Any, boolean: bool = False) -> Symbol:
    """An operation on numbers and symbols, place by place; what is true or false counts as 1 or 0."""
    numbers = tuple(as_number(each) for each in inputs)
    return Symbol(template, numbers, level_of(numbers), boolean, _at_ranks(template, numbers))


def logical(template: str, *inputs: Any) -> Symbol:
    """An operation on what is true or false."""
    if not all(isinstance(each, Symbol) and each.boolean for each in inputs):
        raise Untraceable("a logical operation on numbers")
    return Symbol(template, inputs, level_of(inputs), boolean=True)


def as_number(x: Any) -> Any:
    """A number as it is; 1 and 0 for what is true and false."""
    if isinstance(x, Symbol):
        return Symbol("{0}.to(tl.float32)", (x,), x.level) if x.boolean else x
    if isinstance(x, bool | int | float | np.integer | np.floating):
        return float(x)
    raise Untraceable(f"an operand of type {type(x).__qualname__}")


def level_of(inputs: tuple[Any, ...]) -> Level:
    """The list to whose ranks some values belong, or each topic."""
    levels = {each.level for each in inputs if isinstance(each, Symbol)} - {"topic"}
    if len(levels) > 1:
        raise Untraceable("ranks of two lists side by side")
    return levels.pop() if levels else "topic"


BY_HAND: dict[str, Any] = {
    "{0} + {1}": np.add,
    "{0} - {1}": np.subtract,
    "{0} * {1}": np.multiply,
    "{0} / {1}": np.divide,
    "tl.log2({0})": np.log2,
    "tl.log({0})": np.log,
    "tl.maximum({0}, {1})": np.maximum,
    "tl.minimum({0}, {1})": np.minimum,
}


def _at_ranks(template: str, inputs: tuple[Any, ...]) -> NDArray[np.float64] | None:
    known = [each.at_ranks if isinstance(each, Symbol) else each for each in inputs]
    if template not in BY_HAND or any(each is None for each in known):
        return None
    with np.errstate(all="ignore"):
        values: NDArray[np.float64] = BY_HAND[template](*known)
    return values


class Symbols:
    """The functions that go with symbols, under the names of the array API."""

    __name__ = "symbols"
    nan, inf, pi = math.nan, math.inf, math.pi

    def __getattr__(self, name: str) -> NoReturn:
        raise Untraceable(name)

    def where(self, condition: Symbol, x: Any, y: Any) -> Symbol:
        """One or the other."""
        inputs = (condition, as_number(x), as_number(y))
        return Symbol("tl.where({0}, {1}, {2})", inputs, level_of(inputs))

    def maximum(self, x: Any, y: Any) -> Symbol:
        """The larger."""
        return operation("tl.maximum({0}, {1})", x, y)

    def minimum(self, x: Any, y: Any) -> Symbol:
        """The smaller."""
        return operation("tl.minimum({0}, {1})", x, y)

    def log2(self, x: Symbol) -> Symbol:
        """The logarithm to the base 2."""
        return operation("tl.log2({0})", x)

    def log(self, x: Symbol) -> Symbol:
        """The natural logarithm."""
        return operation("tl.log({0})", x)

    def exp(self, x: Symbol) -> Symbol:
        """The natural exponential function."""
        return operation("tl.exp({0})", x)

    def sqrt(self, x: Symbol) -> Symbol:
        """The square root."""
        return operation("tl.sqrt({0})", x)

    def floor(self, x: Symbol) -> Symbol:
        """The next whole number down."""
        return operation("tl.floor({0})", x)

    def ceil(self, x: Symbol) -> Symbol:
        """The next whole number up."""
        return operation("tl.ceil({0})", x)

    def abs(self, x: Symbol) -> Symbol:
        """Without its sign."""
        return operation("tl.abs({0})", x)

    def isnan(self, x: Symbol) -> Symbol:
        """Whether it is not a number."""
        return x != x  # noqa: PLR0124

    def isfinite(self, x: Symbol) -> Symbol:
        """Whether it is a number, and no infinite one."""
        return self.abs(x) < math.inf

    def zeros_like(self, x: Symbol) -> Symbol:
        """0 for each."""
        return self.where(self.isnan(x), 0.0, 0.0)

    def ones_like(self, x: Symbol) -> Symbol:
        """1 for each."""
        return self.where(self.isnan(x), 1.0, 1.0)


SYMBOLS = Symbols()
