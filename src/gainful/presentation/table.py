"""The one table: cells once, and from them text, Markdown, LaTeX, HTML, CSV and JSON; and pages of tables and sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from types import MappingProxyType
from typing import Any

from gainful.presentation.text_style import (
    UNDEFINED,
    WIDE,
    Screen,
    cut_to,
    latex,
    markdown_text,
    shortened,
    width,
)

LONGEST = 80
"""Columns that a table with long texts takes at most, also where lines may be of any length."""
_LEAST_TEXT = 24  # columns that a text is left, whatever stands beside it

FORMATS = ("table", "csv", "json", "markdown", "latex")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell that is more than its text.

    value   for programs (CSV, JSON), in full; None where it has none
    bold    the best of its column
    raised  a superscript: the letters of a system
    tone    BETTER, WORSE or NEITHER of `gainful.presentation.text_style`: its colour on a terminal; "" for none
    """

    text: str
    value: Any = None
    bold: bool = False
    raised: str = ""
    tone: str = ""


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
        names: int = 1,
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
        rows = [list(self.heads), *self._with_room(_beside)]
        tones = [
            [""] * len(self.heads),
            *([cell.tone if isinstance(cell, Cell) else "" for cell in row] for row in self.rows),
        ]
        words = self._words()
        widths = [max(width(row[column]) for row in rows) for column in range(len(self.heads))]
        narrowed = _narrowed(widths, self.cut, screen.columns or LONGEST, _LEAST_TEXT)
        narrowed = _narrowed(
            narrowed, [column for column in words if column not in self.cut], screen.columns, _LEAST
        )
        if narrowed != widths:
            widths = narrowed
            cuts = [cut_to if column in self.cut else shortened for column in range(len(widths))]
            rows = [
                [cut(cell, most) for cut, cell, most in zip(cuts, row, widths, strict=True)] for row in rows
            ]
        blocks = []
        for columns in _blocks(widths, words, screen.columns):
            lines = [
                "  ".join(
                    screen.coloured(_padded(row[column], widths[column], left=column in words), tone[column])
                    for column in columns
                ).rstrip()
                for row, tone in zip(rows, tones, strict=True)
            ]
            lines.insert(1, "  ".join("─" * widths[column] for column in columns))
            blocks.append("\n".join(lines))
        return "\n\n".join(blocks)

    def markdown(self) -> str:
        r"""A table for a page.

        >>> print(Table(["run", "AP"], [["a|b", Cell("0.25", bold=True)]]).markdown())
        | run | AP |
        |:---|---:|
        | a\|b | **0.25** |
        """
        words = self._words()
        rule = "".join("|:---" if column in words else "|---:" for column in range(len(self.heads))) + "|"
        rows = [
            [markdown_text(head) for head in self.heads],
            *([_marked(cell) for cell in row] for row in self.rows),
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
        words = self._words()
        form = "".join("l" if column in words else "r" for column in range(len(self.heads)))
        rows = [
            [latex(head) for head in self.heads],
            *self._with_room(_typeset),
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
        head = "".join(f"<th>{escape(cell)}</th>" for cell in self.heads)
        body = "".join(f"<tr>{''.join(map(self._element, range(len(row)), row))}</tr>" for row in self.rows)
        above = f"<caption>{escape(caption)}</caption>" if caption else ""
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

    def _with_room(self, look: Callable[[str | Cell, str], str]) -> list[list[str]]:
        """The rows, where each cell knows the longest raised text of its column, so that digits align."""
        longest = [
            max((cell.raised for cell in column if isinstance(cell, Cell)), key=width, default="")
            for column in zip(*self.rows, strict=True)
        ]
        return [[look(cell, most) for cell, most in zip(row, longest, strict=True)] for row in self.rows]

    def _words(self) -> Sequence[int]:
        return range(self.names) if isinstance(self.names, int) else self.names

    def _element(self, column: int, cell: str | Cell) -> str:
        kind = "th" if column in self._words() else "td"
        if isinstance(cell, str):
            return f"<{kind}>{escape(cell)}</{kind}>"
        text = f"<b>{escape(cell.text)}</b>" if cell.bold else escape(cell.text)
        above = f"<sup>{escape(cell.raised)}</sup>" if cell.raised else ""
        return f"<{kind}>{text}{above}</{kind}>"


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


_LEAST = 12  # columns that are left of a word


def _narrowed(widths: Sequence[int], words: Sequence[int], columns: int | None, least: int) -> list[int]:
    """The widths of columns where the widest words are cut until all columns fit, or none can be cut further."""
    narrowed = list(widths)
    while columns is not None and _across(narrowed) > columns:
        widest = max(words, key=lambda column: narrowed[column], default=None)
        if widest is None or narrowed[widest] <= least:
            break
        narrowed[widest] -= 1
    return narrowed


def _blocks(widths: Sequence[int], words: Sequence[int], columns: int | None) -> list[list[int]]:
    """The columns that stand side by side: all, or as many as fit, each time after those of words that come first."""
    names = [column for column in range(len(widths)) if column in words and column == words.index(column)]
    blocks = [[*names]]
    for column in range(len(names), len(widths)):
        across = _across([widths[place] for place in (*blocks[-1], column)])
        if columns is not None and across > columns and len(blocks[-1]) > len(names):
            blocks.append([*names])
        blocks[-1].append(column)
    return blocks


def _across(widths: Sequence[int]) -> int:
    return sum(widths) + 2 * (len(widths) - 1)


def _padded(cell: str, columns: int, *, left: bool) -> str:
    room = " " * (columns - width(cell))
    return cell + room if left else room + cell


def _cell(value: Any, look: Callable[[Any], str]) -> Cell:
    if isinstance(value, Cell):
        return value
    undefined = value is None or (isinstance(value, float) and math.isnan(value))
    return Cell(UNDEFINED if undefined else look(value), value)


def _beside(cell: str | Cell, longest: str = "") -> str:
    """The cell where nothing can be raised: the letters stand beside it, with room for the longest of the column."""
    if isinstance(cell, str):
        return cell
    blank = " " * (width(longest) - width(cell.raised))
    return f"{cell.text} {cell.raised}{blank}" if longest or cell.raised else cell.text


def _marked(cell: str | Cell) -> str:
    text = markdown_text(_beside(cell))
    return f"**{text}**" if isinstance(cell, Cell) and cell.bold else text


def _typeset(cell: str | Cell, longest: str) -> str:
    if isinstance(cell, str):
        return latex(cell)
    text = rf"\textbf{{{latex(cell.text)}}}" if cell.bold else latex(cell.text)
    missing = longest[len(cell.raised) :]
    blank = rf"\phantom{{{latex(missing)}}}" if missing else ""
    return rf"{text}\textsuperscript{{{latex(cell.raised)}{blank}}}" if longest else text


def _plain(value: Any) -> str:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    return repr(value) if isinstance(value, float) else str(value)
