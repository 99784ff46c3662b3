"""Gains: what a grade is worth to the reader; and discounts: what a gain is divided by, more with each rank.

linear   max(grade, 0)
exp      2^max(grade, 0) − 1
binary   1 for a grade of 1 or more, else 0
signed   the grade, also below 0;  signed_exp  2^grade − 1, also below 0: in some tools a bad document costs
a table  {grade: gain, …}, 0 for grades that are not in it; with other:linear these are worth themselves

A negative grade has no gain, but under the signed ones.
A grade so large that sums of its exp would have no end (above 1,000) is refused.

log      log_base(rank + 1)          every rank but the first is discounted
jk       max(1, log_base(rank))      Järvelin and Kekäläinen's: no discount up to rank `base`
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from operator import methodcaller
from typing import Any

from gainful.arrays import np
from gainful.errors import MeasureError
from gainful.judging.ranking import Booleans, Floats, Ranking, is_numpy, log2, namespace
from gainful.judging.record import JudgedRun

OTHER = "other"
WITHOUT_GAIN = ("cost", "residual")  # parts of a measure that a topic with nothing to gain has too
ROOM = 24  # so many bits are left for sums: of 2^24 documents


@dataclass(unsafe_hash=True, repr=False)
class Gain:
    """A named function from grades to gains.

    rising      whether a better grade is never worth less
    below_zero  whether a bad document can cost something
    """

    name: str
    function: Callable[[Floats], Floats] = field(hash=False)
    rising: bool = field(compare=False, kw_only=True)
    below_zero: bool = field(default=False, compare=False, kw_only=True)

    def __call__(self, grade: Floats) -> Floats:
        """Gain of each grade."""
        return self.function(grade)

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        known = GAINS.get(self.name) is self
        return (as_gain, (self.name,)) if known else (_rebuilt, (self.name, self.function, self.rising))


class Table(Gain):
    """Gains written down grade by grade.

    >>> import numpy as np
    >>> Table({1: 1, 2: 5})(np.array([-1.0, 0.0, 1.0, 2.0, 3.0]))
    array([0., 0., 1., 5., 0.])
    >>> Table({1: 1, 2: 5, "other": "linear"})(np.array([2.0, 3.0]))
    array([5., 3.])
    """

    def __init__(self, table: Mapping[Any, Any]) -> None:
        self.gains, self.others = _entries(table)
        shown = [f"{grade!r}:{gain!r}" for grade, gain in self.gains]
        shown += ["other:linear"] if self.others else []
        # Which grades are left out is known only from the data, so the order of gains cannot be promised.
        super().__init__("{" + ",".join(shown) + "}", self._of, rising=False)

    def _of(self, grade: Floats) -> Floats:
        xp = namespace(grade)
        gain = xp.maximum(grade, 0.0) if self.others else xp.zeros_like(grade)
        for listed, worth in self.gains:
            gain = xp.where(grade == listed, float(worth), gain)
        return gain  # type: ignore[no-any-return]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self.name == other.name

    __hash__ = Gain.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        table: dict[Any, Any] = dict(self.gains)
        if self.others:
            table[OTHER] = "linear"
        return (Table, (table,))


def _linear(grade: Floats) -> Floats:
    return namespace(grade).maximum(grade, 0.0)  # type: ignore[no-any-return]


def _exp(grade: Floats) -> Floats:
    xp = namespace(grade)
    if is_numpy(xp) and (best := float(grade.max(initial=0.0))) > np.finfo(grade.dtype).maxexp - ROOM:
        raise MeasureError(
            f"gain=exp: a grade of {best:g} is worth 2^{best:g} − 1, more than sums of gains can hold; "
            "say what such grades are worth with a table, as in gain={1:1,2:3}"
        )
    return 2.0 ** xp.maximum(grade, 0.0) - 1.0  # type: ignore[no-any-return]


def _binary(grade: Floats) -> Floats:
    xp = namespace(grade)
    return xp.where(grade >= 1.0, xp.ones_like(grade), xp.zeros_like(grade))  # type: ignore[no-any-return]


def _signed(grade: Floats) -> Floats:
    """The grade; what nobody judged has one of minus infinity, and is worth nothing."""
    xp = namespace(grade)
    return xp.where(xp.isfinite(grade), grade, xp.zeros_like(grade))  # type: ignore[no-any-return]


def _signed_exp(grade: Floats) -> Floats:
    return namespace(grade).where(grade > 0.0, _exp(grade), 2.0 ** _signed(grade) - 1.0)  # type: ignore[no-any-return]


linear = Gain("linear", _linear, rising=True)
exp = Gain("exp", _exp, rising=True)
binary = Gain("binary", _binary, rising=True)
signed = Gain("signed", _signed, rising=True, below_zero=True)
signed_exp = Gain("signed_exp", _signed_exp, rising=True, below_zero=True)
USUAL = (linear, exp)
"""The gains that go by the name of nDCG without a word."""
GAINS = {gain.name: gain for gain in (linear, exp, binary, signed, signed_exp)}


@lru_cache(maxsize=256)
def above(bottom: float) -> Gain:
    """What a grade has above a bottom.

    >>> above(1)(np.array([0.0, 1.0, 3.0]))
    array([0., 0., 2.])
    """
    return Gain(f"above {bottom!r}", lambda grade: _linear(grade - bottom), rising=True)


def as_gain(value: object) -> Gain:
    """A gain from its name, its table, or itself.

    >>> as_gain("exp"), as_gain({3: 7, 1: 0.5})
    (exp, {1:0.5,3:7})
    """
    if isinstance(value, Gain):
        return value
    if isinstance(value, Mapping):
        return Table(value)
    if isinstance(value, str) and value in GAINS:
        return GAINS[value]
    raise MeasureError(f"gain must be {', '.join(GAINS)}, or a table such as {{1:1,2:3}}; got {value!r}")


def _rebuilt(name: str, function: Callable[[Floats], Floats], rising: bool) -> Gain:
    return Gain(name, function, rising=rising)


def _entries(table: Mapping[Any, Any]) -> tuple[tuple[tuple[float, float], ...], bool]:
    entries = dict(table)
    others = entries.pop(OTHER, None)
    if others not in (None, "linear", linear):
        raise MeasureError(
            f"a gain table may say other:linear, the gain of grades not listed; got {others!r}"
        )
    if not entries:
        raise MeasureError("a gain table needs at least one grade, as in {1:1,2:3}")
    for what, numbers in (("grade", entries), ("gain", entries.values())):
        for number in numbers:
            if isinstance(number, bool | str) or not _is_number(number) or number < 0:
                raise MeasureError(
                    f"in a gain table every {what} must be a number, 0 or more; got {number!r}"
                )
    return tuple(sorted((_plain(grade), _plain(gain)) for grade, gain in entries.items())), others is not None


def _is_number(value: Any) -> bool:
    try:
        return math.isfinite(value)
    except (TypeError, OverflowError):
        return False


def _plain(number: float) -> float:
    """2 rather than 2.0, so that equal tables have one name."""
    number = float(number)
    return int(number) if number.is_integer() else number


@dataclass(unsafe_hash=True, repr=False)
class Discount:
    """A named function from ranks and the base of its logarithm to what gains there are divided by."""

    name: str
    function: Callable[[Floats, float], Floats] = field(hash=False)

    def __call__(self, rank: Floats, base: float = 2) -> Floats:
        """What a gain at each rank is divided by."""
        return self.function(rank, base)

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        known = DISCOUNTS.get(self.name) is self
        return (as_discount, (self.name,)) if known else (Discount, (self.name, self.function))


def _log(rank: Floats, base: float) -> Floats:
    logarithm = log2(rank + 1.0)
    return logarithm if base == 2 else logarithm / math.log2(base)  # type: ignore[no-any-return]


def _jk(rank: Floats, base: float) -> Floats:
    return namespace(rank).maximum(log2(rank) / math.log2(base), 1.0)  # type: ignore[no-any-return]


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


def blended_ratio(judged: JudgedRun, top: Ranking, gain: Gain, beta: float) -> Floats:
    """(relevant so far + beta · gained so far) / (rank + beta · most that could be gained so far), at each hit.

    A document is relevant here if it has a gain; with beta = 0 this is precision.
    """
    worth, ideal = gain(top.grade), judged.ideal(gain)
    most = ideal.at(ideal.running(gain(ideal.grade)), top)
    return (top.running(worth > 0) + beta * top.running(worth)) / (top.rank + beta * most)


def nothing_to_measure(when: str | None, params: Mapping[str, Any]) -> Callable[[JudgedRun], Booleans] | None:
    """Where a topic has nothing to measure, beside where the formula has no value, for a measure with these parameters."""
    if params.get("part") in WITHOUT_GAIN:
        return None
    if when == "nothing relevant":
        return methodcaller("nothing_relevant", params.get("rel", 1))
    if when == "nothing to gain":
        # the gains decide, or a table of stops, or grades above the bottom
        listed: Gain | None = params.get("gain") or getattr(params.get("stop"), "table", None)
        bottom = params.get("bottom")
        return methodcaller("nothing_to_gain", listed or (above(bottom) if bottom else linear))
    return None
