"""The way from one tool's number to another's, convention by convention, and the share of the difference that each has.

Shares are Shapley values: what a convention changes, averaged over every order in which the conventions could be switched.
They do not depend on an order, and add up to the difference.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import factorial, isnan
from typing import Any

from gainful.dialects import find
from gainful.errors import DataError, GainfulError, MeasureError
from gainful.formats.ids import shown
from gainful.judging.settings import Settings
from gainful.presentation.page import Brief, page
from gainful.presentation.table import Cell, Table, as_json
from gainful.presentation.text_style import NARROW, Screen, counted, fixed, listed, signed
from gainful.reconciling.claimed_values import Claimed, measure_of
from gainful.reconciling.convention_space import Reading, convention
from gainful.reconciling.dialect_readings import (
    OURS,
    Printed,
    cut_by_measure,
    left_to_chance,
    outcome_of,
    printed_by,
)
from gainful.reconciling.judged_readings import JudgedReadings

TOGETHER = {"ties", "duplicates", "depth"}
"""Conventions of which some values exclude each other; they are switched together where that happens."""
IDLE = 1e-12


@dataclass(frozen=True, repr=False)
class Step(Brief):
    """A convention that is switched on the way.

    names    the convention; several where they can only be switched together
    written  its two values, as commands and names of measures write them
    before   what the first tool does
    after    what the second one does
    value    the number after this step
    share    its share of the whole difference (Shapley)
    """

    names: tuple[str, ...]
    title: str
    written: tuple[str, str]
    before: str
    after: str
    value: float
    share: float


@dataclass(frozen=True)
class Walk:
    """The way from one number to another on the same data.

    start, stop  the tools, and `names` what they call the measure
    values       their numbers
    steps        the conventions that differ with an effect, that with the largest share first
    idle         titles of conventions that differ without effect on these data
    """

    measure: str
    start: str
    stop: str
    names: tuple[str, str]
    values: tuple[float, float]
    steps: tuple[Step, ...]
    idle: tuple[str, ...]
    run: str
    topics: int

    @property
    def difference(self) -> float:
        """The number of the second minus that of the first."""
        return self.values[1] - self.values[0]

    def sentence(self, places: int = 4) -> str:
        """The whole walk in a sentence."""
        first, last = (fixed(value, places) for value in self.values)
        begins = f"{self.names[0]} is {first} in {self.start} and {last} in {self.stop}"
        if not self.steps:
            return f"{begins}: nothing that they do differently has an effect here."
        seen = [step for step in self.steps if signed(step.share, places).strip("0.")] or self.steps[:1]
        shares = ", ".join(f"{step.title} {signed(step.share, places)}" for step in seen)
        return f"{begins}, {signed(self.difference, places)}: {shares}."

    def table(self, places: int = 4) -> Table:
        """A row for each step: from what to what, the number then, and the share."""
        rows: list[list[str | Cell]] = [
            [self.start, self.names[0], "", _number(self.values[0], places), "", ""],
            *(self._row(step, places) for step in self.steps),
            [
                self.stop,
                self.names[1],
                "",
                _number(self.values[1], places),
                Cell(signed(self.difference, places), self.difference),
                "",
            ],
        ]
        return Table(["convention", "from", "to", str(self.measure), "share", "of it"], rows, [0, 1, 2])

    def _row(self, step: Step, places: int) -> list[str | Cell]:
        share, part = Cell(signed(step.share, places), step.share), Cell(*_part(step.share, self.difference))
        return [step.title, *step.written, _number(step.value, places), share, part]

    def view(self, form: str = "text", *, places: int = 4, screen: Screen = NARROW) -> str:
        """The walk as text, Markdown or JSON."""
        if form == "json":
            return as_json(self.to_dict())
        said = [f"{step.title}: {step.before}; then {step.after}." for step in self.steps]
        said += [f"Without effect here: {listed(list(self.idle))}."] if self.idle else []
        closing = f"{counted(self.topics, 'topic')} · run {shown(self.run)} · shares: Shapley values, exact"
        look = "table" if form == "text" else form
        return page([self.table(places)], said, closing, look, opening=[self.sentence(places)], screen=screen)

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the layout of the JSON output."""
        return {
            "measure": self.measure,
            "run": shown(self.run),
            "from": {"dialect": self.start, "measure": self.names[0], "value": self.values[0]},
            "to": {"dialect": self.stop, "measure": self.names[1], "value": self.values[1]},
            "difference": self.difference,
            "steps": [
                {
                    "conventions": list(step.names),
                    "before": step.before,
                    "after": step.after,
                    "value": step.value,
                    "share": step.share,
                }
                for step in self.steps
            ],
            "without_effect": list(self.idle),
        }

    def __repr__(self) -> str:
        return f"<Walk from {self.start} to {self.stop}: {counted(len(self.steps), 'step')}>"

    def __str__(self) -> str:
        return self.view().rstrip("\n")

    def _repr_html_(self) -> str:
        return self.view("html")


