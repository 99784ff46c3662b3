"""Ties: how far means depend on the order of documents with equal scores.

A run's mean is lowest where every tie is broken for the worst and highest where it is broken for the best; a
difference B − A lies between (B worst − A best) and (B best − A worst). A rule may treat the two runs alike or not:
these are the ends over all rules, topic by topic and run by run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gainful.formats.ids import shown
from gainful.judging.transforms import order_ties
from gainful.measures import Measure
from gainful.scores import RunScores, Scores

if TYPE_CHECKING:
    from gainful.comparisons.score_table import ScoreTable

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TieRange:
    """The difference of a pair under every order of equal scores."""

    measure: Measure
    a: str
    b: str
    range_a: tuple[float, float]
    range_b: tuple[float, float]
    difference: float

    @property
    def range(self) -> tuple[float, float]:
        """Least and greatest difference."""
        return self.range_b[0] - self.range_a[1], self.range_b[1] - self.range_a[0]

    @property
    def decides(self) -> bool:
        """Whether another order of tied scores could change the sign of the difference."""
        low, high = self.range
        return (self.difference > 0 >= low) or (self.difference < 0 <= high)

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "measure": str(self.measure),
            "a": shown(self.a),
            "b": shown(self.b),
            "range_a": list(self.range_a),
            "range_b": list(self.range_b),
            "range": list(self.range),
            "decides": self.decides,
        }


def tie_range(table: ScoreTable, measure: Measure, a: str, b: str, difference: float) -> TieRange | None:
    """The difference of two systems of a table under every order of equal scores; None where that is not known."""
    if table.tied is None:
        return None
    ends = table.tied[table.place_of(measure)]
    (low_a, high_a), (low_b, high_b) = (ends[table.names.index(name)].tolist() for name in (a, b))
    return TieRange(measure, a, b, (low_a, high_a), (low_b, high_b), difference)


def has_ends(measure: Measure) -> bool:
    """Whether better grades first is the best order of equal scores, and better grades last the worst.

    >>> from gainful.measures import parse
    >>> [has_ends(parse(name)) for name in ("nDCG@10", "Fallout@10", "nDCG(gain={1:5,2:1})@10")]
    [True, False, False]
    """
    return not measure.may_fall and bool(getattr(measure.params.get("gain"), "rising", True))


def tied_means(scores: Scores) -> Floats | None:
    """Measures × runs × 2: the mean with ties at worst and at best; None where no run has a tie that matters.

    Runs that were cut short or condensed have lost what stood beside their ties: nothing is known of them here.
    """
    settings = scores.settings
    if settings.depth is not None or settings.unjudged != "nonrelevant":
        return None
    if any(measure.needs is not None or not has_ends(measure) for measure in scores.measures):
        return None
    if not any((run.judged.first < run.judged.last).any() for run in scores.runs):
        return None
    return np.stack([_ends(run) for run in scores.runs], axis=1)


def _ends(run: RunScores) -> Floats:
    """Measures × 2 for one run."""
    judged = run.judged
    tied = bool((judged.first < judged.last).any())
    ends = np.empty((len(run.measures), 2))
    for end in (0, 1):
        ordered = order_ties(judged, best=end == 1) if tied else judged
        for number, measure in enumerate(run.measures):
            values, _ = measure.evaluate(ordered)
            counted = run.evaluated & ~(
                run.nothing_to_find[number] if run.settings.undefined == "skip" else np.False_
            )
            ends[number, end] = values[counted].mean() if counted.any() else np.nan
    ends.sort(axis=1)  # where less is better, worst is the higher
    return ends
