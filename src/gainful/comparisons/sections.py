"""Sections of an answer: tables, sentences, and the same for programs; a comparison is followed by those asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gainful.comparisons.layout import as_csv, paper
from gainful.comparisons.views import as_json, heading
from gainful.formats.grid import Grid


@dataclass(frozen=True, eq=False)
class Section:
    """One part of an answer.

    title   what it is about
    tables  each with a line above it
    said    sentences
    closing how it was made
    rows    the same in full, for csv
    key     under which `held` stands in the JSON
    """

    title: str
    tables: Sequence[tuple[str, Grid]]
    said: Sequence[str]
    closing: str
    rows: Sequence[dict[str, Any]]
    key: str
    held: Any

    def text(self, form: str) -> str:
        """For people; as csv its rows, as json what it holds."""
        if form == "json":
            return as_json({self.key: self.held})
        if form == "csv":
            return as_csv(self.rows)
        if form == "latex":
            said = " ".join([*self.said, self.closing])
            return "\n".join(
                paper(grid, f"{title[:1].upper()}{title[1:]}. {said if last else ''}".strip())
                for last, (title, grid) in zip(_ends(len(self.tables)), self.tables, strict=True)
            )
        parts = [f"## {self.title}" if form == "markdown" else self.title.upper(), ""]
        for title, grid in self.tables:
            parts += [heading(title, form), ""]
            parts += [grid.markdown() if form == "markdown" else grid.text(), ""]
        parts += [f"- {line}" if form == "markdown" else line for line in self.said]
        parts += [""] if self.said else []
        return "\n".join([*parts, f"_{self.closing}_" if form == "markdown" else self.closing]) + "\n"


def _ends(number: int) -> list[bool]:
    return [at == number - 1 for at in range(number)]
