"""What a measure computes, as an expression: the text of the measure is run once, on a judged run of symbols."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from gainful.judging.aspects import Needs
from gainful.judging.ranking import Worth
from gainful.judging.record import Ideal
from gainful.programs.measure_symbols import (
    NOTHING,
    SYMBOLS,
    Level,
    Symbol,
    Untraceable,
    as_number,
    level_of,
    operation,
)


class TracedRanking:
    """A ranking of symbols; operations as in `Dense`.

    of     the candidates, or the ideal list
    ranks  how many it can have
    last   the last rank that is read; None: all
    kept   where else it holds; None: everywhere
    """

    def __init__(self, of: Level, ranks: int, last: int | None = None, kept: Symbol | None = None) -> None:
        self.of = of
        self.ranks = ranks
        self.last = last
        self.kept = kept

    @cached_property
    def rank(self) -> Symbol:
        """1, 2, …."""
        return Symbol(f"{self.of}_rank", (), self.of, at_ranks=np.arange(1.0, self.ranks + 1))

    @cached_property
    def grade(self) -> Symbol:
        """The grade at each rank; minus infinity where there is no judged document."""
        return Symbol(f"{self.of}_grade", (), self.of)

    def _hit(self, where: Symbol | None) -> Symbol:
        """Where it has a document that counts."""
        hit = self.grade > NOTHING
        if self.last is not None:
            hit = hit & (self.rank <= self.last)
        for condition in (self.kept, where):
            hit = hit if condition is None else hit & condition
        return hit

    def cut(self, k: Any) -> TracedRanking:
        """The ranking down to rank k: one k for all topics, one for each, or None for all of it."""
        if k is None:
            return self
        if isinstance(k, Symbol):
            return self.only(self.rank <= k)
        last = max(int(k), 0) if self.last is None else min(max(int(k), 0), self.last)
        return self if last >= self.ranks else TracedRanking(self.of, self.ranks, last, self.kept)

    def only(self, where: Symbol) -> TracedRanking:
        """The hits where it holds, at the ranks that they have."""
        return TracedRanking(
            self.of, self.ranks, self.last, where if self.kept is None else self.kept & where
        )

    def each(self, y: Symbol) -> Symbol:
        """A value for each topic, at each hit of that topic."""
        return y

    def total(self, x: Any = 1.0, where: Symbol | None = None) -> Symbol:
        """Sum of x over the hits of each topic, or over those of them where it holds."""
        return self._along("total", x, where)

    def most(self, x: Any, where: Symbol | None = None) -> Symbol:
        """Largest x (none below zero) over the hits of each topic where it holds; 0 if there is none."""
        whole = self.of == "run" and self.last is None and self.kept is None
        if whole and where is not None and _by_grade(where) and _falls(x):
            return self._at_first(x, where)
        return self._along("most", x, where)

    def _at_first(self, x: Symbol, where: Symbol) -> Symbol:
        """What falls with the rank is largest at the first, which is found without sorting."""
        first = Symbol("first", (self._hit(where),))
        return SYMBOLS.where(first > 0, with_rank(x, SYMBOLS.maximum(first, 1.0)), 0.0)

    def running(self, x: Symbol) -> Symbol:
        """Sum of x within the topic so far, this hit included."""
        return self._along("running", x, None, level=self.of)

    def surviving(self, stop: Symbol) -> Symbol:
        """Product of 1 − stop over the earlier hits of the topic: the share of readers who get this far."""
        return self._along("surviving", stop, None, level=self.of)

    def _along(self, name: str, x: Any, where: Symbol | None, level: Level = "topic") -> Symbol:
        inputs = self._hit(where), as_number(x)
        if level_of(inputs) != self.of:
            raise Untraceable("a sum along another list")
        return Symbol(name, inputs, level, reads=(self.of, self.last))

    def __getattr__(self, name: str) -> NoReturn:
        raise Untraceable(name)


def _by_grade(x: Any) -> bool:
    """Whether it follows from the grade of a document alone."""
    if not isinstance(x, Symbol) or not x.inputs:
        return not isinstance(x, Symbol) or x.operation == "run_grade"
    return x.reads is None and all(_by_grade(each) for each in x.inputs)


def _falls(x: Any) -> bool:
    """Whether it follows from the rank alone, and never rises."""
    return isinstance(x, Symbol) and x.at_ranks is not None and bool((np.diff(x.at_ranks) <= 0).all())


def with_rank(x: Any, rank: Symbol) -> Any:
    """The expression with another rank in it."""
    if not isinstance(x, Symbol):
        return x
    return rank if not x.inputs else operation(x.operation, *(with_rank(each, rank) for each in x.inputs))


class TracedRun(TracedRanking):
    """A judged run of symbols; what it knows as in `DenseRun`.

    candidates, documents  how many candidates, and how many judged documents, a topic may have
    top                    the best grade of the scale, if measures may ask for it
    """

    provides: tuple[Needs, ...] = ()

    def __init__(self, candidates: int, documents: int, *, top: bool) -> None:
        super().__init__("run", candidates)
        self.pool = TracedRanking("ideal", documents)
        self.retrieved = Symbol("retrieved")
        self.present = self.retrieved > 0
        if top:
            self.top = Symbol("best_of_scale")

    def count(self, rel: float) -> Symbol:
        """Judged documents of that grade or more, candidates or not."""
        return counted(self.pool.grade >= rel)

    def nothing_relevant(self, rel: float | None) -> Symbol:
        """Topics with no document of that grade or more; None asks for any grade above 0."""
        return counted(self.pool.grade > 0 if rel is None else self.pool.grade >= rel) == 0

    def nothing_to_gain(self, gain: Worth) -> Symbol:
        """Topics in which no judged document has a gain."""
        if gain.rising:
            return gain(Symbol("highest")) <= 0  # type: ignore[arg-type,return-value]
        return counted(gain(self.pool.grade) > 0) == 0  # type: ignore[arg-type]

    def ideal(self, gain: Worth, *, of: Ideal = "judged") -> TracedRanking:
        """Best gain first; of every judged document, or no more than were returned ("hits")."""
        if not gain.rising or (of == "retrieved" and self.pool.ranks != self.ranks):
            raise Untraceable("an ideal list of other documents, or in another order")
        return self.pool.cut(self.retrieved) if of == "hits" else self.pool


def counted(which: Symbol) -> Symbol:
    """How many judged documents hold a test, whatever their order."""
    return Symbol("counted", (which,))
