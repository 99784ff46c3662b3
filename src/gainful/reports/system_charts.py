"""Charts of systems and pairs: means with their intervals, differences, and differences topic by topic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gainful.comparisons import Pair
from gainful.formats.ids import shown
from gainful.reports.board import Board
from gainful.reports.charts import NAME, Figure, series
from gainful.reports.names import brief
from gainful.reports.pairs import Pairs
from gainful.reports.palette import INK, QUIET, UP, Held, altair, dressed

MOST_BARS = 400
"""Topics whose bars can be seen; of more, the first and the last are drawn."""

_PAIRS = 15  # that are drawn below each other, whichever systems they are of
_ROWS = 30  # systems or pairs that are drawn below each other


def means(board: Board, measure: str) -> Figure:
    """The mean of each system with its interval."""
    alt, held = altair(), Held()
    lines = board.lines[:_ROWS]
    names = [shown(line.system) for line in lines]
    rows = []
    for line in lines:
        cell = line.cells[measure]
        rows.append({"s": shown(line.system), "x": round(cell.mean, 5), "l": cell.low, "h": cell.high})
    y = alt.Y("s:N", sort=names, title=None, axis=_named_rows(alt))
    base = held.chart("systems", rows)
    x = alt.X(
        "x:Q",
        title=f"{measure}, mean and {100 * board.confidence:.0f} % interval",
        scale=alt.Scale(zero=False),
    )
    told = [alt.Tooltip("s:N", title="system"), alt.Tooltip("x:Q", title=measure, format=".4f")]
    layers = []
    if any(row["l"] is not None for row in rows):
        told += [alt.Tooltip(end, title=word, format=".4f") for end, word in (("l:Q", "from"), ("h:Q", "to"))]
        ends = base.mark_rule(strokeWidth=3, opacity=0.45, color=UP)
        layers.append(ends.encode(y=y, x=alt.X("l:Q", title=""), x2="h:Q"))
    dots = base.mark_point(filled=True, size=110, opacity=1, color=UP).encode(y=y, x=x, tooltip=told)
    says = "; ".join(f"{shown(line.system)} {line.cells[measure].mean:.4f}" for line in lines) + "."
    chart = alt.layer(*layers, dots)
    return Figure(
        "means", f"{measure} of each system", says, dressed(chart, held, height=26 * len(lines) + 20)
    )


def forest(some: Sequence[Pair], alpha: float, confidence: float, first: str) -> Figure:
    """The difference of each pair with its interval, around zero; of very many, those with the first system."""
    alt, held = altair(), Held()
    measure, title = str(some[0].measure), f"{some[0].measure}: what separates each pair"
    if len(some) > _PAIRS:
        some = [pair for pair in some if first in (pair.a, pair.b)]
        title = f"{measure}: {shown(first)} and each other system"
    kept = sorted(some, key=lambda pair: abs(pair.difference))[:_ROWS]
    names = brief((system for pair in kept for system in (pair.a, pair.b)), NAME)
    rows = []
    for pair in kept:
        low, high = pair.interval
        name = f"{names[pair.b]} − {names[pair.a]}"
        found = "told apart" if pair.found(alpha) else "not told apart"
        rows.append({"s": name, "x": pair.difference, "l": low, "h": high, "f": found, "p": pair.p_adjusted})
    order = [row["s"] for row in rows]
    words = ["told apart", "not told apart"]
    tint = alt.Color("f:N", scale=alt.Scale(domain=words, range=[UP, QUIET]), legend=alt.Legend(title=None))
    shape = alt.Shape(
        "f:N", scale=alt.Scale(domain=words, range=["circle", "square"]), legend=alt.Legend(title=None)
    )
    y = alt.Y("s:N", sort=order, title=None, axis=_named_rows(alt))
    base = held.chart("pairs", rows)
    zero = held.chart("zero", [{"x": 0}]).mark_rule(color=INK).encode(x="x:Q")
    ends = base.mark_rule(strokeWidth=3, opacity=0.5).encode(
        y=y,
        x=alt.X("l:Q", title=f"difference in {measure}, {100 * confidence:.0f} % interval"),
        x2="h:Q",
        color=tint,
    )
    told = [
        alt.Tooltip("s:N", title="pair"),
        alt.Tooltip("x:Q", title="difference", format="+.4f"),
        alt.Tooltip("l:Q", title="from", format="+.4f"),
        alt.Tooltip("h:Q", title="to", format="+.4f"),
        alt.Tooltip("p:Q", title="p", format=".3g"),
    ]
    dots = base.mark_point(filled=True, size=110, opacity=1).encode(
        y=y, x="x:Q", color=tint, shape=shape, tooltip=told
    )
    says = "; ".join(f"{row['s']} {row['x']:+.4f}, {row['f']}" for row in rows) + "."
    return Figure(
        "pairs",
        title,
        says,
        dressed(alt.layer(zero, ends, dots), held, height=26 * len(rows) + 20),
    )


def bars(some: Pairs, measure: str, systems: Sequence[str], *, lower: bool) -> Figure:
    """The difference on each topic in the colour of the better system, the largest first.

    The page puts in other pairs of the systems by the name of the data.
    """
    a, b = some.chosen
    differences = some.differences(measure, a, b)
    alt, held = altair(), Held()
    up, down = (a, b) if lower else (b, a)
    rows = bar_rows(differences, up, down)
    tint, _, _ = series(alt, systems, legend=False)
    base = held.chart("bars", rows)
    y = alt.Y("d:Q", title="difference")
    x = alt.X("n:O", title="topics", axis=alt.Axis(labels=False, ticks=False, grid=False))
    told = [alt.Tooltip("t:N", title="topic"), alt.Tooltip("d:Q", title="difference", format="+.4f")]
    drawn = base.mark_bar(cursor="pointer").encode(x=x, y=y, color=tint, tooltip=told)
    zero = held.chart("zero", [{"d": 0}]).mark_rule(color=INK).encode(y="d:Q")
    spec = dressed(alt.layer(drawn, zero), held, height=240)
    above = sum(value > 0 for _, value in differences)
    below = sum(value < 0 for _, value in differences)
    says = (
        f"Bars up: {shown(up)} is better, on {above} of {len(differences)} topics; "
        f"bars down: {shown(down)} is, on {below}."
    )
    return Figure("topics", f"{measure}, topic by topic: {shown(b)} less {shown(a)}", says, spec)


def bar_rows(differences: Sequence[tuple[str, float]], up: str, down: str) -> list[dict[str, Any]]:
    """The rows of the bars, each with the system that it speaks for; of very many topics the first and the last."""
    numbered = list(enumerate(differences))
    if len(numbered) > MOST_BARS:
        numbered = [*numbered[: MOST_BARS // 2], *numbered[-MOST_BARS // 2 :]]
    return [
        {"n": number, "t": shown(topic), "d": value, "s": shown(up if value > 0 else down)}
        for number, (topic, value) in numbered
    ]


def _named_rows(alt: Any) -> Any:
    """An axis of names."""
    return alt.Axis(ticks=False, domain=False, grid=False, labelColor=INK)
