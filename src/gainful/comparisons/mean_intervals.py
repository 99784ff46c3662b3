"""The confidence interval of one system's mean."""

from __future__ import annotations

import math

import numpy as np

from gainful.comparisons.method import Method
from gainful.judging import PerTopic
from gainful.scores import RunScores
from gainful.scores.estimated_scores import EstimatedRun
from gainful.scores.model_scores import AssistedRun
from gainful.statistics.intervals import interval, within_bounds


def mean_intervals(run: RunScores, method: Method | None = None) -> dict[str, tuple[float, float]]:
    """Confidence intervals of a run's means, by measure; measures that have none are left out.

    method  the kind of interval, its confidence (1 − alpha), resamples and seed; Student's at 95 % unless given

    There is none for a summary other than the mean, for one topic, and where all topics have the same value.

    Reciprocal ranks 1/2, 1/2, 1/4, 1/4: 0.375 ± 3.1824 · 0.1443/√4

    >>> from gainful import evaluate
    >>> run = {"q1": ["x", "a"], "q2": ["x", "a"], "q3": ["x", "y", "z", "a"], "q4": ["x", "y", "z", "a"]}
    >>> low, high = mean_intervals(evaluate({topic: {"a": 1} for topic in run}, run, "RR").runs[0])["RR"]
    >>> round(low, 4), round(high, 4)
    (0.1453, 0.6047)
    """
    method = method or Method()
    ends = {str(measure): mean_interval(run, number, method) for number, measure in enumerate(run.measures)}
    return {name: known for name, known in ends.items() if known is not None}


def mean_interval(run: RunScores, number: int, method: Method) -> tuple[float, float] | None:
    """Confidence interval of the mean of the measure of that number; None where there is none.

    An interval of an estimate is that of `evaluate`, Student's t for skewness whichever kind the method names, and may pass the
    bounds of its measure. Bounds, which stand in its place where it has none, are no confidence interval.
    """
    measure = run.measures[number]
    if measure.summary != "mean":
        return None
    if isinstance(run, AssistedRun):
        return run.interval_of(number, method.confidence)
    if not isinstance(run, EstimatedRun):
        return interval_within(run.counted(number), run.mean[str(measure)], method, measure.bounds)
    low, high = run.over_topics(number, method.confidence)
    return None if math.isnan(low) or low == high else (low, high)


def interval_within(
    values: PerTopic, mean: float, method: Method, bounds: tuple[float, float]
) -> tuple[float, float] | None:
    """Confidence interval of the mean, within what the measure can be; None where topics leave nothing to measure it by."""
    if len(values) < 2 or np.ptp(values) == 0:
        return None
    ends = interval(
        method.interval,
        values[None, :],
        method.confidence,
        estimates=np.array([mean]),
        resamples=method.resamples,
        flips=method.asked,
        seed=method.seed,
    )
    low, high = float(ends[0][0]), float(ends[1][0])
    if math.isnan(low):
        return None
    return within_bounds((low, high), mean, bounds)
