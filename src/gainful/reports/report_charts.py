"""Charts of a report. They take what the sections say and work nothing out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gainful.comparisons import Pair
from gainful.curves.curve_chart import curve_panel
from gainful.filtering.threshold_charts import THETAS, cutoff_panel, stream_panel, threshold_panel
from gainful.formats.ids import shown
from gainful.presentation.charts import Axis, Interval, Panel, brief
from gainful.presentation.numbers import fixed, percent, signed
from gainful.presentation.palette import INK, QUIET
from gainful.reports.board import Board
from gainful.reports.crossings import Crossing
from gainful.reports.curve_section import Drawn
from gainful.reports.pairs import Pairs
from gainful.reports.simulation_section import Row, Simulated, Trace, worth

if TYPE_CHECKING:
    from gainful.comparisons.readers import Readers, Sweep

MOST_BARS = 400
"""Topics whose bars can be seen; of more, the first and the last are drawn."""

_NAME = 16  # letters of a system's name where two stand side by side
_RINGS = 6  # crossings that are marked on a chart
_PAIRS = 15  # that are drawn below each other, whichever systems they are of
_ROWS = 30  # systems or pairs that are drawn below each other
_RULES = 7  # that are drawn together
_SIGNIFICANT = {"significant": (INK, "circle"), "not significant": (QUIET, "square")}
_READERS = {
    "rank": "Readers who stop early, readers who go deep",
    "recall": "Readers who need one answer, readers who need them all",
    "patience": "Readers with little patience, readers with much",
}


@dataclass(frozen=True)
class Figure:
    """A chart of the page.

    name   a word for files and links
    says   what can be read off it, for those who do not see it
    spec   Vega-Lite, as wide as its place
    """

    name: str
    title: str
    says: str
    spec: dict[str, Any]


def curves(drawn: Drawn, positions: Mapping[str, int]) -> Figure:
    """Curves along the list, with bands, the ideal and the places where they cross."""
    ours = [curve for curve in drawn.curves if curve.role == "run"]
    ideal = [curve for curve in drawn.curves if curve.role == "ideal"][:1]
    x, y = ours[0].x, ours[0].y
    panel = curve_panel([*ideal, *ours], positions, rings=_rings(drawn.crossings, x))
    says = " ".join(drawn.says) or f"{y} by {x} of {', '.join(shown(curve.run) for curve in ours)}."
    return Figure(drawn.name, drawn.title, says, panel.spec())


def _rings(found: Sequence[Crossing], x: str) -> list[tuple[float, float, str, str]]:
    """Where curves cross; not those of two that cross too often to mean anything."""
    pairs = [frozenset((one.before, one.after)) for one in found]
    kept = [one for one, pair in zip(found, pairs, strict=True) if pairs.count(pair) <= 2][:_RINGS]
    return [
        (one.x, one.y, f"{x} {one.x:g}", f"{shown(one.after)} overtakes {shown(one.before)}") for one in kept
    ]


def means(board: Board, measure: str, positions: Mapping[str, int]) -> Figure:
    """The mean of each system with its confidence interval."""
    lines = board.lines[:_ROWS]
    rows = [
        Interval(shown(line.system), cell.mean, cell.low, cell.high, position=positions[line.system])
        for line in lines
        for cell in [line.cells[measure]]
    ]
    axis = Axis(f"{measure}, mean and {percent(board.confidence)} confidence interval", zero=False)
    panel = Panel(axis, Axis(""), height=26 * len(rows) + 20).intervals(rows)
    says = "; ".join(f"{row.name} {fixed(row.value)}" for row in rows) + "."
    return Figure("means", f"{measure} of each system", says, panel.spec())


def forest(some: Sequence[Pair], alpha: float, confidence: float, first: str) -> Figure:
    """The difference of each pair with its interval, around zero; of very many, those with the first system."""
    measure, title = some[0].measure, f"{some[0].measure}: differences between systems"
    if len(some) > _PAIRS:
        some = [pair for pair in some if first in (pair.a, pair.b)]
        title = f"{measure}: {shown(first)} and each other system"
    kept = sorted(some, key=lambda pair: abs(pair.difference))[:_ROWS]
    names = brief((system for pair in kept for system in (pair.a, pair.b)), _NAME)
    kinds = list(_SIGNIFICANT)
    rows = [
        Interval(
            f"{names[pair.b]} − {names[pair.a]}",
            pair.difference,
            *pair.interval,
            kind=kinds[0] if pair.found(alpha) else kinds[1],
            p=pair.p_adjusted,
        )
        for pair in kept
    ]
    axis = Axis(f"difference in {measure}, {percent(confidence)} confidence interval")
    panel = Panel(axis, Axis(""), height=26 * len(rows) + 20).intervals(rows, kinds=_SIGNIFICANT)
    says = "; ".join(f"{row.name} {signed(row.value)}, {row.kind}" for row in rows) + "."
    return Figure("pairs", title, says, panel.spec())


def bars(some: Pairs, measure: str, positions: Mapping[str, int], *, less_is_better: bool) -> Figure:
    """The difference on each topic in the colour of the better system, the largest first.

    The page puts in other pairs of the systems by the name of the data.
    """
    a, b = some.chosen
    differences = some.differences(measure, a, b)
    up, down = (a, b) if less_is_better else (b, a)
    series = {shown(system): position for system, position in positions.items()}
    panel = Panel(Axis("topics"), Axis("difference"), height=240).bars(
        bar_rows(differences, up, down), series
    )
    above = sum(value > 0 for _, value in differences)
    below = sum(value < 0 for _, value in differences)
    says = (
        f"Bars up: {shown(up)} is better, on {above} of {len(differences)} topics; "
        f"bars down: {shown(down)} is, on {below}."
    )
    return Figure("topics", f"{measure}, topic by topic: {shown(b)} − {shown(a)}", says, panel.spec())


def bar_rows(differences: Sequence[tuple[str, float]], up: str, down: str) -> list[dict[str, Any]]:
    """The rows of the bars, each with the system that it speaks for; of very many topics the first and the last."""
    numbered = list(enumerate(differences))
    if len(numbered) > MOST_BARS:
        numbered = [*numbered[: MOST_BARS // 2], *numbered[-MOST_BARS // 2 :]]
    return [
        {"n": number, "t": shown(topic), "d": value, "s": shown(up if value > 0 else down)}
        for number, (topic, value) in numbered
    ]


def reader_strips(readers: Readers, by: str, positions: Mapping[str, int]) -> Figure:
    """For each pair, which system is better for which readers."""
    from gainful.comparisons.readers.reader_chart import strip_panel

    sweeps = [sweep for sweep in readers.sweeps if sweep.by == by]
    says = " ".join(sweep.sentence for sweep in sweeps)
    return Figure(f"readers-by-{by}", _READERS[by], says, strip_panel(sweeps, positions).spec())


def reader_gap(sweep: Sweep, positions: Mapping[str, int]) -> Figure:
    """The difference of two systems along a sweep, with the band that holds all of it."""
    from gainful.comparisons.readers.reader_chart import gap_panel

    a, b = map(shown, sweep.systems)
    shaded = f"shaded: {percent(sweep.level)} confidence band of the whole line"
    says = f"{b} minus {a}; {shaded}. {sweep.sentence}"
    title = f"How much it matters, by {sweep.by}"
    return Figure(f"readers-gap-by-{sweep.by}", title, says, gap_panel(sweep, positions).spec())


def simulation_figures(made: Simulated) -> list[Figure]:
    """Every chart of a simulation."""
    rules = sorted((row for row in made.rows if row.learns and row.over_time), key=_worth)[:_RULES]
    figures = [_utility_over_time(rules), *_theta_over_time(rules)] if rules else []
    best = [row.name for row in rules]
    traces = sorted(made.traces, key=lambda trace: best.index(trace.row) if trace.row in best else len(best))
    for number, trace in enumerate(traces, 1):
        if trace.curve.score:
            figures.append(_utility_curve(trace, f"utility-curve-{number}"))
        figures.append(_threshold_over_time(trace, f"threshold-{number}"))
    return figures


def _utility_over_time(rules: list[Row]) -> Figure:
    """Utility so far, all topics together."""
    panel = stream_panel({row.name: row.utility_so_far for row in rules}, "utility so far, all topics")
    ends = ", ".join(f"{row.name} {worth(row.utility_so_far[-1][1])}" for row in rules)
    title = "What deliveries were worth, as the stream went by"
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
    return [Figure("theta", "Thresholds as the stream went by", says, panel.spec())]


def _utility_curve(trace: Trace, name: str) -> Figure:
    """Utility at each score at which the list could be cut, with the three thresholds marked."""
    thetas = {key: getattr(trace.last, key) for key in THETAS}
    panel = cutoff_panel(trace.curve.score, trace.curve.utility, trace.curve.nothing, thetas)
    said = ", ".join(f"{key} {value:.3f}" for key, value in thetas.items() if value is not None)
    says = f"Topic {trace.topic}, {trace.row}: the dashed line is delivering nothing; {said}."
    return Figure(name, "Utility against the cutoff, at the end", says, panel.spec())


def _threshold_over_time(trace: Trace, name: str) -> Figure:
    """Theta with theta_opt and theta_zero as documents went by; each delivery at its score."""
    thetas = {
        key: [(one.seen, value) for one in trace.thresholds if (value := getattr(one, key)) is not None]
        for key in THETAS
    }
    delivered = {
        kind: [(one.document, one.score) for one in trace.deliveries if one.relevant == relevant]
        for kind, relevant in (("relevant", True), ("not relevant", False))
    }
    panel = threshold_panel(thetas, delivered, trace.documents)
    good = len(delivered["relevant"])
    says = f"Topic {trace.topic}, {trace.row}: {len(trace.deliveries)} documents delivered, {good} of them relevant."
    return Figure(name, "The threshold of one topic, and what it let through", says, panel.spec())


def _worth(row: Row) -> float:
    return -row.utility_so_far[-1][1]
