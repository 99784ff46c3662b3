"""gainful correlate: how alike two runs, or two orders of systems, are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from gainful.cli import say
from gainful.cli.commands import refuse_existing, refuse_two_inputs, write
from gainful.cli.options import output as output_options
from gainful.errors import UsageError
from gainful.formats.types import Ties

if TYPE_CHECKING:
    from gainful.comparisons import ListOverlap, Orders
    from gainful.measures import Measure

FORMATS = ("table", "csv", "json", "markdown")


@click.command("correlate", short_help="Correlate two runs, or two rankings of systems.")
@click.argument("first", metavar="FIRST")
@click.argument("second", metavar="SECOND")
@click.option(
    "--qrels", metavar="QRELS", help="For runs: also compare the judged and the relevant documents."
)
@click.option(
    "--rel", type=float, default=1, show_default=True, metavar="N", help="Lowest grade that is relevant."
)
@click.option(
    "-p",
    "persistence",
    type=float,
    default=0.9,
    show_default=True,
    help="Persistence of RBO: probability of continuing to the next rank.",
)
@click.option(
    "--depth", type=click.IntRange(min=1), metavar="N", help="For runs: use only the first N ranks."
)
@click.option(
    "--ties",
    type=click.Choice(("docid", "input")),
    default="docid",
    show_default=True,
    help="Order of tied scores: document id, descending, or order in the input.",
)
@click.option(
    "-m",
    "--measures",
    metavar="MEASURE[,MEASURE]",
    help="For files of scores: the measure that orders the systems, or one for each file.",
)
@output_options(FORMATS)
def command(
    first: str,
    second: str,
    qrels: str | None,
    rel: float,
    persistence: float,
    depth: int | None,
    ties: Ties,
    measures: str | None,
    form: str,
    output: str | None,
    overwrite: bool,
    places: int,
) -> None:
    """Correlate two runs, or two rankings of systems.

    Two runs: rank-biased overlap (bounds and extrapolation) and the share of common documents by depth, as means over
    topics; with --qrels also among judged and among relevant documents.
    Two files of scores (saved by `gainful evaluate -f json`, or tables of topic × system): Kendall's tau-b, tau_ap and
    RBO of their rankings of systems.

    \b
    gainful correlate bm25.run dense.run
    gainful correlate bm25.run dense.run --qrels qrels.txt -p 0.8
    gainful correlate scores2023.json scores2024.json -m nDCG@10
    gainful correlate scores.json scores.json -m nDCG@10,AP
    """
    refuse_existing(output, overwrite=overwrite)
    refuse_two_inputs(first, second)
    from gainful.comparisons import correlate_orders, correlate_runs
    from gainful.comparisons.saved_scores import read_means

    first_means, second_means = map(read_means, (first, second))
    notes: tuple[str, ...] = ()
    if isinstance(first_means, dict) and isinstance(second_means, dict):
        orders, names = _orders((first, first_means), (second, second_means), measures)
        correlated = correlate_orders(*orders, names=names, p=persistence)
        text, notes = _of_orders(correlated, form, places), correlated.notes
    elif isinstance(first_means, dict) or isinstance(second_means, dict):
        raise UsageError(
            "one file is a run and the other holds scores; give two runs or two files of scores."
        )
    else:
        overlaps = correlate_runs(
            first_means, second_means, qrels=qrels, p=persistence, depth=depth, rel=rel, ties=ties
        )
        text = _of_lists(overlaps, form, places, ties)
    write(text, output)
    for note in notes:
        say(f"note: {note}")


Means = Mapping["Measure", Mapping[str, float]]


def _orders(
    first: tuple[str, Means], second: tuple[str, Means], measures: str | None
) -> tuple[list[Mapping[str, float]], tuple[str, str]]:
    """Each file's order of systems, by the measure asked for or the only one it has."""
    wanted = [name.strip() for name in (measures or "").split(",") if name.strip()]
    if len(wanted) > 2:
        raise UsageError(f"give one measure, or one for each of the two files; got {len(wanted)}.")
    chosen = [wanted[0], wanted[-1]] if wanted else [None, None]
    orders, names = [], []
    for (path, means), measure in zip((first, second), chosen, strict=True):
        name, order = _order(path, means, measure)
        orders.append(order)
        names.append(name)
    return orders, (names[0], names[1])


