"""Pairs: what was found of every two systems, and on which topics they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np

from gainful.comparisons import Comparison, Pair
from gainful.formats.ids import shown
from gainful.measures import Measure
from gainful.presentation.chart_parts import INK, QUIET, Axis, Interval, brief
from gainful.presentation.charts import Panel
from gainful.presentation.table import Table
from gainful.presentation.text_style import p_value, percent, signed
from gainful.reports.report_results import Results
from gainful.reports.section_registry import Figure, ReportTable, Section, report_section

MOST_BARS = 400
"""Topics whose bars can be seen; of more, the first and the last are drawn."""

_TABLE = 200  # rows of the table on the page; of more pairs, those of the first system
_PAIRS = 15  # that are drawn below each other, whichever systems they are of
_ROWS = 30  # that are drawn below each other
_NAME = 16  # letters of a system's name where two stand side by side
_SIGNIFICANT = {"significant": (INK, "circle"), "not significant": (QUIET, "square")}


@report_section
@dataclass(frozen=True, eq=False)
class PairSection(Section):
    """Every pair of systems on every measure that was compared.

    systems    in the order of the board
    chosen     the two systems that are shown first: the leader and the next, or the baseline and the best other, as
               they stand in the comparison
    positions  of the systems, which decide their colours
    """

    name, title, order, template = "pairs", "Pairs", 40, "pairs.html"

    comparison: Comparison
    systems: tuple[str, ...]
    chosen: tuple[str, str]
    positions: Mapping[str, int]

    @classmethod
    def of(cls, results: Results) -> Self | None:
        """Of the comparison, if there is one."""
        comparison = results.comparison
        if comparison is None:
            return None
        baseline, systems = comparison.method.baseline, results.systems
        best = next(system for system in systems if system != baseline)
        other = systems[1] if baseline is None else baseline
        first = comparison.of(comparison.table.measures[0])
        chosen = next((pair.a, pair.b) for pair in first if {pair.a, pair.b} == {best, other})
        return cls(comparison, systems, chosen, results.positions)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures that were compared; the scores may have more."""
        return self.comparison.table.measures

    @property
    def measure(self) -> Measure:
        """The measure that is shown first."""
        return self.measures[0]

    @property
    def alpha(self) -> float:
        """Significance level."""
        return self.comparison.method.alpha

    @property
    def confidence(self) -> float:
        """Confidence of the intervals: 1 − alpha."""
        return self.comparison.method.confidence

    @property
    def first(self) -> str:
        """The system whose pairs are shown where there are too many: the baseline, or else the leader."""
        return self.comparison.method.baseline or self.systems[0]

    @property
    def shown_first(self) -> list[Pair]:
        """The rows of the table on the page."""
        pairs = list(self.pairs(self.measure))
        return pairs if len(pairs) <= _TABLE else [pair for pair in pairs if self.first in (pair.a, pair.b)]

    def pairs(self, measure: str | Measure) -> tuple[Pair, ...]:
        """The pairs of one measure."""
        return self.comparison.of(measure)

    def pair(self, measure: str | Measure, first: str, second: str) -> Pair | None:
        """Two systems on one measure, whichever stands first; None where they were not compared."""
        return next((pair for pair in self.pairs(measure) if {pair.a, pair.b} == {first, second}), None)

    def differences(self, measure: str | Measure, a: str, b: str) -> list[tuple[str, float]]:
        """B − A on each topic, the largest first."""
        rows, topics = self.comparison.table.of(measure)
        names = self.comparison.table.names
        apart = rows[names.index(b)] - rows[names.index(a)]
        order = np.argsort(-apart, kind="stable")
        return [(topics[place], float(apart[place])) for place in order.tolist()]

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        whole = self.comparison.to_dict()
        return {key: whole[key] for key in ("statistics", "comparisons", "notes")} | {
            "first_shown": list(map(shown, self.chosen)),
            "stated": self.comparison.stated(),
        }

    def tables(self, places: int) -> list[ReportTable]:
        """Every pair on every measure compared."""
        rows = [
            {
                "measure": str(pair.measure),
                "A": shown(pair.a),
                "B": shown(pair.b),
                "B − A": pair.difference,
                "low": None if pair.constant else pair.interval[0],
                "high": None if pair.constant else pair.interval[1],
                "p": pair.p_value,
                "p adjusted": pair.p_adjusted,
                "effect": pair.effect_size,
                "wins": pair.wins,
                "ties": pair.ties,
                "losses": pair.losses,
            }
            for pair in self.comparison.pairs
        ]
        look: Any = partial(signed, places=places)
        looks = dict.fromkeys(("B − A", "low", "high"), look)
        looks |= {"effect": partial(signed, places=2), "p": p_value, "p adjusted": p_value}
        return [ReportTable("pairs", "Pairs of systems", Table.of(rows, looks, 3), self.comparison.stated())]

    def figures(self) -> list[Figure]:
        """The difference of each pair, and that of two systems topic by topic."""
        return [self._forest(), self._bars()]

    def _forest(self) -> Figure:
        """The difference of each pair with its interval, around zero; of very many, those with the first system."""
        pairs: Sequence[Pair] = self.pairs(self.measure)
        title = f"{self.measure}: differences between systems"
        if len(pairs) > _PAIRS:
            pairs = [pair for pair in pairs if self.first in (pair.a, pair.b)]
            title = f"{self.measure}: {shown(self.first)} and each other system"
        kept = sorted(pairs, key=lambda pair: abs(pair.difference))[:_ROWS]
        names = brief((system for pair in kept for system in (pair.a, pair.b)), _NAME)
        kinds = list(_SIGNIFICANT)
        rows = [
            Interval(
                f"{names[pair.b]} − {names[pair.a]}",
                pair.difference,
                *pair.interval,
                kind=kinds[0] if pair.significant(self.alpha) else kinds[1],
                p=pair.p_adjusted,
            )
            for pair in kept
        ]
        axis = Axis(f"difference in {self.measure}, {percent(self.confidence)} confidence interval")
        panel = Panel(axis, Axis(""), height=26 * len(rows) + 20).intervals(rows, kinds=_SIGNIFICANT)
        says = "; ".join(f"{row.name} {signed(row.value)}, {row.kind}" for row in rows) + "."
        return Figure("pairs", title, says, panel.spec())

    def _bars(self) -> Figure:
        """The difference on each topic in the colour of the better system, the largest first.

        The page puts in other pairs of systems by the name of the data.
        """
        a, b = self.chosen
        differences = self.differences(self.measure, a, b)
        up, down = (a, b) if self.measure.less_is_better else (b, a)
        series = {shown(system): position for system, position in self.positions.items()}
        rows = bar_rows(differences, up, down)
        panel = Panel(Axis("topics"), Axis("difference"), height=240).bars(rows, series)
        above = sum(value > 0 for _, value in differences)
        below = sum(value < 0 for _, value in differences)
        says = (
            f"Up: {shown(up)} is better, on {above} of {len(differences)} topics; "
            f"down: {shown(down)}, on {below}."
        )
        title = f"{self.measure}, topic by topic: {shown(b)} − {shown(a)}"
        return Figure("topics", title, says, panel.spec())

    def page_data(self) -> dict[str, Any]:
        """Every pair, for the page's table and bars."""
        place = {system: number for number, system in enumerate(self.systems)}
        return {
            "pairs": {
                "measures": list(map(str, self.measures)),
                "corrected": self.comparison.corrected,
                "with": place[self.first],
                "first": [place[system] for system in self.chosen],
                "rows": {
                    str(measure): [
                        [
                            place[pair.a],
                            place[pair.b],
                            pair.difference,
                            *([pair.difference] * 2 if pair.constant else pair.interval),
                            pair.p_value,
                            pair.p_adjusted,
                            pair.effect_size,
                            pair.wins,
                            pair.ties,
                            pair.losses,
                            int(pair.significant(self.alpha)),
                        ]
                        for pair in self.pairs(measure)
                    ]
                    for measure in self.measures
                },
            }
        }


def bar_rows(differences: Sequence[tuple[str, float]], up: str, down: str) -> list[dict[str, Any]]:
    """The rows of the bars, each with the system that it speaks for; of very many topics the first and the last."""
    numbered = list(enumerate(differences))
    if len(numbered) > MOST_BARS:
        numbered = [*numbered[: MOST_BARS // 2], *numbered[-MOST_BARS // 2 :]]
    return [
        {"n": number, "t": shown(topic), "d": value, "s": shown(up if value > 0 else down)}
        for number, (topic, value) in numbered
    ]
