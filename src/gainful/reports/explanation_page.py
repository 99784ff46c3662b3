"""The page of an explanation: its tables and its picture, in the style of the report and as self-contained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from gainful.errors import UsageError
from gainful.explaining import Difference, Explanation
from gainful.explaining.explanation import explanation_panels
from gainful.formats.ids import shown
from gainful.reports.data_section import date, versions
from gainful.reports.html_page import page
from gainful.reports.report_document import Report
from gainful.reports.report_results import Results
from gainful.reports.section_registry import Figure, Section


@dataclass(frozen=True, eq=False)
class ExplanationSection(Section):
    """One topic's value, rank by rank; the only section of its page, and no part of a report."""

    name, title, order, template = "explanation", "Rank by rank", 10, "explanation.html"

    explained: Explanation | Difference
    places: int
    fold: bool

    @classmethod
    def of(cls, results: Results) -> Self | None:  # noqa: ARG003 (a report asks every section)
        """Not a part of any report."""
        return None

    def to_dict(self) -> dict[str, Any]:
        """The explanation, in the layout of the JSON output."""
        return self.explained.to_dict()

    def body(self) -> str:
        """The tables and sentences."""
        return self.explained.html(places=self.places, fold=self.fold)

    def figures(self) -> list[Figure]:
        """The picture; none of an empty list."""
        try:
            drawn, caption = explanation_panels(self.explained.explained)
        except UsageError:
            return []
        return [
            Figure(f"explanation-{number}", f"{panel.y.title} by {panel.x.title}", caption, panel.spec())
            for number, panel in enumerate(drawn, 1)
            if panel.y is not None
        ]


def explanation_page(explained: Explanation | Difference, *, places: int = 4, fold: bool = True) -> str:
    """The whole page; needs `pip install 'gainful[report]'`."""
    lists = explained.explained
    runs = " and ".join(shown(each.run) for each in lists)
    title = f"{lists[0].measure} of {runs} on topic {shown(lists[0].topic)}"
    section = ExplanationSection(explained, places, fold)
    return page(Report(title, {section.name: section}, None, versions(), date()))
