"""Report: everything that the page says, as data and in each format; `report`, which makes it; and its figures as files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from gainful.comparisons import Method
from gainful.dialects import find
from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown as plain
from gainful.formats.output_files import put
from gainful.formats.runs import Run, read_again, runs_of
from gainful.judging.settings import check_keywords
from gainful.measures import Measure
from gainful.presentation.chart_files import rendered
from gainful.presentation.text_style import counted, listed, width
from gainful.reports.data_section import date, versions
from gainful.reports.report_results import Progress, Results, by_run
from gainful.reports.section_registry import Figure, ReportTable, Section, report_sections
from gainful.reports.simulation_records import read_simulation
from gainful.scores import DEFAULT, Evaluating, Scores, evaluate
from gainful.scores.estimated_scores import without_tests

if TYPE_CHECKING:
    from gainful.presentation.chart_painter import Painter


FORMATS = ("html", "json", "text", "markdown", "latex")

_MOST = 60  # rows of a table for people; CSV and JSON have all


@dataclass(frozen=True, eq=False)
class Report:
    """Report on runs, on a filter simulation, or on both.

    sections  those that apply, by name, in the order of the page
    command   that made it; None where it was made in Python
    date      of the making, from SOURCE_DATE_EPOCH; None where that is not set, so that pages can be compared

    >>> import gainful
    >>> made = gainful.report({"q1": {"d1": 1}, "q2": {"d2": 1}}, {"q1": {"d1": 1.0}, "q2": {"x": 1.0}}, "RR")
    >>> made["verdict"].headline
    'run scores 0.5000 RR on 2 topics.'
    """

    title: str
    sections: Mapping[str, Section]
    command: str | None
    versions: Mapping[str, str]
    date: str | None

    def __getitem__(self, name: str) -> Any:
        """The section of that name."""
        return self.sections[name]

    def __contains__(self, name: str) -> bool:
        """Whether there is a section of that name."""
        return name in self.sections

    def tables(self, *, places: int = 4) -> list[ReportTable]:
        """Every table, in the order of the page."""
        return [table for section in self.sections.values() for table in section.tables(places)]

    def charts(self) -> list[Figure]:
        """Every chart, in the order of the page."""
        return [figure for section in self.sections.values() for figure in section.figures()]

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the layout of the JSON output; what has no value (NaN, infinite) is null."""
        head = {"gainful": self.versions["gainful"], "kind": "report", "title": self.title}
        body = {name: section.to_dict() for name, section in self.sections.items()}
        return head | body | {"command": self.command, "versions": dict(self.versions), "date": self.date}

    def text(self, *, places: int = 4) -> str:
        """The report as text for the terminal."""
        lines = [self.title, "═" * width(self.title)]
        for section in self.sections.values():
            lines += _said(section, "· ")
            for table in section.tables(places):
                lines += ["", table.title, "─" * width(table.title), *_cut(table, "text")]
                lines += [table.caption] if table.caption else []
        return "\n".join([*lines, *self._closing()]) + "\n"

    def markdown(self, *, places: int = 4) -> str:
        """The report as Markdown."""
        lines = [f"# {self.title}"]
        for section in self.sections.values():
            lines += _said(section, "- ")
            for table in section.tables(places):
                lines += ["", f"## {table.title}", "", *_cut(table, "markdown")]
                lines += ["", f"_{table.caption}_"] if table.caption else []
        return "\n".join([*lines, *self._closing()]) + "\n"

    def latex(self, *, places: int = 4) -> str:
        """Every table of the report as LaTeX."""
        return "\n".join(table.latex() for table in self.tables(places=places))

    def json(self) -> str:
        """The report as JSON, values in full."""
        from gainful.presentation.table import as_json

        return as_json(self.to_dict())

    def html(self, *, progress: Progress | None = None, painter: Painter | None = None) -> str:
        """The page: one file that needs no other."""
        from gainful.reports.html_page import page

        return page(self, progress, painter)

    def save(self, path: str, *, overwrite: bool = False) -> None:
        """Write the page; it is written atomically."""
        from gainful.formats.output_files import put

        put(self.html().encode(), path, overwrite=overwrite)

    def figures(self, folder: str, *, overwrite: bool = False, progress: Progress | None = None) -> list[str]:
        """Write every chart as SVG, PDF and PNG and every table as CSV and LaTeX; the names of the files."""
        return write_figures(self, folder, overwrite=overwrite, progress=progress)

    def view(
        self,
        form: str,
        *,
        places: int = 4,
        progress: Progress | None = None,
        painter: Painter | None = None,
    ) -> str | bytes:
        """The report in one of the formats; HTML as bytes, ready to be written."""
        match form:
            case "html":
                return self.html(progress=progress, painter=painter).encode()
            case "json":
                return self.json()
            case "text" | "markdown" | "latex":
                text: str = getattr(self, form)(places=places)
                return text
        raise UsageError(f"format must be one of {', '.join(FORMATS)}; got {form!r}.")

    def __repr__(self) -> str:
        return f"<Report: {self.title}>"

    def _repr_html_(self) -> str:
        from html import escape

        style = "width:100%;height:720px;border:1px solid #8884;border-radius:6px"
        frame = f'<iframe title="{escape(self.title)}" sandbox="allow-scripts" style="{style}"'
        return f'{frame} srcdoc="{escape(self.html())}"></iframe>'

    def _closing(self) -> list[str]:
        parts = [f"gainful {self.versions['gainful']}", *([self.date] if self.date else [])]
        return ["", " · ".join(parts), *([self.command] if self.command else [])]


