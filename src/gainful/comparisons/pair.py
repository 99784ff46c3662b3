"""Pairs of systems on one measure: which is better, by how much, how surely."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.method import Adjusted, Index, Method, Tested, Weights, pair_portions
from gainful.errors import UsageError
from gainful.formats.ids import shown
from gainful.measures import Measure
from gainful.presentation.text_style import fixed, percent, signed, stated_p
from gainful.statistics.differences import (
    detectable,
    deviation,
    differences,
    effective,
    topics_needed,
    weighted_deviation,
    weighted_mean,
)
from gainful.statistics.intervals import interval
from gainful.statistics.resampling import Progress
from gainful.summaries import mean


@dataclass(frozen=True, slots=True)
class Pair:
    """B against A on the same topics; differences are B − A.

    p_value_method       how the p-value was found: "formula", "exact", "flips", "resamples" or "saddlepoint"
    smallest_p_adjusted  the smallest p-value after correction that the test could have given this pair
    effect_size          the difference in standard deviations over topics
    favours_b            the chance that a topic favours B, ties counting half
    minimum_detectable   the smallest difference that this number of topics detects with the stated power
    topics_needed        topics with which the observed difference would be detected with that power; inf: more than anyone has
    wins                 topics on which B is better, whichever way the measure points
    flips                sign flips behind the p-value; None for tests without them
    effective_topics     number of topics of equal weight that carry as much information; with equal weights, all of them
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
        """Whether a lower value of the measure is better."""
        return self.measure.less_is_better

    def significant(self, alpha: float) -> bool:
        """Whether the difference is significant at level alpha, after correction."""
        return self.p_adjusted <= alpha

    def unresolved(self, alpha: float) -> bool:
        """Whether the test could not have detected any difference between these two, however large."""
        return not self.same and not self.significant(alpha) and self.smallest_p_adjusted > alpha

    @property
    def same(self) -> bool:
        """Whether the two have the same value on every topic."""
        return self.wins == self.losses == 0

    @property
    def constant(self) -> bool:
        """Whether all topics differ by the same amount: the interval then has no width, which is not certainty."""
        return self.same or math.isclose(*self.interval, rel_tol=1e-9, abs_tol=1e-12)

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        fields |= {"measure": str(self.measure), "less_is_better": self.less_is_better}
        fields |= {"a": shown(self.a), "b": shown(self.b), "interval": list(self.interval)}
        fields["topics_needed"] = int(self.topics_needed) if math.isfinite(self.topics_needed) else None
        return fields

    def sentence(
        self,
        *,
        alpha: float,
        power: float,
        adjusted: str | None = None,
        against_the_mean: str | None = None,
        limit: str | None = None,
    ) -> str:
        """Which system is better, by how much and how surely, in a sentence.

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
            topics += f" (equivalent to {self.effective_topics:,.1f} of equal weight)"
        if self.same:
            return f"{a} and {b} have the same {self.measure} on every one of {topics}."
        low, high = self.interval
        alike = f"(the same on all {self.topics:,} topics)" if self.constant else ""
        where = alike or f"({interval} {signed(low)} to {signed(high)})"
        if math.isnan(low):
            where = "(no interval)"
        if self.significant(alpha) and against_the_mean:
            return (
                f"{b} and {a} differ on {self.measure}, and which is better depends on what is counted: "
                f"the {against_the_mean} goes against the means ({self.wins:,} topics favour {b}, {self.losses:,} {a}), {p}; "
                f"difference of the means {signed(self.difference)} {where}, {topics}."
            )
        if self.significant(alpha):
            better, worse = (b, a) if (self.difference > 0) != self.less_is_better else (a, b)
            ends = (low, high) if self.difference > 0 else (-high, -low)
            where = alike or f"({interval} {fixed(ends[0])} to {fixed(ends[1])})"
            topics += ", less is better" if self.less_is_better else ""
            return f"{better} is better than {worse} by {abs(self.difference):.4f} {self.measure} {where}, {p}, {topics}."
        apart = f"{signed(self.difference)} {where}, {p}, {topics}."
        if limit:
            return f"{b} against {a} on {self.measure} cannot be resolved: {limit}. Difference {apart}"
        return f"{b} and {a} do not differ significantly on {self.measure}: difference {apart} {self._outlook(power)}".rstrip()

    def _outlook(self, power: float) -> str:
        """The smallest detectable difference, and the topics needed for the observed one."""
        if not math.isfinite(self.minimum_detectable):
            return ""
        detected = f"For one comparison, with power {power:g}, these topics detect a difference of {self.minimum_detectable:.4f}"
        if math.isnan(self.topics_needed):
            return detected + "."
        if math.isinf(self.topics_needed):
            return detected + "; the observed one is too small for any number of topics."
        return detected + f"; the observed one would need {self.topics_needed:,.0f}."


def described(
    measure: Measure,
    rows: NDArray[np.float64],
    names: Sequence[str],
    first: Index,
    second: Index,
    alone: Tested,
    together: Adjusted,
    method: Method,
    progress: Progress | None = None,
    *,
    weights: Weights = None,
) -> Iterator[Pair]:
    """Each pair with its interval, effect size, wins and losses, and what more topics would detect."""
    means = np.array([mean(row) for row in rows]) if weights is None else weighted_mean(rows, weights)
    topics = rows.shape[1]
    effective_topics = topics if weights is None else effective(weights)
    for some in pair_portions(len(first), topics):
        a, b = first[some], second[some]
        apart = differences(rows, a, b)
        difference = means[b] - means[a]
        low, high = interval(
            method.interval,
            apart,
            method.confidence,
            estimates=difference,
            resamples=method.resamples,
            flips=method.asked,
            seed=method.seed,
            progress=progress,
            weights=weights,
        )
        spread = deviation(apart) if weights is None else weighted_deviation(apart, weights)
        middle = apart.mean(axis=1) if weights is None else weighted_mean(apart, weights)
        with np.errstate(divide="ignore", invalid="ignore"):
            effect = middle / spread
        least, needed = _detectable_and_needed(effect, spread, topics, effective_topics, method)
        wins, losses, favours = _wins(apart, weights, measure)
        flips = alone.p_values.flips
        columns = {
            "a": np.array(names, object)[a],
            "b": np.array(names, object)[b],
            "mean_a": means[a],
            "mean_b": means[b],
            "difference": difference,
            "interval": np.stack([low, high], axis=1),
            "p_value": alone.p_values.p[some],
            "p_value_method": alone.p_values.ways[some],
            "p_adjusted": together.p[some],
            "smallest_p_adjusted": together.smallest[some],
            "effect_size": effect,
            "favours_b": favours,
            "wins": wins,
            "ties": topics - wins - losses,
            "losses": losses,
            "minimum_detectable": least,
            "topics_needed": needed,
            "flips": np.full(len(apart), None) if flips is None else flips[some],
        }
        for row in zip(*(column.tolist() for column in columns.values()), strict=True):
            fields: dict[str, Any] = dict(zip(columns, row, strict=True))
            fields["interval"] = tuple(fields["interval"])
            yield Pair(measure=measure, topics=topics, effective_topics=float(effective_topics), **fields)


def _detectable_and_needed(
    effect: NDArray[np.float64],
    spread: NDArray[np.float64],
    topics: int,
    effective_topics: float,
    method: Method,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each pair, the smallest difference that these topics detect, and the topics that its effect needs."""
    least = detectable(effective_topics, alpha=method.alpha, target=method.power) * spread
    needed = topics_needed(effect, alpha=method.alpha, target=method.power)
    if effective_topics != topics:  # as many more as their unequal weights take away
        needed = np.ceil(needed * topics / effective_topics)
    if method.paired_test.patterns:
        # So few topics have so few patterns that no difference is found at this alpha: p is at least 2 / 2ⁿ.
        fewest = math.ceil(1 - math.log2(method.alpha))
        least = least if topics >= fewest else np.full_like(least, np.nan)
        needed = np.where(np.isnan(needed), needed, np.maximum(needed, fewest))
    return least, needed


