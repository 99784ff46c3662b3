"""Charts of filtering: utility and thresholds as the stream goes by, and utility against cutoff."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gainful.filtering.threshold_charts import utility_range
from gainful.reports.charts import Figure, series
from gainful.reports.palette import INK, QUIET, SERIES, Held, altair, dressed
from gainful.reports.simulation_section import Row, Simulated, Trace, worth

_THETAS = {"theta_opt": SERIES[2], "theta": INK, "theta_zero": SERIES[1]}
_MOST = 7  # rules that are drawn together


def figures(made: Simulated) -> list[Figure]:
    """Every chart of a simulation."""
    rules = sorted((row for row in made.rows if row.learns and row.over_time), key=_worth)[:_MOST]
    drawn = [utility_over_time(rules), theta_over_time(rules)] if rules else []
    best = [row.name for row in rules]
    traces = sorted(made.traces, key=lambda trace: best.index(trace.row) if trace.row in best else len(best))
    for number, trace in enumerate(traces, 1):
        if trace.curve.score:
            drawn.append(utility_curve(trace, f"utility-curve-{number}"))
        drawn.append(threshold_over_time(trace, f"threshold-{number}"))
    return [one for one in drawn if one is not None]


def utility_over_time(rules: list[Row]) -> Figure:
    """Utility so far, all topics together."""
    rows = [{"s": row.name, "x": at, "y": value} for row in rules for at, value in row.utility_so_far]
    ends = ", ".join(f"{row.name} {worth(row.utility_so_far[-1][1])}" for row in rules)
    chart = _lines(rows, [row.name for row in rules], "utility so far, all topics", zero=True)
    return Figure(
        "utility", "What deliveries were worth, as the stream went by", f"In the end: {ends}.", chart
    )


def theta_over_time(rules: list[Row]) -> Figure | None:
    """The middle threshold of the topics."""
    rows = [
        {"s": row.name, "x": window.stop, "y": round(window.theta, 5)}
        for row in rules
        for window in row.over_time
        if window.theta is not None
    ]
    if not rows:
        return None
    names = [row.name for row in rules if any(one["s"] == row.name for one in rows)]
    chart = _lines(rows, names, "theta, the middle of the topics", zero=False)
    return Figure(
        "theta",
        "Thresholds as the stream went by",
        "The middle threshold of the topics under each rule.",
        chart,
    )


def utility_curve(trace: Trace, name: str) -> Figure:
    """Utility at each score at which the list could be cut, with theta_zero, theta and theta_opt marked."""
    alt, held = altair(), Held()
    curve, last = trace.curve, trace.last
    span, domain = utility_range(curve.utility, curve.nothing)
    marks = {key: getattr(last, key) for key in _THETAS if getattr(last, key) is not None}
    lowest = min([curve.score[0], *marks.values()])
    rows = [
        {"x": score, "y": utility}
        for score, utility in zip(curve.score, curve.utility, strict=True)
        if utility >= curve.nothing - span or score >= lowest
    ]
    x = alt.X("x:Q", title="score at which the list is cut", scale=alt.Scale(zero=False))
    y = alt.Y("y:Q", title="utility", scale=alt.Scale(domain=domain, nice=False))
    line = held.chart("curve", rows).mark_line(interpolate="step-before", color=SERIES[0], clip=True)
    base = held.chart("nothing", [{"y": curve.nothing}]).mark_rule(color=QUIET, strokeDash=[4, 4])
    layers = [base.encode(y=y), line.encode(x=x, y=y, order="x:Q")]
    lines = [{"x": value, "m": f"{key} {value:.3f}"} for key, value in marks.items()]
    names = [one["m"] for one in lines]
    tint = alt.Color(
        "m:N",
        scale=alt.Scale(domain=names, range=[_THETAS[key] for key in marks]),
        legend=alt.Legend(title=None),
    )
    told = [alt.Tooltip("m:N", title="threshold")]
    layers.append(held.chart("thetas", lines).mark_rule(strokeWidth=2).encode(x=x, color=tint, tooltip=told))
    about = f"Topic {trace.topic}, {trace.row}: the dashed line is delivering nothing; {', '.join(names)}."
    return Figure(
        name, "Utility against the cutoff, at the end", about, dressed(alt.layer(*layers), held, height=260)
    )


def threshold_over_time(trace: Trace, name: str) -> Figure:
    """Theta with theta_opt and theta_zero as documents went by; each delivery at its score."""
    alt, held = altair(), Held()
    rows = list(_steps(trace))
    names = [key for key in _THETAS if any(row["s"] == key for row in rows)]
    start, end = trace.documents
    x = alt.X("x:Q", title="documents seen", scale=alt.Scale(domain=[start, max(end, start + 1)], nice=False))
    y = alt.Y("y:Q", title="score", scale=alt.Scale(zero=False))
    tint = alt.Color(
        "s:N",
        scale=alt.Scale(domain=names, range=[_THETAS[key] for key in names]),
        legend=alt.Legend(title=None),
    )
    lines = held.chart("thetas", rows).mark_line(interpolate="step-after", strokeWidth=1.8)
    layers = [lines.encode(x=x, y=y, color=tint)]
    kinds = ["delivered, relevant", "delivered, not relevant"]
    points = [
        {"x": one.document, "y": round(one.score, 5), "k": kinds[0] if one.relevant else kinds[1]}
        for one in trace.deliveries
    ]
    if points:
        key = alt.Legend(title=None, orient="bottom")
        shape = alt.Shape("k:N", scale=alt.Scale(domain=kinds, range=["circle", "cross"]), legend=key)
        shade = alt.Color("k:N", scale=alt.Scale(domain=kinds, range=[SERIES[0], SERIES[3]]), legend=key)
        told = [
            alt.Tooltip("k:N", title="document"),
            alt.Tooltip("x:Q", title="number"),
            alt.Tooltip("y:Q", title="score"),
        ]
        marks = held.chart("deliveries", points).mark_point(size=34, filled=True, opacity=0.85)
        layers.append(marks.encode(x=x, y=y, shape=shape, color=shade, tooltip=told))
    chart = alt.layer(*layers).resolve_scale(color="independent", shape="independent")
    good = sum(one.relevant for one in trace.deliveries)
    about = f"Topic {trace.topic}, {trace.row}: {len(trace.deliveries)} documents delivered, {good} of them relevant."
    return Figure(
        name, "The threshold of one topic, and what it let through", about, dressed(chart, held, height=280)
    )


def _steps(trace: Trace) -> Iterator[dict[str, Any]]:
    end = trace.documents[1]
    for key in _THETAS:
        known = [(one.seen, getattr(one, key)) for one in trace.thresholds if getattr(one, key) is not None]
        if known:
            yield from (
                {"s": key, "x": at, "y": round(value, 5)} for at, value in [*known, (end, known[-1][1])]
            )


def _lines(rows: list[dict[str, Any]], names: list[str], title: str, *, zero: bool) -> dict[str, Any]:
    alt, held = altair(), Held()
    tint, shape, dash = series(alt, names)
    x = alt.X(
        "x:Q", title="documents seen", scale=alt.Scale(nice=False, zero=False), axis=alt.Axis(grid=False)
    )
    y = alt.Y("y:Q", title=title, scale=alt.Scale(zero=zero))
    base = held.chart("rules", rows)
    told = [
        alt.Tooltip("s:N", title="rule"),
        alt.Tooltip("x:Q", title="documents"),
        alt.Tooltip("y:Q", format=",.4~f"),
    ]
    line = base.mark_line(strokeWidth=2).encode(x=x, y=y, color=tint, strokeDash=dash)
    marks = base.mark_point(filled=True, size=45, opacity=1).encode(
        x=x, y=y, color=tint, shape=shape, tooltip=told
    )
    return dressed(alt.layer(line, marks), held, height=280)


def _worth(row: Row) -> float:
    return -row.utility_so_far[-1][1]
