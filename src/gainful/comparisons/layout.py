"""Rows of text as an aligned table, Markdown, LaTeX (booktabs) or CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "−": r"\ensuremath{-}", "±": r"$\pm$"}
_LATEX |= {sign: "\\" + sign for sign in "&%$#_{}"}
_LATEX |= {"ρ": r"$\rho$", "²": r"\textsuperscript{2}", "Φ": r"$\Phi$", "–": "--", "σ": r"$\sigma$", "<": r"\ensuremath{<}"}


@dataclass(frozen=True)
class Grid:
    """A table for people: the first `names` columns are text, the others numbers."""

    heads: Sequence[str]
    body: Sequence[Sequence[str]]
    names: int = 1

    def text(self) -> str:
        """Columns aligned with spaces.

        >>> print(Grid(["system", "AP"], [["bm25", "0.25"]]).text(), end="")
        system    AP
        ──────  ────
        bm25    0.25
        """
        widths = [max(len(row[column]) for row in [self.heads, *self.body]) for column in range(len(self.heads))]
        lines = ["  ".join(self._cells(row, widths)).rstrip() for row in [self.heads, *self.body]]
        lines.insert(1, "  ".join("─" * width for width in widths))
        return "\n".join(lines) + "\n"

    def markdown(self) -> str:
        """A Markdown table.

        >>> print(Grid(["system", "AP"], [["a|b", "0.25"]]).markdown(), end="")
        | system | AP |
        |---|---:|
        | a\\|b | 0.25 |
        """
        rule = "|".join("---" if column < self.names else "---:" for column in range(len(self.heads)))
        rows = [self.heads, *self.body]
        lines = ["| " + " | ".join(map(in_markdown, row)) + " |" for row in rows]
        lines.insert(1, f"|{rule}|")
        return "\n".join(lines) + "\n"

    def latex(self, *, caption: str) -> str:
        """A table environment for booktabs; cells are escaped, `\\textsuperscript{…}` in them stands."""
        columns = "".join("l" if column < self.names else "r" for column in range(len(self.heads)))
        lines = [
            "% needs \\usepackage{booktabs}",
            "\\begin{table}",
            "\\centering",
            f"\\caption{{{in_latex(caption)}}}",
            f"\\begin{{tabular}}{{{columns}}}",
            "\\toprule",
            " & ".join(map(in_latex, self.heads)) + " \\\\",
            "\\midrule",
            *(" & ".join(map(in_latex, row)) + " \\\\" for row in self.body),
            "\\bottomrule",
            "\\end{tabular}",
            "\\end{table}",
        ]
        return "\n".join(lines) + "\n"

    def _cells(self, row: Sequence[str], widths: Sequence[int]) -> Iterable[str]:
        for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
            yield cell.ljust(width) if column < self.names else cell.rjust(width)


class Raised(str):
    """A cell of LaTeX with its last part raised; elsewhere it is plain text."""

    __slots__ = ("above", "base")

    def __new__(cls, base: str, above: str) -> Raised:
        """The cell; in plain text the two parts stand side by side."""
        made = super().__new__(cls, f"{base} {above}".rstrip())
        made.base, made.above = base, above
        return made

    base: str
    above: str


def in_latex(cell: str) -> str:
    """The cell as LaTeX would print it.

    >>> in_latex("a_b 5 %"), in_latex(Raised("0.25", "ab"))
    ('a\\\\_b 5 \\\\%', '0.25\\\\textsuperscript{ab}')
    """
    if isinstance(cell, Raised):
        return in_latex(cell.base) + (f"\\textsuperscript{{{in_latex(cell.above)}}}" if cell.above else "")
    return "".join(_LATEX.get(sign, sign) for sign in cell)


def in_markdown(cell: str) -> str:
    """The cell as Markdown would print it."""
    if isinstance(cell, Raised):
        return in_markdown(cell.base) + (f" <sup>{in_markdown(cell.above)}</sup>" if cell.above else "")
    return re.sub(r"([\\|`*_<>\[\]])", r"\\\1", cell)


def as_csv(rows: Sequence[dict[str, Any]]) -> str:
    """Rows of the same keys, values in full; what has no value is left empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows[0] if rows else [])
    for row in rows:
        writer.writerow(["" if value is None or value != value else _plain(value) for value in row.values()])  # noqa: PLR0124
    return text.getvalue()


def _plain(value: Any) -> str:
    return repr(value) if isinstance(value, float) else str(value)
