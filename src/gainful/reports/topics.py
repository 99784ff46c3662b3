"""Topics: how hard each was, how much of it is judged, and what each system made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful.formats.ids import shown
from gainful.scores import Scores

_TOP = 10


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic.

    relevant  documents judged relevant
    judged    share of the systems' top ten that is judged; None where they have nothing
    """

    id: str
    relevant: int
    judgments: int
    judged: float | None


@dataclass(frozen=True, eq=False)
class Topics:
    """Every judged topic.

    values  for each measure, systems (in the order of the board) × topics; NaN where a topic does not count
    """

    topics: tuple[Topic, ...]
    systems: tuple[str, ...]
    values: Mapping[str, NDArray[np.float64]]

    def difficulty(self, measure: str) -> list[tuple[float, float, float]]:
        """Of each topic the median over systems, the lowest and the highest; NaN where no system counts."""
        rows = self.values[measure]
        there = ~np.isnan(rows).all(axis=0)
        made = np.full((3, rows.shape[1]), np.nan)
        if there.any():
            some = rows[:, there]
            made[:, there] = np.nanmedian(some, axis=0), np.nanmin(some, axis=0), np.nanmax(some, axis=0)
        return [(row[0], row[1], row[2]) for row in made.T.tolist()]

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output; what has no value is null."""
        return {
            "systems": list(map(shown, self.systems)),
            "topics": [
                {
                    "id": shown(topic.id),
                    "relevant": topic.relevant,
                    "judgments": topic.judgments,
                    "judged_share": topic.judged,
                }
                for topic in self.topics
            ],
            "values": {measure: rows.tolist() for measure, rows in self.values.items()},
        }


def topics(scores: Scores, systems: Sequence[str]) -> Topics:
    """Of scores; the systems are in the order of the board."""
    runs = [scores[system] for system in systems]
    ids = runs[0].topics
    pool = scores.pool
    rel = 1.0 if scores.settings.rel is None else scores.settings.rel
    relevant = pool.total(where=pool.grade >= rel).astype(int).tolist()
    judgments = np.diff(pool.offsets).tolist()
    there = np.sum([np.minimum(run.judged.retrieved, _TOP) for run in runs], axis=0)
    tops = [(run.judged, run.judged.rank <= _TOP) for run in runs]
    known = np.sum([judged.total(where=top & (judged.grade >= 0)) for judged, top in tops], axis=0)
    shares = [float(share) if any_ else None for share, any_ in zip(_ratio(known, there), there, strict=True)]
    values = {
        str(measure): np.array([_counted(run, number) for run in runs])
        for number, measure in enumerate(scores.measures)
    }
    return Topics(
        tuple(map(Topic, ids, relevant, judgments, shares)),
        tuple(systems),
        values,
    )


def _ratio(above: Any, below: Any) -> Any:
    return np.divide(above, below, out=np.zeros(len(below)), where=below > 0)


def _counted(run: Any, number: int) -> NDArray[np.float64]:
    """A measure's values, NaN where a topic does not count."""
    out = ~run.evaluated
    if run.settings.undefined == "skip":
        out = out | run.nothing_to_find[number]
    return np.where(out, np.nan, run.values[number])
