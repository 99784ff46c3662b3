"""Charts of filtering: utility against cutoff, and threshold and utility over time. They take results and count nothing."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from gainful.curves.drawing import COLOURS, GREY, altair
from gainful.errors import UsageError
from gainful.filtering.replay import Replay
from gainful.filtering.simulation import HINDSIGHT, Simulation
from gainful.filtering.thresholds import Threshold
from gainful.formats.ids import shown

_WIDTH, _HEIGHT = 560, 280
_MARKS = {"theta_zero": "#D55E00", "theta": "#000000", "theta_opt": "#009E73"}
_MOST_POINTS = 1500
_FIRST = 10  # cutoffs


def utility_curve(threshold: Threshold, *, title: str = "Utility against cutoff") -> Any:
    """Utility at each score at which the list could be cut, with theta_zero, theta and theta_opt marked."""
    alt = altair()
    curve = threshold.curve
    marks = {"theta_zero": threshold.theta_zero, "theta": threshold.theta, "theta_opt": threshold.theta_opt}
    shown_marks = {name: value for name, value in marks.items() if value is not None and math.isfinite(value)}
    if not len(curve):
        raise UsageError(
            "no document seen has anything in common with the profile; there is no curve to draw."
        )
    span, domain = utility_range(curve.utility.tolist(), curve.nothing)
    lowest = min([float(curve.score[0]), *shown_marks.values()])
    # Far down the list utility falls without end; what matters is around the marks.
    kept = np.flatnonzero((curve.utility >= curve.nothing - span) | (curve.score >= lowest))
    kept = kept[:: max(1, -(-len(kept) // _MOST_POINTS))]
    points = [{"score": float(curve.score[one]), "utility": float(curve.utility[one])} for one in kept]
    across = [
        min(lowest, points[-1]["score"]),
        max(points[0]["score"], *shown_marks.values(), points[-1]["score"]),
    ]
    x = alt.X("score:Q", title="score at which the list is cut", scale=alt.Scale(domain=across, nice=True))
    y = alt.Y("utility:Q", title="utility", scale=alt.Scale(domain=domain, nice=False))
    line = alt.Chart(alt.InlineData(values=points)).mark_line(
        interpolate="step-before", color=COLOURS[0], clip=True, strokeWidth=1.8
    )
    nothing = alt.Chart(alt.InlineData(values=[{"utility": curve.nothing}])).mark_rule(
        color=GREY, strokeDash=[4, 4]
    )
    layers = [nothing.encode(y=y), line.encode(x=x, y=y, order="score:Q")]
    values = [{"score": value, "mark": f"{name} {value:.3f}"} for name, value in shown_marks.items()]
    names = [one["mark"] for one in values]
    colours = [_MARKS[name] for name in shown_marks]
    rules = alt.Chart(alt.InlineData(values=values)).mark_rule(strokeWidth=2)
    colour = alt.Color("mark:N", title=None, sort=names, scale=alt.Scale(domain=names, range=colours))
    layers.append(rules.encode(x=x, color=colour))
    return _dressed(alt, alt.layer(*layers), title, _said(threshold))


def utility_range(utility: Sequence[float], nothing: float) -> tuple[float, list[float]]:
    """How far below nothing utility matters, and the ends of its axis; cutoffs are those of a curve, highest first.

    As far below as the best cutoff is above it; where none is above it, as far as the first of them go down.

    >>> utility_range([2.0, 4.0, 3.0, -60.0], 0.0)[0], utility_range([-1.0, -2.0], 0.0)[0]
    (4.0, 2.0)
    """
    best = max(*utility, nothing)
    span = best - nothing or nothing - min(utility[:_FIRST]) or 1.0
    return span, [nothing - span * 1.05, best + span * 0.12]


def threshold_over_time(
    replay: Replay,
    *,
    relevant: Collection[int] = (),
    other: Collection[int] | None = None,
    title: str = "Threshold over time",
) -> Any:
    """theta, with theta_opt and theta_zero, as documents went by; each delivery is a point at its score.

    relevant  numbers of the relevant documents, to tell good deliveries from others
    other     numbers of those that are not, where some are not judged; None where all others are not relevant
    """

    def kind(document: int) -> str:
        if document in relevant:
            return "relevant"
        return "not relevant" if other is None or document in other else "not judged"

    alt = altair()
    end = replay.start + len(replay.scores)
    rows = []
    for number, name in enumerate(("theta", "theta_opt", "theta_zero")):
        values = replay.thresholds[:, number]
        known = [
            (int(at), float(value))
            for at, value in zip(replay.renewed, values, strict=True)
            if math.isfinite(value)
        ]
        rows += [{"document": at, "value": value, "what": name} for at, value in known]
        if known:
            rows.append({"document": end, "value": known[-1][1], "what": name})
    names = ["theta", "theta_opt", "theta_zero"]
    colour = alt.Color(
        "what:N", title=None, sort=names, scale=alt.Scale(domain=names, range=[_MARKS[one] for one in names])
    )
    x = alt.X("document:Q", title="documents seen", scale=alt.Scale(domain=[replay.start, end], nice=False))
    y = alt.Y("value:Q", title="score", scale=alt.Scale(zero=False, nice=True))
    lines = alt.Chart(alt.InlineData(values=rows)).mark_line(interpolate="step-after", strokeWidth=1.6)
    layers = [lines.encode(x=x, y=y, color=colour)]
    points = [
        {
            "document": int(one),
            "value": float(replay.scores[one - replay.start]),
            "delivered": kind(int(one)),
        }
        for one in replay.deliveries
    ]
    if points:
        kinds = ["relevant", "not relevant", "not judged"][: 2 if other is None else 3]
        shapes, tints = ["circle", "cross", "diamond"], [COLOURS[0], COLOURS[3], GREY]
        shape = alt.Shape(
            "delivered:N",
            title="delivered",
            sort=kinds,
            scale=alt.Scale(domain=kinds, range=shapes[: len(kinds)]),
        )
        tint = alt.Color(
            "delivered:N",
            title="delivered",
            sort=kinds,
            scale=alt.Scale(domain=kinds, range=tints[: len(kinds)]),
        )
        marks = alt.Chart(alt.InlineData(values=points)).mark_point(size=26, opacity=0.8, filled=True)
        layers.append(marks.encode(x=x, y=y, shape=shape, color=tint))
    layered = alt.layer(*layers).resolve_scale(color="independent", shape="independent")
    return _dressed(alt, layered, title, f"{len(points):,} deliveries")


def utility_over_time(simulation: Simulation, *, title: str = "Utility over time") -> Any:
    """Utility so far, all topics together, for each row but hindsight."""
    alt = altair()
    rows, names = [], []
    for row in simulation.rows:
        if row.name.startswith(HINDSIGHT):
            continue
        names.append(row.name)
        windows = row.over_time
        so_far = accumulate((float(one["utility"] or 0) for one in windows), initial=0.0)
        edges = [float(windows[0]["from"] or 0), *(float(one["to"] or 0) for one in windows)]
        rows += [
            {"document": at, "utility": value, "rule": row.name}
            for at, value in zip(edges, so_far, strict=True)
        ]
    colours = [COLOURS[number % len(COLOURS)] for number in range(len(names))]
    dashes = [[1, 0] if number < len(COLOURS) else [5, 3] for number in range(len(names))]
    domain = [rows[0]["document"], rows[-1]["document"]]
    chart = alt.Chart(alt.InlineData(values=rows)).mark_line(strokeWidth=1.8)
    made = chart.encode(
        x=alt.X("document:Q", title="documents seen", scale=alt.Scale(domain=domain, nice=False)),
        y=alt.Y("utility:Q", title="utility so far, all topics"),
        color=alt.Color(
            "rule:N",
            title=None,
            sort=names,
            scale=alt.Scale(domain=names, range=colours),
            legend=alt.Legend(labelLimit=400, orient="bottom", columns=2),
        ),
        strokeDash=alt.StrokeDash(
            "rule:N", sort=names, scale=alt.Scale(domain=names, range=dashes), legend=None
        ),
    )
    return _dressed(alt, made, title, simulation.stated())


def pictures(simulation: Simulation) -> Iterator[tuple[str, Any]]:
    """Every chart of a simulation with its name: utility over time, and two for each topic traced under each rule."""
    yield "utility-over-time", utility_over_time(simulation)
    for (rule, topic), replay in simulation.traces.items():
        name = f"{shown(topic)}-{rule}"
        about = f"topic {shown(topic)}, {rule}"
        if len(replay.last.curve):
            yield f"{name}-curve", utility_curve(replay.last, title=f"Utility against cutoff: {about}")
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


def _dressed(alt: Any, chart: Any, title: str, said: str) -> Any:
    head = alt.TitleParams(title, subtitle=said, anchor="start", subtitleColor=GREY)
    return (
        chart.properties(width=_WIDTH, height=_HEIGHT, title=head)
        .configure_view(stroke=None)
        .configure_axis(gridColor="#e8e8e8")
    )