def _number(value: float, places: int) -> Cell:
    return Cell(fixed(value, places), value)


def _part(share: float, whole: float) -> tuple[str, float | None]:
    """A share of the difference in percent; nothing where there is no difference to share."""
    if abs(whole) < IDLE or isnan(share):
        return "", None
    return f"{fixed(100 * share / whole, 0)} %", share / whole


def printed_as(
    title: str, measure: str, readings: JudgedReadings, ours: Settings | None = None
) -> tuple[str, Printed]:
    """What a tool prints as a measure, under its full name; an error where it has none, or prints nothing on these data."""
    claimed = Claimed(measure)
    if title.lower() in (OURS, "ours"):
        settings = ours or Settings(duplicates="first" if readings.copies else "error")
        return OURS, Printed(str(measure_of(measure)), Reading(measure_of(measure), settings))
    dialect = find(title)
    meant = printed_by(dialect, claimed)
    if not meant:
        dialect.columns([measure])
        raise MeasureError(f"{dialect.title} has no measure like {measure}.")
    first, *_ = meant
    outcome = outcome_of(dialect, first, readings)
    if isinstance(outcome, str):
        raise DataError(f"{dialect.title} prints no {first.name} here: {outcome.rstrip('.')}.")
    if left_to_chance(first, readings) is not None:
        raise DataError(
            f"{dialect.title} leaves tied documents to chance, and they decide {first.name} here."
        )
    return dialect.title, cut_by_measure(first, measure_of(measure), readings)


def walk(
    start: tuple[str, Printed], stop: tuple[str, Printed], measure: str, readings: JudgedReadings
) -> Walk:
    """The way from one printed number to another."""
    (start_title, first), (stop_title, last) = start, stop
    a, b = (Reading(each.reading.measure, readings.plain(each.reading.settings)) for each in (first, last))
    players: list[tuple[str, ...]] = [(name,) for name in a.differing(b)]
    try:
        shares, values = _shares(a, b, players, readings)
    except GainfulError:  # of conventions that exclude each other
        joined = tuple(name for player in players for name in player if name in TOGETHER)
        players = [
            *([joined] if joined else []),
            *(player for player in players if player[0] not in TOGETHER),
        ]
        shares, values = _shares(a, b, players, readings)
    moving = [player for player in players if any(abs(change) > IDLE for change in shares[player])]
    share = {player: _mean_change(shares[player], len(players)) for player in moving}
    moving.sort(key=lambda player: -abs(share[player]))
    idle = [convention(name).title for player in players if player not in moving for name in player]
    steps = []
    for place, player in enumerate(moving, 1):
        then = values(frozenset(name for each in moving[:place] for name in each))
        steps.append(_step(player, a, b, then, share[player]))
    everything = frozenset(name for player in players for name in player)
    return Walk(
        str(measure_of(measure)),
        start_title,
        stop_title,
        (first.name, last.name),
        (values(frozenset()), values(everything)),
        tuple(steps),
        tuple(dict.fromkeys(idle)),
        readings.name,
        int(readings.outcome(last.reading).counts.sum()),
    )


def _step(player: tuple[str, ...], a: Reading, b: Reading, value: float, share: float) -> Step:
    before, after = (
        "; ".join(convention(name).clause(each.conventions()[name]) for name in player) for each in (a, b)
    )
    of_a, of_b = (
        ", ".join(convention(name).written(each.conventions()[name]) for name in player) for each in (a, b)
    )
    title = listed([convention(name).title for name in player])
    return Step(player, title, (of_a, of_b), before, after, value, share)


def _shares(
    a: Reading, b: Reading, players: Sequence[tuple[str, ...]], readings: JudgedReadings
) -> tuple[Any, Any]:
    """For each convention, what it changes beside every set of the others, by the size of the set; and the number of a set."""

    @cache
    def value(names: frozenset[str]) -> float:
        return readings.outcome(a.towards(b, names)).mean

    changes: dict[tuple[str, ...], list[float]] = {}
    for player in players:
        others = [other for other in players if other != player]
        changes[player] = [
            value(without | frozenset(player)) - value(without)
            for size in range(len(others) + 1)
            for chosen in combinations(others, size)
            for without in [frozenset(name for each in chosen for name in each)]
        ]
    return changes, value


def _mean_change(changes: Sequence[float], players: int) -> float:
    """The Shapley value of changes that are listed by the size of the set they are made to."""
    total, place = 0.0, 0
    for size in range(players):
        sets = factorial(players - 1) // (factorial(size) * factorial(players - 1 - size))
        total += math.fsum(changes[place : place + sets]) / sets
        place += sets
    return total / players
