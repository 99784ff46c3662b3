"""Comparisons, leaderboards and variance components as text for people and for programs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from gainful.comparisons.anova import Components
from gainful.comparisons.comparing import Comparison
from gainful.comparisons.layout import as_csv, paper, raised
from gainful.comparisons.leaderboard import Leaderboard
from gainful.comparisons.letters import short
from gainful.comparisons.pair import Pair, signed
from gainful.comparisons.tables import ScoreTable
from gainful.formats.grid import Grid
from gainful.formats.ids import shown
from gainful.judging.settings import Settings

FORMATS = ("table", "csv", "json", "markdown", "latex")

_TALKATIVE = 12
"""Pairs up to which each gets a sentence."""


def of_pairs(comparison: Comparison, form: str, *, places: int = 4) -> str:
    """The pairs of a comparison."""
    if form == "json":
        return as_json(comparison.to_dict())
    if form == "csv":
        return as_csv([_flat(pair) for pair in comparison.pairs])
    grid = _pair_grid(comparison, places)
    closing = comparison.stated() + evaluated(comparison.table)
    if form == "latex":
        return paper(grid, closing)
    sentences = (
        [comparison.sentence(pair) for pair in comparison.pairs]
        if len(comparison.pairs) <= _TALKATIVE
        else []
    )
    if form == "markdown":
        return (
            "\n".join([grid.markdown(), "", *(f"- {line}" for line in sentences), "", f"_{closing}_"]) + "\n"
        )
    return "\n".join([grid.text(), "", *sentences, *([""] if sentences else []), closing]) + "\n"


def of_boards(comparison: Comparison, boards: Sequence[Leaderboard], form: str, *, places: int = 4) -> str:
    """The leaderboards of a comparison."""
    if form == "json":
        return as_json(comparison.to_dict() | {"leaderboards": [board.to_dict() for board in boards]})
    if form == "csv":
        return as_csv([_flat_place(board, place.to_dict()) for board in boards for place in board.places])
    closing = f"{comparison.stated()} · ranks from {boards[0].resamples:,} resamples of topics" + evaluated(
        comparison.table
    )
    if form == "latex":
        caption = "Systems that share a letter in a column cannot be told apart. "
        return paper(_board_matrix(boards, places), caption + closing)
    parts = []
    for board in boards:
        grid = _board_grid(board, places)
        parts += [grid.markdown() if form == "markdown" else grid.text(), "", board.sentence(), ""]
    return "\n".join([*parts, f"_{closing}_" if form == "markdown" else closing]) + "\n"


def of_components(table: ScoreTable, found: Sequence[Components], form: str) -> str:
    """Variance components, one analysis for each measure."""
    if form == "json":
        from gainful import __version__

        return as_json(
            {
                "gainful": __version__,
                "settings": table.settings,
                "qrels": table.qrels,
                "systems": [system.to_dict() for system in table.systems],
                "components": [one.to_dict() for one in found],
            }
        )
    if form == "csv":
        return as_csv([_flat_source(one, number) for one in found for number in range(3)])
    grid = Grid(
        ["measure", "source", "variance", "share", "sum of squares", "df", "mean square", "F", "p"],
        [row for one in found for row in _source_rows(one)],
        names=2,
    )
    sentences = [f"{one.measure}: {one.sentence()}" for one in found]
    closing = (
        "two-way analysis of variance, systems × topics; Eρ² for the order of systems, Φ for their scores"
        + evaluated(table)
    )
    if form == "latex":
        return paper(grid, " ".join([*sentences, closing]))
    if form == "markdown":
        return (
            "\n".join([grid.markdown(), "", *(f"- {line}" for line in sentences), "", f"_{closing}_"]) + "\n"
        )
    return "\n".join([grid.text(), "", *sentences, "", closing]) + "\n"


def evaluated(table: ScoreTable) -> str:
    """The settings of the evaluation, if these are known."""
    if table.settings is None:
        return ""
    known = {name: value for name, value in table.settings.items() if name in Settings.__dataclass_fields__}
    return " · " + Settings(**known).stated()


def as_json(made: dict[str, Any]) -> str:
    """JSON with all digits; what has no value (NaN, infinite) is null."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(made), indent=2).decode() + "\n"


def p_cell(p: float) -> str:
    """A p-value in a table."""
    if math.isnan(p):
        return "–"
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def _pair_grid(comparison: Comparison, places: int) -> Grid:
    percent = f"{round(100 * comparison.method.confidence, 2):g} %"
    heads = ["measure", "A", "B", "mean A", "mean B", "B − A", f"{percent} interval", "p"]
    heads += ["p adjusted"] if comparison.corrected else []
    heads += ["effect", "favour B", "wins/ties/losses", "detectable", "topics needed"]
    return Grid(heads, [_pair_row(pair, comparison.corrected, places) for pair in comparison.pairs], names=3)


def _pair_row(pair: Pair, corrected: bool, places: int) -> list[str]:
    low, high = pair.interval
    row = [
        pair.measure,
        shown(pair.a),
        shown(pair.b),
        f"{pair.mean_a:.{places}f}",
        f"{pair.mean_b:.{places}f}",
    ]
    row += [
        signed(pair.difference, places),
        f"{signed(low, places)} to {signed(high, places)}",
        p_cell(pair.p_value),
    ]
    row += [p_cell(pair.p_adjusted)] if corrected else []
    row += [signed(pair.effect_size, 2), f"{pair.favours_b:.0%}", f"{pair.wins}/{pair.ties}/{pair.losses}"]
    row += [f"{pair.minimum_detectable:.{places}f}" if math.isfinite(pair.minimum_detectable) else "–"]
    return [*row, "∞" if math.isinf(pair.topics_needed) else number(pair.topics_needed)]


def number(value: float) -> str:
    """A whole number, or a dash for none."""
    return f"{value:,.0f}" if math.isfinite(value) else "–"


def _board_grid(board: Leaderboard, places: int) -> Grid:
    percent = f"{round(100 * board.confidence, 2):g} %"
    heads = ["rank", "system", board.measure, f"rank, {percent}", "letters"]
    body = [
        [
            str(place.rank),
            shown(place.system),
            f"{place.mean:.{places}f}",
            f"{place.ranks[0]}–{place.ranks[1]}",
            short(place.letters),
        ]
        for place in board.places
    ]
    return Grid(heads, body, names=2)


def _board_matrix(boards: Sequence[Leaderboard], places: int) -> Grid:
    """Systems by measures, in the order of the first board; letters raised."""
    cells = {
        (board.measure, place.system): raised(f"{place.mean:.{places}f}", short(place.letters))
        for board in boards
        for place in board.places
    }
    order = [place.system for place in boards[0].places]
    body = [[shown(system), *(cells[board.measure, system] for board in boards)] for system in order]
    return Grid(["system", *(board.measure for board in boards)], body)


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


def _flat(pair: Pair) -> dict[str, Any]:
    made = pair.to_dict()
    low, high = made.pop("interval")
    at = list(made).index("p_value")
    items = list(made.items())
    return dict([*items[:at], ("low", low), ("high", high), *items[at:]])


def _flat_place(board: Leaderboard, place: dict[str, Any]) -> dict[str, Any]:
    low, high = place.pop("rank_interval")
    letters = place.pop("letters")
    return {"measure": board.measure} | place | {"rank_low": low, "rank_high": high, "letters": letters}


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
