"""Measures as programs of the native core, kept for those who ask again.

Only Gainful's own are recorded. A function of the user's own may follow from what is around it, which a record would not see.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from gainful.programs.program import Program, traced

if TYPE_CHECKING:
    from gainful.judging.ranking import Booleans, PerTopic
    from gainful.judging.record import JudgedRun
    from gainful.measures import Measure

TOPS = 16
"""Best grades for which the programs of a measure that follows from them are kept."""


class Recorded:
    """The programs of some measures: one, or one for each best grade of the judgments, if they follow from that."""

    def __init__(self, measures: tuple[Measure, ...]) -> None:
        self._measures = measures
        self._of_any: Program | None = None
        self._of_top: dict[float, Program | None] = {}
        self._possible = all(measure.recordable for measure in measures)

    def program(self, top: float) -> Program | None:
        """Values of all measures, then where each had nothing to measure; None where a measure cannot be recorded."""
        if self._of_any is not None or not self._possible:
            return self._of_any
        if top not in self._of_top:
            program, of_top = traced(self._record, top)
            if not of_top:
                self._of_any, self._possible = program, program is not None
                return program
            if len(self._of_top) >= TOPS:
                self._of_top.clear()
            self._of_top[top] = program
        return self._of_top[top]

    def _record(self, judged: Any) -> tuple[Any, ...]:
        both = [measure.evaluate(judged) for measure in self._measures]
        return *(values for values, _ in both), *(undefined for _, undefined in both)


def recorded(measures: tuple[Measure, ...]) -> Recorded:
    """The programs of some measures, kept for those that are equal to them; functions of the user's own are not kept."""
    return _kept(measures) if all(measure.recordable for measure in measures) else Recorded(measures)


_kept = lru_cache(maxsize=512)(Recorded)


def by_program(measure: Measure, judged: JudgedRun) -> tuple[PerTopic, Booleans] | None:
    """What `Measure.evaluate` gives, by its program; None where the formula has to be asked."""
    program = recorded((measure,)).program(judged.top)
    values = None if program is None else program.values(judged)
    return None if values is None else (values[0], values[1] != 0)
