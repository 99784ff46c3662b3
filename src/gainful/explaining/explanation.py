"""Explanation and Difference: one topic's value of a measure worked out rank by rank, for one run or for two, and its picture."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gainful.curves.curve_output import RAW_CAPTION, curve_panel
from gainful.curves.recall_curves import raw_curve
from gainful.errors import UsageError
from gainful.explaining.contributions import Parts
from gainful.explaining.worked_columns import Cell
from gainful.formats.ids import shown
from gainful.formats.texts import Texts
from gainful.judging.settings import Settings
from gainful.measures import Measure
from gainful.presentation.chart_parts import Axis, Series, Spec, panels
from gainful.presentation.charts import Panel
from gainful.presentation.text_style import NARROW, Screen, fixed, signed


class WorkedTables(ABC):
    """Worked tables in each format; an explanation or a difference says what they hold."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything, in the layout of the JSON output."""

    @abstractmethod
    def _page(self, form: str, *, places: int, fold: bool, screen: Screen = NARROW) -> str: ...

    @property
    @abstractmethod
    def explained(self) -> tuple[Explanation, ...]:
        """The explanation of each run."""

    def chart(self) -> Any:
        """An Altair chart: precision by recall with its ranks, gain by rank below that of the ideal list, or the value so far."""
        from gainful.presentation.chart_files import altair_chart

        return altair_chart(explanation_spec(self.explained))

    def save(self, path: str, *, overwrite: bool = False) -> None:
        """Write the chart to a file: .svg, .png, .pdf, .html or .json."""
        from gainful.presentation.chart_files import check_suffix, save

        check_suffix(path)
        save(explanation_spec(self.explained), path, overwrite=overwrite)

    def text(self, *, places: int = 4, fold: bool = True, screen: Screen = NARROW) -> str:
        """Tables for the terminal, with `places` decimals; `fold` puts consecutive unjudged documents on one line."""
        return self._page("text", places=places, fold=fold, screen=screen)

    def markdown(self, *, places: int = 4, fold: bool = True) -> str:
        """Tables in Markdown, with `places` decimals; `fold` puts consecutive unjudged documents on one line."""
        return self._page("markdown", places=places, fold=fold)

    def html(self, *, places: int = 4, fold: bool = True) -> str:
        """Tables in HTML, with `places` decimals; `fold` puts consecutive unjudged documents on one line."""
        return self._page("html", places=places, fold=fold)

    def __str__(self) -> str:
        return self.text().rstrip("\n")

    def _repr_html_(self) -> str:
        return self.html()


@dataclass(frozen=True)
class Row:
    """One rank: the document there and what is known of it; None below the end of the list."""

    rank: int
    document: str | None
    grade: float | None
    cells: tuple[Cell, ...]


@dataclass(frozen=True, eq=False)
class Explanation(WorkedTables):
    """How a measure's value came about, for one topic of one run.

    columns   names of the cells: values of the measure's parameters and of the names in its code at each rank, and
              what each document contributes
    rows      rank by rank, down to the cutoff or the end of the list
    parts     what each document contributes; the contributions sum to the value
    variants  the value under the other gains, discounts and ideals that have names
    missed    judged documents that are not in the rows, best first
    below     documents of the list below the cutoff, and how many of them are judged
    query     the text of the topic, where it is known
    titles    of the documents, of those that are known
    texts     where these come from; None where there are none
    """

    run: str
    topic: str
    measure: Measure
    parts: Parts
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    variants: Mapping[str, float]
    missed: tuple[tuple[str, float], ...]
    below: tuple[int, int]
    settings: Settings
    query: str | None = None
    titles: Mapping[str, str] = field(default_factory=dict)
    texts: Texts | None = None

    def __repr__(self) -> str:
        value = f"{self.measure} = {fixed(self.value)}"
        return f"<Explanation: {value}, topic {shown(self.topic)}, {shown(self.run)}>"

    @property
    def value(self) -> float:
        """The value of the measure, as `evaluate` gives it."""
        return self.parts.value

    @property
    def explained(self) -> tuple[Explanation, ...]:
        """The explanation itself, of one run."""
        return (self,)

    def column(self, name: str) -> list[Cell]:
        """The cells of a column, from rank 1 on."""
        place = self.columns.index(name)
        return [row.cells[place] for row in self.rows]

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the layout of the JSON output."""
        from gainful.explaining.explanation_tables import explanation_dict

        return explanation_dict(self)

    def _page(self, form: str, *, places: int, fold: bool, screen: Screen = NARROW) -> str:
        from gainful.explaining.explanation_tables import explanation_page

        return explanation_page(self, form, places=places, fold=fold, screen=screen)


@dataclass(frozen=True)
class Moved:
    """One document in two lists: its rank and what it contributes to the value in each.

    A rank is None where the list does not have the document (or has it below the cutoff); it contributes 0 then.
    """

    document: str
    grade: float | None
    baseline_rank: int | None
    candidate_rank: int | None
    baseline_contributes: float
    candidate_contributes: float

    @property
    def difference(self) -> float:
        """How much of the difference, candidate minus baseline, is this document's."""
        return self.candidate_contributes - self.baseline_contributes


