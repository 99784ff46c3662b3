"""What a worked table is made of: documents by name, and the columns of numbers beside them.

A judged run knows its judged documents alone; the others fill the ranks between, in the order of the run.
"""

from __future__ import annotations

import itertools
import math
import typing
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful.errors import MeasureError
from gainful.explaining.contributions import Parts, parts_of
from gainful.explaining.tracing import as_read, symbols
from gainful.formats import Judgments
from gainful.formats.ids import from_bytes
from gainful.judging import JudgedRun
from gainful.judging.ordered_lists import Place
from gainful.measures import Measure
from gainful.measures._gains import DISCOUNTS, USUAL

Floats = NDArray[np.float64]
Cell = float | bool | None
CONTRIBUTES = "contributes"
_VARIANTS = 16  # how many other forms of a measure are worked out at most


@dataclass(frozen=True)
class Listed:
    """One document of a list: its rank, its id and its grade; None where nobody judged it."""

    rank: int
    document: str
    grade: float | None


def listed(
    judgments: Judgments, topic: str, judged: JudgedRun, places: Sequence[Place], depth: int | None = None
) -> list[Listed]:
    """The documents of a topic down to rank depth, best first.

    judged  of this topic alone, as the settings made it; unjudged documents may have been removed
    places  the documents of the topic in the order of the run, at least down to that rank
    depth   None is every rank
    """
    start, stop = _place(judgments, topic)
    return listed_by_place(judgments, start, stop, judged, places, depth)


def listed_by_place(
    judgments: Judgments,
    start: int,
    stop: int,
    judged: JudgedRun,
    places: Sequence[Place],
    depth: int | None,
) -> list[Listed]:
    """The documents of the topic whose judgments are those from start to stop."""
    last = min(depth or len(places), int(judged.retrieved[0]))
    names = judgments.index.documents(start, stop)
    top = slice(judged.rank.searchsorted(last, side="right"))
    columns = (judged.rank[top].astype(int), judged.row[top] - start, judged.grade[top])
    hits = {
        rank: Listed(rank, from_bytes(names[row]), grade)
        for rank, row, grade in zip(*(column.tolist() for column in columns), strict=True)
    }
    others = (place.document for place in places if place.grade is None)
    return [hits.get(rank) or Listed(rank, next(others), None) for rank in range(1, last + 1)]


def not_listed(judgments: Judgments, topic: str, there: list[Listed]) -> list[tuple[str, float]]:
    """Judged documents that are not among these, best first."""
    start, stop = _place(judgments, topic)
    seen = {place.document for place in there}
    names = map(from_bytes, judgments.index.documents(start, stop))
    grades = judgments.index.grade[start:stop].tolist()
    left = [(name, grade) for name, grade in zip(names, grades, strict=True) if name not in seen]
    return sorted(left, key=lambda pair: -pair[1])


def _place(judgments: Judgments, topic: str) -> tuple[int, int]:
    number = judgments.topics.index(topic)
    start, stop = judgments.index.offsets[number : number + 2].tolist()
    return start, stop


def worked_columns(measure: Measure, judged: JudgedRun, rows: Sequence[Listed]) -> dict[str, list[Cell]]:
    """The columns of the worked table of one topic, for the documents at its first ranks."""
    working, judged = as_read(measure, judged)
    return columns_of(working, judged, parts_of(working, judged), rows)


