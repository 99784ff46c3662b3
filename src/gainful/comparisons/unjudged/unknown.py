"""What is not known: how far a comparison depends on unjudged documents, and on the order of tied scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.compare_call import Inputs, MeasuresGiven, measures_of
from gainful.comparisons.comparison import Comparison, compare_scores
from gainful.comparisons.comparison_notes import TieRange, has_ends
from gainful.comparisons.method import LEAD, Method
from gainful.comparisons.pair import Pair
from gainful.comparisons.score_table import ScoreTable
from gainful.comparisons.topic_attributes import read_weights
from gainful.comparisons.unjudged.evidence import Evidence, gather
from gainful.comparisons.unjudged.reversals import reversal
from gainful.comparisons.unjudged.unknown_results import (
    Between,
    PairUnknown,
    RunUnknown,
    Unknown,
    biased_against,
    depths_of,
    of_unknown,
    share_of,
)
from gainful.comparisons.unjudged.value_bounds import (
    Bounds,
    bounds_of_difference,
    bounds_of_run,
    depth_of,
)
from gainful.estimates.grade_extremes import record
from gainful.formats.judgments import read_qrels
from gainful.formats.runs import runs_of
from gainful.measures import Measure
from gainful.measures._needs import needed
from gainful.presentation.page import OutputSection
from gainful.scores import evaluate

Floats = NDArray[np.float64]
Tied = dict[tuple[Measure, str], tuple[float, float]]
"""For each measure and system, the least and the greatest mean over the orders of equal scores."""


def unknown(
    qrels: Any,
    runs: Any,
    measures: MeasuresGiven = LEAD,
    *,
    baseline: str | None = None,
    depth: int | None = None,
    first: int = 10,
    weights: Any = None,
    **settings: Any,
) -> Unknown:
    """How far a comparison of runs depends on unjudged documents, and on the order of tied scores.

    qrels, runs, measures and settings are those of `gainful.evaluate`

    baseline  look at each run against this one; otherwise at the best against each other
    depth     documents down to this rank are open; by default the measure's cutoff, or 100
    first     how many documents to judge first are listed for each pair
    weights   how much each topic counts, as in `compare`

    >>> qrels = {"q1": {"d": 1}, "q2": {"d": 1}}
    >>> a, b = {q: {"x": 2.0, "d": 1.0} for q in qrels}, {q: {"d": 2.0, "y": 1.0} for q in qrels}
    >>> (pair,) = unknown(qrels, {"a": a, "b": b}, "P@1").pairs
    >>> pair.between.low, pair.between.value, pair.between.high, pair.reversal.needed
    (0.0, 1.0, 1.0, None)
    """
    parsed = measures_of(measures, settings.get("rel"))
    judgments = read_qrels(qrels, by=needed(parsed), duplicates=settings.get("duplicates", "error"))
    in_memory = [run.in_memory() for run in runs_of(runs)]
    scores = evaluate(judgments, in_memory, parsed, **settings)
    table = ScoreTable.of_scores(scores)
    if weights is not None:
        table = table.weighted(read_weights(weights))
    comparison = compare_scores(table, Method(baseline=baseline))
    deepest = max(depth_of(measure, depth) for measure in parsed)
    evidence = gather(judgments, in_memory, scores.settings, names=table.names, depth=deepest)
    return unknown_of(comparison, evidence, parsed, depth=depth, first=first)


def unknown_of(
    comparison: Comparison,
    evidence: Evidence,
    measures: Sequence[Measure],
    *,
    depth: int | None = None,
    first: int = 10,
) -> Unknown:
    """How far a comparison depends on unjudged documents and ties, from the evidence of its runs."""
    table = comparison.table
    followed = [measure for measure in measures if measure.needs is None]
    notes = [
        f"{measure}: it needs more than grades, so the effect of unjudged documents cannot be computed"
        for measure in measures
        if measure.needs is not None
    ]
    everywhere = [evidence.place[topic] for topic in table.topics]
    depths = depths_of(evidence, [depth_of(measure, depth) for measure in followed])
    shares = [
        share_of(evidence, run, everywhere, each) for run in range(len(evidence.names)) for each in depths
    ]
    tied = _tied(table, evidence, followed)
    runs: list[RunUnknown] = []
    pairs: list[PairUnknown] = []
    for measure in followed:
        of_measure = _OfMeasure(comparison, evidence, measure, depth, tied)
        runs += [of_measure.run(number) for number in range(len(evidence.names))]
        pairs += [of_measure.pair(pair, first) for pair in pairs_of_interest(comparison, measure)]
    return Unknown(comparison, tuple(shares), tuple(runs), tuple(pairs), tuple(notes))


def unknown_section(
    comparison: Comparison, inputs: Inputs, *, depth: int | None = None, places: int = 4, rows: int = 5
) -> OutputSection:
    """Bounds, reversals and ties of the systems compared, as a section; documents down to rank `depth` are open.

    inputs  what was compared, runs and judgments in memory; no file is opened again
    rows    documents to judge first that are listed
    """
    judgments, runs, scores = inputs.lists("--unknown")
    deepest = max(depth_of(measure, depth) for measure in scores.measures)
    evidence = gather(judgments, runs, scores.settings, names=comparison.table.names, depth=deepest)
    unknowns = unknown_of(comparison, evidence, scores.measures, depth=depth, first=rows)
    return of_unknown(unknowns, places=places)


def pairs_of_interest(comparison: Comparison, measure: Measure) -> tuple[Pair, ...]:
    """The pair of two, those with the baseline, or those of the best system with each other one."""
    pairs = comparison.of(measure)
    if comparison.method.baseline is not None or len(pairs) == 1:
        return pairs
    means = comparison.means[str(measure)]
    best = (min if measure.less_is_better else max)(means, key=lambda name: means[name])
    return tuple(pair for pair in pairs if best in (pair.a, pair.b))


class _OfMeasure:
    """One measure of a comparison, over the topics that count."""

    def __init__(
        self,
        comparison: Comparison,
        evidence: Evidence,
        measure: Measure,
        depth: int | None,
        tied: Tied,
    ) -> None:
        _, topics = comparison.table.of(measure)
        weights = comparison.table.weights_of(topics)
        self.comparison, self.evidence, self.tied = comparison, evidence, tied
        self.topics = [evidence.place[topic] for topic in topics]
        whole = np.ones(len(topics)) if weights is None else weights
        self.shares = whole / whole.sum()
        self.depth = depth_of(measure, depth)
        self.compared = self.measure = self.bounded = measure
        if evidence.settings.unjudged == "condense":  # what stays unjudged is taken out here as it was there
            self.measure = measure(unjudged="condense")
            if measure.cutoff is None or measure.cutoff > self.depth:
                self.bounded = self.measure  # else all that counts is judged then, and nothing is taken out

    def run(self, number: int) -> RunUnknown:
        """What is not known of a run."""
        name = self.evidence.names[number]
        bounds = bounds_of_run(self.evidence, self.bounded, number, self.topics, depth=self.depth)
        none, every = (self._mean(self._completed(number, [number], grade)) for grade in (0.0, None))
        value = self.comparison.means[str(self.compared)][name]
        return RunUnknown(self.compared, name, self.depth, self._between(value, none, every, bounds))

    def pair(self, pair: Pair, first: int) -> PairUnknown:
        """What is not known of a difference."""
        a, b = (self.evidence.names.index(name) for name in (pair.a, pair.b))
        bounds = bounds_of_difference(self.evidence, self.bounded, a, b, self.topics, depth=self.depth)
        none, every = (
            self._mean(self._completed(b, [a, b], grade) - self._completed(a, [a, b], grade))
            for grade in (0.0, None)
        )
        judged = [share_of(self.evidence, run, self.topics, self.depth) for run in (a, b)]
        compared = self.compared
        return PairUnknown(
            compared,
            pair.a,
            pair.b,
            self.depth,
            self._between(pair.difference, none, every, bounds),
            judged[0].share,
            judged[1].share,
            biased_against(*judged),
            reversal(
                self.evidence, self.measure, a, b, self.topics, self.shares, depth=self.depth, first=first
            ),
            TieRange(
                compared,
                pair.a,
                pair.b,
                self.tied[compared, pair.a],
                self.tied[compared, pair.b],
                pair.difference,
            ),
        )

    def _between(self, value: float, none: float, every: float, bounds: Bounds) -> Between:
        low, high = (
            self._mean(bounds.low),
            self._mean(bounds.high),
        )  # none and all are among the cases, but for rounding
        return Between(value, none, every, min(low, none, every), max(high, none, every), bounds.kind)

    def _completed(self, run: int, runs: Sequence[int], grade: float | None) -> Floats:
        """The run's value on each topic with the open documents of these runs all of a grade; None is the best."""
        evidence = self.evidence
        values = []
        for topic in self.topics:
            part = evidence.part(topic)
            opened = evidence.open(topic, runs, self.depth)
            grades = np.where(opened, evidence.top if grade is None else grade, evidence.grade[part])
            length = float(evidence.retrieved[run, topic])
            values.append(
                float(self.measure(record(evidence.ranks[run, part], grades, evidence.top, length))[0])
            )
        return np.array(values)

    def _mean(self, values: Floats) -> float:
        return float(self.shares @ values)


def _tied(table: ScoreTable, evidence: Evidence, measures: Sequence[Measure]) -> Tied:
    """For each measure and system, the least and the greatest mean over the orders of equal scores; NaN if not known."""
    if not measures:
        return {}
    unknown = {
        (measure, name): (math.nan, math.nan)
        for measure in measures
        if not has_ends(measure)
        for name in table.names
    }
    ends = []
    for rule in ("worst", "best"):
        settings: dict[str, Any] = replace(evidence.settings, ties=rule).to_dict()
        settings.pop("rel")  # the measures have it already
        scores = evaluate(evidence.judgments, list(evidence.runs), list(measures), **settings)
        ordered = replace(table, values=ScoreTable.of_scores(scores).values, topics=scores.runs[0].topics)
        ordered = replace(ordered, measures=tuple(measures), weights=None, tied=None)
        kept = replace(ordered.only(set(table.topics)), weights=table.weights)
        ends.append({measure: kept.mean(measure) for measure in kept.measures})
    return {
        (measure, name): (
            min(means[measure][name] for means in ends),
            max(means[measure][name] for means in ends),
        )
        for measure in ends[0]
        for name in table.names
    } | unknown
