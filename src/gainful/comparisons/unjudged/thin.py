"""Thin judgments: how much of what each run shows is judged, by depth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gainful.comparisons.unjudged.evidence import Evidence
from gainful.formats.ids import shown
from gainful.judging.notes import SHARES_DIFFER

DEPTHS = (10, 100, 1000)


@dataclass(frozen=True, slots=True)
class Share:
    """Of the documents in the top ranks of a run, the share that is judged."""

    run: str
    depth: int
    judged: int
    documents: int

    @property
    def share(self) -> float:
        """Judged documents among those that there are; NaN where there are none."""
        return self.judged / self.documents if self.documents else float("nan")

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "run": shown(self.run),
            "depth": self.depth,
            "judged": self.judged,
            "documents": self.documents,
            "share": self.share,
        }


def share_of(evidence: Evidence, run: int, topics: Sequence[int], depth: int) -> Share:
    """Of one run down to a rank, all topics together."""
    judged = documents = 0
    for topic in topics:
        part = evidence.part(topic)
        judged += int(np.count_nonzero((evidence.ranks[run, part] <= depth) & (evidence.grade[part] >= 0)))
        documents += int(min(evidence.retrieved[run, topic], depth))
    return Share(evidence.names[run], depth, judged, documents)


def depths_of(evidence: Evidence, cutoffs: Iterable[int]) -> list[int]:
    """10, 100 and 1,000 as far as the lists go, and the cutoffs of the measures."""
    deepest = int(evidence.retrieved.max(initial=0))
    usual = [depth for depth in DEPTHS if depth == DEPTHS[0] or depth <= deepest]
    return sorted({*usual, *cutoffs})


def biased_against(first: Share, second: Share) -> str | None:
    """The run with so much less judged that a comparison with the other is biased against it; None if there is none."""
    gap = first.share - second.share
    if not abs(gap) > SHARES_DIFFER:  # nor where one of them is unknown
        return None
    return second.run if gap > 0 else first.run