def _said(section: Section, mark: str) -> Iterator[str]:
    """What a section says: the first sentence for itself, the others as a list."""
    sentences = section.sentences()
    if sentences:
        yield from ["", sentences[0]]
        yield from [""] if len(sentences) > 1 else []
        yield from (f"{mark}{line}" for line in sentences[1:])


def _cut(table: ReportTable, form: str) -> list[str]:
    lines: list[str] = getattr(table.table, form)().splitlines()
    left = len(table.table.rows) - _MOST
    return lines if left <= 0 else [*lines[: _MOST + 2], f"… {left:,} more; JSON and CSV have them all"]


def report(
    qrels: Any = None,
    runs: Any = None,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT,
    *,
    simulation: str | os.PathLike[str] | None = None,
    shown: int | None = None,
    method: Method | None = None,
    against: str | None = None,
    title: str | None = None,
    command: str | None = None,
    progress: Progress | None = None,
    **evaluating: Unpack[Evaluating],
) -> Report:
    """Create a report on runs, on a filter simulation, or on both.

    qrels, runs  as for `evaluate`; leave them out for a page on a simulation alone
    measures     the first one orders the systems and decides the verdict
    simulation   output of `gainful filter simulate -f json`
    shown        number of documents shown of each list; by default 50, fewer if there are very many lists
    method       how systems are compared: `gainful.comparisons.Method(baseline="bm25")`
    against      a dialect whose number of the first measure is set beside ours, convention by convention
    title        of the page
    command      that made it, for the page to state
    progress     called repeatedly with the current step, the amount done and the total

    Further keywords are those of `evaluate`: topics, queries, documents, known, expected, threads, names, design, estimator,
    and the fields of `gainful.Settings`. Under a design values are estimates, and what shows judged documents alone (curves,
    readers) is left out.

    Runs are in memory while the report is created: their files are opened once for scores and lists, and once more to
    check their lines.

    >>> made = report({"q1": {"d1": 1}, "q2": {"d2": 1}}, {"q1": {"d1": 1.0}, "q2": {"x": 1.0}}, "RR, P@1")
    >>> made["scores"].cell("run", "P@1").mean
    0.5
    """
    check_keywords(report, evaluating, Evaluating)
    if shown is not None and (isinstance(shown, bool) or shown < 1):
        raise UsageError(f"shown must be 1 or more, or None for as many as a page can hold; got {shown}.")
    if against is not None:
        find(against)
    command = None if command is None else plain(command)
    simulated = None if simulation is None else read_simulation(os.fsdecode(simulation))
    if (qrels is None or runs is None) and simulated is None:
        raise UsageError("a report needs judgments and runs, or a filter simulation.")
    scores = None
    held: list[Run] = []
    if qrels is not None and runs is not None:
        given = runs_of(runs, evaluating.get("names"))
        tell = by_run(progress, "reading", len(given))
        for run in given:
            held.append(read_again(run).in_memory())
            if tell:
                tell(run.name, 0, None)
        scores = evaluate(qrels, held, measures, **evaluating)
        scores.settings.need_an_order("a report")
        if scores.judgments.inclusion is not None:
            _refuse_unestimated(scores, against)
    results = Results(scores, held, simulated, method or Method(), shown, progress, against)
    sections = {kind.name: section for kind in report_sections() if (section := results.section(kind))}
    return Report(
        title=plain(title) if title else _title(results),
        sections=sections,
        command=command,
        versions=versions(),
        date=date(),
    )


