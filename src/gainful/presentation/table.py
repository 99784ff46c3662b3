"""The one table: cells once, and from them text, Markdown, LaTeX, HTML, CSV and JSON; and pages of tables and sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from gainful.presentation.text_style import (
    UNDEFINED,
    WIDE,
    Screen,
    column_blocks,
    cut_to,
    html_text,
    latex,
    markdown_text,
    narrowed_widths,
    shortened,
    width,
)

LONGEST = 80
"""Columns that a table with long texts takes at most, also where lines may be of any length."""
_LEAST_TEXT, _LEAST = 24, 12  # columns that are left of a text and of a word, whatever stands beside it

FORMATS = ("table", "csv", "json", "markdown", "latex")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell that is more than its text.

    value   for programs (CSV, JSON), in full; None where it has none
    bold    the best of its column
    raised  a superscript: the letters of a system
    tone    BETTER, WORSE or NEITHER of `gainful.presentation.text_style`: its colour on a terminal; "" for none
    note    a remark about the row: it is never cut, and where the cells to its right are empty it runs over them
    """

    text: str
    value: Any = None
    bold: bool = False
    raised: str = ""
    tone: str = ""
    note: bool = False

    def beside(self, longest: str = "") -> str:
        """The text where nothing can be raised: the letters stand beside it, with room for the longest of the column."""
        room = " " * (width(longest) - width(self.raised))
        return f"{self.text} {self.raised}{room}" if longest or self.raised else self.text

    def marked(self) -> str:
        """The text in Markdown."""
        text = markdown_text(self.beside())
        return f"**{text}**" if self.bold else text

    def typeset(self, longest: str) -> str:
        """The text in LaTeX, with room for the longest raised text of the column."""
        text = rf"\textbf{{{latex(self.text)}}}" if self.bold else latex(self.text)
        missing = longest[len(self.raised) :]
        room = rf"\phantom{{{latex(missing)}}}" if missing else ""
        return rf"{text}\textsuperscript{{{latex(self.raised)}{room}}}" if longest else text

    def element(self) -> str:
        """What stands in a cell of HTML."""
        text = f"<b>{html_text(self.text)}</b>" if self.bold else html_text(self.text)
        return text + (f"<sup>{html_text(self.raised)}</sup>" if self.raised else "")


