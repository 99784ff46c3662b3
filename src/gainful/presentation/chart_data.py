"""What charts are drawn from: axes, lines, intervals and strips; points rounded and thinned to what can be seen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from gainful.formats.ids import shown

Row = dict[str, Any]
Point = TypeVar("Point")

_ALL_MARKED = 25  # points; a line of no more has a mark at each
_MARKS = 8  # along a longer line
_MOST_POINTS = 600  # of a line; more cannot be seen


@dataclass(frozen=True, slots=True)
class Axis:
    """What is measured along one side.

    domain   first and last value; None for as much as the points need
    zero     whether it begins at zero, where no domain is given
    percent  whether values are shares
    whole    whether values are whole numbers, such as ranks
    """

    title: str | Sequence[str]
    domain: tuple[float, float] | None = None
    zero: bool = True
    log: bool = False
    percent: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Series:
    """One line.

    position  of the system in its result: the same system has the same colour in every chart
    points    (x, y); those without a value are left out
    band      (x, low, high)
    marks     (x, y) that have a shape; None for points along the line
    """

    name: str
    position: int
    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float, float]] = ()
    marks: Sequence[tuple[float, float]] | None = None


@dataclass(frozen=True, slots=True)
class Interval:
    """A value between its limits, on a row of its own.

    kind     what decides colour and shape: significant or not; "" where `position` does
    """

    name: str
    value: float
    low: float | None
    high: float | None
    kind: str = ""
    position: int = 0
    p: float | None = None


@dataclass(frozen=True, slots=True)
class Strip:
    """A stretch of a row in the colour of a series; grey where that has no name.

    start, stop  where it is drawn
    first, last  what it holds, for the pointer
    """

    row: str
    series: str
    start: float
    stop: float
    first: float
    last: float


def brief(names: Iterable[str], most: int) -> dict[str, str]:
    """Each name as people see it, the middle of a long one left out; all are whole where two would look alike.

    >>> brief(["bm25", "a-very-long-name-of-a-run-07"], 13)
    {'bm25': 'bm25', 'a-very-long-name-of-a-run-07': 'a-very…run-07'}
    >>> list(brief(["same-beginning-1-same-end", "same-beginning-2-same-end"], 9).values())
    ['same-beginning-1-same-end', 'same-beginning-2-same-end']
    """
    half = (most - 1) // 2
    whole = {name: shown(name) for name in names}
    cut = {
        name: text if len(text) <= most else f"{text[:half]}…{text[-half:]}" for name, text in whole.items()
    }
    return cut if len(set(cut.values())) == len(cut) else whole


def point(value: float) -> float | None:
    """As much of a number as a picture can show; None for what is no number.

    >>> point(2.0), point(1 / 3), point(math.nan)
    (2, 0.33333, None)
    """
    if math.isnan(value):
        return None
    return int(value) if float(value).is_integer() else round(value, 5)


def line_rows(series: Series) -> list[Row]:
    """The points of a line, no more than can be seen."""
    points = [(x, y) for x, y in series.points if not math.isnan(y)]
    return [{"s": series.name, "x": point(x), "y": point(y)} for x, y in thinned(points)]


def marked_rows(series: Series, number: int) -> list[Row]:
    """The points that have a shape: at other places on other lines, so that one does not hide another."""
    if series.marks is not None:
        return line_rows(Series(series.name, series.position, series.marks))
    rows = line_rows(series)
    step = 1 if len(rows) <= _ALL_MARKED else len(rows) // _MARKS
    first = (number * max(1, step // 4)) % step
    return [row for place, row in enumerate(rows) if place % step == first]


def thinned(points: Sequence[Point]) -> Sequence[Point]:
    """Evenly spaced points and the last, no more than can be seen."""
    step = max(1, -(-len(points) // _MOST_POINTS))
    kept = points[::step]
    return kept if not points or len(points) % step == 1 or step == 1 else [*kept, points[-1]]
