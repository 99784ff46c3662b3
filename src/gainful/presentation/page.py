"""What results print: pages of tables and sentences as text, Markdown and HTML; and reprs that fit on a screen."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import fields as fields_of
from typing import Any

from gainful.errors import UsageError
from gainful.presentation.table import FORMATS, Table, as_csv, as_json
from gainful.presentation.text_style import WIDE, Screen, html_text, markdown_text


def page(
    tables: Sequence[Table | tuple[str, Table]],
    sentences: Sequence[str],
    closing: str,
    form: str,
    *,
    title: str | None = None,
    opening: Sequence[str] = (),
    screen: Screen = WIDE,
) -> str:
    """Tables, each under its own line if it has one, sentences, and how it was made; as "table", "markdown" or "html".

    opening  sentences that stand before the tables; the first in bold where that can be
    screen   how wide text may be, as "table"

    >>> print(page([Table(["run", "AP"], [["a", "0.25"]])], ["a is alone."], "50 topics", "markdown"), end="")
    | run | AP |
    |:---|---:|
    | a | 0.25 |
    <BLANKLINE>
    - a is alone.
    <BLANKLINE>
    _50 topics_
    """
    if form not in ("table", "markdown", "html"):
        raise UsageError(f"format must be one of {', '.join(FORMATS)}; got {form!r}.")
    if form == "html":
        return _html_page(tables, sentences, closing, title, opening)
    marked = form == "markdown"
    lines = [] if title is None else [f"## {title}" if marked else title.upper(), ""]
    lines += opened(opening, form, screen)
    for given in tables:
        above, table = given if isinstance(given, tuple) else ("", given)
        lines += [heading(above, form), ""] if above else []
        lines += [table.markdown() if marked else table.text(screen), ""]
    lines += [f"- {line}" if marked else screen.filled(line) for line in sentences]
    lines += [""] if sentences else []
    return "\n".join([*lines, f"_{closing}_" if marked else screen.filled(closing)]) + "\n"


def _html_page(
    tables: Sequence[Table | tuple[str, Table]],
    sentences: Sequence[str],
    closing: str,
    title: str | None,
    opening: Sequence[str],
) -> str:
    """The page for a notebook: no document of its own, and no style."""
    parts = [] if title is None else [f"<p><b>{html_text(title)}</b></p>"]
    parts += opened(opening, "html")
    for given in tables:
        above, table = given if isinstance(given, tuple) else ("", given)
        parts += [f"<p>{html_text(above)}</p>"] if above else []
        parts.append(table.html())
    parts += [f"<p>{html_text(line)}</p>" for line in sentences]
    return "".join([*parts, *([f"<p><small>{html_text(closing)}</small></p>"] if closing else [])])


def opened(sentences: Sequence[str], form: str, screen: Screen = WIDE) -> list[str]:
    """The lines of sentences that open a page, and the blank one after them; none where there are none.

    >>> opened(["a is better than b.", "b is better on AP."], "markdown")
    ['**a is better than b.** b is better on AP.', '']
    >>> opened(["a is better than b."], "html")
    ['<p><strong>a is better than b.</strong></p>']
    """
    if not sentences:
        return []
    if form == "table":
        return [*map(screen.filled, sentences), ""]
    first, *others = map(html_text if form == "html" else markdown_text, sentences)
    if form == "html":
        return [f"<p>{' '.join([f'<strong>{first}</strong>', *others])}</p>"]
    return [" ".join([f"**{first}**", *others]), ""]


def heading(text: str, form: str) -> str:
    """A line above a table."""
    return f"### {text}" if form == "markdown" else text


@dataclass(frozen=True, eq=False)
class OutputSection:
    """A section of the output of `compare`: tables and sentences for people, rows for CSV, and fields for JSON.

    title      what it is about
    tables     each with a line above it, or with none
    sentences  below the tables
    closing    how it was made
    rows       everything in full, for CSV
    fields     what it adds to the JSON, by key
    notes      what would surprise a reader
    """

    title: str
    tables: Sequence[tuple[str, Table]]
    sentences: Sequence[str]
    closing: str
    rows: Sequence[dict[str, Any]]
    fields: Mapping[str, Any]
    notes: tuple[str, ...] = ()

    def text(self, form: str, screen: Screen = WIDE) -> str:
        """The section as text or Markdown; as csv its rows, as json its keys."""
        if form == "json":
            return as_json(dict(self.fields))
        if form == "csv":
            return as_csv(self.rows)
        if form == "latex":
            return "\n".join(self._papers())
        return page(self.tables, self.sentences, self.closing, form, title=self.title, screen=screen)

    def _papers(self) -> list[str]:
        """Each table with its caption; the last one says the rest."""
        heads = [above or self.title for above, _ in self.tables]
        captions = [f"{head[:1].upper()}{head[1:]}. " for head in heads]
        captions[-1] += " ".join([*self.sentences, self.closing])
        return [grid.paper(caption.strip()) for caption, (_, grid) in zip(captions, self.tables, strict=True)]


def together(main: str, added: list[OutputSection], form: str, screen: Screen = WIDE) -> str:
    """The comparison and what was added to it, in one text; csv, which holds one table, has that alone."""
    if not added:
        return main
    if form == "csv":
        return added[0].text(form)
    if form == "json":
        import msgspec

        fields = msgspec.json.decode(main)
        for section in added:
            fields |= section.fields
        return as_json(fields)
    return "\n".join([main, *(section.text(form, screen) for section in added)])


class Brief:
    """For dataclasses that hold much (declare them with repr=False): the repr names every field and cuts long values.

    >>> from dataclasses import dataclass
    >>> @dataclass(repr=False)
    ... class Ranks(Brief):
    ...     run: str
    ...     ranks: list[int]
    >>> Ranks("bm25", list(range(1000)))
    Ranks(run='bm25', ranks=[0, 1, 2, ...])
    """

    __slots__ = ()

    def __repr__(self) -> str:
        values = (f"{field.name}={_SHORT.repr(getattr(self, field.name))}" for field in fields_of(self))  # type: ignore[arg-type]
        return f"{type(self).__name__}({', '.join(values)})"


class _Short(reprlib.Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 2
        self.maxtuple = self.maxlist = self.maxdict = 3
        self.maxstring = self.maxother = 50

    def repr_ndarray(self, array: Any, level: int) -> str:  # noqa: ARG002 (the name by which reprlib finds it)
        return f"<array: {' × '.join(map(str, array.shape))}>"

    def repr_instance(self, value: Any, level: int) -> str:
        return " ".join(super().repr_instance(value, level).split())


_SHORT = _Short()
