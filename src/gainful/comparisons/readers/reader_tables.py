"""Readers as text for people and for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import Any

import numpy as np

from gainful.comparisons.comparison_tables import ALL
from gainful.comparisons.readers.reader_ranges import Range, Readers, Sweep
from gainful.comparisons.result_section import Section
from gainful.curves.curve_data import plain
from gainful.formats.ids import shown
from gainful.presentation.numbers import signed
from gainful.presentation.table import Table, as_csv, as_json, page

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
        return made.paper(" ".join([*readers.headlines, readers.how()]))
    return page([made], said(readers), readers.how(), form)


def readers_section(
    readers: Readers, *, places: int = 4, by_group: Mapping[str, Readers] = MappingProxyType({})
) -> Section:
    """Ranges and sentences of readers as a section of a comparison, for all topics and for each group of them."""
    several = [({"group": ALL}, readers)] if by_group else [({}, readers)]
    several += [({"group": shown(group)}, found) for group, found in by_group.items()]
    everything = readers.to_dict()
    held = {name: everything[name] for name in ("crossovers", "sweeps", "sentences", "headlines")}
    if by_group:
        held["crossovers_by_group"] = {
            shown(group): [one.to_dict() for one in found.crossovers] for group, found in by_group.items()
        }
    return Section(
        "Readers",
        [
            ("", grid(readers, places=places)),
            *((f"group {shown(group)}", grid(found, places=places)) for group, found in by_group.items()),
        ],
        [
            *said(readers),
            *(
                f"Group {shown(group)}: {line}"
                for group, found in by_group.items()
                for line in found.headlines
            ),
        ],
        readers.how(),
        [named | row for named, found in several for sweep in found for row in _flat(sweep)],
        held,
        (*readers.notes, *_only_in_groups(readers.notes, by_group)),
    )


def _only_in_groups(notes: Sequence[str], by_group: Mapping[str, Readers]) -> list[str]:
    """What is noted of a group and not of the whole."""
    return [
        f"group {shown(group)}: {note}"
        for group, found in by_group.items()
        for note in found.notes
        if note not in notes
    ]


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


def grid(readers: Readers, *, places: int = 4) -> Table:
    """A row for each range: which readers, who leads, and the smallest and the largest difference among them."""
    heads = ["systems", "by", "measure", "leader", "from", "to", "difference", "to"]
    return Table(heads, [_cells(sweep, one, places) for sweep in readers for one in sweep.ranges], names=4)


def html_table(readers: Readers) -> str:
    """The ranges and sentences where no chart can be drawn."""
    lines = "".join(f"<p>{escape(line)}</p>" for line in [*said(readers), readers.how()])
    return grid(readers).html() + lines


def _cells(sweep: Sweep, found: Range, places: int) -> list[str]:
    here = sweep.difference[(sweep.at >= found.start) & (sweep.at <= found.stop)]
    return [
        " − ".join(map(shown, reversed(sweep.systems))),
        sweep.by,
        str(sweep.measure),
        "not significant" if found.leader is None else shown(found.leader),
        f"{found.start:g}",
        f"{found.stop:g}",
        signed(float(here.min()), places),
        signed(float(here.max()), places),
    ]


def _flat(sweep: Sweep) -> list[dict[str, Any]]:
    """A row for each point."""
    a, b = map(shown, sweep.systems)
    rows = np.stack([*sweep.curves, sweep.difference, sweep.low, sweep.high]).T.tolist()
    leaders = {1: b, -1: a, 0: ""}
    return [
        {
            "by": sweep.by,
            "measure": str(sweep.measure),
            "a": a,
            "b": b,
            "at": plain(at),
            "mean_a": mean_a,
            "mean_b": mean_b,
            "difference": difference,
            "low": low,
            "high": high,
            "leader": leaders[lead],
        }
        for at, (mean_a, mean_b, difference, low, high), lead in zip(
            sweep.at.tolist(), rows, sweep.leads.tolist(), strict=True
        )
    ]
