"""Symbols: what a measure computes is recorded as an expression of them, in place of arrays.

A symbol stands for a number of each topic, or for a number at each place of a list. It names an operation and has its
inputs. The record of a measure becomes a program that the native core runs (`program`), or part of a kernel on a GPU
(`gainful.batch`). What cannot be recorded raises `Untraceable`; such a measure is computed by operations on arrays.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, NoReturn

from gainful.arrays import NDArray, is_numpy_number, np

Level = Any
"""What it has one number of: each "topic", or each place of a list, by its name or by how it is made."""
NOTHING = float("-inf")


class Untraceable(AttributeError):
    """The measure uses an operation, or asks for something, that is not recorded; symbols do not have it."""


@dataclass(eq=False)
class Symbol:
    """A value that is not known yet.

    operation  its name, mostly that of NumPy's function; without inputs, what is given
    boolean    whether it is true or false
    at_ranks   its values at ranks 1, 2, …, where they follow from the rank alone
    reads      the list that is summed up and its last rank (None: all); for operations along a list
    """

    operation: str
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
        return operation("add", self, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Symbol:
        return operation("subtract", self, other)

    def __rsub__(self, other: Any) -> Symbol:
        return operation("subtract", other, self)

    def __mul__(self, other: Any) -> Symbol:
        return operation("multiply", self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Symbol:
        return operation("divide", self, other)

    def __rtruediv__(self, other: Any) -> Symbol:
        return operation("divide", other, self)

    def __neg__(self) -> Symbol:
        return operation("negative", self)

    def __pow__(self, other: Any) -> Symbol:
        if other == 2:
            return self * self
        raise Untraceable("a power of a value")

    def __rpow__(self, base: Any) -> Symbol:
        if not isinstance(base, int | float) or base <= 0:
            raise Untraceable("a power")
        return operation("power", base, self)

    def __ge__(self, other: Any) -> Symbol:
        return operation("greater_equal", self, other, boolean=True)

    def __gt__(self, other: Any) -> Symbol:
        return operation("greater", self, other, boolean=True)

    def __le__(self, other: Any) -> Symbol:
        return operation("less_equal", self, other, boolean=True)

    def __lt__(self, other: Any) -> Symbol:
        return operation("less", self, other, boolean=True)

    def __eq__(self, other: object) -> Symbol:  # type: ignore[override]
        return operation("equal", self, other, boolean=True)

    def __ne__(self, other: object) -> Symbol:  # type: ignore[override]
        return operation("not_equal", self, other, boolean=True)

    def __and__(self, other: Symbol) -> Symbol:
        return logical("logical_and", self, other)

    def __or__(self, other: Symbol) -> Symbol:
        return logical("logical_or", self, other)

    def __invert__(self) -> Symbol:
        return logical("logical_not", self)


def operation(name: str, *inputs: Any, boolean: bool = False) -> Symbol:
    """An operation on numbers and symbols, place by place; what is true or false counts as 1 or 0."""
    numbers = tuple(as_number(each) for each in inputs)
    return Symbol(name, numbers, level_of(numbers), boolean, _at_ranks(name, numbers))


def logical(name: str, *inputs: Any) -> Symbol:
    """An operation on what is true or false."""
    if not all(isinstance(each, Symbol) and each.boolean for each in inputs):
        raise Untraceable("a logical operation on numbers")
    return Symbol(name, inputs, level_of(inputs), boolean=True)


def as_number(x: Any) -> Any:
    """A number as it is; 1 and 0 for what is true and false."""
    if isinstance(x, Symbol):
        return Symbol("as_number", (x,), x.level) if x.boolean else x
    if isinstance(x, int | float) or is_numpy_number(x):
        return float(x)
    raise Untraceable(f"an operand of type {type(x).__qualname__}")


def level_of(inputs: tuple[Any, ...]) -> Level:
    """The list to whose ranks some values belong, or each topic."""
    levels = {each.level for each in inputs if isinstance(each, Symbol)} - {"topic"}
    if len(levels) > 1:
        raise Untraceable("ranks of two lists side by side")
    return levels.pop() if levels else "topic"


OF_RANKS = ("add", "subtract", "multiply", "divide", "log2", "log", "maximum", "minimum")


def _at_ranks(name: str, inputs: tuple[Any, ...]) -> NDArray[np.float64] | None:
    known = [each.at_ranks if isinstance(each, Symbol) else each for each in inputs]
    if name not in OF_RANKS or any(each is None for each in known):
        return None
    with np.errstate(all="ignore"):
        values: NDArray[np.float64] = getattr(np, name)(*known)
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
        return Symbol("where", inputs, level_of(inputs))

    def maximum(self, x: Any, y: Any) -> Symbol:
        """The larger."""
        return operation("maximum", x, y)

    def minimum(self, x: Any, y: Any) -> Symbol:
        """The smaller."""
        return operation("minimum", x, y)

    def log2(self, x: Symbol) -> Symbol:
        """The logarithm to the base 2."""
        return operation("log2", x)

    def log(self, x: Symbol) -> Symbol:
        """The natural logarithm."""
        return operation("log", x)

    def exp(self, x: Symbol) -> Symbol:
        """The natural exponential function."""
        return operation("exp", x)

    def sqrt(self, x: Symbol) -> Symbol:
        """The square root."""
        return operation("sqrt", x)

    def floor(self, x: Symbol) -> Symbol:
        """The next whole number down."""
        return operation("floor", x)

    def ceil(self, x: Symbol) -> Symbol:
        """The next whole number up."""
        return operation("ceil", x)

    def abs(self, x: Symbol) -> Symbol:
        """Without its sign."""
        return operation("abs", x)

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
