"""Several judges as text for people and for programs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape
from typing import Any

from gainful.comparisons.judges.agreement import Agreement, PairAgreement
from gainful.comparisons.judges.judge_results import Judges
from gainful.comparisons.judges.topic_estimates import Estimate
from gainful.formats.ids import shown
from gainful.presentation.page import page
from gainful.presentation.table import Table, as_csv, as_json
from gainful.presentation.text_style import fixed

_COLUMNS = (
    "part",
    "measure",
    "system",
    "other",
    "judge",
    "against",
    "statistic",
    "value",
    "low",
    "high",
    "reason",
)
_MOST, _SHOWN = 66, 20  # pairs of judges up to which all are shown to people, and how many otherwise
_HEADS = {
    "same": "same",
    "kappa": "kappa",
    "kappa_linear": "linear kappa",
    "kappa_quadratic": "quadratic kappa",
    "kappa_relevant": "kappa, relevant",
    "overlap": "overlap",
}


def of_judges(judges: Judges, form: str = "table", *, places: int = 4) -> str:
    """Scores under each judge, their agreement and the orders, as table, csv, json or markdown.

    places  of scores; agreement and correlation have two less, and never less than two
    """
    if form == "json":
        return as_json(judges.to_dict())
    if form == "csv":
        return as_csv([*_score_rows(judges), *_agreement_rows(judges.agreement), *_order_rows(judges)])
    parts = dict(_grids(judges, places))
    closing = judges.stated()
    if form == "latex":
        return "\n".join(grid.paper(f"{title.capitalize()}. {closing}") for title, grid in parts.items())
    return page([*parts.values()], [*judges.sentences, *_shortened(judges.agreement)], closing, form)


def of_agreement(agreement: Agreement, form: str = "table", *, places: int = 4) -> str:
    """How far judges agree, by itself."""
    if form == "json":
        return as_json(agreement.to_dict())
    if form == "csv":
        return as_csv([*_agreement_rows(agreement)])
    chance = agreement.chance
    closing = (
        f"{len(agreement.judges)} judges · intervals {chance.percent}, {chance.resamples:,} resamples of topics, "
        f"seed {chance.seed} · relevant from grade {agreement.rel:g}"
    )
    grids = [agreement_grid(agreement, _fewer(places)), together_grid(agreement, _fewer(places))]
    if form == "latex":
        return "\n".join(grid.paper(closing) for grid in grids)
    return page(grids, [agreement.sentence(), *_shortened(agreement)], closing, form)


def as_html(judges: Judges) -> str:
    """Scores, agreement and orders as HTML tables for a notebook."""
    tables = "".join(
        f"<h4>{escape(title.capitalize())}</h4>{grid.html()}" for title, grid in _grids(judges, 4)
    )
    said = "".join(f"<li>{escape(line)}</li>" for line in judges.sentences)
    return f"{tables}<ul>{said}</ul><p>{escape(judges.stated())}</p>"


def score_grid(judges: Judges, places: int) -> Table:
    """Systems × judges, with their spread."""
    heads = ["measure", "system", *map(shown, judges.names), *judges.merged, "lowest to highest", "deviation"]
    body = [
        [
            str(scores.measure),
            shown(scores.system),
            *(fixed(value, places) for value in (*scores.by_judge.values(), *scores.merged.values())),
            f"{fixed(scores.lowest, places)} to {fixed(scores.highest, places)}",
            f"{scores.deviation:.{places}f}",
        ]
        for scores in judges.scores
    ]
    return Table(heads, body, names=2)


def agreement_grid(agreement: Agreement, places: int) -> Table:
    """Pairs of judges × measures of agreement."""
    body = [
        [
            shown(pair.first),
            shown(pair.second),
            f"{pair.items:,}",
            *(estimated.shown(places) for estimated in pair.estimates().values()),
        ]
        for pair in _least(agreement)
    ]
    return Table(["judge", "other judge", "both judged", *_HEADS.values()], body, names=2)


def _least(agreement: Agreement) -> list[PairAgreement]:
    """All pairs of judges, or those that agree least where there are many."""
    met = [pair for pair in agreement.pairs if not math.isnan(pair.kappa_linear.value)]
    if len(agreement.pairs) <= _MOST:
        return list(agreement.pairs)
    return sorted(met, key=lambda pair: pair.kappa_linear.value)[:_SHOWN]


def _shortened(agreement: Agreement) -> list[str]:
    """That not all pairs are shown, where that is so."""
    pairs = len(agreement.pairs)
    if pairs <= _MOST:
        return []
    return [f"Of {pairs:,} pairs of judges the {_SHOWN} that agree least are shown; csv and json have all."]


def order_grid(judges: Judges, places: int) -> Table:
    """Pairs of judges × correlations of their orders."""
    body = [
        [
            str(pair.measure),
            shown(pair.first),
            shown(pair.second),
            pair.tau_b.shown(places),
            pair.tau_ap.shown(places),
            f"{len(pair.swaps):,}",
        ]
        for orders in judges.orders
        for pair in orders.pairs
    ]
    return Table(["measure", "judge", "other judge", "tau-b", "tau_ap", "systems swapped"], body, names=3)


def _grids(judges: Judges, places: int) -> Iterator[tuple[str, Table]]:
    yield "scores under each judge", score_grid(judges, places)
    yield "agreement between judges", agreement_grid(judges.agreement, _fewer(places))
    yield "agreement of all judges", together_grid(judges.agreement, _fewer(places))
    if judges.orders:
        yield "orders of the systems", order_grid(judges, _fewer(places))


def together_grid(agreement: Agreement, places: int) -> Table:
    """The coefficients of all judges together."""
    body = [
        [f"Krippendorff's alpha, {agreement.level}", agreement.alpha.shown(places), f"{agreement.shared:,}"],
        ["Fleiss' kappa", agreement.fleiss.shown(places), agreement.fleiss_over.partition(" ")[0]],
        ["overlap", agreement.overlap.shown(places), f"{agreement.by_all:,}"],
    ]
    return Table(["all judges", "value", "documents"], body)


def _fewer(places: int) -> int:
    return max(2, places - 2)


def _score_rows(judges: Judges) -> Iterator[dict[str, Any]]:
    for scores in judges.scores:
        head = {"part": "scores", "measure": str(scores.measure), "system": shown(scores.system)}
        for judge, value in scores.by_judge.items():
            yield _row(**head, judge=shown(judge), statistic="mean", value=value)
        for how, value in scores.merged.items():
            yield _row(**head, statistic=f"mean under {how}", value=value)
        for name in ("mean", "lowest", "highest", "deviation"):
            yield _row(**head, statistic=f"{name} over judges", value=getattr(scores, name))


def _agreement_rows(agreement: Agreement) -> Iterator[dict[str, Any]]:
    for pair in agreement.pairs:
        head = {"part": "agreement", "judge": shown(pair.first), "against": shown(pair.second)}
        yield _row(**head, statistic="items", value=pair.items)
        for name, estimated in pair.estimates().items():
            yield _estimated(estimated, **head, statistic=name)
    for name in ("alpha", "fleiss", "overlap"):
        yield _estimated(getattr(agreement, name), part="agreement", statistic=name)


def _order_rows(judges: Judges) -> Iterator[dict[str, Any]]:
    for orders in judges.orders:
        for pair in orders.pairs:
            head = {"part": "orders", "measure": str(pair.measure)}
            head |= {"judge": shown(pair.first), "against": shown(pair.second)}
            for name in ("tau_b", "tau_ap"):
                yield _estimated(getattr(pair, name), **head, statistic=name)
            for first, second in pair.swaps:
                yield _row(**head, system=shown(first), other=shown(second), statistic="swapped", value=1)
        for name in ("tau_b", "tau_ap"):
            yield _estimated(
                getattr(orders, name), part="orders", measure=str(orders.measure), statistic=f"mean {name}"
            )


def _estimated(estimate: Estimate, **known: Any) -> dict[str, Any]:
    return _row(**known, value=estimate.value, low=estimate.low, high=estimate.high, reason=estimate.reason)


def _row(**known: Any) -> dict[str, Any]:
    return {column: known.get(column) for column in _COLUMNS}
