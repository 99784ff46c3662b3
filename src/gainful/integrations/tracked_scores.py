"""Means with their confidence intervals by flat names, as experiment trackers and trainers keep numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from gainful.comparisons.mean_intervals import mean_intervals
from gainful.comparisons.method import Method
from gainful.scores import RunScores, Scores

if TYPE_CHECKING:
    from gainful.reports import Report

Flat = dict[str, float]


def tracked(scores: Scores, method: Method | None = None) -> Flat:
    """Means by names that trackers accept, as `Scores.to_flat_dict` has them, and the ends of their 95 % intervals.

    method  the kind of interval and its confidence

    >>> from gainful import evaluate
    >>> run = {"q1": ["x", "a"], "q2": ["x", "a"], "q3": ["x", "y", "z", "a"], "q4": ["x", "y", "z", "a"]}
    >>> flat = tracked(evaluate({topic: {"a": 1} for topic in run}, run, "RR@10"))
    >>> {name: round(value, 4) for name, value in flat.items()}
    {'RR_at_10': 0.375, 'RR_at_10_low': 0.1453, 'RR_at_10_high': 0.6047}
    """
    flat = scores.to_flat_dict()
    measured = (
        (run, str(measure)) for run in scores for measure in run.measures
    )  # in the order of the flat names
    ends = {run.name: mean_intervals(run, method) for run in scores}
    with_ends: Flat = {}
    for (name, mean), (run, measure) in zip(flat.items(), measured, strict=True):
        with_ends[name] = mean
        if measure in ends[run.name]:
            with_ends[f"{name}_low"], with_ends[f"{name}_high"] = ends[run.name][measure]
    return with_ends


def named(run: RunScores, method: Method | None = None) -> Flat:
    """Means by the names of the measures, and the ends of their intervals: RR@10, RR@10_low, RR@10_high."""
    ends = mean_intervals(run, method)
    return {name: value for measure in run.mean for name, value in _with_ends(run, measure, ends)}


def _with_ends(
    run: RunScores, measure: str, ends: dict[str, tuple[float, float]]
) -> Iterator[tuple[str, float]]:
    yield measure, run.mean[measure]
    if measure in ends:
        low, high = ends[measure]
        yield from ((f"{measure}_low", low), (f"{measure}_high", high))


def page_of(report: Report | str | Path) -> str:
    """The HTML of a report: one that `gainful.report` made, or a file that `gainful report` wrote."""
    return Path(report).read_text(encoding="utf-8") if isinstance(report, str | Path) else report.html()