@dataclass(frozen=True, eq=False)
class Difference(WorkedTables):
    """The candidate's value minus the baseline's, taken apart by documents.

    start      what the runs differ by before any document; 0 but for rare measures
    documents  those with the largest part first; their parts and start sum to the difference
    """

    baseline: Explanation
    candidate: Explanation
    start: float
    documents: tuple[Moved, ...]

    def __repr__(self) -> str:
        runs = f"{shown(self.candidate.run)} minus {shown(self.baseline.run)}"
        value = f"{self.baseline.measure} {signed(self.value)}"
        return f"<Difference: {value}, topic {shown(self.baseline.topic)}, {runs}>"

    @property
    def value(self) -> float:
        """The candidate's value minus the baseline's."""
        return self.candidate.value - self.baseline.value

    @property
    def explained(self) -> tuple[Explanation, ...]:
        """The explanations of both runs, the baseline first."""
        return self.baseline, self.candidate

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the layout of the JSON output."""
        from gainful.explaining.explanation_tables import difference_dict

        return difference_dict(self)

    def _page(self, form: str, *, places: int, fold: bool, screen: Screen = NARROW) -> str:
        from gainful.explaining.explanation_tables import difference_page

        return difference_page(self, form, places=places, fold=fold, screen=screen)


def difference(baseline: Explanation, candidate: Explanation) -> Difference:
    """Candidate minus baseline, of two explanations of the same measure and topic."""
    if (baseline.measure, baseline.topic) != (candidate.measure, candidate.topic):
        raise UsageError("only explanations of the same measure and topic can be compared.")
    before, after = _ranks_and_contributions(baseline), _ranks_and_contributions(candidate)
    grades = {
        row.document: row.grade
        for explanation in (baseline, candidate)
        for row in explanation.rows
        if row.document is not None
    }
    documents = []
    for document, grade in grades.items():
        baseline_rank, baseline_contributes = before.get(document, (None, 0.0))
        candidate_rank, candidate_contributes = after.get(document, (None, 0.0))
        documents.append(
            Moved(document, grade, baseline_rank, candidate_rank, baseline_contributes, candidate_contributes)
        )
    documents.sort(key=lambda moved: -abs(moved.difference))
    start = candidate.parts.start - baseline.parts.start
    return Difference(baseline, candidate, start, tuple(documents))


def _ranks_and_contributions(explained: Explanation) -> dict[str, tuple[int | None, float]]:
    contributions = explained.parts.contributions.tolist()
    return {
        row.document: (row.rank, contributions[row.rank - 1])
        for row in explained.rows
        if row.document is not None
    }


_WIDTH = 300
_WIDE = 460


def explanation_spec(explained: Sequence[Explanation]) -> Spec:
    """One explanation, or those of two runs, as a Vega-Lite spec."""
    first = explained[0]
    title = " · ".join(f"{first.measure} = {fixed(each.value)} ({shown(each.run)})" for each in explained)
    drawn, caption = explanation_panels(explained)
    subtitle = f"topic {shown(first.topic)} · {caption}"
    return panels([drawn], title=title, subtitle=subtitle, width=_WIDE if len(drawn) == 1 else _WIDTH)


def explanation_panels(explained: Sequence[Explanation]) -> tuple[list[Panel], str]:
    """The panels of the picture, and what they show."""
    first = explained[0]
    if not any(row.document is not None for each in explained for row in each.rows):
        raise UsageError("there is nothing to draw: the list is empty.")
    if "relevant" in first.columns:
        return [_precision_recall(explained)], RAW_CAPTION
    if "CG" in first.columns:
        return _collected(explained), "gain collected by rank"
    return [_so_far(explained)], "value so far, by rank"


def _precision_recall(explained: Sequence[Explanation]) -> Panel:
    curves = []
    for each in explained:
        relevant = [row.rank for row, is_so in zip(each.rows, each.column("relevant"), strict=True) if is_so]
        retrieved = sum(row.document is not None for row in each.rows)
        rel = each.measure.params["rel"]
        missed = sum(grade >= rel for _, grade in each.missed)
        curves.append(
            raw_curve(each.run, each.topic, np.array(relevant, float), retrieved, len(relevant) + missed)
        )
    return curve_panel(curves, {each.run: number for number, each in enumerate(explained)})


def _collected(explained: Sequence[Explanation]) -> list[Panel]:
    """Cumulated gain, discounted where the measure discounts, and as a share of the ideal where it has one."""
    first = explained[0]
    ideal = _numbers(first, "ideal gain")
    pairs: list[tuple[str, str, Sequence[float]]] = [("CG", "CG", np.cumsum(ideal).tolist())]
    if "DCG" in first.columns:
        pairs.append(("DCG", "DCG", _numbers(first, "ideal DCG")))
    if "ratio" in first.columns:
        pairs.append(("ratio", first.measure.definition.name, [1.0] * len(ideal)))
    return [_by_rank(explained, column, name, best) for column, name, best in pairs]


def _by_rank(explained: Sequence[Explanation], column: str, name: str, best: Sequence[float]) -> Panel:
    lines = [_numbers(each, column) for each in explained]
    panel = Panel(_ranks([*lines, best]), Axis(name))
    if best:
        panel.ideal(list(enumerate(best, 1)))
    return panel.lines(_series(explained, lines))


def _so_far(explained: Sequence[Explanation]) -> Panel:
    lines = [(each.parts.start + np.cumsum(each.parts.contributions)).tolist() for each in explained]
    return Panel(_ranks(lines), Axis(str(explained[0].measure))).lines(_series(explained, lines))


def _ranks(lines: Sequence[Sequence[float]]) -> Axis:
    return Axis("rank", (1, max(2, *map(len, lines))), whole=True)


def _series(explained: Sequence[Explanation], lines: Sequence[Sequence[float]]) -> list[Series]:
    return [
        Series(shown(each.run), number, list(enumerate(values, 1)))
        for number, (each, values) in enumerate(zip(explained, lines, strict=True))
    ]


def _numbers(explained: Explanation, column: str) -> list[float]:
    """The numbers of a column, down to the first rank that has none."""
    cells: list[Any] = explained.column(column) if column in explained.columns else []
    return [float(cell) for cell in cells if cell is not None]
