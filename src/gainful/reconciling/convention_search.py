"""The space of conventions, searched: every combination that these data can tell apart, and which of them gives a number.

Conventions that change the list or the formula make one row of values each; what happens to topics afterwards (left out,
rounded) is computed for all rows at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful.dialects.dialect_registry import ABOVE_ZERO
from gainful.errors import GainfulError, MeasureError
from gainful.judging.settings import Settings
from gainful.measures import Measure
from gainful.reconciling.claimed_values import Claimed
from gainful.reconciling.convention_space import (
    MEASURE,
    OF_SETTINGS,
    SPACE,
    Convention,
    Reading,
    every_judged,
)
from gainful.reconciling.judged_readings import JudgedReadings
from gainful.summaries import SUMMARIES

OVER_TOPICS = ("missing", "undefined", "round_topics")
"""Conventions about the values of topics, which need no value computed again."""

MOST_CHANGES = 4
"""Conventions that a combination changes at most: what needs more is not told apart from chance by a few digits."""

AVERAGED = ("nDCG", "DCG", "AP", "RR", "P", "R", "F", "Success")
"""Measures for which the mean over all orders of tied documents is tried; for others it takes long, and no tool has it."""

MOST_GRADES = 12
"""Grades up to which judged documents are tried as relevant, whatever their grade."""

Values = Mapping[str, tuple[Any, ...]]
"""Values to try for each convention; the first one is ours."""


def space_of(measure: Measure, readings: JudgedReadings) -> dict[str, tuple[Any, ...]]:
    """The conventions that may matter for a measure on these data, each with its values, ours first."""
    ours = Reading(measure, Settings())
    values = {
        convention.name: _tried(convention, ours, readings)
        for convention in SPACE
        if convention.name in OF_SETTINGS or measure.leaves(convention.name)
    }
    if measure.name == "nDCG":
        values[MEASURE] = ("nDCG", "DCG")
    return {name: tried for name, tried in values.items() if len(tried) > 1}


def _tried(convention: Convention, ours: Reading, readings: JudgedReadings) -> tuple[Any, ...]:
    """The values of a convention that these data can tell apart."""
    name = convention.name
    tried = convention.tried if convention.tried is not None else tuple(convention.clauses)
    grades = readings.judgments.index.grade
    idle = {
        "drop_self": not readings.own_ids,
        "duplicates": not readings.copies,
        "ties": not readings.tied,
        "scores": not readings.close,
        "missing": bool(readings.present.all()),
    }
    if idle.get(name):
        return ()
    match name:
        case "ties":
            tried = tuple(value for value in tried if value != "expected" or ours.measure.name in AVERAGED)
        case "undefined":
            wide = ours.switched({"pool": "retrieved"})
            if not any(readings.topic_values(reading)[1].any() for reading in (ours, wide)):
                return ()
        case "gain":
            signed = bool((grades < 0).any())
            if not signed and not (grades > 1).any() and not (grades % 1).any():
                return ()
            tried = tuple(value for value in tried if signed or not value.startswith("signed"))
            if (grades == 0).any() and len(levels := np.unique(grades)) <= MOST_GRADES:
                tried = (*tried, every_judged(levels.tolist()))
        case "rel":
            inner = bool(((grades > 0) & (grades < 1)).any())
            most = float(grades.max(initial=0))
            tried = tuple(value for value in tried if value <= most and (inner or value != ABOVE_ZERO))
    if name in OF_SETTINGS:
        return tried
    return tuple(value for value in tried if _takes(ours.measure, name, value))


def _takes(measure: Measure, name: str, value: Any) -> bool:
    try:
        measure(**{name: value})
    except MeasureError:
        return False
    return True


@dataclass(frozen=True, eq=False)
class Grid:
    """The combinations of conventions for one measure, of at most `MOST_CHANGES` that are not ours.

    points   for each row, the conventions that change the list or the formula
    changes  for each row, how many of them are not ours
    values   a row for each point, a column for each topic
    undefined  where there was nothing to find
    over     what may happen to the values of topics: combinations of `OVER_TOPICS`, each with how many are not ours
    """

    claimed: Claimed
    space: Values
    points: Sequence[Mapping[str, Any]]
    changes: NDArray[np.intp]
    values: NDArray[np.float64]
    undefined: NDArray[np.bool_]
    over: Sequence[tuple[int, Mapping[str, Any]]]
    present: NDArray[np.bool_]
    topics: Mapping[str, int]

    @classmethod
    def of(cls, claimed: Claimed, settings: Values, readings: JudgedReadings) -> Grid:
        """The grid of a measure; `settings` are the conventions that it shares with the other measures."""
        own = space_of(claimed.measure, readings)
        keywords = {name: values for name, values in own.items() if name not in OF_SETTINGS}
        lists = {name: values for name, values in settings.items() if name not in OVER_TOPICS}
        ours = Reading(claimed.measure, Settings())
        formulas = [
            (changes, words, ours.switched(words).measure)
            for changes, words in _combined(keywords)
            if not (
                words.get(MEASURE) == "DCG" and words.get("ideal", "judged") != "judged"
            )  # it has no ideal
        ]
        points, changes, rows = [], [], []
        for changed, chosen in _combined(lists):
            if chosen.get("ties", "docid") not in own.get("ties", ("docid",)):
                continue
            few = [formula for formula in formulas if formula[0] + changed <= MOST_CHANGES]
            try:
                rows += readings.values_of_all(
                    [formula[2] for formula in few], ours.switched(chosen).settings
                )
            except GainfulError:  # conventions that exclude each other
                continue
            points += [{**words, **chosen} for _, words, _ in few]
            changes += [changed + formula[0] for formula in few]
        over = list(_combined({name: settings[name] for name in OVER_TOPICS if name in settings}))
        places = {topic: place for place, topic in enumerate(readings.topics)}
        values, undefined = (np.array(part) for part in zip(*rows, strict=True))
        space = {**keywords, **settings}
        counts = np.array(changes, np.intp)
        return cls(claimed, space, points, counts, values, undefined, over, readings.present, places)

    def __len__(self) -> int:
        return sum(int((self.changes + changed <= MOST_CHANGES).sum()) for changed, _ in self.over)

    def fitting(self) -> list[tuple[int, dict[str, Any]]]:
        """The combinations that give every number that is claimed, with the number of changes; the fewest first."""
        found = []
        for changed, over in self.over:
            settled, counts = self._settled(over)
            fits = self.changes + changed <= MOST_CHANGES
            if self.claimed.mean is not None:
                number = self.claimed.mean
                fits &= np.abs(self._means(settled, counts) - number.value) <= number.tolerance
            for topic, number in self.claimed.topics.items():
                if topic in self.topics:
                    fits &= np.abs(settled[:, self.topics[topic]] - number.value) <= number.tolerance
            found += [
                (int(self.changes[row]) + changed, {**self.points[row], **over})
                for row in np.flatnonzero(fits).tolist()
            ]
        return sorted(found, key=lambda entry: entry[0])

    def nearest(self, most: int) -> list[dict[str, Any]]:
        """The combinations of at most two changes whose mean is nearest to the one that is claimed."""
        if self.claimed.mean is None:
            return []
        ranked: list[tuple[float, int, dict[str, Any]]] = []
        for changed, over in self.over:
            off = np.abs(self._means(*self._settled(over)) - self.claimed.mean.value)
            off[np.isnan(off) | (self.changes + changed > 2)] = np.inf
            ranked += [
                (float(off[row]), int(self.changes[row]) + changed, {**self.points[row], **over})
                for row in np.argsort(off, kind="stable")[:most].tolist()
                if np.isfinite(off[row])
            ]
        ranked.sort(key=lambda entry: entry[:2])
        return [point for _, _, point in ranked[:most]]

    def _settled(self, over: Mapping[str, Any]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        counts = np.ones_like(self.undefined)
        if over.get("missing") == "skip":
            counts &= self.present
        undefined, values = over.get("undefined", "keep"), self.values
        if undefined == "skip":
            counts &= ~self.undefined
        elif undefined != "keep":
            values = np.where(self.undefined, float(undefined), values)
        digits = over.get("round_topics")
        return values if digits is None else np.round(values, digits), counts

    def _means(self, values: NDArray[np.float64], counts: NDArray[np.bool_]) -> NDArray[np.float64]:
        summary = self.claimed.measure.summary
        if summary != "mean":
            rows = zip(values, counts, strict=True)
            return np.array([SUMMARIES[summary](row[counted]) for row, counted in rows])
        number = counts.sum(axis=1)
        with np.errstate(invalid="ignore"):
            means: NDArray[np.float64] = np.where(counts, values, 0.0).sum(axis=1) / number
        return means


def _combined(values: Values) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every combination of at most `MOST_CHANGES` values that are not ours, with how many there are."""
    names = list(values)
    for size in range(min(MOST_CHANGES, len(names)) + 1):
        for chosen in combinations(names, size):
            for others in product(*(values[name][1:] for name in chosen)):
                yield size, {name: values[name][0] for name in names} | dict(zip(chosen, others, strict=True))


