"""One pair of systems on one measure: which is better, by how much, how surely."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from gainful.formats.ids import shown
from gainful.measures import Measure
from gainful.presentation.numbers import fixed, percent, signed, stated_p


@dataclass(frozen=True, slots=True)
class Pair:
    """B against A on the same topics; differences are B − A.

    p_value_method       how the p-value was found: "formula", "exact", "flips", "resamples" or "saddlepoint"
    smallest_p_adjusted  the smallest p-value after correction that the test could have given this pair
    effect_size          the difference in standard deviations over topics
    favours_b            the chance that a topic favours B, ties counting half
    minimum_detectable   the smallest difference that so many topics detect with the stated power
    topics_needed        topics with which the observed difference would be detected with that power; inf: more than anyone has
    wins                 topics on which B is better, whichever way the measure points
    flips                sign flips behind the p-value; None for tests without them
    effective_topics     so many topics of equal weight would say as much; with equal weights, the topics
    """

    measure: Measure
    a: str
    b: str
    mean_a: float
    mean_b: float
    difference: float
    interval: tuple[float, float]
    p_value: float
    p_value_method: str
    p_adjusted: float
    smallest_p_adjusted: float
    effect_size: float
    favours_b: float
    wins: int
    ties: int
    losses: int
    topics: int
    minimum_detectable: float
    topics_needed: float
    flips: int | None
    effective_topics: float = math.nan

    @property
    def less_is_better(self) -> bool:
        """Which way the measure points."""
        return self.measure.less_is_better

    def found(self, alpha: float) -> bool:
        """Whether the difference is significant."""
        return self.p_adjusted <= alpha

    def unresolved(self, alpha: float) -> bool:
        """Whether the test could not have found any difference between these two, however large."""
        return not self.same and not self.found(alpha) and self.smallest_p_adjusted > alpha

    @property
    def same(self) -> bool:
        """Whether the two have the same value on every topic."""
        return self.wins == self.losses == 0

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        made = {name: getattr(self, name) for name in self.__slots__}
        made |= {"measure": str(self.measure), "less_is_better": self.less_is_better}
        made |= {"a": shown(self.a), "b": shown(self.b), "interval": list(self.interval)}
        made["topics_needed"] = int(self.topics_needed) if math.isfinite(self.topics_needed) else None
        return made

    def sentence(
        self,
        *,
        alpha: float,
        power: float,
        adjusted: str | None = None,
        against_the_mean: str | None = None,
        limit: str | None = None,
    ) -> str:
        """The answer in words.

        adjusted          how the p-value was corrected, if it was
        against_the_mean  the test, where what it counts favours the system whose mean is not the better one
        limit             why the test could not have found any difference, where that is so
        """
        a, b = shown(self.a), shown(self.b)
        interval = f"{percent(1 - alpha)} confidence interval"
        p = f"p {stated_p(self.p_value)}"
        if adjusted:
            p += f" ({stated_p(self.p_adjusted).removeprefix('= ')} after {adjusted})"
        topics = f"{self.topics:,} topics"
        if self.effective_topics < self.topics:
            topics += f" (as good as {self.effective_topics:,.1f} of equal weight)"
        if self.same:
            return f"{a} and {b} have the same {self.measure} on every one of {topics}."
        low, high = self.interval
        where = f"({interval} {signed(low)} to {signed(high)})"
        if self.found(alpha) and against_the_mean:
            return (
                f"{b} and {a} differ on {self.measure}, and which is better depends on what is counted: "
                f"the {against_the_mean} goes against the means ({self.wins:,} topics favour {b}, {self.losses:,} {a}), {p}; "
                f"difference of the means {signed(self.difference)} {where}, {topics}."
            )
        if self.found(alpha):
            better, worse = (b, a) if (self.difference > 0) != self.less_is_better else (a, b)
            ends = (low, high) if self.difference > 0 else (-high, -low)
            where = f"({interval} {fixed(ends[0])} to {fixed(ends[1])})"
            topics += ", less is better" if self.less_is_better else ""
            return f"{better} is better than {worse} by {abs(self.difference):.4f} {self.measure} {where}, {p}, {topics}."
        apart = f"{signed(self.difference)} {where}, {p}, {topics}."
        if limit:
            return f"{b} against {a} on {self.measure} cannot be resolved: {limit}. Difference {apart}"
        return f"{b} and {a} do not differ significantly on {self.measure}: difference {apart} {self._outlook(power)}".rstrip()

    def _outlook(self, power: float) -> str:
        """What would have been found, and what it would take."""
        if not math.isfinite(self.minimum_detectable):
            return ""
        made = f"For one comparison, with power {power:g}, these topics detect a difference of {self.minimum_detectable:.4f}"
        if math.isnan(self.topics_needed):
            return made + "."
        if math.isinf(self.topics_needed):
            return made + "; the observed one is too small for any number of topics."
        return made + f"; the observed one would need {self.topics_needed:,.0f}."
