"""Discounts: what a gain is divided by, the further down the more.

log  log_base(rank + 1)          every rank but the first is discounted
jk   max(1, log_base(rank))      Järvelin and Kekäläinen's: no discount up to rank `base`
"""

import math
from collections.abc import Callable
from typing import Any

from gainful.errors import MeasureError
from gainful.judging.ranking import Floats, namespace


class Discount:
    """A named function from ranks and the base of its logarithm to what gains there are divided by."""

    __slots__ = ("function", "name")

    def __init__(self, name: str, function: Callable[[Floats, float], Floats]) -> None:
        self.name = name
        self.function = function

    def __call__(self, rank: Floats, base: float = 2) -> Floats:
        """What a gain at each rank is divided by."""
        return self.function(rank, base)

    def __repr__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Discount) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        known = DISCOUNTS.get(self.name) is self
        return (as_discount, (self.name,)) if known else (Discount, (self.name, self.function))


def _logarithm(x: Floats, base: float) -> Floats:
    of_two = namespace(x).log2(x)
    return of_two if base == 2 else of_two / math.log2(base)  # type: ignore[no-any-return]


def _log(rank: Floats, base: float) -> Floats:
    return _logarithm(rank + 1.0, base)


def _jk(rank: Floats, base: float) -> Floats:
    return namespace(rank).maximum(_logarithm(rank, base), 1.0)  # type: ignore[no-any-return]


log = Discount("log", _log)
jk = Discount("jk", _jk)
DISCOUNTS = {discount.name: discount for discount in (log, jk)}


def as_discount(value: object) -> Discount:
    """A discount from its name, or itself.

    >>> import numpy as np
    >>> as_discount("jk")(np.array([1.0, 2.0, 4.0]))
    array([1., 1., 2.])
    """
    if isinstance(value, Discount):
        return value
    if isinstance(value, str) and value in DISCOUNTS:
        return DISCOUNTS[value]
    raise MeasureError(f"discount must be log or jk; got {value!r}")
