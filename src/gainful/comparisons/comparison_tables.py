"""Tables of a comparison: pairs and variance components, for people and for programs; leaderboards are in `board_tables`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gainful.comparisons.comparison import Comparison
from gainful.comparisons.pair import Pair
from gainful.comparisons.score_table import ScoreTable
from gainful.formats.ids import shown
from gainful.presentation.chart_parts import brief
from gainful.presentation.page import opened, page
from gainful.presentation.table import Cell, Table, as_csv, as_json
from gainful.presentation.text_style import (
    BETTER,
    NARROW,
    NEITHER,
    UNDEFINED,
    WORSE,
    Screen,
    counted,
    fixed,
    p_value,
    percent,
    signed,
    whole,
)
from gainful.statistics.anova import Components
from gainful.statistics.corrections import CORRECTIONS

if TYPE_CHECKING:
    from gainful.comparisons.verdict import Verdict

ALL = "(all)"
"""Stands for all topics where others stand for groups of them."""

_TALKATIVE = 12
"""Pairs up to which each gets a sentence."""

_NAME = 12  # letters of a system's name that heads a column


def of_pairs(
    comparison: Comparison,
    form: str,
    *,
    places: int = 4,
    verdict: Verdict | None = None,
    screen: Screen = NARROW,
) -> str:
    """The verdict and the pairs of a comparison.

    screen   on one of 80 columns a pair is a few columns and no sentence; of any width, everything that is known of it
    verdict  one that knows more than the comparison, such as which readers are served better; unless given, its own
    """
    verdict = verdict or comparison.verdict
    if form == "json":
        return as_json(comparison.to_dict() | {"verdict": verdict.to_dict()})
    if form == "csv":
        return as_csv([named | _flat(pair) for named, part in _labelled(comparison) for pair in part.pairs])
    few = form == "table" and screen.columns is not None
    grid = _few_columns(comparison, places) if few else _pair_grid(comparison, places)
    closing = comparison.stated() + evaluated(comparison.table)
    if form == "latex":
        return grid.paper(closing)
    sentences = comparison.summary() if len(comparison.pairs) > _TALKATIVE else []
    if not sentences and not few:
        sentences = [comparison.sentence(pair) for pair in comparison.pairs]
    steps = comparison.next_steps
    sentences += [*of_interactions(comparison), *(steps.sentences() if steps else [])]
    tables: list[Table | tuple[str, Table]] = [grid, *(steps.tables() if steps else [])]
    return page(
        tables, sentences, closing + matters_from(verdict), form, opening=verdict.sentences, screen=screen
    )


def matters_from(verdict: Verdict) -> str:
    """The smallest difference that the verdict mentions beside its headline."""
    return f" · differences from {verdict.matters:g} on matter"


def of_interactions(comparison: Comparison) -> list[str]:
    """Which differences depend on the group, in words; where there are many pairs, only those that do."""
    groups = comparison.groups
    if groups is None or not groups.interactions:
        return []
    alpha = comparison.method.alpha
    tested = len(groups.interactions)
    adjusted = CORRECTIONS[groups.correction].title if comparison.corrected else None
    shown_ones = [
        interaction
        for interaction in groups.interactions
        if tested <= _TALKATIVE or interaction.p_adjusted <= alpha
    ]
    said = [interaction.sentence(alpha, adjusted) for interaction in shown_ones]
    if tested > _TALKATIVE:
        said.append(f"{len(shown_ones):,} of {tested:,} differences depend significantly on the group.")
    return [
        *said,
        f"Permutation test: topics assigned to groups at random {groups.deals:,} times; seed {comparison.method.seed}.",
    ]


def _labelled(comparison: Comparison) -> list[tuple[dict[str, Any], Comparison]]:
    """The comparison, and that of each group under its name."""
    if comparison.groups is None:
        return [({}, comparison)]
    return [
        (group_key(ALL), comparison),
        *((group_key(group), part) for group, part in comparison.groups.parts.items()),
    ]


def group_key(group: str | None) -> dict[str, Any]:
    """The group's name as a field of a record; no field where there is no group."""
    return {} if group is None else {"group": shown(group)}


