"""Scores: systems × measures, with how sure each mean is and what each measure means."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gainful.comparisons import Comparison, Leaderboard, Method
from gainful.comparisons.leaderboard import rank_intervals
from gainful.formats.ids import shown
from gainful.measures import Measure
from gainful.scores import Scores
from gainful.statistics.intervals import interval
from gainful.statistics.letters import short


@dataclass(frozen=True, slots=True)
class Cell:
    """One system by one measure.

    mean       over the topics that count, as `evaluate` has it
    low, high  interval of the mean, with other topics like these; None for one topic
    ranks      interval of the system's rank, over topics drawn again; None for one system
    letters    systems that share one cannot be told apart; "" where pairs were not compared
    best       whether no other system has a better mean
    """

    mean: float
    low: float | None
    high: float | None
    ranks: tuple[int, int] | None
    letters: str
    best: bool


@dataclass(frozen=True, slots=True)
class Card:
    """What a measure means: for whoever asks.

    settings  its parameters, their values and a line on each
    """

    name: str
    title: str
    formula: str
    settings: tuple[tuple[str, str, str], ...]
    bounds: str
    misleads: str
    cite: str


@dataclass(frozen=True)
class Line:
    """One system: its cells by measure."""

    system: str
    topics: int
    cells: Mapping[str, Cell]


@dataclass(frozen=True)
class Board:
    """Systems best first by the first measure.

    compared  the measures whose pairs were compared, and so have letters
    lower     the measures of which less is better
    """

    measures: tuple[str, ...]
    cards: tuple[Card, ...]
    lines: tuple[Line, ...]
    topics: int
    confidence: float
    compared: tuple[str, ...]
    lower: tuple[str, ...]
    stated: str

    @property
    def systems(self) -> tuple[str, ...]:
        """Their names, best first."""
        return tuple(line.system for line in self.lines)

    def cell(self, system: str, measure: str) -> Cell:
        """One system by one measure."""
        return next(line for line in self.lines if line.system == system).cells[measure]

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "confidence": self.confidence,
            "topics": self.topics,
            "systems": [
                {
                    "name": shown(line.system),
                    "topics": line.topics,
                    "measures": {
                        measure: {
                            "mean": cell.mean,
                            "interval": None if cell.low is None else [cell.low, cell.high],
                            "rank_interval": None if cell.ranks is None else list(cell.ranks),
                            "letters": cell.letters,
                        }
                        for measure, cell in line.cells.items()
                    },
                }
                for line in self.lines
            ],
            "measures": [
                {"name": card.name, "title": card.title, "formula": card.formula, "reference": card.cite}
                for card in self.cards
            ],
            "stated": self.stated,
        }


def board(
    scores: Scores, comparison: Comparison | None, boards: Sequence[Leaderboard], method: Method
) -> Board:
    """Of scores that were made, and of what was compared."""
    columns = {
        str(measure): _column(scores, number, measure, boards, method)
        for number, measure in enumerate(scores.measures)
    }
    first = scores.measures[0]
    sign = 1 if first.less_is_better else -1
    order = sorted(range(len(scores)), key=lambda one: _key(columns[str(first)][one].mean, sign))
    lines = tuple(
        Line(
            scores.runs[one].name,
            int(scores.runs[one].evaluated.sum()),
            {name: cells[one] for name, cells in columns.items()},
        )
        for one in order
    )
    return Board(
        measures=tuple(columns),
        cards=tuple(map(card, scores.measures)),
        lines=lines,
        topics=len(scores.runs[0].topics),
        confidence=method.confidence,
        compared=tuple(str(one.measure) for one in boards),
        lower=tuple(str(measure) for measure in scores.measures if measure.less_is_better),
        stated=_stated(scores, comparison),
    )


def card(measure: Measure) -> Card:
    """What the measure's own file says of it."""
    params = measure.params
    low, high = measure.bounds
    return Card(
        name=str(measure),
        title=measure.title,
        formula=measure.formula,
        settings=tuple(
            (name, "none" if params[name] is None else str(params[name]), text)
            for name, text in measure.parameters.items()
            if name in params
        ),
        bounds=f"from {low:g} to {high:g}".replace("inf", "∞")
        + ("; less is better" if measure.less_is_better else ""),
        misleads=measure.misleads,
        cite=measure.cite,
    )


def _column(
    scores: Scores, number: int, measure: Measure, boards: Sequence[Leaderboard], method: Method
) -> list[Cell]:
    """Every system by one measure."""
    name = str(measure)
    means = [run.mean[name] for run in scores]
    ends = [
        _interval(run.counted(number), mean, method, measure.bounds) if measure.summary == "mean" else None
        for run, mean in zip(scores, means, strict=True)
    ]
    ranks = _ranks(scores, number, measure, method)
    letters = {
        place.system: short(place.letters)
        for one in boards
        if str(one.measure) == name and one.lettered
        for place in one.places
    }
    known = [mean for mean in means if not math.isnan(mean)]
    best = (min if measure.less_is_better else max)(known, default=math.nan)
    return [
        Cell(
            mean,
            None if end is None else end[0],
            None if end is None else end[1],
            rank,
            letters.get(run.name, ""),
            len(means) > 1 and mean == best and min(known) < max(known),
        )
        for run, mean, end, rank in zip(scores, means, ends, ranks, strict=True)
    ]


def _interval(
    values: Any, mean: float, method: Method, bounds: tuple[float, float]
) -> tuple[float, float] | None:
    """Confidence interval of the mean, within what the measure can be; None where one topic leaves nothing to measure it by."""
    if len(values) < 2:
        return None
    made = interval(
        method.interval,
        values[None, :],
        method.confidence,
        estimates=np.array([mean]),
        resamples=method.resamples,
        flips=method.asked,
        seed=method.seed,
    )
    low, high = float(made[0][0]), float(made[1][0])
    return None if math.isnan(low) else (max(low, bounds[0]), min(high, bounds[1]))


def _ranks(scores: Scores, number: int, measure: Measure, method: Method) -> Sequence[tuple[int, int] | None]:
    rows = [run.counted(number) for run in scores]
    alike = len(rows) > 1 and measure.summary == "mean" and len({len(row) for row in rows}) == 1
    if not alike or len(rows[0]) < 2:
        return [None] * len(rows)
    sign = -1.0 if measure.less_is_better else 1.0
    low, high = rank_intervals(
        sign * np.array(rows), confidence=method.confidence, resamples=method.resamples, seed=method.seed
    )
    return list(zip(low.tolist(), high.tolist(), strict=True))


def _key(mean: float, sign: int) -> tuple[bool, float]:
    return math.isnan(mean), sign * mean


def _stated(scores: Scores, comparison: Comparison | None) -> str:
    topics = sorted({int(run.evaluated.sum()) for run in scores})
    counted = f"{topics[0]:,}" if len(topics) == 1 else f"{topics[0]:,} to {topics[-1]:,}"
    made = f"{counted} topic{'' if topics == [1] else 's'}"
    how = comparison.stated() if comparison is not None else made
    return f"{how} · {scores.settings.stated()}"
