"""Filtering: what a simulation says, and its charts."""

from __future__ import annotations

from functools import partial
from typing import Any, Self

from gainful.filtering.reliability import Reliability
from gainful.filtering.threshold_charts import (
    THETAS,
    cutoff_panel,
    reliability_panel,
    reliability_said,
    stream_panel,
    threshold_panel,
)
from gainful.presentation.table import Table
from gainful.presentation.text_style import fixed
from gainful.reports.report_results import Results
from gainful.reports.section_registry import Figure, ReportTable, Section, report_section
from gainful.reports.simulation_records import Row, Simulated, Trace, final_utility, worth

_RULES = 7  # that are drawn together


@report_section
class SimulationSection(Section):
    """A simulation on the page."""

    name, title, order, template = "filtering", "Filtering", 70, "filtering.html"

    def __init__(self, simulated: Simulated) -> None:
        self.simulated = simulated

    @classmethod
    def of(cls, results: Results) -> Self | None:
        """Of the simulation, if there is one."""
        return None if results.simulation is None else cls(results.simulation)

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return self.simulated.to_dict()

    def sentences(self) -> list[str]:
        """Which rule is worth most."""
        return [self.simulated.headline]

    def counts(self, measure: str) -> bool:
        """Whether every rule has a whole number there: a count, which is shown without decimals."""
        values = [row.mean.get(measure) for row in self.simulated.rows]
        return all(value is None or value.is_integer() for value in values)

    def tables(self, places: int) -> list[ReportTable]:
        """Rules side by side."""
        measures = self.simulated.measures
        rows = [
            {
                "rule": row.name,
                **{measure: row.mean.get(measure) for measure in measures},
                "silent": row.silent_topics,
                "negative": row.negative_topics,
            }
            for row in self.simulated.rows
        ]
        looks = {measure: partial(fixed, places=places, whole=self.counts(measure)) for measure in measures}
        table = Table.of(rows, looks)
        return [ReportTable("rules", "Rules side by side", table, self.simulated.stated)]

    def figures(self) -> list[Figure]:
        """Utility and thresholds as the stream went by, and the charts of each topic that was traced."""
        rows = self.simulated.rows
        rules = sorted(
            (row for row in rows if row.learns and row.over_time), key=lambda row: -final_utility(row)
        )[:_RULES]
        figures = [_utility_over_time(rules), *_theta_over_time(rules)] if rules else []
        best = [row.name for row in rules]
        traces = sorted(
            self.simulated.traces, key=lambda trace: best.index(trace.row) if trace.row in best else len(best)
        )
        for number, trace in enumerate(traces, 1):
            if trace.curve.score:
                figures.append(_utility_curve(trace, f"utility-curve-{number}"))
            if trace.calibration is not None and trace.calibration.curve:
                figures.append(_reliability(trace, trace.calibration, f"reliability-{number}"))
            figures.append(_threshold_over_time(trace, f"threshold-{number}"))
        return figures


def _utility_over_time(rules: list[Row]) -> Figure:
    """Utility so far, all topics together."""
    panel = stream_panel({row.name: row.utility_so_far for row in rules}, "utility so far, all topics")
    ends = ", ".join(f"{row.name} {worth(row.utility_so_far[-1][1])}" for row in rules)
    title = "Utility over time"
    return Figure("utility", title, f"In the end: {ends}.", panel.spec())


def _theta_over_time(rules: list[Row]) -> list[Figure]:
    """The median threshold of the topics, where any rule has one."""
    lines = {
        row.name: [(window.stop, window.theta) for window in row.over_time if window.theta is not None]
        for row in rules
    }
    if not any(lines.values()):
        return []
    panel = stream_panel(lines, "theta, median of the topics", zero=False)
    says = "The median threshold of the topics under each rule."
    return [Figure("theta", "Thresholds over time", says, panel.spec())]


def _utility_curve(trace: Trace, name: str) -> Figure:
    """Utility at each score at which the list could be cut, with the three thresholds marked."""
    thetas = {key: getattr(trace.last, key) for key in THETAS}
    curve, worth = trace.curve, trace.curve.expected
    expected = None if worth is None else list(zip(worth.utility, worth.low, worth.high, strict=True))
    panel = cutoff_panel(curve.score, curve.utility, curve.nothing, thetas, expected)
    said = ", ".join(f"{key} {value:.3f}" for key, value in thetas.items() if value is not None)
    says = f"Topic {trace.topic}, {trace.row}: the dashed line is delivering nothing; {said}."
    return Figure(name, "Utility against the cutoff, at the end", says, panel.spec())


def _reliability(trace: Trace, found: Reliability, name: str) -> Figure:
    """Probability of relevance by the place of the score, beside the answers."""
    says = f"Topic {trace.topic}, {trace.row}: {reliability_said(found)}."
    return Figure(
        name, "Predicted and observed relevance of one topic", says, reliability_panel(found).spec()
    )


def _threshold_over_time(trace: Trace, name: str) -> Figure:
    """Theta with theta_opt and theta_zero as documents went by; each delivery at its score."""
    thetas = {
        key: [(row.seen, value) for row in trace.thresholds if (value := getattr(row, key)) is not None]
        for key in THETAS
    }
    delivered = {
        kind: [
            (delivery.document, delivery.score)
            for delivery in trace.deliveries
            if delivery.relevant == relevant
        ]
        for kind, relevant in (("relevant", True), ("not relevant", False))
    }
    panel = threshold_panel(thetas, delivered, trace.documents)
    good = len(delivered["relevant"])
    says = f"Topic {trace.topic}, {trace.row}: {len(trace.deliveries)} documents delivered, {good} of them relevant."
    return Figure(name, "Threshold and deliveries of one topic", says, panel.spec())