def _order(path: str, means: Means, measure: str | None) -> tuple[str, Mapping[str, float]]:
    from gainful.comparisons.compare_call import measures_of

    by_name = {str(scored): scored for scored in means}
    if measure is None and len(means) > 1:
        raise UsageError(
            f"{path} has several measures ({', '.join(by_name)}); choose the one that orders the systems with -m."
        )
    name = next(iter(by_name)) if measure is None else measure
    name = name if name in by_name else str(measures_of(name, None)[0])
    if name not in by_name:
        raise UsageError(f"{path} has no {name}; it has {', '.join(by_name)}.")
    chosen = by_name[name]
    if chosen.less_is_better:  # an order begins with the best
        return f"{path} by {name}, lowest first", {system: -mean for system, mean in means[chosen].items()}
    return f"{path} by {name}", means[chosen]


def _of_orders(correlated: Orders, form: str, places: int) -> str:
    from gainful.presentation.table import Table, as_csv, as_json
    from gainful.presentation.text_style import fixed

    if form == "json":
        return as_json(correlated.to_dict())
    if form == "csv":
        return as_csv([correlated.to_dict() | {"notes": "; ".join(correlated.notes)}])
    body = [
        ["Kendall's tau-b", fixed(correlated.tau_b, places)],
        ["tau_ap (first ranking as reference)", fixed(correlated.tau_ap, places)],
        [f"RBO (p {correlated.p:g})", fixed(correlated.rbo, places)],
    ]
    grid = Table(["correlation", "value"], body)
    closing = f"{correlated.systems} systems · first: {correlated.first} · second: {correlated.second}"
    return (grid.markdown() if form == "markdown" else grid.text()) + f"\n\n{closing}\n"


def _of_lists(overlaps: list[ListOverlap], form: str, places: int, ties: str) -> str:
    from gainful.formats.ids import shown
    from gainful.presentation.table import Table, as_csv, as_json
    from gainful.presentation.text_style import fixed

    if form == "json":
        return as_json({"lists": [overlap.to_dict() for overlap in overlaps]})
    if form == "csv":
        return as_csv([row for overlap in overlaps for row in _flat(overlap)])
    depths = list(overlaps[0].by_depth)
    heads = [
        "documents",
        "topics",
        "RBO extrapolated",
        "RBO at least",
        "RBO at most",
        *(f"shared@{depth}" for depth in depths),
    ]
    body = [
        [
            overlap.of,
            str(overlap.topics),
            *(
                fixed(value, places)
                for value in (overlap.rbo.extrapolated, overlap.rbo.least, overlap.rbo.most)
            ),
            *(fixed(overlap.by_depth[depth], places) for depth in depths),
        ]
        for overlap in overlaps
    ]
    grid = Table(heads, body)
    from gainful.judging.settings import WORDS

    names = f"{shown(overlaps[0].first)} and {shown(overlaps[0].second)}"
    order = WORDS["ties"][1][ties]
    closing = f"{names} · means over topics in both · p {overlaps[0].p:g} · ties: {order}"
    return (grid.markdown() if form == "markdown" else grid.text()) + f"\n\n{closing}\n"


def _flat(lists: ListOverlap) -> list[dict[str, object]]:
    """A line for each topic."""
    return [
        {
            "of": lists.of,
            "topic": topic,
            "rbo": overlap["extrapolated"],
            "rbo_least": overlap["least"],
            "rbo_most": overlap["most"],
        }
        for topic, overlap in lists.to_dict()["per_topic"].items()
    ]
