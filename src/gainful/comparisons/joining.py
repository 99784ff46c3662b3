"""Tables of different systems, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.tables import ScoreTable, System
from gainful.errors import DataError, UsageError
from gainful.formats.ids import in_order


def join(tables: Sequence[ScoreTable], names: Sequence[str]) -> ScoreTable:
    """Tables of different systems side by side; they must come from the same judgments, settings and measures.

    names  what to call each table in a message
    """
    first = tables[0]
    for table, name in zip(tables[1:], names[1:], strict=True):
        same_origin(first, table, names[0], name)
    measures = [measure for measure in first.measures if all(measure in table.measures for table in tables)]
    if not measures:
        listed = "; ".join(
            f"{name} has {', '.join(table.measures)}" for table, name in zip(tables, names, strict=True)
        )
        raise UsageError(f"no measure is common to all: {listed}.")
    topics = in_order({topic for table in tables for topic in table.topics})
    place = {topic: number for number, topic in enumerate(topics)}
    systems = tuple(system for table in tables for system in table.systems)
    values = np.full((len(measures), len(systems), len(topics)), np.nan)
    start = 0
    for table in tables:
        columns = [place[topic] for topic in table.topics]
        stop = start + len(table.systems)
        values[:, start:stop, columns] = table.select(measures).values
        start = stop
    notes = tuple(note for table in tables for note in table.notes)
    return ScoreTable(
        tuple(measures),
        named_apart(systems),
        tuple(topics),
        values,
        first.settings,
        first.qrels,
        notes,
        tied=_tied([table.select(measures) for table in tables]),
    )


def _tied(tables: Sequence[ScoreTable]) -> NDArray[np.float64] | None:
    """What is known of ties, of all systems side by side."""
    if all(table.tied is None for table in tables):
        return None
    unknown = [np.full((*table.values.shape[:2], 2), np.nan) for table in tables]
    known = [
        table.tied if table.tied is not None else nan for table, nan in zip(tables, unknown, strict=True)
    ]
    return np.concatenate(known, axis=1)


def named_apart(systems: Iterable[System]) -> tuple[System, ...]:
    """Systems of the same name get a number."""
    seen: dict[str, int] = {}
    made = []
    for system in systems:
        times = seen[system.name] = seen.get(system.name, 0) + 1
        made.append(replace(system, name=f"{system.name}#{times}") if times > 1 else system)
    return tuple(made)


def same_origin(first: ScoreTable, other: ScoreTable, first_name: str, other_name: str) -> None:
    """Refuse scores that were made from other judgments or with other settings."""
    if first.qrels is not None and other.qrels is not None and first.qrels["digest"] != other.qrels["digest"]:
        raise DataError(
            f"{other_name} was scored with other judgments than {first_name} "
            f"(digest {other.qrels['digest'][:12]}, not {first.qrels['digest'][:12]}).\n"
            "Score it again with the same judgments; nothing was compared."
        )
    if first.settings is not None and other.settings is not None:
        unlike = [
            f"{name} {other.settings.get(name)}, not {value}"
            for name, value in first.settings.items()
            if other.settings.get(name, value) != value
        ]
        if unlike:
            raise DataError(
                f"{other_name} was scored with other settings than {first_name}: {'; '.join(unlike)}.\n"
                "Score it again with the same settings; nothing was compared."
            )