def evaluated(table: ScoreTable) -> str:
    """The settings of the evaluation, if these are known."""
    return "" if table.settings is None else f" · {table.settings.stated()}"


def _pair_grid(comparison: Comparison, places: int) -> Table:
    interval = f"{percent(comparison.method.confidence)} interval"
    heads = ["measure", "A", "B", "mean A", "mean B", "B − A", interval, "p"]
    heads += ["p adjusted"] if comparison.corrected else []
    heads += ["effect", "favour B", "wins/ties/losses", "detectable", "topics needed"]
    parts = _labelled(comparison)
    body = [
        [*named.values(), *_pair_row(pair, comparison.corrected, places)]
        for named, part in parts
        for pair in part.pairs
    ]
    grouped = comparison.groups is not None
    return Table(["group"] * grouped + heads, body, names=3 + grouped)


def _few_columns(comparison: Comparison, places: int) -> Table:
    """What a terminal of 80 columns has room for: of two systems, their means in columns under their names."""
    names, corrected = comparison.table.names, comparison.corrected
    two, grouped = len(names) == 2, comparison.groups is not None
    heads = ["group"] * grouped + ["measure"]
    if not two:
        heads += ["pair", "difference"] if grouped else ["A", "B", "B − A"]
    elif grouped:
        heads += [" − ".join(brief(names, _NAME)[name] for name in reversed(names))]
    else:
        heads += [*brief(names, _NAME).values(), "difference"]
    heads += [f"{percent(comparison.method.confidence)} CI", "p adjusted" if corrected else "p"]

    def systems(pair: Pair) -> list[str]:
        return [f"{shown(pair.b)} − {shown(pair.a)}"] if grouped else [shown(pair.a), shown(pair.b)]

    rows: list[list[str | Cell]] = []
    for named, part in _labelled(comparison):
        for pair in part.pairs:
            means = [fixed(mean, places) for mean in (pair.mean_a, pair.mean_b)]
            rows.append(
                [
                    *named.values(),
                    str(pair.measure),
                    *(systems(pair) if not two else [] if grouped else means),
                    Cell(signed(pair.difference, places), pair.difference, tone=_tone(part, pair)),
                    interval_cell(pair, places),
                    p_value(pair.p_adjusted),
                ]
            )
    return Table(heads, rows, names=1 + grouped if two else 3)


def _tone(comparison: Comparison, pair: Pair) -> str:
    """Whether B is better or worse than A, or does not differ significantly."""
    if not pair.significant(comparison.method.alpha) or comparison.against_the_mean(pair):
        return NEITHER
    return BETTER if (pair.difference > 0) != pair.less_is_better else WORSE


def interval_cell(pair: Pair, places: int) -> str:
    """The confidence interval of the difference; where all topics differ alike it has no width, and that is said."""
    low, high = pair.interval
    if math.isnan(low):
        return UNDEFINED
    if pair.constant:
        return f"same on all {pair.topics:,}"
    return f"{signed(low, places)} to {signed(high, places)}"


def _pair_row(pair: Pair, corrected: bool, places: int) -> list[str]:
    row = [
        str(pair.measure),
        shown(pair.a),
        shown(pair.b),
        f"{pair.mean_a:.{places}f}",
        f"{pair.mean_b:.{places}f}",
    ]
    row += [
        signed(pair.difference, places),
        interval_cell(pair, places),
        p_value(pair.p_value),
    ]
    row += [p_value(pair.p_adjusted)] if corrected else []
    row += [signed(pair.effect_size, 2), percent(pair.favours_b, 0), f"{pair.wins}/{pair.ties}/{pair.losses}"]
    row += [fixed(pair.minimum_detectable, places) if math.isfinite(pair.minimum_detectable) else UNDEFINED]
    return [*row, whole(pair.topics_needed)]


def _flat(pair: Pair) -> dict[str, Any]:
    fields = pair.to_dict()
    low, high = fields.pop("interval")
    at = list(fields).index("p_value")
    items = list(fields.items())
    return dict([*items[:at], ("low", low), ("high", high), *items[at:]])


