"""Against a tool: its number for each system beside ours, and the way from one to the other, convention by convention."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from gainful.formats.ids import shown
from gainful.formats.judgments import read_qrels
from gainful.presentation.table import Cell, Table
from gainful.presentation.text_style import fixed, signed
from gainful.reconciling.convention_walk import Walk
from gainful.reconciling.dialect_readings import OURS
from gainful.reconciling.judged_readings import JudgedReadings
from gainful.reconciling.reconcile_call import walk_between
from gainful.reconciling.walk_chart import walk_panel
from gainful.reports.report_results import Results
from gainful.reports.section_registry import Figure, ReportTable, Section, report_section

_DRAWN = 3  # systems whose walk is drawn


@report_section
@dataclass(frozen=True, eq=False)
class DialectSection(Section):
    """The walk from our number to that of a tool, for each system on the first measure.

    walks  best system first
    """

    name, title, order = "against", "Against another tool", 75

    walks: tuple[Walk, ...]

    @classmethod
    def of(cls, results: Results) -> Self | None:
        """Of every system, where a tool is named."""
        if results.scores is None or results.against is None:
            return None
        scores, runs = results.scores, {run.name: run for run in results.runs}
        judgments, topics = scores.judgments, scores.runs[0].topics
        if topics != judgments.topics:
            judged = judgments.to_dict()
            judgments = read_qrels({topic: judged[topic] for topic in topics})
        readings = [JudgedReadings(judgments, runs[system]) for system in results.systems]
        asked = results.against, str(scores.measures[0])
        return cls(tuple(walk_between(each, OURS, *asked, ours=scores.settings) for each in readings))

    def to_dict(self) -> list[dict[str, Any]]:
        """The walk of each system."""
        return [walk.to_dict() for walk in self.walks]

    def sentences(self) -> list[str]:
        """What the numbers are."""
        first = self.walks[0]
        return [
            f"{first.names[1]} as {first.stop} prints it on these data, and the share that each convention has in the "
            "difference: Shapley values, which do not depend on an order and add up to it."
        ]

    def tables(self, places: int) -> list[ReportTable]:
        """Our number and the tool's for each system, and the share of each convention."""
        titles = dict.fromkeys(step.title for walk in self.walks for step in walk.steps)
        first = self.walks[0]
        rows: list[list[str | Cell]] = []
        for walk in self.walks:
            shares = {step.title: step.share for step in walk.steps}
            numbers = [Cell(fixed(value, places), value) for value in walk.values]
            parts = [Cell(signed(shares.get(title, 0.0), places), shares.get(title, 0.0)) for title in titles]
            difference = Cell(signed(walk.difference, places), walk.difference)
            rows.append([shown(walk.run), *numbers, difference, *parts])
        heads = ["run", OURS, first.stop, "difference", *titles]
        caption = f"{first.names[1]} of {first.stop} minus our {first.measure}, and what each convention contributes (Shapley)."
        return [
            ReportTable("against", f"{first.measure} here and in {first.stop}", Table(heads, rows), caption)
        ]

    def figures(self) -> list[Figure]:
        """The walk of the best systems."""
        return [
            Figure(
                f"against-{number}",
                f"{shown(walk.run)}: from {OURS} to {walk.stop}",
                walk.sentence(),
                walk_panel(walk).spec(),
            )
            for number, walk in enumerate(self.walks[:_DRAWN], 1)
            if walk.steps
        ]
