"""A ranking: graded documents of many topics at once, with the operations that measures are written with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, Self

from gainful.arrays import NDArray, np
from gainful.judging.topic_blocks import accumulated

Floats = NDArray["np.float64"]
Integers = NDArray["np.intp"]
Booleans = NDArray["np.bool_"]
PerTopic = NDArray["np.float64"]

UNKNOWN: Any = object()
ROUNDING = 1e-6  # more than sums of gains can be wrong by, in 32 bits too
KEPT = 64  # things kept with a ranking before its cuts are let go: judgments that serve for long would gather them


class Worth(Protocol):
    """What a grade is worth: an array of grades to an array of gains, none below zero."""

    @property
    def rising(self) -> bool:
        """Whether a better grade is never worth less, so that best grades first is best gains first."""

    def __call__(self, grade: Floats, /) -> Floats:
        """Gain of each grade."""


_KNOWN: dict[type, Any] = {}  # namespaces by the type of array, asked for once


def namespace(array: Any) -> Any:
    """The functions that go with an array: NumPy's, or those of any library that follows the array API.

    >>> namespace(np.ones(2)).__name__
    'numpy'
    """
    kind = type(array)
    if kind in _KNOWN:
        return _KNOWN[kind]
    if hasattr(array, "__array_namespace__"):
        functions = array.__array_namespace__()
        return _KNOWN.setdefault(kind, functions) if is_numpy(functions) else functions
    from gainful.judging.namespaces import namespace_of

    return _KNOWN.setdefault(kind, namespace_of(array))


def is_numpy(functions: Any) -> bool:
    """Whether the functions that go with an array are NumPy's.

    >>> is_numpy(namespace(np.ones(2))), is_numpy(None)
    (True, False)
    """
    return getattr(functions, "__name__", None) == "numpy"


def log2(x: Any) -> Any:
    """Logarithms to the base 2; of NumPy's arrays by the C library, as the core's programs and trec_eval have them.

    NumPy's own differ from these in the last bit of few ranks on some processors. Arrays of 32-bit floats stay with NumPy.

    >>> log2(np.array([1.0, 2.0, 8.0]))
    array([0., 1., 3.])
    """
    xp = namespace(x)
    if not is_numpy(xp) or type(x) is not np.ndarray or (x.dtype.kind == "f" and x.dtype != np.float64):
        return xp.log2(x)
    from gainful._core import log2 as of_numbers

    logarithms = np.empty(x.shape)
    of_numbers(np.ascontiguousarray(x, np.float64).ravel(), logarithms.ravel())
    return logarithms


def ratio(above: Floats, below: Floats | float) -> Floats:
    """Divide, giving NaN where there is nothing to divide by.

    >>> ratio(np.array([1.0, 0.0]), np.array([2.0, 0.0]))
    array([0.5, nan])
    """
    xp = namespace(above)
    return above / xp.where(below == 0, xp.nan, below)  # type: ignore[no-any-return]


def share(above: Floats, below: Floats) -> Floats:
    """Divide, giving 0 where there is nothing to divide by: a share of nothing is nothing.

    >>> share(np.array([1.0, 0.0]), np.array([2.0, 0.0]))
    array([0.5, 0. ])
    """
    xp, nothing = namespace(above), below == 0
    if is_numpy(xp) and not np.count_nonzero(nothing):  # as nearly always, and much quicker
        return above / below
    return xp.where(nothing, 0.0, above / xp.where(nothing, 1.0, below))  # type: ignore[no-any-return]


def part(above: Floats, whole: Floats) -> Floats:
    """The share of a whole; sums that are equal on paper may differ in their last bits, and are then 1.

    Only documents that are counted twice can be more than the whole.

    >>> part(np.array([0.1 + 0.2, 0.0, 3.0]), np.array([0.3, 0.0, 2.0]))
    array([1. , 0. , 1.5])
    """
    shares = share(above, whole)
    if hasattr(shares, "in_random_order"):  # a mean of shares
        return shares
    xp = namespace(above)
    if is_numpy(xp) and not np.count_nonzero(shares > 1.0):  # as nearly always, and much quicker
        return shares
    return xp.where(shares > 1.0 + ROUNDING, shares, xp.minimum(shares, 1.0))  # type: ignore[no-any-return]


def or_else(number: Any, otherwise: float) -> Any:
    """The number, or another where it is 0; the number may be an array on a device, whose value is not known here.

    >>> or_else(3.0, 1.0), or_else(0.0, 1.0)
    (3.0, 1.0)
    """
    if isinstance(number, int | float):
        return number or otherwise
    return namespace(number).where(number == 0, otherwise, number)


def offsets_of(lengths: Sequence[int] | Integers) -> Integers:
    """The sums so far, from 0: list number i lies between offsets i and i + 1.

    >>> offsets_of([2, 0, 3]).tolist()
    [0, 2, 2, 5]
    """
    offsets = np.zeros(len(lengths) + 1, dtype=np.intp)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


class Ranking:
    """Graded documents of T topics in flat arrays; hits of topic t are offsets[t] to offsets[t + 1].

    rank (from 1, rising within a topic) and grade (as it was written) hold one number for each hit.
    A ranking is never changed once it is made, so what was worked out from it is kept with it.

    >>> two = Ranking(np.array([0, 3, 4]), np.array([1.0, 2.0, 5.0, 2.0]), np.array([3.0, 0.0, 1.0, 2.0]))
    >>> two.total(two.grade / two.rank)
    array([3.2, 1. ])
    >>> two.cut(2).total(where=two.cut(2).grade >= 1)
    array([1., 1.])
    """

    __slots__ = ("_memo", "_top", "grade", "offsets", "rank")

    def __init__(self, offsets: Integers, rank: Floats, grade: Floats, *, top: float | None = None) -> None:
        self.offsets = offsets
        self.rank = rank
        self.grade = grade
        self._top = top
        self._memo: dict[Any, Any] = {}

    @classmethod
    def best_first(
        cls, offsets: Integers, grade: Floats, gain: Floats | None = None, *, top: float | None = None
    ) -> Self:
        """Every grade of each topic, best first at ranks 1, 2, …; by its gain where that is given, equal ones as they stood.

        >>> Ranking.best_first(np.array([0, 3]), np.array([-1.0, 2.0, 0.0])).grade
        array([ 2.,  0., -1.])
        """
        lengths, worst_first = offsets[1:] - offsets[:-1], -(grade if gain is None else gain)
        if len(lengths) == 1:
            return cls(
                offsets,
                np.arange(1.0, len(grade) + 1),
                grade[np.argsort(worst_first, kind="stable")],
                top=top,
            )
        order = np.lexsort((worst_first, np.repeat(np.arange(len(lengths)), lengths)))
        rank = np.arange(1.0, len(grade) + 1) - np.repeat(offsets[:-1], lengths)
        return cls(offsets, rank, grade[order], top=top)

    def __len__(self) -> int:
        """How many topics there are."""
        return len(self.offsets) - 1

    def __getstate__(self) -> object:
        """Without what was worked out from it, which another process can do again."""
        state: Any = super().__getstate__()
        return None, state[1] | {"_memo": {}}

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} topics, {len(self.rank)} hits>"

    @property
    def top(self) -> float:
        """The best grade there is, in all topics of the judgments; 0 where no grade is above 0.

        A block of topics answers for the whole that it was taken from.
        """
        if self._top is None:
            self._top = max(0.0, float(self.grade.max())) if len(self.grade) else 0.0
        return self._top

    # ---- what measures are written with ------------------------------------------------------------------

    def cut(self, k: float | Floats | None) -> Ranking:
        """The ranking down to rank k: one k for all topics, one for each, or None for all of it."""
        if k is None:
            return self
        if isinstance(k, np.ndarray):
            return self.only(self.rank <= self.each(k))
        kept: Ranking | None = self._memo.get(("cut", k), UNKNOWN)
        if kept is UNKNOWN:
            if len(self.offsets) == 2:
                n = int(self.rank.searchsorted(float(k), side="right"))
                whole = n == len(self.rank)
                kept = (
                    self if whole else Ranking(np.array([0, n]), self.rank[:n], self.grade[:n], top=self._top)
                )
            else:
                kept = self.only(self.rank <= k)
            if len(self._memo) >= KEPT:
                self._forget_cuts()
            self._memo["cut", k] = None if kept is self else kept  # not self: it could not be freed at once
        return self if kept is None else kept

    def only(self, where: Booleans) -> Ranking:
        """The hits where it holds, at the ranks that they have."""
        if where.all():
            return self
        offsets = offsets_of(self.total(where=where).astype(np.intp))
        return Ranking(offsets, self.rank[where], self.grade[where], top=self._top)

    def total(self, x: Floats | Booleans | float = 1.0, where: Booleans | None = None) -> PerTopic:
        """Sum of x over the hits of each topic, or over those of them where it holds."""
        if isinstance(x, np.ndarray):
            numbers: Any = x if x.dtype == np.float64 else x.astype(np.float64)
            return self._reduce(np.add, numbers if where is None else np.where(where, x, 0.0))
        counted = (
            self._lengths().astype(np.float64)
            if where is None
            else self._reduce(np.add, where.astype(np.float64))
        )
        return counted if x == 1.0 else counted * x

    def most(self, x: Floats | float, where: Booleans | None = None) -> PerTopic:
        """Largest x (none below zero) over the hits of each topic where it holds; 0 if there is none."""
        kept = np.broadcast_to(x, self.rank.shape) if where is None else np.where(where, x, 0.0)
        return self._reduce(np.maximum, kept)

    def running(self, x: Floats | Booleans) -> Floats:
        """Sum of x within the topic so far, this hit included."""
        if len(self.offsets) == 2:
            so_far: Floats = np.add.accumulate(x, dtype=np.float64)
            return so_far
        if x.dtype == np.bool_:  # whole numbers: one long sum loses nothing
            seen = np.zeros(len(x) + 1, dtype=np.intp)
            np.add.accumulate(x.astype(np.intp), out=seen[1:])
            counts: Integers = seen[1:] - self.each(seen[self.offsets[:-1]])
            return counts.astype(np.float64)
        return accumulated(self, np.add, x)

    def surviving(self, stop: Floats) -> Floats:
        """Product of 1 − stop over the earlier hits of the topic: the share of readers who get this far."""
        going_on = 1.0 - stop
        one_topic = len(self.offsets) == 2
        passed = np.multiply.accumulate(going_on) if one_topic else accumulated(self, np.multiply, going_on)
        arrived = np.empty_like(passed)
        arrived[1:] = passed[:-1]
        if len(arrived):
            arrived[self._segments()[0]] = 1.0
        return arrived

    def each(self, y: NDArray[Any]) -> NDArray[Any]:
        """A value for each topic, at each hit of that topic."""
        return np.repeat(y, self._lengths())

    def following(self, end: float) -> Floats:
        """The rank of the next hit of the topic, at each hit; after the last one, the end."""
        following = np.empty_like(self.rank)
        following[:-1] = self.rank[1:]
        following[self.offsets[1:][self._lengths() > 0] - 1] = end
        return following

    def at(self, x: Floats, other: Ranking, *, ahead: float = 0) -> Floats:
        """The x of this ranking as it stood at each hit of another: that of the last hit down to its rank.

        0 before the first hit. With ahead, as it stands so many ranks further down.
        """
        if not len(x):
            return np.zeros_like(other.rank)
        rank = other.rank + ahead
        start = other.each(self.offsets[:-1])
        if self._every_rank_filled():
            reached = np.minimum(rank, other.each(self._lengths())).astype(np.intp)
        else:
            reached = self._reached(other, rank) - start
        stood = x[np.minimum(start + np.maximum(reached - 1, 0), len(x) - 1)]
        return np.where(reached > 0, stood, 0.0)

    def sorted_by(self, gain: Worth) -> Ranking:
        """The documents in the order of their gains, best first at ranks 1, 2, …."""
        kept: Ranking | None = self._memo.get(("sorted", gain))
        if kept is None:
            kept = Ranking.best_first(self.offsets, self.grade, gain(self.grade), top=self._top)
            self._memo["sorted", gain] = kept
        return kept

    def select(self, start: int, stop: int) -> Ranking:
        """Topics start to stop, as a ranking of their own."""
        kept: Ranking | None = self._memo.get(("select", start, stop))
        if kept is None:
            offsets = self.offsets[start : stop + 1]
            hits = slice(offsets[0], offsets[-1])
            kept = Ranking(offsets - offsets[0], self.rank[hits], self.grade[hits], top=self.top)
            self._memo["select", start, stop] = kept
        return kept

    # ---- how it is done ----------------------------------------------------------------------------------

    def _forget_cuts(self) -> None:
        for key in list(self._memo):
            if key[0] == "cut":
                self._memo.pop(key, None)

    def _lengths(self) -> Integers:
        lengths: Integers | None = self._memo.get("lengths")
        if lengths is None:
            lengths = self._memo["lengths"] = self.offsets[1:] - self.offsets[:-1]
        return lengths

    def _segments(self) -> tuple[Integers, Booleans | None]:
        """First hit of every topic that has one, and which topics those are (None: all)."""
        if len(self.offsets) == 2:
            return np.zeros(1, dtype=np.intp), None
        segments: tuple[Integers, Booleans | None] | None = self._memo.get("segments")
        if segments is None:
            starts = self.offsets[:-1]
            filled = self.offsets[1:] > starts
            segments = (starts, None) if filled.all() else (starts[filled], filled)
            self._memo["segments"] = segments
        return segments

    def _reduce(self, with_: np.ufunc, x: Floats) -> PerTopic:
        """One number for each topic; a topic's own hits decide its bits, not those beside it."""
        if not len(x):
            return np.zeros(len(self))
        starts, filled = self._segments()
        reduced: PerTopic = with_.reduceat(x, starts)
        if filled is None:
            return reduced
        values = np.zeros(len(self))
        values[filled] = reduced
        return values

    def _every_rank_filled(self) -> bool:
        filled: bool | None = self._memo.get("filled")
        if filled is None:
            ends = self.offsets[1:][self._lengths() > 0]
            filled = bool((self.rank[ends - 1] == self._lengths()[self._lengths() > 0]).all())
            self._memo["filled"] = filled
        return filled

    def _reached(self, other: Ranking, rank: Floats) -> Integers:
        """For each hit of the other, how many hits of all topics stand before or at its place here."""
        apart = max(float(self.rank.max(initial=0)), float(rank.max(initial=0))) + 1.0
        topics = np.arange(len(self)) * apart
        there: Integers = np.searchsorted(
            self.each(topics) + self.rank, other.each(topics) + rank, side="right"
        )
        return there
