"""A judged run of symbols with one place for each hit: what a measure does with it is recorded for the native core."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NoReturn

from gainful.judging.aspects import Needs
from gainful.judging.ranking import Worth
from gainful.judging.record import Ideal
from gainful.programs.measure_symbols import Symbol, Untraceable, as_number, level_of


@dataclass(eq=False, frozen=True)
class HitList:
    """A list of each topic, by how it is made.

    made  the "hits", the "pool", or of another list: its first ranks ("cut"), some of its places ("only"), or its documents
          with the greatest numbers first ("sorted")
    of    the other list
    by    the last rank, where it holds, or what it is sorted by
    """

    made: Literal["hits", "pool", "cut", "only", "sorted"]
    of: HitList | None = None
    by: Any = None


HITS, POOL = HitList("hits"), HitList("pool")


class TracedHits:
    """A ranking of symbols; operations as in `Ranking`."""

    def __init__(self, places: HitList) -> None:
        self.places = places
        self.rank = Symbol("rank", (), places)
        self.grade = Symbol("grade", (), places)
        self._cuts: dict[float, TracedHits] = {}

    def cut(self, k: Any) -> TracedHits:
        """The ranking down to rank k: one k for all topics, one for each, or None for all of it."""
        if k is None:
            return self
        if isinstance(k, Symbol):
            if k.level != "topic":
                raise Untraceable("a cut at each hit")
            return TracedHits(HitList("cut", self.places, as_number(k)))
        if k not in self._cuts:  # the same list again where it is asked for again
            self._cuts[k] = TracedHits(HitList("cut", self.places, float(k)))
        return self._cuts[k]

    def only(self, where: Symbol) -> TracedHits:
        """The hits where it holds, at the ranks that they have."""
        return TracedHits(HitList("only", self.places, self._here(where)))

    def sorted_by(self, gain: Worth) -> TracedHits:
        """The documents in the order of their gains, best first at ranks 1, 2, …."""
        worth: Any = gain(self.grade)  # type: ignore[arg-type]
        return TracedHits(HitList("sorted", self.places, self._here(worth)))

    def total(self, x: Any = 1.0, where: Symbol | None = None) -> Symbol:
        """Sum of x over the hits of each topic, or over those of them where it holds."""
        if isinstance(x, Symbol) and x.level != "topic":
            return Symbol("total", (self._here(x), *self._where(where)), reads=(self.places, None))
        counted = Symbol("count", (None, *self._where(where)), reads=(self.places, None))
        return counted if not isinstance(x, Symbol) and x == 1 else counted * x

    def most(self, x: Any, where: Symbol | None = None) -> Symbol:
        """Largest x (none below zero) over the hits of each topic where it holds; 0 if there is none."""
        x = self._here(x) if isinstance(x, Symbol) else as_number(x)
        return Symbol("most", (x, *self._where(where)), reads=(self.places, None))

    def running(self, x: Symbol) -> Symbol:
        """Sum of x within the topic so far, this hit included."""
        so_far = "seen" if getattr(x, "boolean", False) else "running"
        return Symbol(so_far, (self._here(x),), self.places)

    def surviving(self, stop: Symbol) -> Symbol:
        """Product of 1 − stop over the earlier hits of the topic: the share of readers who get this far."""
        return Symbol("surviving", (self._here(stop),), self.places)

    def each(self, y: Symbol) -> Symbol:
        """A value for each topic, at each hit of that topic."""
        if level_of((y,)) != "topic":
            raise Untraceable("a value at each hit, at each hit again")
        return Symbol("each", (as_number(y),), self.places, boolean=y.boolean)

    def following(self, end: float) -> Symbol:
        """The rank of the next hit of the topic, at each hit; after the last one, the end."""
        return Symbol("following", (as_number(end),), self.places)

    def at(self, x: Symbol, other: TracedHits, *, ahead: float = 0) -> Symbol:
        """The x of this ranking as it stood at each hit of another; see `Ranking.at`."""
        return Symbol("at", (self._here(x), float(ahead)), other.places, reads=(self.places, None))

    def _here(self, x: Any) -> Symbol:
        """A number at each hit of this list."""
        if not isinstance(x, Symbol) or x.level != self.places:
            raise Untraceable("numbers of another list")
        number: Symbol = as_number(x)
        return number

    def _where(self, where: Symbol | None) -> tuple[Symbol, ...]:
        return () if where is None else (self._here(where),)

    def __getattr__(self, name: str) -> NoReturn:
        raise Untraceable(name)


class TracedRecord(TracedHits):
    """A judged run of symbols; what it knows as in `JudgedRun`.

    top  the best grade of the judgments, a number: a measure may do one thing or another by it
    """

    provides: tuple[Needs, ...] = ()

    def __init__(self, top: float) -> None:
        super().__init__(HITS)
        self.pool = TracedHits(POOL)
        self.retrieved = Symbol("retrieved")
        self._top = top
        self.asked_for_top = False

    @property
    def top(self) -> float:
        """The best grade in the judgments."""
        self.asked_for_top = True
        return self._top

    def condensed(self) -> TracedRecord:
        """The record itself: one without what is not judged is given to a program like any other."""
        return self

    def count(self, rel: float) -> Symbol:
        """Documents in the judgments of that grade or more."""
        return self.pool.total(where=self.pool.grade >= rel)

    def nothing_relevant(self, rel: float | None) -> Symbol:
        """Topics with no document of that grade or more; None asks for any grade above 0."""
        return (self.pool.total(where=self.pool.grade > 0) if rel is None else self.count(rel)) == 0

    def nothing_to_gain(self, gain: Worth) -> Symbol:
        """Topics in which no judged document has a gain."""
        gains: Any = gain(self.pool.grade)  # type: ignore[arg-type]
        return self.pool.total(where=gains > 0) == 0

    def ideal(self, gain: Worth, *, of: Ideal = "judged") -> TracedHits:
        """Best gain first: of every judged document, of those retrieved, or no more than were returned ("hits")."""
        if of == "retrieved":
            return self.sorted_by(gain)
        best = self.pool if gain.rising else self.pool.sorted_by(gain)
        return best.cut(self.retrieved) if of == "hits" else best
