"""A table of a report: its name, its title, and the cells from which text, Markdown, LaTeX and CSV are made."""

from __future__ import annotations

from dataclasses import dataclass

from gainful.presentation.table import Table


@dataclass(frozen=True)
class ReportTable:
    """A table with the name of its file, a title, and what stands below it."""

    name: str
    title: str
    table: Table
    caption: str = ""

    def latex(self) -> str:
        """For a paper."""
        return self.table.paper(f"{self.title}. {self.caption}".strip())
