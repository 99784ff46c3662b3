"""A table of a report: rows of values, from which text, Markdown, LaTeX and CSV are made."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gainful.comparisons.layout import as_csv, paper, raised
from gainful.formats.grid import Grid


class Lettered(float):
    """A mean with the letters of its system."""

    letters: str = ""

    @classmethod
    def of(cls, mean: float, letters: str) -> Lettered:
        """The mean with these letters."""
        made = cls(mean)
        made.letters = letters
        return made


@dataclass(frozen=True)
class Table:
    """One table.

    rows   values in full, by column
    looks  how a column is written for people; others are written as they are
    names  how many columns are words
    """

    name: str
    title: str
    rows: Sequence[dict[str, Any]]
    looks: Mapping[str, Callable[[Any], str]]
    names: int = 1
    caption: str = ""

    def grid(self, letter: Callable[[str, str], str] = "{} {}".format) -> Grid:
        """The cells as people read them; `letter` puts letters to a mean."""
        heads = list(self.rows[0]) if self.rows else []
        body = [[self._cell(head, row[head], letter) for head in heads] for row in self.rows]
        return Grid(heads, body, names=self.names)

    def csv(self) -> str:
        """Values in full."""
        return as_csv(self.rows)

    def latex(self) -> str:
        """For a paper."""
        return paper(self.grid(raised), f"{self.title}. {self.caption}".strip())

    def _cell(self, head: str, value: Any, letter: Callable[[str, str], str]) -> str:
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return "–"
        look = self.looks.get(head, str)
        if isinstance(value, Lettered) and value.letters:
            return letter(look(value), value.letters)
        return look(value)
