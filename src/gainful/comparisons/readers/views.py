"""Readers as text for people and for programs."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from gainful.comparisons.layout import as_csv, paper
from gainful.comparisons.pair import signed
from gainful.comparisons.readers.results import Range, Readers, Sweep
from gainful.comparisons.views import as_json
from gainful.curves.points import plain
from gainful.formats.grid import Grid
from gainful.formats.ids import shown

FORMATS = ("table", "csv", "json", "markdown", "latex")

_TALKATIVE = 12
"""Sweeps up to which each gets a sentence; beyond, each pair."""


def of_readers(readers: Readers, form: str, *, places: int = 4) -> str:
    """Ranges and sentences; as csv a line for each point of each sweep, as json everything."""
    if form == "json":
        return as_json(readers.to_dict())
    if form == "csv":
        return as_csv([row for sweep in readers for row in _flat(sweep)])
    made = grid(readers, places=places)
    if form == "latex":
        return paper(made, " ".join([*readers.headlines, readers.how()]))
    if form == "markdown":
        lines = [f"- {line}" for line in said(readers)]
        return "\n".join([made.markdown(), "", *lines, "", f"_{readers.how()}_"]) + "\n"
    return "\n".join([made.text(), "", *said(readers), "", readers.how()]) + "\n"


def said(readers: Readers) -> list[str]:
    """The answer for each pair, then for each sweep where they are few."""
    if len(readers.sweeps) > _TALKATIVE or len(readers.sweeps) == len(readers.pairs):
        return list(readers.headlines)
    lines = []
    for pair, headline in zip(readers.pairs, readers.headlines, strict=True):
        sweeps = readers.of(*pair)
        lines += [headline] if all(headline != one.sentence for one in sweeps) else []
        lines += [f"{one.measure} by {one.by}: {one.sentence}" for one in sweeps]
    return lines


def grid(readers: Readers, *, places: int = 4) -> Grid:
    """A row for each range: which readers, who leads, and the smallest and the largest difference among them."""
    heads = ["systems", "by", "measure", "leader", "from", "to", "difference", "to"]
    return Grid(heads, [_cells(sweep, one, places) for sweep in readers for one in sweep.ranges], names=4)


def html_table(readers: Readers) -> str:
    """The ranges and sentences where no chart can be drawn."""
    made = grid(readers)
    head = "".join(f"<th>{escape(cell)}</th>" for cell in made.heads)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in made.body
    )
    lines = "".join(f"<p>{escape(line)}</p>" for line in [*said(readers), readers.how()])
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{lines}"


def _cells(sweep: Sweep, found: Range, places: int) -> list[str]:
    here = sweep.difference[(sweep.at >= found.start) & (sweep.at <= found.stop)]
    return [
        " − ".join(map(shown, sweep.systems)),
        sweep.by,
        sweep.measure,
        "not separable" if found.leader is None else shown(found.leader),
        f"{found.start:g}",
        f"{found.stop:g}",
        signed(float(here.min()), places),
        signed(float(here.max()), places),
    ]


def _flat(sweep: Sweep) -> list[dict[str, Any]]:
    """A row for each point."""
    first, second = sweep.systems
    rows = np.stack([*sweep.curves, sweep.difference, sweep.low, sweep.high]).T.tolist()
    leaders = {1: shown(first), -1: shown(second), 0: ""}
    return [
        {
            "by": sweep.by,
            "measure": sweep.measure,
            "first": shown(first),
            "second": shown(second),
            "at": plain(at),
            "mean_first": a,
            "mean_second": b,
            "difference": difference,
            "low": low,
            "high": high,
            "leader": leaders[lead],
        }
        for at, (a, b, difference, low, high), lead in zip(
            sweep.at.tolist(), rows, sweep.leads.tolist(), strict=True
        )
    ]