def shared_settings(claims: Sequence[Claimed], readings: JudgedReadings) -> dict[str, tuple[Any, ...]]:
    """The settings that may matter for any of these measures: a tool has one of each for all that it prints."""
    shared: dict[str, tuple[Any, ...]] = {}
    for claimed in claims:
        space = space_of(claimed.measure, readings)
        for name, values in space.items():
            if name in OF_SETTINGS and len(values) > len(shared.get(name, ())):
                shared[name] = values
    return shared


def fitting_together(grids: Sequence[Grid]) -> list[dict[str, dict[str, Any]]]:
    """Combinations that give every number of every measure under one set of settings: for each, a point by measure."""
    if len(grids) == 1:
        return [{grids[0].claimed.name: point} for _, point in grids[0].fitting()]
    names = [name for name in OF_SETTINGS if any(name in grid.space for grid in grids)]
    by_settings: list[dict[tuple[Any, ...], dict[str, Any]]] = []
    for grid in grids:
        least: dict[tuple[Any, ...], dict[str, Any]] = {}
        for _, point in grid.fitting():
            least.setdefault(tuple(point.get(name) for name in names), point)
        by_settings.append(least)
    keys = [key for key in by_settings[0] if all(key in least for least in by_settings)]
    return [
        {grid.claimed.name: least[key] for grid, least in zip(grids, by_settings, strict=True)}
        for key in keys
    ]
