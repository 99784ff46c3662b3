"""A grid of cells as text, Markdown, LaTeX or HTML; the cells are texts already."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from html import escape

_LATEX = {
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
}


@dataclass(frozen=True, slots=True)
class Grid:
    """Heads and rows; the first `names` columns are words and stand to the left, the others numbers.

    >>> print(Grid(["run", "AP"], [["bm25", "0.25"], ["dense", "0.5"]]).text())
    run      AP
    ─────  ────
    bm25   0.25
    dense   0.5
    """

    heads: Sequence[str]
    body: Sequence[Sequence[str]]
    names: int = 1

    def text(self) -> str:
        """Columns for a terminal."""
        rows = [self.heads, *self.body]
        widths = [max(len(row[column]) for row in rows) for column in range(len(self.heads))]
        lines = [
            "  ".join(
                cell.ljust(width) if column < self.names else cell.rjust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        ]
        lines.insert(1, "  ".join("─" * width for width in widths))
        return "\n".join(lines)

    def markdown(self) -> str:
        r"""A table for a page.

        >>> print(Grid(["run", "AP"], [["a|b", "0.25"]]).markdown())
        | run | AP |
        |:---|---:|
        | a\|b | 0.25 |
        """
        rule = "".join("|:---" if column < self.names else "|---:" for column in range(len(self.heads))) + "|"
        rows = [
            "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
            for row in [self.heads, *self.body]
        ]
        return "\n".join([rows[0], rule, *rows[1:]])

    def latex(self, bold: Collection[tuple[int, int]] = ()) -> str:
        r"""A table for a paper (booktabs); the cells named by row and column are bold.

        >>> print(Grid(["run", "nDCG@10"], [["a_b", "0.25"]]).latex(bold={(0, 1)}))
        \begin{tabular}{lr}
        \toprule
        run & nDCG@10 \\
        \midrule
        a\_b & \textbf{0.25} \\
        \bottomrule
        \end{tabular}
        """
        form = "".join("l" if column < self.names else "r" for column in range(len(self.heads)))
        rows = [
            [
                rf"\textbf{{{latex(cell)}}}" if (number, column) in bold else latex(cell)
                for column, cell in enumerate(row)
            ]
            for number, row in enumerate(self.body)
        ]
        lines = [rf"{' & '.join(row)} \\" for row in [[latex(head) for head in self.heads], *rows]]
        top, middle, bottom = (rf"\{rule}rule" for rule in ("top", "mid", "bottom"))
        return "\n".join(
            [rf"\begin{{tabular}}{{{form}}}", top, lines[0], middle, *lines[1:], bottom, r"\end{tabular}"]
        )

    def html(self) -> str:
        """A table for a notebook.

        >>> Grid(["run", "AP"], [["a&b", "0.25"]]).html()
        '<table><thead><tr><th>run</th><th>AP</th></tr></thead><tbody><tr><th>a&amp;b</th><td>0.25</td></tr></tbody></table>'
        """
        head = "".join(f"<th>{escape(cell)}</th>" for cell in self.heads)
        body = "".join(f"<tr>{''.join(map(self._cell, range(len(row)), row))}</tr>" for row in self.body)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def _cell(self, column: int, text: str) -> str:
        kind = "th" if column < self.names else "td"
        return f"<{kind}>{escape(text)}</{kind}>"


def latex(text: str) -> str:
    r"""The text as LaTeX prints it.

    >>> latex("R_cap & 50%")
    'R\\_cap \\& 50\\%'
    """
    return re.sub(r"[&%$#_{}~^\\]", lambda found: _LATEX[found[0]], text)
