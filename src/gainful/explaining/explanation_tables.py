"""Explanations as text, Markdown, HTML and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from gainful.formats.ids import shown
from gainful.presentation.numbers import counted

if TYPE_CHECKING:
    from gainful.explaining.explanation import Cell, Explanation, Row
    from gainful.explaining.run_difference import Difference

HEADS = {"relevant": "relevant?", "known": "known?"}
NOTHING = "–"
_FOLDED = 4  # so many rows in a row without a judgment become one
_NAMED = 8


class Table:
    """Heads and rows of text; the columns that hold words stand to the left. A row of one cell runs across."""

    def __init__(self, heads: Sequence[str], rows: Sequence[Sequence[str]], words: Sequence[int]) -> None:
        self.heads = list(heads)
        self.rows = [list(row) for row in rows]
        self.words = set(words)

    def text(self) -> str:
        """Aligned with spaces."""
        full = [row for row in [self.heads, *self.rows] if len(row) > 1]
        widths = [max(len(row[column]) for row in full) for column in range(len(self.heads))]
        lines = [self._line(self.heads, widths), "  ".join("─" * width for width in widths)]
        lines += [self._line(row, widths) if len(row) > 1 else f"  {row[0]}" for row in self.rows]
        return "\n".join(lines) + "\n"

    def markdown(self) -> str:
        """With bars."""
        rows = [row if len(row) > 1 else [row[0], *[""] * (len(self.heads) - 1)] for row in self.rows]
        rule = [":--" if column in self.words else "--:" for column in range(len(self.heads))]
        lines = [self.heads, rule, *rows]
        return "".join("| " + " | ".join(_bars(cell) for cell in line) + " |\n" for line in lines)

    def html(self) -> str:
        """With nothing but the elements of a table."""
        head = "".join(f"<th>{escape(cell)}</th>" for cell in self.heads)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>\n"
            if len(row) > 1
            else f'<tr><td colspan="{len(self.heads)}">{escape(row[0])}</td></tr>\n'
            for row in self.rows
        )
        return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n"

    def _line(self, row: Sequence[str], widths: Sequence[int]) -> str:
        cells = zip(row, widths, strict=True)
        return "  ".join(
            cell.ljust(width) if column in self.words else cell.rjust(width)
            for column, (cell, width) in enumerate(cells)
        ).rstrip()


# ---- one run ---------------------------------------------------------------------------------------------


def text(explained: Explanation, *, places: int, fold: bool) -> str:
    """A table for the terminal."""
    above, table, below = _pieces(explained, places, fold)
    return "\n".join([*above, "", table.text(), *below]) + "\n"


def markdown(explained: Explanation, *, places: int, fold: bool) -> str:
    """A table in Markdown."""
    (title, formula), table, below = _pieces(explained, places, fold)
    code = "".join(f"    {line}\n" for line in formula.splitlines())
    return (
        f"**{_bars(title)}**\n\n{code}\n{table.markdown()}\n"
        + "\n\n".join(map(_bars, filter(None, below)))
        + "\n"
    )


def html(explained: Explanation, *, places: int, fold: bool) -> str:
    """A table in HTML."""
    (title, formula), table, below = _pieces(explained, places, fold)
    notes = "".join(f"<p>{escape(line)}</p>\n" for line in below if line)
    return f"<section>\n<h3>{escape(title)}</h3>\n<pre>{escape(formula)}</pre>\n{table.html()}{notes}</section>\n"


def as_dict(explained: Explanation) -> dict[str, Any]:
    """The layout of the JSON output."""
    from gainful import __version__

    return {
        "gainful": __version__,
        "settings": explained.settings.to_dict(),
        "run": shown(explained.run),
        "topic": shown(explained.topic),
        "measure": str(explained.measure),
        "formula": explained.measure.formula,
        "value": explained.value,
        "undefined": explained.parts.undefined,
        "start": explained.parts.start,
        "how": explained.parts.how,
        "columns": list(explained.columns),
        "rows": [
            {
                "rank": row.rank,
                "document": None if row.document is None else shown(row.document),
                "grade": row.grade,
                **dict(zip(explained.columns, row.cells, strict=True)),
            }
            for row in explained.rows
        ],
        "variants": dict(explained.variants),
        "missed": [{"document": shown(name), "grade": grade} for name, grade in explained.missed],
        "below": {"documents": explained.below[0], "judged": explained.below[1]},
    }


def _pieces(explained: Explanation, places: int, fold: bool) -> tuple[list[str], Table, list[str]]:
    """What stands above the table, the table, and what stands below it."""
    value = f"{explained.measure} = {explained.value:.{places}f}"
    title = f"{value} · topic {shown(explained.topic)} · {shown(explained.run)}"
    below = [value + _how(explained, places)]
    if explained.below[0]:
        judged = f", {explained.below[1]:,} of them judged" if explained.below[1] else ", none of them judged"
        below.append(f"Below the cutoff: {counted(explained.below[0], 'document')}{judged}.")
    gainful = [one for one in explained.missed if one[1] > 0]
    if gainful:
        below.append(f"Not in these ranks: {_named(gainful)}.")
    if explained.variants:
        below += ["", "Under other names:", *_variants(explained.variants, places)]
    below += ["", explained.settings.stated()]
    return [title, explained.measure.formula], _table(explained, places, fold), below


def _how(explained: Explanation, places: int) -> str:
    parts = explained.parts
    if parts.undefined:
        return ": there was nothing to find, so the value is the one that the measure declares."
    start = f"{parts.start:.{places}f} before the first document, and " if parts.start else ""
    if parts.how == "growth":
        return f", {start}what it grows by at each document."
    return ", the sum of what the documents contribute."


def _table(explained: Explanation, places: int, fold: bool) -> Table:
    heads = ["rank", "document", "grade", *(HEADS.get(name, name) for name in explained.columns)]
    columns = [
        _formatted([row.cells[place] for row in explained.rows], places)
        for place in range(len(explained.columns))
    ]
    rows: list[list[str]] = []
    for first, last in _folded(explained.rows, fold):
        if last > first:
            rows.append([_fold_line(explained.rows[first], explained.rows[last])])
            continue
        row = explained.rows[first]
        document = "(end of the list)" if row.document is None else shown(row.document)
        rows.append([str(row.rank), document, grade(row.grade), *(column[first] for column in columns)])
    return Table(heads, rows, words=[1])


def _folded(rows: Sequence[Row], fold: bool) -> Iterator[tuple[int, int]]:
    """First and last place of each stretch that is one line; the first and the last row stand alone always."""
    start = 0
    while start < len(rows):
        stop = start
        while fold and start > 0 and stop < len(rows) - 1 and rows[stop].grade is None:
            if (rows[stop].document is None) != (rows[start].document is None):
                break
            stop += 1
        if stop - start >= _FOLDED:
            yield start, stop - 1
            start = stop
        else:
            yield start, start
            start += 1


def _fold_line(first: Row, last: Row) -> str:
    what = "ranks beyond the list" if first.document is None else "documents that nobody judged"
    return f"… {last.rank - first.rank + 1:,} {what}, {first.rank:,} to {last.rank:,}"


# ---- two runs --------------------------------------------------------------------------------------------


def difference_text(moved: Difference, *, places: int, fold: bool) -> str:
    """Two lists side by side, and the documents that made the difference."""
    lines, beside, credit = _difference(moved, places, fold)
    return f"{lines[0]}\n{lines[1]}\n\n{beside.text()}\n{lines[2]}\n\n{credit.text()}\n{lines[3]}\n"


def difference_markdown(moved: Difference, *, places: int, fold: bool) -> str:
    """The same in Markdown."""
    lines, beside, credit = _difference(moved, places, fold)
    code = "".join(f"    {line}\n" for line in lines[1].splitlines())
    tables = f"{beside.markdown()}\n{_bars(lines[2])}\n\n{credit.markdown()}\n{_bars(lines[3])}\n"
    return f"**{_bars(lines[0])}**\n\n{code}\n{tables}"


def difference_html(moved: Difference, *, places: int, fold: bool) -> str:
    """The same in HTML."""
    lines, beside, credit = _difference(moved, places, fold)
    return (
        f"<section>\n<h3>{escape(lines[0])}</h3>\n<pre>{escape(lines[1])}</pre>\n{beside.html()}"
        f"<p>{escape(lines[2])}</p>\n{credit.html()}<p>{escape(lines[3])}</p>\n</section>\n"
    )


def difference_dict(moved: Difference) -> dict[str, Any]:
    """The layout of the JSON output."""
    made = as_dict(moved.baseline)
    return {
        **{key: made[key] for key in ("gainful", "settings", "topic", "measure", "formula")},
        "difference": moved.value,
        "start": moved.start,
        "documents": [
            {
                "document": shown(one.document),
                "grade": one.grade,
                "baseline_rank": one.baseline_rank,
                "candidate_rank": one.candidate_rank,
                "baseline_contributes": one.baseline_contributes,
                "candidate_contributes": one.candidate_contributes,
                "difference": one.difference,
            }
            for one in moved.documents
        ],
        "baseline": made,
        "candidate": as_dict(moved.candidate),
    }


def _difference(moved: Difference, places: int, fold: bool) -> tuple[list[str], Table, Table]:
    a, b = moved.baseline, moved.candidate
    names = shown(a.run), shown(b.run)
    title = (
        f"{a.measure}: {names[1]} {b.value:.{places}f} − {names[0]} {a.value:.{places}f} = {moved.value:+.{places}f} "
        f"· topic {shown(a.topic)}"
    )
    credited = [one for one in moved.documents if one.difference]
    rows = [
        [
            shown(one.document),
            grade(one.grade),
            str(one.baseline_rank or NOTHING),
            str(one.candidate_rank or NOTHING),
            f"{one.baseline_contributes:.{places}f}",
            f"{one.candidate_contributes:.{places}f}",
            f"{one.difference:+.{places}f}",
        ]
        for one in credited
    ]
    if moved.start:
        rows.append(["(before the first document)", "", "", "", "", "", f"{moved.start:+.{places}f}"])
    rows.append(["all together", "", "", "", "", "", f"{moved.value:+.{places}f}"])
    heads = [
        "document",
        "grade",
        f"rank in {names[0]}",
        f"rank in {names[1]}",
        f"contributes to {names[0]}",
        f"contributes to {names[1]}",
        "difference",
    ]
    said = (
        f"{counted(len(credited), 'document')} made the difference, the largest first:"
        if credited
        else "No document makes a difference."
    )
    return (
        [title, a.measure.formula, said, a.settings.stated()],
        _beside(moved, places, fold),
        Table(heads, rows, words=[0]),
    )


def _beside(moved: Difference, places: int, fold: bool) -> Table:
    """Rank by rank, the documents of both."""
    from gainful.explaining.explanation import Row

    a, b = moved.baseline, moved.candidate
    depth = max(len([row for row in one.rows if row.document is not None]) for one in (a, b))
    sides = []
    both: list[Row] = []
    for one in (a, b):
        rows = list(one.rows[:depth])
        contributions = [f"{value:.{places}f}" for value in one.parts.contributions[:depth]]
        sides.append((rows, contributions))
    for rank in range(1, depth + 1):
        there = [
            rows[rank - 1] for rows, _ in sides if rank <= len(rows) and rows[rank - 1].document is not None
        ]
        judged = next((row.grade for row in there if row.grade is not None), None)
        both.append(Row(rank, there[0].document if there else None, judged, ()))
    lines: list[list[str]] = []
    for first, last in _folded(both, fold):
        if last > first:
            lines.append([_fold_line(both[first], both[last])])
            continue
        line = [str(first + 1)]
        for rows, contributions in sides:
            row = rows[first] if first < len(rows) else None
            if row is None or row.document is None:
                line += [NOTHING, "", ""]
            else:
                line += [shown(row.document), grade(row.grade), contributions[first]]
        lines.append(line)
    heads = ["rank", shown(a.run), "grade", "contributes", shown(b.run), "grade", "contributes"]
    return Table(heads, lines, words=[1, 4])


# ---- words -----------------------------------------------------------------------------------------------


def grade(value: float | None) -> str:
    """A grade as it was written; a dash where nobody judged."""
    return NOTHING if value is None else f"{value:g}"


def _formatted(cells: Sequence[Cell], places: int) -> list[str]:
    """Whole numbers without decimals where all of the column are whole; words for what holds or not."""
    numbers = [cell for cell in cells if cell is not None and not isinstance(cell, bool)]
    decimals = 0 if all(float(number).is_integer() for number in numbers) else places
    return [
        NOTHING
        if cell is None
        else ("yes" if cell else "no")
        if isinstance(cell, bool)
        else f"{cell:.{decimals}f}"
        for cell in cells
    ]


def _variants(variants: Mapping[str, float], places: int) -> list[str]:
    width = max(map(len, variants))
    return [f"  {name:<{width}}  {value:.{places}f}" for name, value in variants.items()]


def _named(documents: Sequence[tuple[str, float]]) -> str:
    some = ", ".join(f"{shown(name)} ({worth:g})" for name, worth in documents[:_NAMED])
    more = f" and {len(documents) - _NAMED:,} more" if len(documents) > _NAMED else ""
    return f"{some}{more}"


def _bars(cell: str) -> str:
    """Text that Markdown takes for nothing but text."""
    escaped = cell.replace("\\", "\\\\")
    for mark in "|*_`<>[]":
        escaped = escaped.replace(mark, f"\\{mark}")
    return escaped
