"""Explanations as text, Markdown, HTML and JSON: what is shown is put together once, as tables and sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from gainful.formats.ids import shown
from gainful.presentation.table import Cell, Table
from gainful.presentation.text_style import (
    UNDEFINED,
    Screen,
    counted,
    fixed,
    markdown_text,
    narrow_formula,
    signed,
)

if TYPE_CHECKING:
    from gainful.explaining.explanation import Difference, Explanation, Row
    from gainful.explaining.worked_columns import Cell as Value

Piece = Table | str
"""Of a page: a table or a sentence."""

HEADS = {"relevant": "relevant?", "known": "known?"}
_FOLDED = 4  # so many unjudged documents in succession, or more, become one line
_NAMED = 8


def rendered(title: str, formula: str, pieces: Sequence[Piece], form: str, screen: Screen) -> str:
    """A title, the formula of the measure, and then tables and sentences; as "text", "markdown" or "html".

    screen  how wide text may be
    """
    if form == "html":
        elements = "".join(
            f"<p>{escape(piece)}</p>\n" if isinstance(piece, str) else f"{_framed(piece)}\n"
            for piece in pieces
        )
        return f"<section>\n<h2>{escape(title)}</h2>\n<pre>{escape(formula)}</pre>\n{elements}</section>\n"
    if form == "markdown":
        code = "\n".join(f"    {line}" for line in formula.splitlines())
        body = [markdown_text(piece) if isinstance(piece, str) else piece.markdown() for piece in pieces]
        return "\n\n".join([f"**{markdown_text(title)}**", code, *body]) + "\n"
    body = [
        screen.filled(piece) if isinstance(piece, str) else f"\n{piece.text(screen)}\n" for piece in pieces
    ]
    formula = formula if screen.columns is None else narrow_formula(formula, screen.columns)
    return "\n".join([screen.filled(title), formula, *body]) + "\n"


def _framed(table: Table) -> str:
    """A table that scrolls where it is wider than the page; the classes name the columns of words."""
    classes = " ".join(["scroll", "worked", *(f"left-{column}" for column in table.words)])
    label = escape(", ".join(table.heads[:3]))
    return f'<div class="{classes}" role="region" tabindex="0" aria-label="{label}">{table.html()}</div>'


# ---- one run ---------------------------------------------------------------------------------------------


def explanation_page(explained: Explanation, form: str, *, places: int, fold: bool, screen: Screen) -> str:
    """The worked table of one topic, and what stands below it."""
    value = f"{explained.measure} = {fixed(explained.value, places)}"
    title = f"{value} · topic {_with_query(explained)} · {shown(explained.run)}"
    pieces: list[Piece] = [_table(explained, places, fold), value + _how(explained, places)]
    below, judged = explained.below
    if below:
        pieces.append(
            f"Below the cutoff: {counted(below, 'document')}, {f'{judged:,}' if judged else 'none'} of them judged."
        )
    relevant = [(name, grade) for name, grade in explained.missed if grade > 0]
    if relevant:
        pieces.append(f"Not in these ranks: {_named(relevant, explained.titles)}.")
    if explained.variants:
        rows = [[name, fixed(other, places)] for name, other in explained.variants.items()]
        pieces.append(Table(["with other parameters", "value"], rows))
    return rendered(title, explained.measure.formula, [*pieces, explained.settings.stated()], form, screen)


def explanation_dict(explained: Explanation) -> dict[str, Any]:
    """An explanation in the layout of the JSON output."""
    from gainful import __version__

    return {
        "gainful": __version__,
        "settings": explained.settings.to_dict(),
        "run": shown(explained.run),
        "topic": shown(explained.topic),
        **({} if explained.query is None else {"query": shown(explained.query)}),
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
                **_title(row.document, explained.titles),
                "grade": row.grade,
                **dict(zip(explained.columns, row.cells, strict=True)),
            }
            for row in explained.rows
        ],
        "variants": dict(explained.variants),
        "missed": [
            {"document": shown(name), **_title(name, explained.titles), "grade": grade}
            for name, grade in explained.missed
        ],
        "below": {"documents": explained.below[0], "judged": explained.below[1]},
    }


def _how(explained: Explanation, places: int) -> str:
    parts = explained.parts
    if parts.undefined:
        return ": nothing is relevant, so this is the value that the measure defines for that case."
    if parts.how == "sum":
        return ", the sum of the documents' contributions."
    start = f"{fixed(parts.start, places)} for an empty list, plus " if parts.start else ""
    return f", {start}the change in value at each document."


def _table(explained: Explanation, places: int, fold: bool) -> Table:
    heads = ["rank", "document", "grade", *(HEADS.get(name, name) for name in explained.columns)]
    columns = [
        _formatted([row.cells[place] for row in explained.rows], places)
        for place in range(len(explained.columns))
    ]
    lines: list[list[str | Cell]] = []
    for first, last in _folded(explained.rows, fold):
        row = explained.rows[first]
        if last > first:
            lines.append([_ranks(first, last), _many(row, last - first + 1), *[""] * (len(heads) - 2)])
            continue
        if row.document is None:
            document: str | Cell = Cell("(end of the list)", note=True)
        else:
            document = _document(row.document, explained.titles)
        lines.append([str(row.rank), document, grade_text(row.grade), *(column[first] for column in columns)])
    return Table(heads, lines, (1,), (1,) if explained.titles else ())


def _folded(rows: Sequence[Row], fold: bool) -> Iterator[tuple[int, int]]:
    """First and last position of each stretch that is one line; the first and the last row are never folded."""
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


def _ranks(first: int, last: int) -> str:
    return f"{first + 1}–{last + 1}"


def _many(first: Row, number: int) -> Cell:
    ended = first.document is None
    return Cell("(past the end of the list)" if ended else f"({number:,} unjudged documents)", note=True)


# ---- two runs --------------------------------------------------------------------------------------------


def difference_page(moved: Difference, form: str, *, places: int, fold: bool, screen: Screen) -> str:
    """Two lists side by side, and the documents that make the difference, candidate minus baseline."""
    baseline, candidate = moved.baseline, moved.candidate
    names = shown(baseline.run), shown(candidate.run)
    title = (
        f"{baseline.measure}: {names[1]} {fixed(candidate.value, places)} minus {names[0]} "
        f"{fixed(baseline.value, places)} = {signed(moved.value, places)} · topic {_with_query(baseline)}"
    )
    documents = [document for document in moved.documents if document.difference]
    rows = [
        [
            _document(document.document, baseline.titles),
            grade_text(document.grade),
            f"{document.baseline_rank or UNDEFINED} → {document.candidate_rank or UNDEFINED}",
            f"{fixed(document.baseline_contributes, places)} → {fixed(document.candidate_contributes, places)}",
            signed(document.difference, places),
        ]
        for document in documents
    ]
    blank = [""] * 3
    if moved.start:
        rows.append(["(empty list)", *blank, signed(moved.start, places)])
    rows.append(["all together", *blank, signed(moved.value, places)])
    heads = ["document", "grade", "rank", "contributes", "difference"]
    said = (
        f"{counted(len(documents), 'document')} caused the difference, largest first ({names[0]} → {names[1]}):"
        if documents
        else "No document contributes to the difference."
    )
    table = Table(heads, rows, cut=(0,) if baseline.titles else ())
    pieces: list[Piece] = [
        _beside(moved, places, fold, brief=form == "text" and screen.columns is not None),
        said,
        table,
        baseline.settings.stated(),
    ]
    return rendered(title, baseline.measure.formula, pieces, form, screen)


def difference_dict(moved: Difference) -> dict[str, Any]:
    """A difference in the layout of the JSON output."""
    baseline = explanation_dict(moved.baseline)
    return {
        **{
            key: baseline[key]
            for key in ("gainful", "settings", "topic", "query", "measure", "formula")
            if key in baseline
        },
        "difference": moved.value,
        "start": moved.start,
        "documents": [
            {
                "document": shown(document.document),
                **_title(document.document, moved.baseline.titles),
                "grade": document.grade,
                "baseline_rank": document.baseline_rank,
                "candidate_rank": document.candidate_rank,
                "baseline_contributes": document.baseline_contributes,
                "candidate_contributes": document.candidate_contributes,
                "difference": document.difference,
            }
            for document in moved.documents
        ],
        "baseline": baseline,
        "candidate": explanation_dict(moved.candidate),
    }


def _beside(moved: Difference, places: int, fold: bool, *, brief: bool) -> Table:
    """The documents of both lists, rank by rank; `brief` without what each contributes."""
    from gainful.explaining.explanation import Row

    sides = [
        [row for row in explained.rows if row.document is not None]
        for explained in (moved.baseline, moved.candidate)
    ]
    parts = [explained.parts.contributions for explained in (moved.baseline, moved.candidate)]
    both = []
    for place in range(max(map(len, sides))):
        there = [rows[place] for rows in sides if place < len(rows)]
        judged = next((row.grade for row in there if row.grade is not None), None)
        both.append(Row(place + 1, there[0].document, judged, ()))
    lines: list[list[str | Cell]] = []
    for first, last in _folded(both, fold):
        if last > first:
            many = _many(both[first], last - first + 1)
            lines.append([_ranks(first, last), many, *[""] * 5])
            continue
        line: list[str | Cell] = [str(first + 1)]
        for rows, contributions in zip(sides, parts, strict=True):
            if first < len(rows):
                row = rows[first]
                line += [
                    _document(row.document or "", moved.baseline.titles),
                    grade_text(row.grade),
                    fixed(float(contributions[first]), places),
                ]
            else:
                line += [UNDEFINED, "", ""]
        lines.append(line)
    names = shown(moved.baseline.run), shown(moved.candidate.run)
    heads = ["rank", names[0], "grade", "contributes", names[1], "grade", "contributes"]
    kept = (0, 1, 2, 4, 5) if brief else range(len(heads))
    words = (1, 3) if brief else (1, 4)
    body = [[line[column] for column in kept] for line in lines]
    return Table([heads[column] for column in kept], body, words, words if moved.baseline.titles else ())


# ---- cells -----------------------------------------------------------------------------------------------


def grade_text(grade: float | None) -> str:
    """A grade as it was written; a dash where nobody judged."""
    return UNDEFINED if grade is None else f"{grade:g}".replace("-", "−")


def _formatted(cells: Sequence[Value], places: int) -> list[str]:
    """Whole numbers without decimals where all of the column are whole; yes or no for what holds or not."""
    numbers = [cell for cell in cells if cell is not None and not isinstance(cell, bool)]
    decimals = 0 if all(float(number).is_integer() for number in numbers) else places
    return [("yes" if cell else "no") if isinstance(cell, bool) else fixed(cell, decimals) for cell in cells]


def _named(documents: Sequence[tuple[str, float]], titles: Mapping[str, str]) -> str:
    some = ", ".join(f"{_document(name, titles)} ({grade:g})" for name, grade in documents[:_NAMED])
    more = f" and {len(documents) - _NAMED:,} more" if len(documents) > _NAMED else ""
    return f"{some}{more}"


def _with_query(explained: Explanation) -> str:
    return shown(explained.topic) + (f" “{shown(explained.query)}”" if explained.query else "")


def _document(id_: str, titles: Mapping[str, str]) -> str:
    """A document as people see it: its id, and its title where that is known."""
    return f"{shown(id_)} {shown(titles[id_])}" if titles.get(id_) else shown(id_)


def _title(id_: str | None, titles: Mapping[str, str]) -> dict[str, str]:
    return {} if id_ is None or id_ not in titles else {"title": shown(titles[id_])}
