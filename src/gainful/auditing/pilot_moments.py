"""Variances of one pair's differences in a pilot, by which the widths of other numbers of topics are foreseen."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gainful.comparisons.judges.agreement_coefficients import Floats
from gainful.statistics import special


@dataclass(frozen=True, slots=True)
class Moments:
    """Variances of the differences of one pair, by which widths for other numbers of topics are foreseen.

    people, model  of either's differences in the topics that both judged; together, their covariance
    everywhere     of the model's in all topics that it labelled
    lost           degrees of freedom that the slope costs

    With y as variable as f and a slope of 1, a model that is always right (var(y − f) = 0) and 30 of 40 topics labelled
    alone: w = 3/4, se² = (1 − 3/4)² / 10 + (3/4)² / 30

    >>> round(Moments(1.0, 1.0, 1.0, 1.0, 1.0, 0.0).error(10, 40) ** 2, 6) == round(0.0625 / 10 + 0.5625 / 30, 6)
    True
    """

    people: float
    model: float
    together: float
    everywhere: float
    slope: float
    lost: float

    def error(self, topics: int, labelled: float) -> float:
        """The standard error with the model, people judging so many of the labelled topics; these may be infinite."""
        others = labelled - topics
        weight = self.slope if math.isinf(labelled) else self.slope * max(others, 0) / labelled
        residual = self.people - 2 * weight * self.together + weight**2 * self.model
        more = weight**2 * self.everywhere / others if others > 0 else 0.0
        return math.sqrt(max(residual, 0.0) / topics + more)

    def alone(self, topics: int) -> float:
        """The standard error with people alone."""
        return math.sqrt(self.people / topics)

    def width(self, topics: int, confidence: float, labelled: float | None = None) -> float:
        """The full width of the interval with people alone, or with the model where topics are labelled."""
        freedom = topics - 1 - (0.0 if labelled is None else self.lost)
        error = self.alone(topics) if labelled is None else self.error(topics, labelled)
        return 2 * float(special().stdtrit(freedom, 1 - (1 - confidence) / 2)) * error


def moments_of(people: Floats, model: Floats, everywhere: Floats, slope: float, lost: float) -> Moments:
    """The moments of one pair, from its differences by people and by the model in the same topics, and by the model in all."""
    variances = np.cov(people, model, ddof=1)
    return Moments(
        float(variances[0, 0]),
        float(variances[1, 1]),
        float(variances[0, 1]),
        float(everywhere.var(ddof=1)),
        slope,
        lost,
    )