def columns_of(
    measure: Measure, judged: JudgedRun, parts: Parts, rows: Sequence[Listed]
) -> dict[str, list[Cell]]:
    """The columns of the table: first what the parameters mean at each rank, then the names in the measure's code."""
    params, depth = measure.params, len(rows)
    columns: dict[str, list[Cell]] = {}
    grades = np.array([-math.inf if row.grade is None else row.grade for row in rows])
    rank = np.arange(1.0, depth + 1)
    rel = params.get("rel")
    if rel is not None:
        relevant = grades >= rel
        columns["relevant"] = relevant.tolist()
        columns["relevant so far"] = np.cumsum(relevant).astype(float).tolist()
    knowledge = judged.knowledge
    if knowledge is not None and knowledge.rows is not None:
        knew = dict(zip(judged.rank.astype(int).tolist(), knowledge.rows[judged.row].tolist(), strict=True))
        columns["known"] = [knew.get(place) for place in range(1, depth + 1)]
    if "gain" in params:
        columns |= _gain_columns(measure, judged, grades, rank)
    seen = [[None if value is None else float(value) for value in cells] for cells in columns.values()]
    seen.append([row.grade for row in rows])
    for name, values in symbols(measure, judged).items():
        cells = [values.get(place) for place in range(1, depth + 1)]
        if not any(_same(cells, column) for column in seen):
            columns.setdefault(name.replace("_", " "), cells)
    columns[CONTRIBUTES] = parts.contributions[:depth].tolist()
    return columns


def _gain_columns(measure: Measure, judged: JudgedRun, grades: Floats, rank: Floats) -> dict[str, list[Cell]]:
    """Gain and cumulated gain; discounted, if the measure discounts; beside the ideal list's, if it has one."""
    params = measure.params
    gain, discount, base = params["gain"], params.get("discount"), params.get("base", 2)
    gained = gain(grades)
    columns: dict[str, Floats] = {"gain": gained, "CG": np.cumsum(gained)}
    collected = columns["CG"]
    if discount is not None:
        by = discount(rank, base)
        columns |= {"discount": by, "discounted": gained / by, "DCG": np.cumsum(gained / by)}
        collected = columns["DCG"]
    if "ideal" in params:
        best = judged.ideal(gain, of=params["ideal"])
        gainful = int((gain(best.grade) > 0).sum())  # below, no list gains anything
        last = None if params["ideal"] == "uncut" else measure.cutoff
        ideal = np.zeros(max(len(rank), min(gainful, last or gainful)))
        there = best.rank <= len(ideal)
        ideal[best.rank[there].astype(int) - 1] = gain(best.grade[there])
        columns["ideal gain"] = ideal
        along = np.arange(1.0, len(ideal) + 1)
        name, cumulated = "ideal CG", np.cumsum(ideal)
        if discount is not None:
            name, cumulated = "ideal DCG", np.cumsum(ideal / discount(along, base))
        columns[name] = cumulated
        so_far = np.concatenate(
            [collected, np.full(len(ideal) - len(rank), collected[-1] if len(rank) else 0.0)]
        )
        columns["ratio"] = np.divide(so_far, cumulated, out=np.zeros_like(so_far), where=cumulated > 0)
    return {name: values.tolist() for name, values in columns.items()}


def _same(cells: Sequence[Cell], other: Sequence[float | None]) -> bool:
    """Whether a column says nothing new: the same wherever it says anything."""
    pairs = [(a, b) for a, b in zip(cells, other, strict=False) if a is not None]
    return all(b is not None and math.isclose(float(a), b, rel_tol=1e-12) for a, b in pairs)


def variants_of(measure: Measure, judged: JudgedRun) -> dict[str, float]:
    """The value under every combination of gains, discounts and words that the measure knows by name."""
    choices: dict[str, Sequence[Any]] = {}
    hints = _hints(measure)
    for name, value in measure.params.items():
        if name == "gain":
            choices[name] = list(dict.fromkeys([value, *USUAL]))
        elif name == "discount":
            choices[name] = list(dict.fromkeys([value, *DISCOUNTS.values()]))
        elif typing.get_origin(hints.get(name)) is typing.Literal:
            choices[name] = typing.get_args(hints[name])
    values_of_variants: dict[str, float] = {}
    for values in itertools.islice(itertools.product(*choices.values()), _VARIANTS):
        other = measure(**dict(zip(choices, values, strict=True))) if choices else measure
        if other != measure:
            with suppress(MeasureError):  # such as 2^grade of a grade of 2,000
                values_of_variants[str(other)] = float(other(judged)[0])
    return values_of_variants


def _hints(measure: Measure) -> dict[str, Any]:
    try:
        return typing.get_type_hints(measure.definition.function)
    except (NameError, TypeError):  # a measure of one's own may have types that exist for type checkers only
        return {}
