"""Filtering: what a simulation says, read from the JSON that `gainful filter simulate -f json` wrote, and its charts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import accumulate
from typing import Any, Self

import msgspec
from msgspec.structs import replace

from gainful.errors import DataError
from gainful.filtering.reliability import Reliability
from gainful.filtering.simulation import HINDSIGHT
from gainful.filtering.threshold_charts import (
    THETAS,
    cutoff_panel,
    reliability_panel,
    reliability_said,
    stream_panel,
    threshold_panel,
)
from gainful.formats.ids import shown
from gainful.formats.sources import Source
from gainful.presentation.table import Table
from gainful.presentation.text_style import counted, fixed
from gainful.reports.report_results import Results
from gainful.reports.section_registry import Figure, ReportTable, Section, report_section

_LARGEST = 1 << 30  # bytes
_RULES = 7  # that are drawn together


class Window(msgspec.Struct, frozen=True, rename={"start": "from", "stop": "to"}):
    """A part of the stream, all topics together."""

    start: int
    stop: int
    delivered: float
    relevant: float
    utility: float
    theta: float | None
    precision: float | None = None


class Row(msgspec.Struct, frozen=True):
    """One rule."""

    name: str
    mean: Mapping[str, float | None]
    silent_topics: int
    negative_topics: int
    over_time: tuple[Window, ...]

    @property
    def learns(self) -> bool:
        """Whether it decides as documents arrive; the best threshold in hindsight does not."""
        return not self.name.startswith(HINDSIGHT)

    @property
    def utility_so_far(self) -> list[tuple[int, float]]:
        """Documents seen, and utility until then."""
        edges = (
            [self.over_time[0].start, *(window.stop for window in self.over_time)] if self.over_time else []
        )
        return list(
            zip(edges, accumulate((window.utility for window in self.over_time), initial=0.0), strict=False)
        )


class ExpectedUtility(msgspec.Struct, frozen=True):
    """Expected utility at each cutoff, and its band."""

    utility: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


class CutoffCurve(msgspec.Struct, frozen=True):
    """Utility at each score at which the list could be cut; and the expected one, where the rule expects any."""

    nothing: float
    score: tuple[float, ...]
    utility: tuple[float, ...]
    expected: ExpectedUtility | None = None

    def __post_init__(self) -> None:
        columns = [self.utility]
        if self.expected is not None:
            columns += [self.expected.utility, self.expected.low, self.expected.high]
        for column in columns:
            if len(self.score) != len(column):
                raise ValueError(f"{len(self.score)} scores and {len(column)} utilities in a curve")


class Last(msgspec.Struct, frozen=True):
    """The threshold at the end."""

    theta: float | None
    theta_opt: float | None
    theta_zero: float | None
    alpha: float | None
    n: int


class Delivery(msgspec.Struct, frozen=True):
    """A document that was delivered."""

    document: int
    score: float
    relevant: bool


class Renewal(msgspec.Struct, frozen=True):
    """A threshold, and the number of documents seen when it was set."""

    seen: int
    theta: float | None
    theta_opt: float | None
    theta_zero: float | None


class Trace(msgspec.Struct, frozen=True):
    """Everything that happened to one topic under one rule."""

    row: str
    topic: str
    documents: tuple[int, int]
    curve: CutoffCurve
    last: Last
    thresholds: tuple[Renewal, ...]
    deliveries: tuple[Delivery, ...]
    calibration: Reliability | None = None


class Simulated(msgspec.Struct, frozen=True):
    """A simulation, as the page shows it."""

    gainful: str
    settings: Mapping[str, Any]
    measures: tuple[str, ...]
    rows: tuple[Row, ...]
    kind: str = ""
    traces: tuple[Trace, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def best(self) -> Row:
        """The rule that decides as documents arrive and has the highest utility in the end."""
        return max((row for row in self.rows if row.learns), key=_final)

    @property
    def headline(self) -> str:
        """One sentence."""
        best = self.best
        if sum(row.learns for row in self.rows) == 1:
            return f"{best.name} is worth {worth(_final(best))} to its readers, all topics together."
        if _final(best) <= 0:
            return "No rule is worth more to its readers than delivering nothing."
        return f"{best.name} is worth most to its readers: {worth(_final(best))}, all topics together."

    @property
    def stated(self) -> str:
        """How it was made, in a line."""
        said = self.settings
        return " · ".join(
            [
                counted(said.get("topics", 0), "topic"),
                counted(said.get("documents", 0) - said.get("reference", 0), "document"),
                _prices(said.get("utility", {})),
                f"judgments {str(said.get('judgments', ''))[:12]}",
            ]
        )

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        fields: dict[str, Any] = msgspec.to_builtins(self)
        return fields | {"headline": self.headline}


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
        rules = sorted((row for row in rows if row.learns and row.over_time), key=lambda row: -_final(row))[
            :_RULES
        ]
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


def read_simulation(path: str) -> Simulated:
    """A simulation that was saved."""
    with Source(path) as source:
        raw = source.read_all(_LARGEST)
    name = shown(path)
    try:
        simulated = msgspec.json.decode(raw, type=Simulated)
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise DataError(
            f"{name} is not what `gainful filter simulate -f json` writes: {shown(str(fault))}."
        ) from None
    if simulated.kind != "filter simulation" or not any(row.learns for row in simulated.rows):
        raise DataError(
            f"{name} is no simulation of a filter; make one: gainful filter simulate … -f json -o simulation.json"
        )
    return _printable(simulated)


def _printable(simulated: Simulated) -> Simulated:
    """With every name and note as people see it."""
    rows = [
        replace(row, name=shown(row.name), mean={shown(name): value for name, value in row.mean.items()})
        for row in simulated.rows
    ]
    traces = [replace(trace, row=shown(trace.row), topic=shown(trace.topic)) for trace in simulated.traces]
    return replace(
        simulated,
        measures=tuple(map(shown, simulated.measures)),
        rows=tuple(rows),
        traces=tuple(traces),
        notes=tuple(map(shown, simulated.notes)),
    )


def worth(utility: float) -> str:
    """A sum of utility in words, with its sign.

    >>> worth(36.0), worth(-71.0), worth(0.4), worth(0.0)
    ('+36', '−71', '+0.4', '0')
    """
    text = f"{utility:+,.2f}".rstrip("0").rstrip(".").replace("-", "−")
    return "0" if text in ("+0", "−0") else text


def _prices(utility: Mapping[str, float]) -> str:
    """What a document adds; what it adds where it is not delivered is nothing as a rule, and then not said.

    >>> _prices({"credit": 2, "cost": -1, "missed": 0, "avoided": 0}), _prices({"credit": 1, "cost": -1, "missed": -2})
    ('credit 2 and cost −1', 'credit 1 and cost −1, missed −2 and avoided 0')
    """
    credit, cost, missed, avoided = (
        f"{utility.get(name, 0):g}".replace("-", "−") for name in ("credit", "cost", "missed", "avoided")
    )
    more = "" if missed == avoided == "0" else f", missed {missed} and avoided {avoided}"
    return f"credit {credit} and cost {cost}{more}"


def _final(row: Row) -> float:
    return row.utility_so_far[-1][1] if row.over_time else 0.0


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
