"""Many cutoffs at once: a record that measures read as usual, and whose sums come as a row for each cutoff.

A measure's text is run once, with a column of cutoffs where it expects one. `cut(column)` gives the `Prefixes` of a
ranking: its hits are those of the deepest cutoff, and what is summed over them has a row for each cutoff and a
column for each topic. That is sound because what a measure works out hit by hit (running sums, shares of readers who
get this far, values standing at a rank) depends on the hits above alone, so it is the same under every cutoff that
keeps the hit; what is not so raises `OneAtATime`.

Each sum has the bits it has when its cutoff is asked for alone: NumPy adds up the same hits in the same grouping.
A topic has as many different sums as it has hits, so work grows with hits², not with hits × cutoffs.
"""

from typing import Any, Self

from gainful.arrays import NDArray, np
from gainful.judging.aspects import Pairs
from gainful.judging.ranking import Booleans, Floats, Integers, PerTopic, Ranking, Worth
from gainful.judging.record import Ideal, JudgedRun


class OneAtATime(Exception):
    """What was asked depends on the cutoff hit by hit, so the cutoffs cannot share an answer."""


class _Readable:
    """What rankings that can be cut at many ranks have in common: no operation takes what differs by cutoff."""

    __slots__ = ()

    def total(self, x: Floats | Booleans | float = 1.0, where: Booleans | None = None) -> PerTopic:
        return super().total(_flat(x), _flat(where))  # type: ignore[misc,no-any-return]

    def most(self, x: Floats | float, where: Booleans | None = None) -> PerTopic:
        return super().most(_flat(x), _flat(where))  # type: ignore[misc,no-any-return]

    def running(self, x: Floats | Booleans) -> Floats:
        return super().running(_flat(x))  # type: ignore[misc,no-any-return]

    def surviving(self, stop: Floats) -> Floats:
        return super().surviving(_flat(stop))  # type: ignore[misc,no-any-return]

    def each(self, y: NDArray[Any]) -> NDArray[Any]:
        return super().each(_flat(y))  # type: ignore[misc,no-any-return]

    def cut(self, k: float | Floats | None) -> Ranking:
        if isinstance(k, np.ndarray) and k.ndim == 2:
            return Prefixes(self, k)  # type: ignore[arg-type]
        return _readable(super().cut(k))  # type: ignore[misc]

    def sorted_by(self, gain: Worth) -> Ranking:
        return _readable(super().sorted_by(gain))  # type: ignore[misc]


class Whole(_Readable, Ranking):
    """A ranking that can be cut at many ranks."""

    __slots__ = ()


class Prefixes(_Readable, Ranking):
    """A ranking cut at many ranks at once: sums have a row for each cutoff and a column for each topic.

    >>> one = Ranking(np.array([0, 3]), np.array([1.0, 2.0, 5.0]), np.array([3.0, 0.0, 1.0]))
    >>> Prefixes(one, np.array([[1.0], [4.0], [5.0]])).total(one.grade).ravel()
    array([3., 3., 4.])
    """

    __slots__ = ("_ends", "cutoffs", "reach")

    def __init__(self, ranking: Ranking, cutoffs: Floats) -> None:
        whole = Ranking.cut(ranking, float(cutoffs[-1, 0]))  # they rise
        super().__init__(whole.offsets, whole.rank, whole.grade, top=whole._top)
        self.cutoffs = cutoffs
        self.reach = self._reaches()
        self._ends: tuple[Integers, Integers] | None = None

    def total(self, x: Floats | Booleans | float = 1.0, where: Booleans | None = None) -> PerTopic:
        """Sum of x over the hits of each topic down to each cutoff."""
        if where is None and not isinstance(x, np.ndarray):
            return self.reach.astype(np.float64) * float(x)
        return super().total(x, where)

    def cut(self, k: float | Floats | None) -> Ranking:
        """The ranking down to rank k as well as to each cutoff."""
        if k is None or k is self.cutoffs:
            return self
        if isinstance(k, np.ndarray) and k.ndim == 2:
            raise OneAtATime
        plain = Ranking(self.offsets, self.rank, self.grade, top=self._top)
        return Prefixes(plain.cut(k), self.cutoffs)

    def at(self, x: Floats, other: Ranking, *, ahead: float = 0) -> Floats:
        """The x of this ranking as it stood at each hit of another, cut at the same ranks."""
        if ahead or not isinstance(other, Prefixes) or other.cutoffs is not self.cutoffs:
            raise OneAtATime
        return super().at(_flat(x), other)

    def sorted_by(self, gain: Worth) -> Ranking:  # noqa: ARG002 - the form of a ranking
        """Each cutoff would have an order of its own."""
        raise OneAtATime

    def _reaches(self) -> Integers:
        """How many hits each cutoff keeps of each topic: cutoffs × topics."""
        topics = len(self)
        first = np.searchsorted(self.cutoffs[:, 0], self.rank)  # the first cutoff that keeps the hit
        place = first * topics + self.each(np.arange(topics))
        counts = np.bincount(place, minlength=len(self.cutoffs) * topics).reshape(-1, topics)
        return np.cumsum(counts, axis=0)

    def _reduce(self, with_: np.ufunc, x: Floats) -> PerTopic:
        """A number for each cutoff and topic; every sum that is needed is taken once, over its own hits."""
        reduced = np.zeros(len(x) + 1)
        last, starts_and_stops = self._needed()
        if len(starts_and_stops):
            reduced[starts_and_stops[1::2]] = with_.reduceat(np.append(x, 0.0), starts_and_stops)[::2]
        return reduced[last]

    def _needed(self) -> tuple[Integers, Integers]:
        """Where each cutoff's hits end (0: there are none), and start and stop of every stretch that occurs."""
        if self._ends is None:
            starts = self.offsets[:-1]
            ends = np.where(self.reach > 0, starts + self.reach, 0)
            occurs = np.zeros(len(self.rank) + 1, dtype=np.bool_)
            occurs[ends] = True
            stop = np.flatnonzero(occurs[1:]) + 1
            topic = np.searchsorted(self.offsets, stop, side="left") - 1
            self._ends = ends, np.stack([starts[topic], stop], axis=1).ravel()
        return self._ends


