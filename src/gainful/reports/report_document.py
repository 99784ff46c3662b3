"""Report: everything that the page says, as data, and its views: text, Markdown, LaTeX, JSON, HTML, figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gainful.errors import UsageError
from gainful.presentation.table import width
from gainful.reports.report_results import Progress
from gainful.reports.section_registry import Figure, ReportTable, Section

if TYPE_CHECKING:
    from gainful.reports.chart_painter import Painter

FORMATS = ("html", "json", "text", "markdown", "latex")

_MOST = 60  # rows of a table for people; CSV and JSON have all


@dataclass(frozen=True, eq=False)
class Report:
    """What one page says: of runs against judgments, of a filter simulation, or of both.

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
        """For the terminal."""
        lines = [self.title, "═" * width(self.title)]
        for section in self.sections.values():
            lines += _said(section, "· ")
            for table in section.tables(places):
                lines += ["", table.title, "─" * width(table.title), *_cut(table, "text")]
                lines += [table.caption] if table.caption else []
        return "\n".join([*lines, *self._closing()]) + "\n"

    def markdown(self, *, places: int = 4) -> str:
        """For a page of a repository."""
        lines = [f"# {self.title}"]
        for section in self.sections.values():
            lines += _said(section, "- ")
            for table in section.tables(places):
                lines += ["", f"## {table.title}", "", *_cut(table, "markdown")]
                lines += ["", f"_{table.caption}_"] if table.caption else []
        return "\n".join([*lines, *self._closing()]) + "\n"

    def latex(self, *, places: int = 4) -> str:
        """Tables for a paper."""
        return "\n".join(table.latex() for table in self.tables(places=places))

    def json(self) -> str:
        """For programs, values in full."""
        from gainful.presentation.table import as_json

        return as_json(self.to_dict())

    def html(self, *, progress: Progress | None = None, painter: Painter | None = None) -> str:
        """The page: one file that needs no other; needs `pip install 'gainful[report]'`."""
        from gainful.reports.html_page import page

        return page(self, progress, painter)

    def save(self, path: str, *, overwrite: bool = False) -> None:
        """Write the page; it is written atomically."""
        from gainful.formats.output_files import put

        put(self.html().encode(), path, overwrite=overwrite)

    def figures(self, folder: str, *, overwrite: bool = False, progress: Progress | None = None) -> list[str]:
        """Write every chart as SVG, PDF and PNG and every table as CSV and LaTeX; the names of the files."""
        from gainful.reports.figure_files import write_figures

        return write_figures(self, folder, overwrite=overwrite, progress=progress)

    def view(
        self,
        form: str,
        *,
        places: int = 4,
        progress: Progress | None = None,
        painter: Painter | None = None,
    ) -> str | bytes:
        """In one of the formats; HTML is bytes, as it is for a file."""
        match form:
            case "html":
                return self.html(progress=progress, painter=painter).encode()
            case "json":
                return self.json()
            case "text" | "markdown" | "latex":
                made: str = getattr(self, form)(places=places)
                return made
        raise UsageError(f"format must be one of {', '.join(FORMATS)}; got {form!r}.")

    def __repr__(self) -> str:
        return f"<Report: {self.title}>"

    def _repr_html_(self) -> str:
        from html import escape

        style = "width:100%;height:720px;border:1px solid #8884;border-radius:6px"
        frame = f'<iframe title="{escape(self.title)}" sandbox="allow-scripts" style="{style}"'
        return f'{frame} srcdoc="{escape(self.html())}"></iframe>'

    def _closing(self) -> list[str]:
        made = [f"gainful {self.versions['gainful']}", *([self.date] if self.date else [])]
        return ["", " · ".join(made), *([self.command] if self.command else [])]


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
