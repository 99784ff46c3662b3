"""Tables of a comparison: pairs, leaderboards and variance components, for people and for programs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gainful.comparisons.comparison import Comparison
from gainful.comparisons.pair import Pair
from gainful.comparisons.rank_board import Leaderboard, short
from gainful.comparisons.score_table import ScoreTable
from gainful.formats.ids import shown
from gainful.presentation.chart_parts import brief
from gainful.presentation.page import heading, opened, page
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
    from gainful.comparisons.comparison import Comparison
    from gainful.comparisons.pair import Pair
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
    return page(tables, sentences, closing + stated(verdict), form, opening=verdict.sentences, screen=screen)


def stated(verdict: Verdict) -> str:
    """The smallest difference that the verdict mentions beside its headline."""
    return f" · differences from {verdict.matters:g} on matter"


def of_boards(
    comparison: Comparison,
    boards: Sequence[Leaderboard],
    form: str,
    *,
    places: int = 4,
    letters: bool | None = None,
    by_group: Mapping[str, Sequence[Leaderboard]] = MappingProxyType({}),
    verdict: Verdict | None = None,
    screen: Screen = NARROW,
) -> str:
    """The verdict and the leaderboards of a comparison, and those of each group of topics.

    verdict  one that knows more than the comparison; unless given, its own
    letters  whether tables for people show them; None: where there are no more than 26 systems
    """
    letters = boards[0].lettered if letters is None else letters
    verdict = verdict or comparison.verdict
    if form == "json":
        told = {"verdict": verdict.to_dict()}
        return as_json(comparison.to_dict() | told | boards_dict(boards, by_group))
    groups_of_boards: list[tuple[str | None, Sequence[Leaderboard]]] = [(ALL if by_group else None, boards)]
    groups_of_boards += by_group.items()
    if form == "csv":
        return as_csv(
            [
                _named(group) | _flat_place(board, place.to_dict())
                for group, some in groups_of_boards
                for board in some
                for place in board.places
            ]
        )
    closing = f"{comparison.stated()} · ranks from {boards[0].resamples:,} resamples of topics" + evaluated(
        comparison.table
    )
    if form == "latex":
        caption = "Systems that share a letter in a column do not differ significantly. " if letters else ""
        return "\n".join(
            _board_matrix(some, places, letters).paper(
                caption + (f"Group {shown(group)}. " if group else "") + closing
            )
            for group, some in groups_of_boards
        )
    parts = opened(verdict.sentences, form, screen)
    closing += stated(verdict)
    for group, some in groups_of_boards:
        parts += [heading(f"group {shown(group)}", form), ""] if group else []
        for board in some:
            grid = _board_grid(board, places, letters)
            if form == "markdown":
                parts += [grid.markdown(), "", board.sentence(), ""]
            else:
                parts += [grid.text(screen), "", screen.filled(board.sentence()), ""]
    parts += [
        f"- {line}" if form == "markdown" else screen.filled(line) for line in of_interactions(comparison)
    ]
    parts += [""] if comparison.groups else []
    steps = comparison.next_steps
    for above, grid in steps.tables() if steps else []:
        parts += [heading(above, form), "", grid.markdown() if form == "markdown" else grid.text(screen), ""]
    surer = steps.sentences() if steps else []
    parts += [f"- {line}" if form == "markdown" else screen.filled(line) for line in surer]
    parts += [""] if surer else []
    return "\n".join([*parts, f"_{closing}_" if form == "markdown" else screen.filled(closing)]) + "\n"


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


def boards_dict(
    boards: Sequence[Leaderboard], by_group: Mapping[str, Sequence[Leaderboard]]
) -> dict[str, Any]:
    """The leaderboards, in the layout of the JSON output."""
    fields: dict[str, Any] = {"leaderboards": [board.to_dict() for board in boards]}
    if by_group:
        fields["leaderboards_by_group"] = {
            shown(group): [board.to_dict() for board in some] for group, some in by_group.items()
        }
    return fields


def _labelled(comparison: Comparison) -> list[tuple[dict[str, Any], Comparison]]:
    """The comparison, and that of each group under its name."""
    if comparison.groups is None:
        return [({}, comparison)]
    return [
        (_named(ALL), comparison),
        *((_named(group), part) for group, part in comparison.groups.parts.items()),
    ]


def _named(group: str | None) -> dict[str, Any]:
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


def _board_grid(board: Leaderboard, places: int, letters: bool) -> Table:
    heads = ["rank", "system", str(board.measure), f"rank, {percent(board.confidence)}"]
    heads += ["letters"] * letters
    body = [
        [
            str(place.rank),
            shown(place.system),
            f"{place.mean:.{places}f}",
            f"{place.ranks[0]}–{place.ranks[1]}",
            *[short(place.letters)] * letters,
        ]
        for place in board.places
    ]
    return Table(heads, body, names=2)


def _board_matrix(boards: Sequence[Leaderboard], places: int, letters: bool) -> Table:
    """Systems by measures, in the order of the first board; letters raised, where asked for."""
    cells = {
        (board.measure, place.system): Cell(
            f"{place.mean:.{places}f}", place.mean, raised=short(place.letters) if letters else ""
        )
        for board in boards
        for place in board.places
    }
    order = [place.system for place in boards[0].places]
    body: list[list[str | Cell]] = [
        [shown(system), *(cells[board.measure, system] for board in boards)] for system in order
    ]
    return Table(["system", *(str(board.measure) for board in boards)], body)


def _flat(pair: Pair) -> dict[str, Any]:
    fields = pair.to_dict()
    low, high = fields.pop("interval")
    at = list(fields).index("p_value")
    items = list(fields.items())
    return dict([*items[:at], ("low", low), ("high", high), *items[at:]])


def _flat_place(board: Leaderboard, place: dict[str, Any]) -> dict[str, Any]:
    low, high = place.pop("rank_interval")
    letters = place.pop("letters")
    return {"measure": str(board.measure)} | place | {"rank_low": low, "rank_high": high, "letters": letters}


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
    how = comparison.stated() + stated(comparison.verdict)
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
