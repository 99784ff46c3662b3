"""Scores: systems × measures, with the confidence interval of each mean and what each measure means."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np

from gainful.comparisons import Comparison, Leaderboard, Method
from gainful.comparisons.mean_intervals import mean_interval
from gainful.comparisons.rank_board import leaderboards, rank_intervals, short
from gainful.formats.ids import shown
from gainful.measures import Measure
from gainful.presentation.chart_parts import Axis, Interval
from gainful.presentation.charts import Panel
from gainful.presentation.table import Cell as TableCell
from gainful.presentation.table import Table
from gainful.presentation.text_style import counted, fixed, listed, percent
from gainful.reports.report_results import Card, Results, card
from gainful.reports.section_registry import Figure, ReportTable, Section, report_section
from gainful.scores import RunScores, Scores
from gainful.scores.estimated_scores import EstimatedRun
from gainful.scores.model_scores import AssistedRun, people_alone
from gainful.summaries import in_words

_ROWS = 30  # systems that are drawn below each other
_PAIRS_SUFFICE = 3  # systems up to which no intervals of ranks are shown on the page


@dataclass(frozen=True, slots=True)
class Cell:
    """One system by one measure.

    mean       over the topics that count, as `evaluate` has it
    low, high  confidence interval of the mean; None for one topic, and where all topics have the same value; bounds where the
               measure has no interval, and the mean is NaN where it cannot be estimated from the documents that were drawn
    constant   whether all topics have the same value, such as RR 1: no interval can be computed, which is not certainty
    ranks      interval of the system's rank, over topics drawn again; None for one system
    letters    systems that share one do not differ significantly; "" where pairs were not compared
    best       whether no other system has a better mean
    """

    mean: float
    low: float | None
    high: float | None
    ranks: tuple[int, int] | None
    letters: str
    best: bool
    constant: bool = False


@dataclass(frozen=True)
class Line:
    """One system: its cells by measure."""

    system: str
    topics: int
    cells: Mapping[Measure, Cell]


@report_section
@dataclass(frozen=True, eq=False)
class ScoreSection(Section):
    """Systems best first by the first measure.

    compared   the measures whose pairs were compared, and so have letters
    positions  of the systems, which decide their colours
    design     how documents were drawn; "" where values are no estimates
    bounded    the measures that have bounds in place of intervals
    by_people  that parts of the page which show single topics show those that people judged; "" without models' labels
    """

    name, title, order, template = "scores", "Scores", 20, "scores.html"

    measures: tuple[Measure, ...]
    lines: tuple[Line, ...]
    topics: int
    confidence: float
    compared: tuple[Measure, ...]
    stated: str
    positions: Mapping[str, int]
    design: str = ""
    bounded: tuple[Measure, ...] = ()
    by_people: str = ""

    @classmethod
    def of(cls, results: Results) -> Self | None:
        """Of scores, and of what was compared."""
        scores, method, comparison = results.scores, results.method, results.comparison
        if scores is None:
            return None
        boards = (
            []
            if comparison is None or method.baseline is not None
            else leaderboards(comparison, progress=results.progress)
        )
        columns = {
            measure: dict(
                zip([run.name for run in scores], _column(scores, number, boards, method), strict=True)
            )
            for number, measure in enumerate(scores.measures)
        }
        lines = tuple(
            Line(
                system,
                int(scores[system].evaluated.sum()),
                {measure: cells[system] for measure, cells in columns.items()},
            )
            for system in results.systems
        )
        return cls(
            measures=scores.measures,
            lines=lines,
            topics=len(scores.runs[0].topics),
            confidence=method.confidence,
            compared=tuple(board.measure for board in boards),
            stated=_stated(scores, comparison, method),
            positions=results.positions,
            design=first.design_in_words if isinstance(first := scores.runs[0], EstimatedRun) else "",
            by_people=_by_people(scores),
            bounded=tuple(measure for measure in scores.measures if measure in results.bounded),
        )

    @property
    def systems(self) -> tuple[str, ...]:
        """Their names, best first."""
        return tuple(line.system for line in self.lines)

    @property
    def cards(self) -> tuple[Card, ...]:
        """What each measure means."""
        return tuple(map(card, self.measures))

    @property
    def less_is_better(self) -> tuple[Measure, ...]:
        """The measures of which less is better."""
        return tuple(measure for measure in self.measures if measure.less_is_better)

    @property
    def has_intervals(self) -> bool:
        """Whether any mean has an interval: from one topic, or too few judged by people, there is none."""
        return any(cell.low is not None for line in self.lines for cell in line.cells.values())

    @property
    def ranked(self) -> bool:
        """Whether intervals of ranks are shown: of three systems or fewer the pairs say as much."""
        return len(self.lines) > _PAIRS_SUFFICE

    @property
    def lettered(self) -> tuple[Measure, ...]:
        """The measures with letters; the test can resolve no pair of the others that were compared."""
        return tuple(
            measure for measure in self.compared if any(line.cells[measure].letters for line in self.lines)
        )

    @property
    def bounds_said(self) -> str:
        """Which measures have bounds in place of intervals, in a sentence; "" where all have values."""
        if not self.bounded:
            return ""
        names = listed([str(measure) for measure in self.bounded])
        are = "have" if len(self.bounded) > 1 else "has"
        return f"{names} {are} no interval: low and high are bounds, which hold whatever the other documents are."

    def sorted_by(self, measure: Measure) -> str:
        """How the table is sorted by this measure, in the words of aria-sort: best first by the first one."""
        if measure != self.measures[0] or len(self.lines) < 2:
            return "none"
        return "ascending" if measure.less_is_better else "descending"

    def cell(self, system: str, measure: str | Measure) -> Cell:
        """One system by one measure."""
        cells = next(line for line in self.lines if line.system == system).cells
        return next(cell for of, cell in cells.items() if str(of) == str(measure))

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
                        str(measure): {
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

    def tables(self, places: int) -> list[ReportTable]:
        """Systems × measures, and how sure each mean is."""
        rows: list[dict[str, Any]] = [
            {"system": shown(line.system)}
            | {
                str(measure): TableCell(
                    fixed(cell.mean, places, whole=measure.whole_numbers), cell.mean, raised=cell.letters
                )
                for measure, cell in line.cells.items()
            }
            for line in self.lines
        ]
        said = (
            "Systems that share a letter in a column do not differ significantly. " if self.compared else ""
        )
        tables = [ReportTable("scores", "Scores", Table.of(rows), said + self.stated)]
        sure = [
            {
                "measure": str(measure),
                "system": shown(line.system),
                "mean": cell.mean,
                "low": cell.low,
                "high": cell.high,
                **dict(zip(("rank from", "to"), cell.ranks or (None, None), strict=True)),
            }
            for measure in self.measures
            for line in self.lines
            for cell in [line.cells[measure]]
            if cell.low is not None or cell.ranks is not None
        ]
        title = f"Means and ranks, {percent(self.confidence)} confidence intervals"
        looks = dict.fromkeys(("mean", "low", "high"), partial(fixed, places=places))
        return (
            [*tables, ReportTable("intervals", title, Table.of(sure, looks, 2), self.bounds_said)]
            if sure
            else tables
        )

    def figures(self) -> list[Figure]:
        """The mean of each system with its confidence interval, by the first measure."""
        measure = self.measures[0]
        rows = [
            Interval(shown(line.system), cell.mean, cell.low, cell.high, position=self.positions[line.system])
            for line in self.lines[:_ROWS]
            for cell in [line.cells[measure]]
        ]
        ends = f" and {percent(self.confidence)} confidence interval" if measure.summary == "mean" else ""
        axis = Axis(f"{measure}, {in_words(measure.summary)}{ends}", zero=False)
        panel = Panel(axis, Axis(""), height=26 * len(rows) + 20).intervals(rows)
        says = "; ".join(f"{row.name} {fixed(row.value)}" for row in rows) + "."
        return [Figure("means", f"{measure} of each system", says, panel.spec())]

    def page_data(self) -> dict[str, Any]:
        """Systems and measures."""
        return {
            "systems": list(map(shown, self.systems)),
            "measures": list(map(str, self.measures)),
            "less_is_better": list(map(str, self.less_is_better)),
            "formulas": {card.name: card.formula for card in self.cards},
        }


def _column(scores: Scores, number: int, boards: Sequence[Leaderboard], method: Method) -> list[Cell]:
    """Every system by one measure."""
    measure = scores.measures[number]
    name = str(measure)
    means = [run.mean[name] for run in scores]
    ends = [mean_interval(run, number, method) or _bounds(run, number) for run in scores]
    board = next((board for board in boards if board.measure == measure), None)
    ranks = _ranks(scores, number, measure, method, board)
    letters = (
        {place.system: short(place.letters) for place in board.places} if board and board.lettered else {}
    )
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
            len(run.counted(number)) > 1 and bool(np.ptp(run.counted(number)) == 0),
        )
        for run, mean, end, rank in zip(scores, means, ends, ranks, strict=True)
    ]


def _bounds(run: RunScores, number: int) -> tuple[float, float] | None:
    """Between which values a mean lies that has no interval; None where that is not known."""
    if not isinstance(run, EstimatedRun) or run.ends[number] is None:
        return None
    return run.intervals.get(str(run.measures[number]))


def _by_people(scores: Scores) -> str:
    alone = people_alone(scores).removeprefix(" · ")
    return f"Shown: {alone}." if alone else ""


def _ranks(
    scores: Scores, number: int, measure: Measure, method: Method, board: Leaderboard | None
) -> Sequence[tuple[int, int] | None]:
    rows = [run.counted(number) for run in scores]
    alike = len(rows) > 1 and measure.summary == "mean" and len({len(row) for row in rows}) == 1
    bounded = any(isinstance(run, EstimatedRun) and run.ends[number] is not None for run in scores)
    if (
        bounded
        or not alike
        or np.isnan(rows).any()
        or len(rows[0]) < 2
        or isinstance(scores.runs[0], AssistedRun)
    ):
        return [None] * len(rows)
    if board is not None and board.topics == len(rows[0]):  # the same topics were drawn again there
        of_board = {place.system: place.ranks for place in board.places}
        return [of_board[run.name] for run in scores]
    sign = -1.0 if measure.less_is_better else 1.0
    low, high = rank_intervals(
        sign * np.array(rows), confidence=method.confidence, resamples=method.resamples, seed=method.seed
    )
    return list(zip(low.tolist(), high.tolist(), strict=True))


def _stated(scores: Scores, comparison: Comparison | None, method: Method) -> str:
    topics = sorted({int(run.evaluated.sum()) for run in scores})
    least = "" if len(topics) == 1 else f"{topics[0]:,} to "
    how = comparison.stated() if comparison is not None else least + counted(topics[-1], "topic")
    others = [
        f"{measure} is the {in_words(measure.summary)} over topics"
        for measure in scores.measures
        if measure.summary != "mean"
    ]
    first = scores.runs[0]
    drawn = [first.design_in_words] if isinstance(first, EstimatedRun) else []
    if drawn and method.interval != "t":
        drawn.append(
            f"intervals of means: Student's t, for skewness; {method.interval} is for differences alone"
        )
    return " · ".join([how, *drawn, *others, scores.settings.stated()])