@dataclass(frozen=True, slots=True)
class Table:
    """Heads and rows; words are aligned left, numbers right.

    names  the columns of words: how many of the first, or which ones, from 0
    cut    the columns of long texts, from 0: where text would be wider than 80 columns, these are cut

    >>> print(Table(["run", "AP"], [["bm25", "0.25"], ["dense", "0.5"]]).text())
    run      AP
    ─────  ────
    bm25   0.25
    dense   0.5
    """

    heads: Sequence[str]
    rows: Sequence[Sequence[str | Cell]]
    names: int | Sequence[int] = 1
    cut: Sequence[int] = ()

    @classmethod
    def of(
        cls,
        records: Sequence[Mapping[str, Any]],
        looks: Mapping[str, Callable[[Any], str]] = MappingProxyType({}),
        names: int | Sequence[int] = 1,
    ) -> Table:
        """A table of records with the same keys; `looks` says how a column is written for people.

        >>> print(Table.of([{"run": "a", "p": 0.03125}, {"run": "b", "p": None}], {"p": "{:.2f}".format}).text())
        run     p
        ───  ────
        a    0.03
        b       –
        """
        heads = list(records[0]) if records else []
        rows = [[_cell(record[head], looks.get(head, str)) for head in heads] for record in records]
        return cls(heads, rows, names)

    def text(self, screen: Screen = WIDE) -> str:
        """Columns for a terminal: where they do not fit, long words are cut, and the rest stands in a table below.

        >>> print(Table(["run", "AP", "nDCG@10"], [["bm25-with-a-very-long-name", "0.25", "0.5"]]).text(Screen(24)))
        run             AP
        ────────────  ────
        bm25-w…-name  0.25
        <BLANKLINE>
        run           nDCG@10
        ────────────  ───────
        bm25-w…-name      0.5
        """
        rows = [[*self.heads], *self._with_room(str, Cell.beside)]
        in_columns = [
            [
                "" if isinstance(cell, Cell) and cell.note and not any(row[column + 1 :]) else row[column]
                for column, cell in enumerate(cells)
            ]
            for row, cells in zip(rows, [self.heads, *self.rows], strict=True)
        ]
        widths = [max(map(width, column)) for column in zip(*in_columns, strict=True)]
        rule = "  ".join("─" * columns for columns in widths)
        if len(rule) > (screen.columns or (LONGEST if self.cut else len(rule))):
            parts = self._fitting(rows, in_columns, screen.columns)
            return "\n\n".join(part.text(replace(screen, columns=None)) for part in parts)
        words, lines = self.words, []
        for row, cells in zip(rows, [self.heads, *self.rows], strict=True):
            blanks = [" " * (columns - width(text)) for text, columns in zip(row, widths, strict=True)]
            texts = [
                text + blank if column in words else blank + text
                for column, (text, blank) in enumerate(zip(row, blanks, strict=True))
            ]
            lines.append(
                "  ".join(
                    screen.coloured(text, cell.tone) if isinstance(cell, Cell) else text
                    for text, cell in zip(texts, cells, strict=True)
                ).rstrip()
            )
        return "\n".join([lines[0], rule, *lines[1:]])

    def markdown(self) -> str:
        r"""A table for a page.

        >>> print(Table(["run", "AP"], [["a|b", Cell("0.25", bold=True)]]).markdown())
        | run | AP |
        |:---|---:|
        | a\|b | **0.25** |
        """
        words = self.words
        rule = "".join("|:---" if column in words else "|---:" for column in range(len(self.heads))) + "|"
        rows = [
            [markdown_text(head) for head in self.heads],
            *(
                [markdown_text(cell) if isinstance(cell, str) else cell.marked() for cell in row]
                for row in self.rows
            ),
        ]
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        return "\n".join([lines[0], rule, *lines[1:]])

    def latex(self) -> str:
        r"""A table for a paper (booktabs).

        >>> print(Table(["run", "nDCG@10"], [["a_b", Cell("−0.25", bold=True, raised="a")]]).latex())
        \begin{tabular}{lr}
        \toprule
        run & nDCG@10 \\
        \midrule
        a\_b & \textbf{$-$0.25}\textsuperscript{a} \\
        \bottomrule
        \end{tabular}
        """
        words = self.words
        form = "".join("l" if column in words else "r" for column in range(len(self.heads)))
        rows = [
            [latex(head) for head in self.heads],
            *self._with_room(latex, Cell.typeset),
        ]
        lines = [rf"{' & '.join(row)} \\" for row in rows]
        top, middle, bottom = (rf"\{rule}rule" for rule in ("top", "mid", "bottom"))
        return "\n".join(
            [rf"\begin{{tabular}}{{{form}}}", top, lines[0], middle, *lines[1:], bottom, r"\end{tabular}"]
        )

    def paper(self, caption: str, *, comment: str = "") -> str:
        r"""A LaTeX table with a caption, which floats; a comment says more to whoever opens the file.

        >>> print(Table(["run", "AP"], [["a_b", "0.25"]]).paper("50 topics"), end="")
        % \usepackage{booktabs}
        \begin{table}
        \centering
        \caption{50 topics}
        \begin{tabular}{lr}
        \toprule
        run & AP \\
        \midrule
        a\_b & 0.25 \\
        \bottomrule
        \end{tabular}
        \end{table}
        """
        lines = [
            "\\begin{table}",
            "\\centering",
            f"\\caption{{{latex(caption)}}}",
            self.latex(),
            "\\end{table}",
        ]
        remarks = [comment] if comment else []
        if any(letter > "\u017f" for line in lines for letter in line):
            remarks.append(
                "Some letters are not in pdflatex's fonts: use lualatex or xelatex, with a font that has them."
            )
        return "\n".join([*(f"% {remark}" for remark in [*remarks, "\\usepackage{booktabs}"]), *lines]) + "\n"

    def html(self, caption: str = "") -> str:
        """A table for a notebook or a page, with a caption if there is one.

        >>> Table(["run", "AP"], [["a&b", Cell("0.25", raised="a")]]).html()
        '<table><thead><tr><th>run</th><th>AP</th></tr></thead><tbody><tr><th>a&amp;b</th><td>0.25<sup>a</sup></td></tr></tbody></table>'
        """
        head = "".join(f"<th>{html_text(cell)}</th>" for cell in self.heads)
        body = "".join(f"<tr>{''.join(map(self._element, range(len(row)), row))}</tr>" for row in self.rows)
        above = f"<caption>{html_text(caption)}</caption>" if caption else ""
        return f"<table>{above}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def records(self) -> list[dict[str, Any]]:
        """The rows by head: values in full where cells have them, texts elsewhere.

        >>> Table(["run", "AP"], [["a", Cell("0.25", 0.25123)]]).records()
        [{'run': 'a', 'AP': 0.25123}]
        """
        values = [[cell if isinstance(cell, str) else cell.value for cell in row] for row in self.rows]
        return [dict(zip(self.heads, row, strict=True)) for row in values]

    def csv(self) -> str:
        """The records as CSV."""
        return as_csv(self.records())

    def json(self) -> str:
        """The records as JSON."""
        return as_json(self.records())

    def _with_room(self, plain: Callable[[str], str], look: Callable[[Cell, str], str]) -> list[list[str]]:
        """The rows as texts, where each cell knows the longest raised text of its column, so that digits align."""
        longest = [
            max((cell.raised for cell in column if isinstance(cell, Cell)), key=width, default="")
            for column in zip(*self.rows, strict=True)
        ]
        return [
            [
                plain(cell) if isinstance(cell, str) else look(cell, most)
                for cell, most in zip(row, longest, strict=True)
            ]
            for row in self.rows
        ]

    def _fitting(
        self, rows: list[list[str]], in_columns: list[list[str]], columns: int | None
    ) -> list[Table]:
        """The table of these texts as tables that fit: the widest words are cut, and the rest stands in a table below."""
        words = self.words
        widths = [max(map(width, column)) for column in zip(*in_columns, strict=True)]
        notes = [
            width(text)
            for texts, row in zip(in_columns[1:], self.rows, strict=True)
            for text, cell in zip(texts, row, strict=True)
            if isinstance(cell, Cell) and cell.note
        ]
        least = max([_LEAST, *notes])
        widths = narrowed_widths(widths, self.cut, columns or LONGEST, _LEAST_TEXT)
        widths = narrowed_widths(
            widths, [column for column in words if column not in self.cut], columns, least
        )
        cuts = [cut_to if column in self.cut else shortened for column in range(len(widths))]
        heads = [cut(text, most) for cut, text, most in zip(cuts, rows[0], widths, strict=True)]
        cells = [
            [
                cell
                if isinstance(cell, Cell) and cell.note
                else Cell(cut(text, most), tone="" if isinstance(cell, str) else cell.tone)
                for cut, text, cell, most in zip(cuts, texts, row, widths, strict=True)
            ]
            for texts, row in zip(rows[1:], self.rows, strict=True)
        ]
        return [
            Table(
                [heads[column] for column in block],
                [[row[column] for column in block] for row in cells],
                [place for place, column in enumerate(block) if column in words],
            )
            for block in column_blocks(widths, words, columns)
        ]

    @property
    def words(self) -> Sequence[int]:
        """The columns of words, from 0."""
        return range(self.names) if isinstance(self.names, int) else self.names

    def _element(self, column: int, cell: str | Cell) -> str:
        kind = "th" if column in self.words else "td"
        return f"<{kind}>{html_text(cell) if isinstance(cell, str) else cell.element()}</{kind}>"


def as_csv(records: Sequence[Mapping[str, Any]]) -> str:
    """Records with the same keys as CSV, values in full; what has no value (None, NaN, infinite) is left empty."""
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(records[0] if records else [])
    writer.writerows([_plain(value) for value in record.values()] for record in records)
    return text.getvalue()


def as_json(value: Any) -> str:
    """JSON with all digits, indented; what has no value (NaN, infinite) is null."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"


def _cell(value: Any, look: Callable[[Any], str]) -> Cell:
    if isinstance(value, Cell):
        return value
    undefined = value is None or (isinstance(value, float) and math.isnan(value))
    return Cell(UNDEFINED if undefined else look(value), value)


def _plain(value: Any) -> str:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    return repr(value) if isinstance(value, float) else str(value)
