"""The table of a paper: systems by measures, the best in bold, daggers or letters for significance, a caption of one sentence."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import replace

from gainful.comparisons.comparison import Comparison, compare_scores
from gainful.comparisons.comparison_tables import evaluated
from gainful.comparisons.method import Method
from gainful.comparisons.rank_board import leaderboard, short
from gainful.errors import UsageError
from gainful.formats.ids import shown
from gainful.measures import Measure
from gainful.presentation.page import page
from gainful.presentation.table import Cell, Table
from gainful.presentation.text_style import counted, fixed, listed, markdown_text

FORMATS = ("table", "markdown", "latex", "html")

_COLUMNS = 80
_STRICTER = 5
"""‡ stands for a level so many times smaller than that of †: 0.01 where alpha is 0.05."""


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
    said = _caption(comparison, letters=letters, bold=form != "table")
    made = comparison.stated() + evaluated(table)
    if form == "table":
        kept_together = said.replace(" ≤ ", "\xa0≤\xa0")
        lines = textwrap.wrap(kept_together, _COLUMNS, break_on_hyphens=False)
        return page([grid], [line.replace("\xa0", " ") for line in lines], made, form)
    if form == "latex":
        return grid.paper(said, comment=made)
    comment = f"<!-- {made.replace('--', '–')} -->"
    if form == "html":
        return f"{comment}\n{grid.html(said)}\n"
    return f"{grid.markdown()}\n\n{markdown_text(said)}\n\n{comment}\n"


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
    tested = method.test_stated
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
