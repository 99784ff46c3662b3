"""Measures as programs of the native core: recorded when they are asked for again, and kept.

Only Gainful's own are recorded. A function of the user's own may follow from what is around it, which a record would not see.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from gainful.judging.ranking import Booleans, PerTopic
from gainful.judging.record import JudgedRun
from gainful.measures._measure import Measure
from gainful.programs.program import Program, traced

TOPS = 16
"""Best grades for which the programs of a measure that follows from them are kept."""


class Recorded:
    """The programs of some measures: one, or one for each best grade of the judgments, if they follow from that."""

    def __init__(self, measures: tuple[Measure, ...]) -> None:
        self._measures = measures
        self._of_any: Program | None = None
        self._of_top: dict[float, Program | None] = {}
        self._possible = all(map(_can_be, measures))

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


@lru_cache(maxsize=512)
def recorded(measures: tuple[Measure, ...]) -> Recorded:
    """The programs of some measures, kept for those that are equal to them."""
    return Recorded(measures)


def by_program(measure: Measure, judged: JudgedRun) -> tuple[PerTopic, Booleans] | None:
    """What `Measure.evaluate` gives, by its program; None where the formula has to be asked."""
    program = recorded((measure,)).program(judged.top)
    values = None if program is None else program.values(judged)
    return None if values is None else (values[0], values[1] != 0)


def _can_be(measure: Measure) -> bool:
    functions = [measure.definition.function, *_functions(measure.params.values())]
    return measure.needs is None and all(
        str(function.__module__).partition(".")[0] == __name__.partition(".")[0] for function in functions
    )


def _functions(values: Iterable[Any]) -> list[Any]:
    """What gains, discounts and stops compute with."""
    return [value.function for value in values if hasattr(value, "function")]