class ManyPairs(_Readable, Pairs):
    """Pairs of topics and subtopics that can be cut at many ranks; what is summed over them has a row for each cutoff."""

    __slots__ = ()

    @classmethod
    def of(cls, pairs: Pairs) -> Self:
        """Pairs read with many cutoffs; nothing is copied."""
        return cls(pairs.offsets, pairs.rank, pairs.grade, topics=pairs.topics, count=pairs.count)

    def sum(self, x: Floats | Booleans) -> PerTopic:
        """Sum of x over the aspects of each topic, in each row that there is."""
        rows = np.atleast_2d(x)
        summed = np.array([super(ManyPairs, self).sum(row) for row in rows])
        return summed if np.ndim(x) == 2 else summed[0]

    def mean(self, x: Floats, where: Booleans | None = None) -> PerTopic:
        """Mean of x over the aspects of each topic, in each row that there is."""
        counted = np.ones(len(self), dtype=np.bool_) if where is None else where
        return super().mean(x, counted)


class ManyCutoffs(_Readable, JudgedRun):
    """A judged run as a measure reads it that is asked for many cutoffs at once.

    >>> from gainful.judging import judged_run
    >>> many = ManyCutoffs.of(judged_run([3, None, 1]))
    >>> many.cut(np.array([[1.0], [2.0], [3.0]])).total(many.grade)
    array([[3.],
           [3.],
           [4.]])
    """

    __slots__ = ()

    @classmethod
    def of(cls, judged: JudgedRun) -> Self:
        """A record read with many cutoffs; nothing is copied."""
        readable = {
            "pool": _readable(judged.pool),
            "anywhere": None if judged.anywhere is None else _readable(judged.anywhere),
        }
        many = cls(**(judged.fields() | readable))
        many._memo = judged._memo
        return many

    def ideal(self, gain: Worth, *, of: Ideal = "judged") -> Ranking:
        """Best gain first: every judged document, only the retrieved ones, or no more than were returned."""
        return _readable(super().ideal(gain, of=of))

    @property
    def known(self) -> JudgedRun:
        """The documents that the user knew; they can be cut at many ranks too."""
        return ManyCutoffs.of(super().known)

    def pairs(self, rel: float) -> Pairs:
        """The record over topic × subtopic (or judge), with many cutoffs."""
        return ManyPairs.of(super().pairs(rel))

    def ideal_pairs(self, rel: float, *, alpha: float, depth: int | Floats | None = None) -> Pairs:
        """The pairs of the greedy ideal list; what it begins with does not depend on where it ends."""
        deepest = int(depth[-1, 0]) if isinstance(depth, np.ndarray) else depth
        return ManyPairs.of(super().ideal_pairs(rel, alpha=alpha, depth=deepest))

    def every_rank(self, depth: int | Floats | None = None) -> Ranking:
        """Every document down to rank depth, those that nobody judged too."""
        if isinstance(depth, np.ndarray):
            return Prefixes(super().every_rank(int(depth[-1, 0])), depth)
        return _readable(super().every_rank(depth))


def _readable(ranking: Ranking) -> Ranking:
    if isinstance(ranking, _Readable):
        return ranking
    whole = Whole(ranking.offsets, ranking.rank, ranking.grade, top=ranking._top)
    whole._memo = ranking._memo
    return whole


def _flat(x: Any) -> Any:
    """One value for each hit or topic; more than that would be one for each cutoff."""
    if isinstance(x, np.ndarray) and x.ndim > 1:
        raise OneAtATime
    return x
