"""Systems in tables: leaderboards of each measure, and the table of a paper.

The table of a paper is systems by measures, the best in bold, daggers or letters for significance, a caption of one sentence.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from gainful.comparisons.comparison import Comparison, compare_scores
from gainful.comparisons.comparison_tables import ALL, evaluated, group_key, matters_from, of_interactions
from gainful.comparisons.method import Method
from gainful.comparisons.model_intervals import POWERED_TEST, models_of
from gainful.comparisons.rank_board import Leaderboard, leaderboard, short
from gainful.comparisons.verdict import Verdict
from gainful.errors import UsageError
from gainful.formats.ids import shown
from gainful.measures import Measure
from gainful.presentation.page import heading, opened, page
from gainful.presentation.table import Cell, Table, as_csv, as_json
from gainful.presentation.text_style import NARROW, Screen, counted, fixed, listed, markdown_text, percent

FORMATS = ("table", "markdown", "latex", "html")

_COLUMNS = 80
_STRICTER = 5
"""‡ stands for a level so many times smaller than that of †: 0.01 where alpha is 0.05."""


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
        return as_json(comparison.to_dict() | {"verdict": verdict.to_dict()} | _boards_dict(boards, by_group))
    all_boards: list[tuple[str | None, Sequence[Leaderboard]]] = [(ALL if by_group else None, boards)]
    all_boards += by_group.items()
    if form == "csv":
        return as_csv(
            [
                group_key(group) | _flat_place(board, place.to_dict())
                for group, of_group in all_boards
                for board in of_group
                for place in board.places
            ]
        )
    resampled = f" · ranks from {boards[0].resamples:,} resamples of topics"
    closing = comparison.stated() + resampled + evaluated(comparison.table)
    if form == "latex":
        caption = "Systems that share a letter in a column do not differ significantly. " if letters else ""
        return "\n".join(
            _board_matrix(of_group, places, letters).paper(
                caption + (f"Group {shown(group)}. " if group else "") + closing
            )
            for group, of_group in all_boards
        )
    marked = form == "markdown"
    parts = opened(verdict.sentences, form, screen)
    for group, of_group in all_boards:
        parts += [heading(f"group {shown(group)}", form), ""] if group else []
        for board in of_group:
            grid, sentence = _board_grid(board, places, letters), board.sentence()
            parts += [grid.markdown() if marked else grid.text(screen), ""]
            parts += [sentence if marked else screen.filled(sentence), ""]
    steps = comparison.next_steps
    parts += _bulleted(of_interactions(comparison), form, screen)
    for above, grid in steps.tables() if steps else []:
        parts += [heading(above, form), "", grid.markdown() if marked else grid.text(screen), ""]
    parts += _bulleted(steps.sentences() if steps else [], form, screen)
    closing += matters_from(verdict)
    return "\n".join([*parts, f"_{closing}_" if marked else screen.filled(closing)]) + "\n"


def _bulleted(sentences: Sequence[str], form: str, screen: Screen) -> list[str]:
    """A line for each sentence, and a blank one after them; nothing where there are none."""
    lines = [f"- {line}" if form == "markdown" else screen.filled(line) for line in sentences]
    return [*lines, ""] if lines else []


def _boards_dict(
    boards: Sequence[Leaderboard], by_group: Mapping[str, Sequence[Leaderboard]]
) -> dict[str, Any]:
    """The leaderboards, in the layout of the JSON output."""
    fields: dict[str, Any] = {"leaderboards": [board.to_dict() for board in boards]}
    if by_group:
        fields["leaderboards_by_group"] = {
            shown(group): [board.to_dict() for board in of_group] for group, of_group in by_group.items()
        }
    return fields


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


def _flat_place(board: Leaderboard, place: dict[str, Any]) -> dict[str, Any]:
    low, high = place.pop("rank_interval")
    letters = place.pop("letters")
    return {"measure": str(board.measure)} | place | {"rank_low": low, "rank_high": high, "letters": letters}


def paper_method(method: Method, systems: Sequence[str], *, letters: bool) -> Method:
    """The method that the table needs: all pairs for letters; for daggers a baseline, by default the first system."""
    if letters and method.baseline is not None:
        raise UsageError("letters compare all pairs of systems; leave the baseline out.")
    return method if letters or method.baseline is not None else replace(method, baseline=systems[0])


def paper(comparison: Comparison, form: str = "latex", *, places: int = 4, letters: bool = False) -> str:
    """Systems by measures, as text, Markdown, LaTeX or HTML; see `Comparison.paper`."""
    if form not in FORMATS:
        raise UsageError(
            f"the table of a paper is {', '.join(FORMATS[:-1])} or {FORMATS[-1]}, not {form}; "
            "csv and json have all numbers without it."
        )
    table = comparison.table
    method = paper_method(comparison.method, table.names, letters=letters)
    if method != comparison.method:
        comparison = compare_scores(table, method)
    marks_of = _letters if letters else _daggers
    columns = [
        _column(comparison, measure, marks_of(comparison, measure), places) for measure in table.measures
    ]
    grid = Table(
        ["system", *map(str, table.measures)],
        [[shown(system), *(column[row] for column in columns)] for row, system in enumerate(table.names)],
    )
    caption = _caption(comparison, letters=letters, bold=form != "table")
    method_stated = comparison.stated() + evaluated(table)
    if form == "table":
        kept_together = caption.replace(" ≤ ", "\xa0≤\xa0")
        lines = textwrap.wrap(kept_together, _COLUMNS, break_on_hyphens=False)
        return page([grid], [line.replace("\xa0", " ") for line in lines], method_stated, form)
    if form == "latex":
        return grid.paper(caption, comment=method_stated)
    comment = f"<!-- {method_stated.replace('--', '–')} -->"
    if form == "html":
        return f"{comment}\n{grid.html(caption)}\n"
    return f"{grid.markdown()}\n\n{markdown_text(caption)}\n\n{comment}\n"


def _letters(comparison: Comparison, measure: Measure) -> list[str]:
    """The letters of each system on the leaderboard."""
    letters = {place.system: short(place.letters) for place in leaderboard(comparison, measure).places}
    return [letters[system] for system in comparison.table.names]


def _daggers(comparison: Comparison, measure: Measure) -> list[str]:
    """† or ‡ for each system that differs from the baseline; none where the test favours the one with the worse mean."""
    alpha = comparison.method.alpha
    daggers = {
        pair.b: "‡" if pair.significant(alpha / _STRICTER) else "†"
        for pair in comparison.of(measure)
        if pair.significant(alpha) and not comparison.against_the_mean(pair)
    }
    return [daggers.get(system, "") for system in comparison.table.names]


def _column(comparison: Comparison, measure: Measure, marks: Sequence[str], places: int) -> list[Cell]:
    """The mean of each system, in bold where it is printed like the best one."""
    means = comparison.means[str(measure)]
    best = fixed((min if measure.less_is_better else max)(means.values()), places)
    return [
        Cell(fixed(mean, places), mean, bold=fixed(mean, places) == best, raised=mark)
        for mean, mark in zip(means.values(), marks, strict=True)
    ]


def _caption(comparison: Comparison, *, letters: bool, bold: bool) -> str:
    """What the numbers are, what bold, daggers and letters mean, and how differences were tested."""
    table = comparison.table
    topics = sorted({pair.topics for pair in comparison.pairs})
    over = counted(topics[-1], "topic") if len(topics) == 1 else f"{topics[0]:,} to {topics[-1]:,} topics"
    weighted = "Mean" if table.weights is None else "Weighted mean"
    parts = [f"{weighted} {listed(list(map(str, table.measures)))} over {over}"]
    less = [str(measure) for measure in table.measures if measure.less_is_better]
    parts += [f"for {listed(less)}, less is better"] if less else []
    parts += ["best in bold"] if bold else []
    return f"{'; '.join([*parts, _significance(comparison, letters=letters)])}."


def _significance(comparison: Comparison, *, letters: bool) -> str:
    method, alpha = comparison.method, comparison.method.alpha
    models = models_of(comparison.table)
    tested = method.test_stated if models is None else f"{POWERED_TEST}; {models.in_words}"
    if comparison.corrected:
        what = "comparisons" if method.family == "all" else "pairs"
        tested += f", {method.correction_stated} over {comparison.comparisons:,} {what}"
    others = f"from {shown(method.baseline)}" if method.baseline is not None else "between systems"
    if all(pair.unresolved(alpha) for pair in comparison.pairs):
        return f"no difference {others} can be resolved: {comparison.limit(comparison.pairs[0])} ({tested})"
    if letters:
        return (
            f"systems that share a letter in a column do not differ significantly ({tested}, alpha {alpha:g})"
        )
    significant = [pair for pair in comparison.pairs if pair.significant(alpha)]
    if not significant:
        return f"no difference {others} is significant ({tested}, alpha {alpha:g})"
    disputed = any(map(comparison.against_the_mean, significant))
    unmarked = ", no mark where the test goes against the means" if disputed else ""
    levels = f"† p ≤ {alpha:g} and ‡ p ≤ {alpha / _STRICTER:g}"
    return f"{levels} for the difference {others} ({tested}{unmarked})"