def _refuse_unestimated(scores: Scores, against: str | None) -> None:
    """Raise where estimates are asked for something that they do not have."""
    inclusion, first = scores.judgments.inclusion, scores.measures[0]
    assert inclusion is not None
    if against is not None:
        raise UsageError(
            "--against follows a number through the conventions of tools, and estimates have none; leave it out, or the design."
        )
    if not inclusion.by_chance:
        raise UsageError(
            f"{inclusion.source}: documents were chosen by other means than chance, so that systems have bounds and no order; "
            "`gainful evaluate` and `gainful compare --unknown` show them."
        )
    if first in without_tests(scores.runs):
        raise UsageError(
            f"{first} has no interval from this sample of documents, and the first measure orders the systems; put one first "
            "that has, such as DCG@10."
        )


def _title(results: Results) -> str:
    """The systems and topics, or the rules, in a line."""
    if results.scores is None:
        assert results.simulation is not None
        return f"{counted(sum(row.learns for row in results.simulation.rows), 'rule')} on one stream"
    return f"{_systems(results.scores, results.systems)} on {counted(len(results.scores.runs[0].topics), 'topic')}"


def _systems(scores: Scores, systems: Iterable[str]) -> str:
    return f"{len(scores)} systems" if len(scores) > 3 else listed([plain(system) for system in systems])


ENDINGS = (".svg", ".pdf", ".png")
_ALWAYS = ("scores.csv", "rules.csv")  # one of them is among the files of every report


def refuse_replacing(folder: str, *, overwrite: bool) -> None:
    """Raise, before any work is done, where a folder holds the figures of a report and they may not be replaced."""
    _refuse(Path(folder), _ALWAYS, overwrite=overwrite)


def write_figures(
    report: Report, folder: str, *, overwrite: bool = False, progress: Progress | None = None
) -> list[str]:
    """Write them all into a folder, which is made if it is not there; nothing is replaced unless that is asked for."""
    place = Path(folder)
    charts = {f"{figure.name}{ending}": (figure, ending) for figure in report.charts() for ending in ENDINGS}
    tables: dict[str, str] = {}
    for table in report.tables():
        tables |= {f"{table.name}.csv": table.table.csv(), f"{table.name}.tex": table.latex()}
    _refuse(place, [*charts, *tables], overwrite=overwrite)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise DataError(f"{folder} cannot be created: {fault.strerror}.") from None
    for number, (name, (figure, ending)) in enumerate(charts.items()):
        if progress:
            progress("figures", number, len(charts))
        put(rendered(figure.spec, ending), str(place / name), overwrite=overwrite)
    for name, content in tables.items():
        put(content.encode("utf-8", "surrogateescape"), str(place / name), overwrite=overwrite)
    return [*charts, *tables]


def _refuse(place: Path, names: Sequence[str], *, overwrite: bool) -> None:
    there = [name for name in names if (place / name).exists()]
    if there and not overwrite:
        raise UsageError(
            f"{place / there[0]} already exists; choose another folder, or replace it with --overwrite."
        )
