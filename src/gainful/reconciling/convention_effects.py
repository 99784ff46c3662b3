"""How far each convention moves a number: each switched alone, the others as ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gainful.errors import GainfulError
from gainful.judging.settings import Settings
from gainful.measures import Measure
from gainful.presentation.page import Brief
from gainful.presentation.table import Cell, Table
from gainful.presentation.text_style import fixed, signed
from gainful.reconciling.convention_search import space_of
from gainful.reconciling.convention_space import Reading, convention, plain_value
from gainful.reconciling.dialect_readings import known_values
from gainful.reconciling.judged_readings import JudgedReadings

UNSEEN = 1e-9


@dataclass(frozen=True, repr=False)
class Effect(Brief):
    """What a convention does to a number.

    name    the convention
    values  the number under each of its values, by how that is written; ours first
    clauses  what is done under each of them
    """

    name: str
    title: str
    values: Mapping[str, float]
    clauses: Mapping[str, str]

    @property
    def farthest(self) -> tuple[str, float]:
        """The value that moves the number most, and by how much it moves."""
        ours, *_ = self.values.values()
        written = max(self.values, key=lambda written: abs(self.values[written] - ours))
        return written, self.values[written] - ours


def effects_on(measure: Measure, readings: JudgedReadings, *, known: bool = False) -> list[Effect]:
    """The conventions that move a measure on these data, that which moves it most first.

    known  only values that a known tool has: no mistakes such as taking every judged document for relevant
    """
    base = Settings(duplicates="first") if readings.copies else Settings()
    ours = Reading(measure, base)
    effects = []
    for name, tried in space_of(measure, readings).items():
        values: dict[str, float] = {}
        clauses: dict[str, str] = {}
        for value in tried:
            written = convention(name).written(value)
            if known and values and (name, str(plain_value(value))) not in known_values():
                continue
            try:
                values[written] = readings.outcome(ours.switched({name: value})).mean
            except GainfulError:
                continue
            clauses[written] = convention(name).clause(value)
        effect = Effect(name, convention(name).title, values, clauses)
        if len(values) > 1 and abs(effect.farthest[1]) > UNSEEN:
            effects.append(effect)
    return sorted(effects, key=lambda effect: -abs(effect.farthest[1]))


def effect_table(effects: list[Effect], measure: str, places: int) -> Table:
    """A row for each convention: the value that moves the number most."""
    rows: list[list[str | Cell]] = []
    for effect in effects:
        ours, *_ = effect.values
        written, move = effect.farthest
        value = effect.values[written]
        numbers = [Cell(fixed(value, places), value), Cell(signed(move, places), move)]
        rows.append([effect.title, ours, written, *numbers])
    return Table(["convention", "ours", "other", measure, "moves by"], rows, [0, 1, 2])
