"""What every worker is told: measures, settings, and the judgments where they are small enough to be sent."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any
from uuid import uuid4

import numpy as np

from gainful.formats.types import By
from gainful.judging.settings import Settings
from gainful.measures import Measure

EXTRA = 1000
"""Topics that are not judged: so many of each run are named, all are counted."""

KEY = "key"
"""The column of the number that stands for a topic; rows are sorted by it."""

ONE = "run"
"""The name of a run that was given none."""


@dataclass(frozen=True)
class Task:
    """What is to be done, as every worker is told.

    shipped    the measures, as bytes
    held       the judgments; None where they come with the rows, marked by a column `kind`
    by, parts  what the judgments tell apart, and whether preferences come in parts
    top        the best grade of all judgments
    several    whether a column `run` tells runs apart
    anywhere   whether a column `anywhere` says that a document is judged for some topic
    cutoffs    ranks for which ties across them are counted
    known, expected  what users knew and expected: {user: {topic: documents}}, a number or {topic: number}
    """

    shipped: bytes
    settings: Settings
    held: BroadcastJudgments | None = None
    by: By | None = None
    parts: bool = False
    top: float | None = None
    several: bool = False
    anywhere: bool = False
    cutoffs: tuple[int, ...] = ()
    known: dict[str, dict[str, set[str]]] | None = None
    expected: int | dict[str, int] | None = None

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """The measures, made again from their bytes."""
        made = pickle.loads(self.shipped)
        return tuple(one if isinstance(one, Measure) else Measure(*one) for one in made)


class BroadcastJudgments:
    """Rows of judgments as bytes; a process opens them once, however many tasks it is given."""

    def __init__(self, table: Any) -> None:
        import pyarrow as pa

        sink = pa.BufferOutputStream()
        ordered = table.take(pa.compute.sort_indices(table["topic"])).combine_chunks()
        with pa.ipc.new_stream(sink, ordered.schema) as writer:
            writer.write_table(ordered)
        self.raw = sink.getvalue().to_pybytes()
        self.token = uuid4().hex

    def __hash__(self) -> int:
        return hash(self.token)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BroadcastJudgments) and self.token == other.token

    def of(self, topics: list[bytes]) -> Any:
        """The rows of these topics."""
        table, places = _opened(self)
        ranges = [places[topic] for topic in topics if topic in places]
        if not ranges:
            return table.slice(0, 0)
        starts, lengths = np.array(ranges).T
        ends = np.cumsum(lengths)
        return table.take(np.arange(ends[-1]) + np.repeat(starts - ends + lengths, lengths))


@lru_cache(maxsize=2)
def _opened(held: BroadcastJudgments) -> tuple[Any, dict[bytes, tuple[int, int]]]:
    """The table, and where each topic begins and how many rows it has."""
    import pyarrow as pa

    table = pa.ipc.open_stream(held.raw).read_all()
    numbers = table["topic"].combine_chunks().dictionary_encode()
    codes = numbers.indices.to_numpy()
    starts = np.flatnonzero(np.diff(codes, prepend=-1))
    lengths = np.diff(np.append(starts, len(codes)))
    places = zip(starts.tolist(), lengths.tolist(), strict=True)
    return table, dict(zip(numbers.dictionary.to_pylist(), places, strict=True))
