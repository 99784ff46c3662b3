"""A program for some measures: traced and compiled once, run by the native core over any judged run.

The values have the bits of the measures' own functions on arrays, which are asked where a program cannot say.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from gainful._core import KIND, Index, Scorer
from gainful._core import Program as NativeProgram
from gainful.arrays import NDArray, np
from gainful.judging.ranking import Floats, Ranking
from gainful.judging.record import JudgedRun
from gainful.programs.compilation import POOL, Compilation, at_ranks
from gainful.programs.hit_tracing import TracedRecord
from gainful.programs.measure_symbols import Symbol

Function = Callable[[Any], tuple[Any, ...]]
"""From a judged run to some values of each topic."""
SHORT, LONGEST = 1 << 10, 1 << 16
"""Ranks that tables reach at first, and at most."""
KEPT = 64
"""Programs of which judgments keep what follows from them alone."""


class Program:
    """Some values of each topic, recorded.

    >>> from gainful.judging import judged_run
    >>> program = Program([TracedRecord(top=1).count(1)])
    >>> program.values(judged_run([[0, 1], [1, 1]]))
    array([[1., 2.]])
    """

    def __init__(self, values: list[Symbol]) -> None:
        columns: list[Symbol] = []
        self._main = Compilation(values, columns)
        self._of_judgments = Compilation(columns, None)
        self._built: tuple[int, tuple[NativeProgram, NativeProgram]] | None = None
        self._looks_up = bool(self._main.tables or self._of_judgments.tables)
        self._reads_pool = any(POOL in step[1:3] for step in self._main.steps)
        self.outputs = len(values)

    def native(self, deepest: float = 0) -> tuple[NativeProgram, NativeProgram]:
        """The program for the judgments alone and the one for a run, with tables for ranks down to the deepest."""
        built = self._built
        if built is None or deepest > built[0]:
            reach = built[0] if built else SHORT
            while reach < deepest:
                reach *= 4
            built = self._built = reach, (_built(self._of_judgments, reach), _built(self._main, reach))
        return built[1]

    def columns(self, pool: Ranking) -> Floats | None:
        """What follows from the judgments alone, kept with them; None where arrays have to be asked."""
        of_programs: dict[Program, Floats | None] = pool._memo.setdefault("columns", {})
        with suppress(KeyError):
            return of_programs[self]
        columns = np.empty((len(self._of_judgments.outputs), len(pool)))
        deepest = self._deepest(pool)
        done = deepest <= LONGEST
        if done and len(columns):
            of_judgments, _ = self.native(deepest)
            nothing = np.zeros(len(pool))
            done = of_judgments.run(*_flat(pool), *_flat(pool), nothing, np.empty((0, len(pool))), columns)
        if len(of_programs) >= KEPT:
            of_programs.clear()
        of_programs[self] = columns if done else None
        return columns if done else None

    def _deepest(self, *rankings: Ranking) -> float:
        """The last rank that tables have to reach."""
        return max(float(ranking.rank.max(initial=0)) for ranking in rankings) if self._looks_up else 0.0

    def values(self, judged: JudgedRun) -> NDArray[np.float64] | None:
        """Values × topics; None where arrays have to be asked."""
        columns = self.columns(judged.pool)
        deepest = self._deepest(judged, judged.pool) if self._reads_pool else self._deepest(judged)
        if columns is None or deepest > LONGEST:
            return None
        _, main = self.native(deepest)
        values = np.empty((self.outputs, len(judged)))
        arrays = *_flat(judged), *_flat(judged.pool), judged.retrieved, columns
        return values if main.run(*arrays, values) else None

    def scorer(self, index: Index, deepest: float = 0) -> Scorer | None:
        """The program with the judgments that it scores runs against; None where arrays have to be asked.

        deepest  a rank that tables have to reach
        """
        deepest = max(deepest, index.longest) if self._looks_up else 0
        if deepest > LONGEST:
            return None
        scorer = Scorer(index, *self.native(deepest))
        return scorer if scorer.usable else None


def traced(function: Function, top: float) -> tuple[Program | None, bool]:
    """The program of a function, None where it cannot be recorded; and whether it follows from the best grade there is."""
    record = TracedRecord(top)
    if KIND == "plain":
        return None, False
    try:
        program = Program(list(function(record)))
    except Exception:  # whatever a function does that symbols do not have
        return None, record.asked_for_top
    return program, record.asked_for_top


def _flat(ranking: Ranking) -> tuple[Any, Floats, Floats]:
    return ranking.offsets, ranking.rank, ranking.grade


def _built(compiled: Compilation, reach: int) -> NativeProgram:
    tables = []
    if compiled.tables:
        rank = np.arange(1.0, reach + 1)
        with np.errstate(all="ignore"):
            tables = [np.asarray(at_ranks(table, rank), np.float64) for table in compiled.tables]
    return NativeProgram(compiled.steps, compiled.constants, tables, compiled.outputs)
