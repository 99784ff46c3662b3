"""Sections of the output of `compare`: tables and sentences for people, rows and keys for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from gainful.presentation.page import page
from gainful.presentation.table import Table, as_csv, as_json
from gainful.presentation.text_style import WIDE, Screen


@dataclass(frozen=True, eq=False)
class Section:
    """One section of the output: tables, sentences, rows for CSV, and keys for JSON.

    title    what it is about
    tables   each with a line above it, or with none
    said     sentences
    closing  how it was made
    rows     the same in full, for csv
    held     what it adds to the JSON, by key
    notes    what would surprise a reader
    """

    title: str
    tables: Sequence[tuple[str, Table]]
    said: Sequence[str]
    closing: str
    rows: Sequence[dict[str, Any]]
    held: Mapping[str, Any]
    notes: tuple[str, ...] = ()

    def text(self, form: str, screen: Screen = WIDE) -> str:
        """The section as text or Markdown; as csv its rows, as json its keys."""
        if form == "json":
            return as_json(dict(self.held))
        if form == "csv":
            return as_csv(self.rows)
        if form == "latex":
            return "\n".join(self._papers())
        return page(self.tables, self.said, self.closing, form, title=self.title, screen=screen)

    def _papers(self) -> list[str]:
        """Each table with its caption; the last one says the rest."""
        heads = [above or self.title for above, _ in self.tables]
        captions = [f"{head[:1].upper()}{head[1:]}. " for head in heads]
        captions[-1] += " ".join([*self.said, self.closing])
        return [grid.paper(caption.strip()) for caption, (_, grid) in zip(captions, self.tables, strict=True)]


def together(main: str, added: list[Section], form: str, screen: Screen = WIDE) -> str:
    """The comparison and what was added to it, in one text; csv, which holds one table, has that alone."""
    if not added:
        return main
    if form == "csv":
        return added[0].text(form)
    if form == "json":
        held = msgspec.json.decode(main)
        for section in added:
            held |= section.held
        return as_json(held)
    return "\n".join([main, *(section.text(form, screen) for section in added)])
