"""What is to be done, as every worker is told."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from functools import cached_property

from gainful.formats.types import By
from gainful.judging.settings import Settings
from gainful.measures import Measure
from gainful.spark.broadcast import Held

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
    held: Held | None = None
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
