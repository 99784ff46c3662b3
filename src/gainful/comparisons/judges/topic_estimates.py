"""A number with its confidence interval over resampled topics, or why there is none."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.judges.agreement_coefficients import Statistic
from gainful.errors import UsageError
from gainful.presentation.text_style import fixed, percent
from gainful.statistics import resampling
from gainful.statistics.intervals import holding
from gainful.statistics.resampling import percentile

ONE_TOPIC = "one topic gives no interval"


@dataclass(frozen=True, slots=True)
class Chance:
    """How intervals are computed: percentiles over bootstrap resamples of the topics."""

    resamples: int = resampling.RESAMPLES
    seed: int = resampling.SEED
    confidence: float = 0.95

    def __post_init__(self) -> None:
        if self.resamples < 1:
            raise UsageError(f"resamples must be 1 or more; got {self.resamples}.")
        if self.seed < 0:
            raise UsageError(f"seed must be 0 or more; got {self.seed}.")
        if not 0 < self.confidence < 1:
            raise UsageError(f"confidence must lie between 0 and 1; got {self.confidence:g}.")

    @property
    def percent(self) -> str:
        """The confidence in words.

        >>> Chance().percent
        '95 %'
        """
        return percent(self.confidence)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and the ends of its interval; NaN for what there is not, and the reason.

    >>> print(Estimate(0.8, 0.714, 1.0))
    0.80 (0.71 to 1.00)
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    reason: str | None = None

    def __str__(self) -> str:
        return self.shown(2)

    def shown(self, places: int) -> str:
        """For people; a dash for what there is not."""
        if math.isnan(self.value):
            return "–"
        value_text = fixed(self.value, places)
        if math.isnan(self.low):
            return value_text
        return f"{value_text} ({fixed(self.low, places)} to {fixed(self.high, places)})"

    def stated(self, chance: Chance, *, open: str = " (", close: str = ")") -> str:  # noqa: A002 (a bracket)
        """For a sentence, with the confidence.

        >>> Estimate(0.8, 0.714, 1.0).stated(Chance())
        '0.80 (95 % 0.71 to 1.00)'
        """
        if math.isnan(self.value):
            return f"undefined{open}{self.reason}{close}"
        value, interval, ends = self.shown(2).partition(" (")
        return f"{value}{open}{chance.percent} {ends.removesuffix(')')}{close}" if interval else value

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {"value": self.value, "interval": [self.low, self.high], "reason": self.reason}


def estimates(
    statistics: Mapping[str, Statistic],
    topics: int,
    chance: Chance,
    *,
    why: Mapping[str, str],
    progress: resampling.Progress | None = None,
) -> dict[str, Estimate]:
    """Each statistic with its interval, all on the same draws of the topics.

    why  what it means that a statistic is undefined
    """
    names = list(statistics)
    observed = {name: float(statistics[name].over(np.ones((1, topics)))[0]) for name in names}
    drawn = np.empty((len(names), chance.resamples))

    def draw(start: int, stop: int) -> None:
        times = resampling.counts(chance.seed, topics, start, stop)
        for row, name in zip(drawn, names, strict=True):
            row[start:stop] = statistics[name].over(times)

    if topics > 1 and not all(map(math.isnan, observed.values())):
        for _ in resampling.over_blocks(
            chance.resamples, resampling.block_size(topics), draw, progress=progress, what="judges"
        ):
            pass
    return {
        name: estimate(observed[name], row if topics > 1 else None, chance, why[name])
        for name, row in zip(names, drawn, strict=True)
    }


def estimate(
    value: float, drawn: NDArray[np.float64] | None, chance: Chance, why: str, *, centred: bool = False
) -> Estimate:
    """A value with the interval of what was drawn; draws in which it is undefined say nothing.

    drawn    None where there is one topic
    centred  of correlations: drawing topics again adds noise to every order, and orders with noise are less alike; so
             the draws are moved until their mean is the value that was found, within −1 and 1. The interval is then
             of the mean correlation over collections of as many topics
    """
    if math.isnan(value):
        return Estimate(math.nan, reason=why)
    if drawn is None:
        return Estimate(value, reason=ONE_TOPIC)
    defined = drawn[~np.isnan(drawn)]
    if not len(defined):
        return Estimate(value, reason=f"undefined in every resample: {why}")
    if centred:
        defined = np.clip(defined + (value - defined.mean()), -1, 1)
    ends = holding(percentile(defined[:, None], chance.confidence), np.array([value]))
    low, high = (float(end[0]) for end in ends)
    lost = chance.resamples - len(defined)
    reason = f"undefined in {lost:,} of {chance.resamples:,} resamples, which do not count" if lost else None
    return Estimate(value, low, high, reason)
