"""Pairs: what was found of every two systems, and on which topics they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gainful.comparisons import Comparison, Pair
from gainful.formats.ids import shown

TALKATIVE = 12
"""Pairs of a measure up to which each gets a sentence."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Every pair of systems on every measure that was compared.

    measures   those compared; the scores may have more
    chosen     the two systems that are shown first: the leader and the next, or the baseline and the best other, as
               they stand in the comparison
    sentences  of the pairs of the first measure, where there are few
    """

    comparison: Comparison
    measures: tuple[str, ...]
    chosen: tuple[str, str]
    sentences: tuple[str, ...]

    @property
    def alpha(self) -> float:
        """Chance of a false find that was accepted."""
        return self.comparison.method.alpha

    def of(self, measure: str) -> tuple[Pair, ...]:
        """The pairs of one measure."""
        return self.comparison.of(measure)

    def pair(self, measure: str, one: str, other: str) -> Pair | None:
        """Two systems on one measure, whichever stands first; None where they were not compared."""
        return next((pair for pair in self.of(measure) if {pair.a, pair.b} == {one, other}), None)

    def differences(self, measure: str, a: str, b: str) -> list[tuple[str, float]]:
        """B − A on each topic, the largest first."""
        rows, topics = self.comparison.table.of(measure)
        names = self.comparison.table.names
        made = rows[names.index(b)] - rows[names.index(a)]
        order = np.argsort(-made, kind="stable")
        return [(topics[one], float(made[one])) for one in order.tolist()]

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        made = self.comparison.to_dict()
        return {key: made[key] for key in ("statistics", "comparisons", "notes")} | {
            "first_shown": list(map(shown, self.chosen)),
            "stated": self.comparison.stated(),
        }


def pairs(comparison: Comparison, systems: Sequence[str]) -> Pairs:
    """Of a comparison; the systems are in the order of the board."""
    first = comparison.table.measures[0]
    baseline = comparison.method.baseline
    some = comparison.of(first)
    best = next(system for system in systems if system != baseline)
    other = systems[1] if baseline is None else baseline
    chosen = next((pair.a, pair.b) for pair in some if {pair.a, pair.b} == {best, other})
    sentences = [comparison.sentence(pair) for pair in some] if len(some) <= TALKATIVE else []
    return Pairs(comparison, tuple(map(str, comparison.table.measures)), chosen, tuple(sentences))
