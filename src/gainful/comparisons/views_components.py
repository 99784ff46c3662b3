"""Variance components as text for people and for programs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from gainful.comparisons.layout import as_csv, as_json, page, paper
from gainful.comparisons.tables import ScoreTable
from gainful.comparisons.views import ALL, evaluated, p_cell
from gainful.formats.grid import Grid
from gainful.formats.ids import shown
from gainful.statistics.anova import Components


def of_components(
    table: ScoreTable,
    found: Sequence[Components],
    form: str,
    *,
    by_group: Mapping[str, Sequence[Components]] = MappingProxyType({}),
) -> str:
    """Variance components, one analysis for each measure; and the same for each group of topics."""
    if form == "json":
        from gainful import __version__

        return as_json(
            {
                "gainful": __version__,
                "settings": table.settings,
                "qrels": table.qrels,
                "systems": [system.to_dict() for system in table.systems],
                "components": [one.to_dict() for one in found],
                **({"components_by_group": _by_group(by_group)} if by_group else {}),
            }
        )
    every: list[tuple[dict[str, str], Components]] = [
        ({"group": ALL} if by_group else {}, one) for one in found
    ]
    every += [({"group": shown(group)}, one) for group, some in by_group.items() for one in some]
    if form == "csv":
        return as_csv([named | _flat_source(one, number) for named, one in every for number in range(3)])
    heads = ["measure", "source", "variance", "share", "sum of squares", "df", "mean square", "F", "p"]
    grid = Grid(
        ["group"] * bool(by_group) + heads,
        [[*named.values(), *row] for named, one in every for row in _source_rows(one)],
        names=2 + bool(by_group),
    )
    sentences = [": ".join([*named.values(), one.measure, one.sentence()]) for named, one in every]
    closing = (
        "two-way analysis of variance, systems × topics; Eρ² for the order of systems, Φ for their scores"
        + evaluated(table)
    )
    if form == "latex":
        return paper(grid, " ".join([*sentences, closing]))
    return page([grid], sentences, closing, form)


def _by_group(by_group: Mapping[str, Sequence[Components]]) -> dict[str, Any]:
    return {shown(group): [one.to_dict() for one in some] for group, some in by_group.items()}


def _source_rows(one: Components) -> list[list[str]]:
    return [
        [
            one.measure,
            source.name,
            f"{source.component:.6f}",
            "–" if math.isnan(source.share) else f"{source.share:.1%}",
            f"{source.sum_of_squares:.4f}",
            str(source.freedom),
            f"{source.mean_square:.6f}",
            "–" if math.isnan(source.f) else ("∞" if math.isinf(source.f) else f"{source.f:.2f}"),
            p_cell(source.p_value),
        ]
        for source in one.sources
    ]


def _flat_source(one: Components, number: int) -> dict[str, Any]:
    source = one.to_dict()["sources"][number]
    head: dict[str, Any] = {
        "measure": one.measure,
        "systems": one.systems,
        "topics": one.topics,
        "source": source.pop("name"),
    }
    head |= source
    return head | {"e_rho2": one.e_rho2, "phi": one.phi}
