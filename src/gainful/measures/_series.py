"""Weights of ranks that do not depend on the data, and what they add up to; and shares of whole numbers, exactly."""

import operator
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from gainful.arrays import np
from gainful.errors import MeasureError
from gainful.judging.namespaces import ranks_like, whole
from gainful.judging.ranking import Floats, PerTopic, is_numpy, namespace

if TYPE_CHECKING:
    from fractions import Fraction

LONGEST = 1 << 22
NEAR = 1 << 13  # numbers that stay near the processor while much is done with them
SHIFT = 8  # from here on the asymptotic series of trigamma has all digits
SMALL = 2**22  # times any number of documents below 2^31 stays below 2^53, where floats are exact
SMALLER = 2**10  # as SMALL, for 2^14 documents and 24 bits


def ranks(cutoff: int, like: Floats | None = None) -> Floats:
    """1, 2, … cutoff; as numbers of the type of `like`, where they are.

    >>> ranks(3)
    array([1., 2., 3.])
    """
    if (last := operator.index(cutoff)) > LONGEST:
        raise MeasureError(f"cutoff must be {LONGEST:,} or less here; got {cutoff}")
    return np.arange(1.0, last + 1) if like is None or is_numpy(namespace(like)) else ranks_like(like, last)


def so_far(x: Floats) -> Floats:
    """Sums of the first, of the first two, …."""
    xp = namespace(x)
    summed_up: Floats = np.cumsum(x) if is_numpy(xp) else xp.cumulative_sum(x, axis=0)
    return summed_up


def looked_up(table: Floats, place: Floats) -> Floats:
    """The numbers of a table at these places, which are whole; 0 is the first."""
    xp = namespace(place)
    if is_numpy(xp):
        values: Floats = table[place.astype(np.intp)]
    else:
        values = xp.reshape(xp.take(table, xp.reshape(whole(place), (-1,)), axis=0), place.shape)
    return values


def summed(weight: Callable[[Floats], Floats], cutoff: int | None, name: str) -> float:
    """Σ weight(rank) over ranks ≤ cutoff; without a cutoff, over all ranks, if the weights die away.

    >>> summed(lambda rank: 0.5**rank, None, "a half and a quarter and so on")
    1.0
    """
    if cutoff is not None:
        return float(weight(ranks(cutoff)).sum())
    length = 64
    while length <= LONGEST:
        weights = weight(ranks(length))
        if weights[-1] * length < 1e-17 * weights.sum():
            return float(weights.sum())
        length *= 4
    raise MeasureError(f"{name} needs a cutoff: without one its ideal value is unbounded")


def tail(p: float, rank: Floats) -> Floats:
    """Σ p^(n − 1) / n over n = rank, rank + 1, …, at each rank.

    >>> bool(abs(tail(0.5, np.array([1.0]))[0] - 2 * np.log(2)) < 1e-15)
    True
    """
    last = _negligible(p)
    table = _tails(p) if is_numpy(namespace(rank)) else _summed_from(p, ranks(last - 1, like=rank))
    return looked_up(table, namespace(rank).minimum(rank, last))


@lru_cache(maxsize=16)
def _tails(p: float) -> Floats:
    return _summed_from(p, ranks(_negligible(p) - 1))


def _summed_from(p: float, every: Floats) -> Floats:
    xp = namespace(every)
    weight = p ** (every - 1) / every
    # smallest first, so that small tails have all digits too
    tails = xp.flip(so_far(xp.flip(weight, axis=0)), axis=0)
    nothing = 0.0 * every[:1]
    return xp.concat((nothing, tails, nothing))  # type: ignore[no-any-return]


def _negligible(p: float) -> int:
    """A rank from which on p^rank adds nothing to a sum that begins with 1."""
    return int(min(-46 / np.log(p), LONGEST - 2)) + 2


def trigamma(x: Floats) -> Floats:
    """The sum of 1 / (x + n)² over n = 0, 1, 2, …; so that of a less that of b goes from a to b − 1.

    >>> bool(abs(trigamma(np.array([1.0]))[0] - np.pi**2 / 6) < 1e-15)
    True
    """
    if not is_numpy(namespace(x)) or len(x) <= NEAR:
        return _trigamma(x)
    pieces = [_trigamma(x[start : start + NEAR]) for start in range(0, len(x), NEAR)]
    return np.concatenate(pieces)


def _trigamma(x: Floats) -> Floats:
    near, shifted = _shifted(x)
    y = 1 / shifted
    z = y * y
    tail = 1 / 6 - z * (
        1 / 30 - z * (1 / 42 - z * (1 / 30 - z * (5 / 66 - z * (691 / 2730 - z * (7 / 6 - z * 3617 / 510)))))
    )
    far: Floats = near + y + z / 2 + y * z * tail
    return far


def _shifted(x: Floats) -> tuple[Floats, Floats]:
    """The first terms of the sum, and what is left to begin with."""
    if namespace(x).finfo(x.dtype).bits == 32:  # where the products below would overflow
        near = 0.0 * x
        for _ in range(SHIFT):
            near, x = near + 1 / (x * x), x + 1.0
        return near, x
    above, below = 0.0 * x, 0.0 * x + 1.0
    for _ in range(SHIFT):  # as one fraction: a division takes as long as many products
        square = x * x
        above = above * square + below
        below = below * square
        x = x + 1.0
    return above / below, x


def exact(written: float) -> "Fraction":
    """The number as it was written: 0.1 is one tenth, not the nearest float to it.

    >>> exact(0.1)
    Fraction(1, 10)
    """
    from fractions import Fraction

    return Fraction(repr(written))


Asks = Literal["exact", "nine_tenths", "half"]


def asked(level: "Fraction", total: PerTopic, rule: Asks) -> PerTopic:
    """Documents that a level of recall asks for: ⌈level · total⌉, or as trec_eval 9 (adds 0.9) or 10 (adds 0.5) cuts it off.

    >>> import numpy as np
    >>> from fractions import Fraction
    >>> [float(asked(Fraction(7, 10), np.array([3.0]), rule)[0]) for rule in ("exact", "nine_tenths", "half")]
    [3.0, 2.0, 2.0]
    """
    if rule == "exact":
        return needed(level, total)
    return namespace(total).floor(float(level) * total + (0.9 if rule == "nine_tenths" else 0.5))  # type: ignore[no-any-return]


def needed(part: "Fraction", total: PerTopic) -> PerTopic:
    """⌈part · total⌉ without rounding errors, the part read as the decimal that was written.

    In floats, ⌊0.7 · 3 + 0.9⌋, which trec_eval takes for it, is 2: seven tenths of 3 are 3.

    >>> import numpy as np
    >>> from fractions import Fraction
    >>> needed(Fraction(1, 10), np.array([0.0, 1.0, 10.0, 11.0, 30.0]))
    array([0., 1., 1., 2., 3.])
    """
    above, below = part.numerator, part.denominator
    xp = namespace(total)
    if above < SMALLER or (above < SMALL and xp.finfo(total.dtype).bits == 64):
        return xp.ceil(total * above / below)  # type: ignore[no-any-return]
    if not isinstance(total, np.ndarray):
        raise MeasureError(f"{float(part):g} has too many digits for arrays; round it, or use 64-bit scores")
    return xp.asarray([float(-(-int(count) * above // below)) for count in total])  # type: ignore[no-any-return]