def of_components(
    table: ScoreTable,
    analyses: Sequence[Components],
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
                "settings": None if table.settings is None else table.settings.to_dict(),
                "qrels": table.qrels,
                "systems": [system.to_dict() for system in table.systems],
                "components": [analysis.to_dict() for analysis in analyses],
                **({"components_by_group": _by_group(by_group)} if by_group else {}),
            }
        )
    every: list[tuple[dict[str, str], Components]] = [
        ({"group": ALL} if by_group else {}, analysis) for analysis in analyses
    ]
    every += [({"group": shown(group)}, analysis) for group, some in by_group.items() for analysis in some]
    if form == "csv":
        return as_csv(
            [named | _flat_source(analysis, number) for named, analysis in every for number in range(3)]
        )
    heads = ["measure", "source", "variance", "share", "sum of squares", "df", "mean square", "F", "p"]
    grid = Table(
        ["group"] * bool(by_group) + heads,
        [[*named.values(), *row] for named, analysis in every for row in _source_rows(analysis)],
        names=2 + bool(by_group),
    )
    sentences = [
        ": ".join([*named.values(), analysis.measure, analysis.sentence()]) for named, analysis in every
    ]
    closing = (
        "two-way analysis of variance, systems × topics; Eρ² for the order of systems, Φ for their scores"
        + evaluated(table)
    )
    if form == "latex":
        return grid.paper(" ".join([*sentences, closing]))
    return page([grid], sentences, closing, form)


def _by_group(by_group: Mapping[str, Sequence[Components]]) -> dict[str, Any]:
    return {shown(group): [analysis.to_dict() for analysis in some] for group, some in by_group.items()}


def _source_rows(analysis: Components) -> list[list[str]]:
    return [
        [
            analysis.measure,
            source.name,
            f"{source.component:.6f}",
            percent(source.share, 1),
            f"{source.sum_of_squares:.4f}",
            str(source.freedom),
            f"{source.mean_square:.6f}",
            "–" if math.isnan(source.f) else ("∞" if math.isinf(source.f) else f"{source.f:.2f}"),
            p_value(source.p_value),
        ]
        for source in analysis.sources
    ]


def _flat_source(analysis: Components, number: int) -> dict[str, Any]:
    source = analysis.to_dict()["sources"][number]
    head: dict[str, Any] = {
        "measure": analysis.measure,
        "systems": analysis.systems,
        "topics": analysis.topics,
        "source": source.pop("name"),
    }
    head |= source
    return head | {"e_rho2": analysis.e_rho2, "phi": analysis.phi}


_HEADS = ("measure", "A", "B", "B − A", "from", "to", "p", "p adjusted", "effect")
_ROWS = 60
_SENTENCES = 6


def inline(comparison: Comparison) -> str:
    """The verdict and the pairs in HTML; of very many pairs, the first."""
    (verdict,) = opened(comparison.verdict.sentences, "html")
    table = Table(_HEADS, [_cells(pair) for pair in comparison.pairs[:_ROWS]], names=3).html()
    more = len(comparison.pairs) - _ROWS
    left = f"<p>… {counted(more, 'more pair')}</p>" if more > 0 else ""
    said = comparison.pairs if len(comparison.pairs) <= _SENTENCES else ()
    sentences = "".join(f"<p>{escape(comparison.sentence(pair))}</p>" for pair in said)
    steps = comparison.next_steps
    if steps is not None:
        sentences += "".join(f"<p>{escape(above)}</p>{grid.html()}" for above, grid in steps.tables())
        sentences += "".join(f"<p>{escape(line)}</p>" for line in steps.sentences())
    how = comparison.stated() + matters_from(comparison.verdict)
    return f"{verdict}{table}{left}{sentences}<p>{escape(how)}</p>"


def _cells(pair: Pair) -> list[str]:
    return [
        str(pair.measure),
        shown(pair.a),
        shown(pair.b),
        signed(pair.difference),
        *([UNDEFINED] * 2 if pair.constant else map(signed, pair.interval)),
        p_value(pair.p_value),
        p_value(pair.p_adjusted),
        signed(pair.effect_size, 2),
    ]
