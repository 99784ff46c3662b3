"""Pictures of an audit: systems by people and by the model, grade by label, and width by people's topics."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from gainful.auditing.audit_result import Audit
from gainful.auditing.judged_pairs import Calibration
from gainful.auditing.judgment_savings import Savings
from gainful.auditing.system_orders import SystemOrder
from gainful.errors import UsageError
from gainful.formats.ids import shown
from gainful.presentation.chart_parts import SERIES, Axis, Series, panels
from gainful.presentation.charts import Panel

_WIDTH = 560
_NAMED = 12  # systems up to which each has its name
_LOOKS: Mapping[str, tuple[str, str, str]] = {
    "for": ("favoured by the model", "triangle-up", SERIES[1]),
    "": ("not significant", "circle", SERIES[0]),
    "against": ("disfavoured by the model", "triangle-down", SERIES[3]),
}


def chart(audit: Audit, view: str | None = None) -> dict[str, Any]:
    """All pictures below each other, or the one of this name."""
    made = {"calibration": calibration_panel(audit)}
    if audit.orders:
        made = {"systems": systems_panel(audit.orders[0]), **made}
    if audit.savings:
        made["widths"] = widths_panel(audit.savings[0])
    if view is not None and view not in made:
        raise UsageError(
            f"there is no picture '{view}': this audit has {', '.join(made)}; systems and widths need runs."
        )
    if view is not None:
        return made[view].spec()
    whole = panels(
        [[panel] for panel in made.values()],
        title=f"Audit of {shown(audit.model)}",
        subtitle=f"{audit.pairs:,} documents of {audit.topics:,} topics judged by people and labelled by the model",
        width=_WIDTH,
    )
    apart = dict.fromkeys(
        ("color", "shape", "strokeDash"), "independent"
    )  # each picture has a legend of its own
    return whole | {"resolve": {"scale": apart}} if len(made) > 1 else whole


def systems_panel(order: SystemOrder) -> Panel:
    """A point for each system: its value by people, and by the model."""
    points = [(favour.people, favour.model) for favour in order.favours]
    low, high = _domain([value for point in points for value in point])
    groups: dict[str, list[tuple[float, float]]] = {}
    looks = {}
    for direction, (name, shape, colour) in _LOOKS.items():
        of_kind = [(each.people, each.model) for each in order.favours if each.direction == direction]
        if of_kind:
            groups[name], looks[name] = of_kind, (shape, colour)
    panel = Panel(
        Axis(f"{order.measure} by people", (low, high)), Axis(f"{order.measure} by the model", (low, high))
    )
    panel.reference([(low, low), (high, high)], "equal")
    names: dict[tuple[float, float], list[str]] = {}
    for each in order.favours:
        names.setdefault((each.people, each.model), []).append(shown(each.system))
    panel.dots(
        groups,
        [shape for shape, _ in looks.values()],
        [colour for _, colour in looks.values()],
        {place: ", ".join(here) for place, here in names.items()},
    )
    if len(order.favours) <= _NAMED:
        panel.labels([(each.people, each.model, shown(each.system)) for each in order.favours], halo=True)
    return panel


def _domain(values: list[float]) -> tuple[float, float]:
    """Both axes alike, with some room; never of no length."""
    known = [value for value in values if not math.isnan(value)] or [0.0, 1.0]
    low, high = min(known), max(known)
    room = 0.12 * (high - low) or 0.05
    return round(low - room, 3), round(high + room, 3)


def calibration_panel(audit: Audit) -> Panel:
    """People's mean grade for each label, with its interval."""
    steps = audit.calibration
    grades = [*audit.table]
    labels = [step.label for step in steps]
    room = 0.1 * ((max(labels) - min(labels)) or 1.0)
    across = (min(labels) - room, max(labels) + 3 * room)
    ends = [end for step in steps for end in (step.grade.low, step.grade.high, step.grade.value)]
    tops = [end for end in ends if not math.isnan(end)]
    up = (min(*grades, *tops) - 0.1, max(*grades, *tops) + 0.1)
    panel = Panel(
        Axis(
            "label by the model; beside each, its documents", across, whole=all(map(float.is_integer, labels))
        ),
        Axis("mean grade by people", up),
    )
    if audit.scale == "same":
        first, last = max(across[0], up[0]), min(across[1], up[1])
        panel.reference([(first, first), (last, last)], "equal")
    return panel.shares([_share(step) for step in steps])


def _share(step: Calibration) -> tuple[float, float, float, float, str]:
    grade = step.grade
    low, high = (grade.value, grade.value) if math.isnan(grade.low) else (grade.low, grade.high)
    return step.label, grade.value, low, high, f"{step.pairs:,}"


def widths_panel(saving: Savings) -> Panel:
    """The width of the interval of the difference of two systems, by the number of topics that people judge."""
    alone = [(float(topics), width) for topics, width, _ in saving.curve]
    both = [(float(topics), width) for topics, _, width in saving.curve]
    pair = "" if len(saving.pairs) == 1 else ", median pair"
    top = max(width for _, width in alone)
    panel = Panel(
        Axis(
            f"topics judged by people, of {saving.labelled} labelled by the model",
            (alone[0][0], alone[-1][0]),
            whole=True,
        ),
        Axis(f"width of the interval, {saving.measure}{pair}", (0, round(1.05 * top, 3))),
    )
    return panel.lines(
        [Series("people alone", 0, alone, marks=()), Series("people and model", 1, both, marks=())]
    )
