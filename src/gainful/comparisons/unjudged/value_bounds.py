"""Bounds: between which values a run, and the difference of two, can lie once open documents are judged.

Open are the documents that nobody judged and that stand in the top ranks of the runs in question: down to the
measure's cutoff, or to rank 100 where it has none. Each may turn out to have any grade from 0 to the best in the
judgments; nothing else changes. A document that both runs have is one document: it cannot be relevant for one
and not for the other.

    exact     some judgment of the open documents reaches the bound
    outer     no judgment goes beyond it, and perhaps none reaches it
    declared  nothing is known of the measure but its least and greatest value
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.unjudged.evidence import Evidence
from gainful.estimates.grade_extremes import TopicGrades
from gainful.estimates.measure_shapes import Average, Rising, shape_of
from gainful.measures import Measure

Floats = NDArray[np.float64]
Kind = Literal["exact", "outer", "declared"]

DEPTH = 100
"""Ranks of the lists whose documents are open, for measures without a cutoff."""


@dataclass(frozen=True, slots=True, eq=False)
class Bounds:
    """Least and greatest value, topic by topic."""

    low: Floats
    high: Floats
    kind: Kind


def depth_of(measure: Measure, depth: int | None = None) -> int:
    """Down to which rank documents are open."""
    return depth or measure.cutoff or DEPTH


def bounds_of_run(
    evidence: Evidence, measure: Measure, run: int, topics: Sequence[int], *, depth: int | None = None
) -> Bounds:
    """Bounds of one run's values, over all judgments of its open documents."""
    ends = [_ends(evidence, measure, topic, run, None, depth_of(measure, depth)) for topic in topics]
    return _made(ends, _kind(evidence, measure, pair=False))


def bounds_of_difference(
    evidence: Evidence,
    measure: Measure,
    a: int,
    b: int,
    topics: Sequence[int],
    *,
    depth: int | None = None,
) -> Bounds:
    """Bounds of B − A, over all judgments of the open documents of both."""
    ends = [_ends(evidence, measure, topic, b, a, depth_of(measure, depth)) for topic in topics]
    return _made(ends, _kind(evidence, measure, pair=True))


def _made(of_topics: Sequence[tuple[float, float]], kind: Kind) -> Bounds:
    ends = np.array(of_topics).reshape(-1, 2)
    return Bounds(ends[:, 0], ends[:, 1], kind)


def _kind(evidence: Evidence, measure: Measure, *, pair: bool) -> Kind:
    shape = shape_of(measure, evidence.top)
    if shape is None:
        return "declared"
    return "outer" if pair and isinstance(shape, Average | Rising) else "exact"


def _ends(
    evidence: Evidence, measure: Measure, topic: int, run: int, other: int | None, depth: int
) -> tuple[float, float]:
    """Least and greatest value of the run, or of the run less the other, on a topic."""
    shape = shape_of(measure, evidence.top)
    if shape is None:
        low, high = measure.bounds
        return (low, high) if other is None else (low - high, high - low)
    part = evidence.part(topic)
    opened = evidence.open(topic, [run] if other is None else [run, other], depth)
    kept = opened | (evidence.grade[part] >= 0)  # the others count for nothing
    ranks = evidence.ranks[run, part][kept]
    against = np.full_like(ranks, np.inf) if other is None else evidence.ranks[other, part][kept]
    of_topic = TopicGrades(shape, measure, evidence.grade[part][kept], opened[kept], evidence.top)
    return -of_topic.most(against, ranks), of_topic.most(ranks, against)
