"""Charts of filtering: utility against cutoff, calibrated probabilities, and threshold and utility over time.

The panels take points, so that a simulation of this process and one that was read from a file look the same.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import accumulate

from gainful.errors import UsageError
from gainful.filtering.reliability import Reliability, expected_at_cutoffs, reliability
from gainful.filtering.replay import Replay
from gainful.filtering.simulation import HINDSIGHT, Simulation
from gainful.filtering.threshold_registry import Threshold
from gainful.formats.ids import shown
from gainful.presentation.chart_parts import INK, QUIET, SERIES, Axis, Series, Spec, panels
from gainful.presentation.charts import Panel
from gainful.presentation.text_style import counted, percent

THETAS = {"theta_opt": SERIES[2], "theta": INK, "theta_zero": SERIES[1]}
"""The three thresholds and their colours, in the order of the legend."""

_WIDTH = 560
_MOST_POINTS = 1500
_FIRST = 10  # cutoffs
_KINDS = ("relevant", "not relevant", "not judged")
_SHAPES, _TINTS = ("circle", "cross", "diamond"), (SERIES[0], SERIES[3], QUIET)

Points = Sequence[tuple[float, float]]
Expected = Sequence[tuple[float, float, float]]
"""Expected utility at each cutoff, and the ends of its band."""


def utility_curve(threshold: Threshold, *, title: str = "Utility against cutoff") -> Spec:
    """Utility at each score at which the list could be cut, with theta_zero, theta and theta_opt marked.

    For a rule that estimates probabilities: expected utility with its band, and the counted one beside it.
    """
    curve = threshold.curve
    if not len(curve):
        raise UsageError(
            "no document seen has anything in common with the profile; there is no curve to draw."
        )
    marks = {name: getattr(threshold, name) for name in THETAS}
    worth = expected_at_cutoffs(threshold)
    expected = None
    if worth is not None:
        expected = list(zip(worth.utility.tolist(), worth.low.tolist(), worth.high.tolist(), strict=True))
    panel = cutoff_panel(curve.score.tolist(), curve.utility.tolist(), curve.nothing, marks, expected)
    if worth is None:
        return _titled(panel, title, _said(threshold))
    band = "band: two standard errors · counted: documents without an answer as not relevant"
    return _titled(panel, title, [_said(threshold), band])


def cutoff_panel(
    score: Sequence[float],
    utility: Sequence[float],
    nothing: float,
    thetas: Mapping[str, float | None],
    expected: Expected | None = None,
) -> Panel:
    """Utility at each cutoff, highest score first; the dashed line is what delivering nothing is worth.

    Where an expected utility is given, the axis is made for it.
    """
    marks = {
        name: value for name in THETAS if (value := thetas.get(name)) is not None and math.isfinite(value)
    }
    drawn = utility if expected is None else [value for value, _, _ in expected]
    span, domain = utility_range(drawn, nothing)
    domain = domain[0], max(domain[1], *utility)
    lowest = min([score[0], *marks.values()])
    # Far down the list utility falls without end; what matters is around the marks.
    rows = [
        row
        for row, (at, value) in enumerate(zip(score, drawn, strict=True))
        if value >= nothing - span or at >= lowest
    ]
    rows = rows[:: max(1, -(-len(rows) // _MOST_POINTS))]
    across = min(lowest, score[rows[-1]]), max(score[rows[0]], *marks.values())
    room = 0.02 * (across[1] - across[0]) or 0.5
    panel = Panel(
        Axis("score at which the list is cut", (across[0] - room, across[1] + room)),
        Axis("utility", domain),
        height=260,
    )
    series = [Series("utility", 0, [(score[row], utility[row]) for row in rows])]
    if expected is not None:
        band = [(score[row], *expected[row][1:]) for row in rows]
        series = [
            Series("expected utility", 0, [(score[row], expected[row][0]) for row in rows], band),
            Series("counted utility", 3, series[0].points),
        ]
    panel.level(nothing, dashed=True).lines(series, step="step-before", marks=False)
    return panel.upright(marks, [THETAS[name] for name in marks])


def reliability_diagram(threshold: Threshold, *, title: str = "Predicted and observed relevance") -> Spec:
    """Probability of relevance by the place of the score: the fitted curve, and the answers in bins."""
    found = reliability(threshold)
    if found is None:
        raise UsageError(f"{threshold.rule} estimates no probabilities; the rule expected does.")
    return _titled(reliability_panel(found), title, [_said(threshold), reliability_said(found)])


def reliability_said(found: Reliability) -> str:
    """What points, curve and dashed line are, in a line."""
    return (
        f"points: {found.answers:,} answers with 95 % intervals · curve: recent answers count most · "
        f"dashed: worth it from {percent(found.needed, 0)}"
    )


def reliability_panel(found: Reliability) -> Panel:
    """The fitted curve with its band, the share of relevant answers in bins of place, and what a delivery needs."""
    ends = found.curve[0][0], found.curve[-1][0]
    across = Axis("place of the score: 1 in N documents scores as high", ends, log=True)
    panel = Panel(across, Axis("probability of relevance", (0, 1), percent=True), height=260)
    points = [(place, probability) for place, probability, _, _ in found.curve]
    fitted = Series("fitted", 0, points, [(place, low, high) for place, _, low, high in found.curve])
    panel.level(found.needed, dashed=True).lines([fitted], marks=False)
    return panel.shares(
        [
            (part.middle, part.share, part.low, part.high, f"{part.relevant} of {part.answers}")
            for part in found.bins
        ]
    )


def utility_range(utility: Sequence[float], nothing: float) -> tuple[float, tuple[float, float]]:
    """How far below nothing utility matters, and the ends of its axis; cutoffs are those of a curve, highest first.

    As far below as the best cutoff is above it; where none is above it, as far as the first of them go down.

    >>> utility_range([2.0, 4.0, 3.0, -60.0], 0.0)[0], utility_range([-1.0, -2.0], 0.0)[0]
    (4.0, 2.0)
    """
    best = max(*utility, nothing)
    span = best - nothing or nothing - min(utility[:_FIRST]) or 1.0
    return span, (nothing - span * 1.05, best + span * 0.12)


def threshold_over_time(
    replay: Replay,
    *,
    relevant: Collection[int] = (),
    other: Collection[int] | None = None,
    title: str = "Threshold over time",
) -> Spec:
    """theta, with theta_opt and theta_zero, over time; each delivery is a point at its score.

    relevant  numbers of the relevant documents, to tell good deliveries from others
    other     numbers of those that are not, where some are not judged; None where all others are not relevant
    """

    def kind(document: int) -> str:
        if document in relevant:
            return _KINDS[0]
        return _KINDS[1] if other is None or document in other else _KINDS[2]

    renewals = replay.renewed.tolist()
    thetas = {
        name: [
            (at, value)
            for at, value in zip(renewals, replay.thresholds[:, column].tolist(), strict=True)
            if math.isfinite(value)
        ]
        for column, name in enumerate(("theta", "theta_opt", "theta_zero"))
    }
    delivered: dict[str, list[tuple[float, float]]] = {
        name: [] for name in _KINDS[: 2 if other is None else 3]
    }
    for document in replay.deliveries.tolist():
        delivered[kind(document)].append((document, float(replay.scores[document - replay.start])))
    panel = threshold_panel(thetas, delivered, (replay.start, replay.start + len(replay.scores)))
    return _titled(panel, title, counted(len(replay.deliveries), "delivery", "deliveries"))


def threshold_panel(
    thetas: Mapping[str, Points], delivered: Mapping[str, Points], documents: tuple[int, int]
) -> Panel:
    """The three thresholds as steps, and the score of each document that was delivered, by kind."""
    start, end = documents
    known = {name: [*thetas[name], (end, thetas[name][-1][1])] for name in THETAS if thetas.get(name)}
    panel = Panel(Axis("documents seen", (start, max(end, start + 1))), Axis("score", zero=False), height=280)
    panel.steps(known, [THETAS[name] for name in known])
    if any(delivered.values()):
        names = {f"delivered, {name}": points for name, points in delivered.items()}
        panel.dots(names, _SHAPES[: len(names)], _TINTS[: len(names)])
    return panel


def utility_over_time(simulation: Simulation, *, title: str = "Utility over time") -> Spec:
    """Utility so far, all topics together, for each rule but hindsight."""
    points = {}
    for row in simulation.rows:
        if not row.name.startswith(HINDSIGHT):
            windows = row.over_time
            so_far = accumulate((float(window["utility"] or 0) for window in windows), initial=0.0)
            edges = [float(windows[0]["from"] or 0), *(float(window["to"] or 0) for window in windows)]
            points[row.name] = list(zip(edges, so_far, strict=True))
    return _titled(stream_panel(points, "utility so far, all topics"), title, simulation.stated())


def stream_panel(points: Mapping[str, Points], title: str, *, zero: bool = True) -> Panel:
    """A line for each rule over time."""
    every = [x for line in points.values() for x, _ in line]
    axis = Axis("documents seen", (min(every), max(every)) if len(set(every)) > 1 else None, zero=False)
    series = [
        Series(shown(name), position, line) for position, (name, line) in enumerate(points.items()) if line
    ]
    return Panel(axis, Axis(title, zero=zero), height=280).lines(series)


def pictures(simulation: Simulation) -> Iterator[tuple[str, Spec]]:
    """Every chart of a simulation with its name: utility over time, and those of each topic traced under each rule."""
    yield "utility-over-time", utility_over_time(simulation)
    for (rule, topic), replay in simulation.traces.items():
        name = f"{shown(topic)}-{rule}"
        about = f"topic {shown(topic)}, {rule}"
        if len(replay.last.curve):
            yield f"{name}-curve", utility_curve(replay.last, title=f"Utility against cutoff: {about}")
        if replay.last.calibration is not None:
            diagram = reliability_diagram(replay.last, title=f"Predicted and observed relevance: {about}")
            yield f"{name}-reliability", diagram
        good = simulation.relevant_to(topic)
        yield (
            f"{name}-threshold",
            threshold_over_time(replay, relevant=good, title=f"Threshold over time: {about}"),
        )


def _said(threshold: Threshold) -> str:
    alpha = "" if threshold.alpha is None else f" · alpha {threshold.alpha:.3f}"
    return (
        f"{threshold.rule}{alpha} · {threshold.n:,} judged of {len(threshold.seen.scores):,} documents seen"
    )


def _titled(panel: Panel, title: str, said: str | Sequence[str]) -> Spec:
    return panels([[panel]], title=title, subtitle=said, width=_WIDTH)