def _wins(
    apart: NDArray[np.float64], weights: Weights, measure: Measure
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
    """Topics on which the second of a pair is better, and worse, and the chance that one favours it, ties counting half."""
    wins, losses = (apart > 0).sum(axis=1), (apart < 0).sum(axis=1)
    half_wins = (apart > 0) + (apart == 0) / 2
    favours = half_wins.sum(axis=1) / apart.shape[1] if weights is None else weighted_mean(half_wins, weights)
    return (losses, wins, 1 - favours) if measure.less_is_better else (wins, losses, favours)


def which_pairs(names: Sequence[str], baseline: str | None) -> tuple[Index, Index]:
    """The pairs: all of them in the order given, or the baseline with each other system."""
    if baseline is None:
        first, second = np.triu_indices(len(names), 1)
        return first.astype(np.intp), second.astype(np.intp)
    if baseline not in names:
        near = difflib.get_close_matches(baseline, names, 3)
        hint = (
            f"did you mean {' or '.join(map(shown, near))}?"
            if near
            else f"there are {', '.join(map(shown, names[:8]))}."
        )
        raise UsageError(f"no system is called '{shown(baseline)}'; {hint}")
    place = list(names).index(baseline)
    others = np.array([number for number in range(len(names)) if number != place], np.intp)
    return np.full(len(others), place, np.intp), others
