"""Report: everything that the page says, as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gainful.errors import UsageError
from gainful.reports.board import Board
from gainful.reports.curve_section import Drawn
from gainful.reports.lists import Lists
from gainful.reports.pairs import Pairs
from gainful.reports.provenance import Data
from gainful.reports.simulation_section import Simulated
from gainful.reports.topics import Topics
from gainful.reports.verdict import Verdict

if TYPE_CHECKING:
    from gainful.comparisons.readers import Readers
    from gainful.reports.painter import Painter

Progress = Callable[[str, int, int | None], None]
"""Told now and then: what is being done, how much of it is done, and how much there is."""

FORMATS = ("html", "json", "text", "markdown", "latex")


@dataclass(frozen=True, eq=False)
class Evaluated:
    """The sections on runs.

    pairs    None where there is one system, or one topic: nothing can be compared
    alone    why, in a sentence
    readers  None likewise
    drawn    the systems that curves are drawn of, best first
    """

    verdict: Verdict
    board: Board
    curves: tuple[Drawn, ...]
    drawn: tuple[str, ...]
    pairs: Pairs | None
    alone: str
    topics: Topics
    lists: Lists
    readers: Readers | None
    data: Data

    @property
    def first(self) -> str:
        """The system whose pairs are shown where there are too many: the baseline, or else the leader."""
        baseline = None if self.pairs is None else self.pairs.comparison.method.baseline
        return baseline or self.board.systems[0]


@dataclass(frozen=True, eq=False)
class Report:
    """What one page says: of runs against judgments, of a filter simulation, or of both.

    >>> import gainful
    >>> made = gainful.report({"q1": {"d1": 1}, "q2": {"d2": 1}}, {"q1": {"d1": 1.0}, "q2": {"x": 1.0}}, "RR")
    >>> made.evaluated.verdict.headline
    'run scores 0.5000 RR on 2 topics.'
    """

    title: str
    evaluated: Evaluated | None
    simulated: Simulated | None
    command: str | None
    versions: Mapping[str, str]
    date: str | None

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the layout of the JSON output; what has no value (NaN, infinite) is null."""
        made: dict[str, Any] = {"gainful": self.versions["gainful"], "kind": "report", "title": self.title}
        one = self.evaluated
        if one is not None:
            made |= {
                "verdict": one.verdict.to_dict(),
                "scores": one.board.to_dict(),
                "curves": [drawn.to_dict() for drawn in one.curves],
                "pairs": None if one.pairs is None else one.pairs.to_dict(),
                "topics": one.topics.to_dict(),
                "readers": None if one.readers is None else one.readers.to_dict(),
                "data": one.data.to_dict(),
            }
        if self.simulated is not None:
            made["filtering"] = self.simulated.to_dict()
        return made | {"command": self.command, "versions": dict(self.versions), "date": self.date}

    def text(self, *, places: int = 4) -> str:
        """For the terminal."""
        from gainful.reports.views import text

        return text(self, places=places)

    def markdown(self, *, places: int = 4) -> str:
        """For a page of a repository."""
        from gainful.reports.views import markdown

        return markdown(self, places=places)

    def latex(self, *, places: int = 4) -> str:
        """Tables for a paper."""
        from gainful.reports.views import latex

        return latex(self, places=places)

    def json(self) -> str:
        """For programs, values in full."""
        from gainful.presentation.table import as_json

        return as_json(self.to_dict())

    def html(self, *, progress: Progress | None = None, painter: Painter | None = None) -> str:
        """The page: one file that needs no other; needs `pip install 'gainful[report]'`."""
        from gainful.reports.rendering import page

        return page(self, progress, painter)

    def save(self, path: str, *, overwrite: bool = False) -> None:
        """Write the page; it appears whole or not at all."""
        from gainful.formats.output_files import put

        put(self.html().encode(), path, overwrite=overwrite)

    def figures(self, folder: str, *, overwrite: bool = False, progress: Progress | None = None) -> list[str]:
        """Write every chart as SVG, PDF and PNG and every table as CSV and LaTeX; the names of the files."""
        from gainful.reports.figures import write_figures

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
