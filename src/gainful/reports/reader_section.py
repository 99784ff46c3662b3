"""Readers: which system is better for which readers, along each sweep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from gainful.comparisons.readers.reader_chart import NOBODY, gap_panel, strip_panel
from gainful.formats.ids import shown
from gainful.presentation.table import Table
from gainful.presentation.text_style import percent
from gainful.reports.report_results import Results
from gainful.reports.section_registry import Figure, ReportTable, Section, report_section

if TYPE_CHECKING:
    from gainful.comparisons.readers import Readers, Sweep

_TITLES = {
    "rank": "By rank: readers who stop early or late",
    "recall": "By recall: readers who need few or all relevant documents",
    "patience": "By patience: readers who go on or give up",
}
_POINTS = {"rank": "all ranks", "recall": "all levels", "patience": "all levels"}


@report_section
@dataclass(frozen=True, eq=False)
class ReaderSection(Section):
    """Sweeps over readers, of the best systems.

    systems    how many there are on the board
    positions  of the systems, which decide their colours
    """

    name, title, order, template = "readers", "Readers", 60, "readers.html"

    readers: Readers
    systems: int
    positions: Mapping[str, int]

    @classmethod
    def of(cls, results: Results) -> Self | None:
        """Of the sweeps, if systems were compared and there was something to sweep."""
        if results.scores is None or results.readers is None:
            return None
        return cls(results.readers, len(results.systems), results.positions)

    @property
    def bands(self) -> str:
        """The bands, resamples and random seed; the settings stand with the scores."""
        return self.readers.how().removesuffix(f" · {self.readers.stated}")

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return self.readers.to_dict()

    def tables(self, places: int) -> list[ReportTable]:  # noqa: ARG002 (there are no decimals here)
        """Each range of readers, and the system that is better for them."""
        rows = [
            {
                "by": stretch.by,
                "pair": " or ".join(map(shown, stretch.systems)),
                "from": stretch.start,
                "to": stretch.stop,
                "better": NOBODY if stretch.leader is None else shown(stretch.leader),
            }
            for stretch in self.readers.crossovers
        ]
        looks = {"from": "{:g}".format, "to": "{:g}".format}
        table = Table.of(rows, looks, 2)
        return [ReportTable("readers", "Which system is better for which readers", table, self.readers.how())]

    def figures(self) -> list[Figure]:
        """Strips of every pair, and the difference between the first two, along each sweep."""
        sweeps = dict.fromkeys(sweep.by for sweep in self.readers.sweeps)
        first = self.readers.of(*self.readers.pairs[0])
        return [*(self._strips(by) for by in sweeps), *(self._gap(sweep) for sweep in first)]

    def _strips(self, by: str) -> Figure:
        sweeps = [sweep for sweep in self.readers.sweeps if sweep.by == by]
        says = " ".join(sweep.sentence for sweep in sweeps)
        words = f"Who is better on {sweeps[0].measure}; grey: not significant for {_POINTS[by]} at once."
        spec = strip_panel(sweeps, self.positions).spec()
        return Figure(f"readers-by-{by}", _TITLES[by], says, spec, words)

    def _gap(self, sweep: Sweep) -> Figure:
        a, b = map(shown, sweep.systems)
        shaded = f"shaded: {percent(sweep.level)} confidence band of the whole line"
        says = f"{b} minus {a}; {shaded}. {sweep.sentence}"
        spec = gap_panel(sweep, self.positions).spec()
        return Figure(
            f"readers-gap-by-{sweep.by}", f"Difference by {sweep.by}", says, spec, f"{b} minus {a}; {shaded}."
        )
