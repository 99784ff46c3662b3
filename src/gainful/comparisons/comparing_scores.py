"""compare_scores: systems on the same topics, pair by pair, corrected for how many pairs there are."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

import numpy as np

from gainful.comparisons import notes
from gainful.comparisons.comparison import Comparison
from gainful.comparisons.method import Method
from gainful.comparisons.pairwise import Index, adjusted, described, p_values
from gainful.comparisons.tables import ScoreTable
from gainful.comparisons.weights import check
from gainful.errors import MeasureError, NothingInCommon, UsageError
from gainful.formats.ids import shown
from gainful.measures import parse
from gainful.scores import Scores
from gainful.statistics.blocks import Progress


def compare_scores(
    scores: Scores | ScoreTable, method: Method | None = None, *, progress: Progress | None = None
) -> Comparison:
    """`compare` of scores that are there already: of `evaluate`, or a table of topic × system."""
    method = method or Method()
    table = ScoreTable.of_scores(scores) if isinstance(scores, Scores) else scores
    _comparable(table)
    if table.weights is not None:
        check(method)
    first, second = which_pairs(table.names, method.baseline)
    rows = {measure: table.of(measure) for measure in table.measures}
    for measure, (_, topics) in rows.items():
        if len(topics) < 2:
            raise NothingInCommon(
                f"{measure}: one topic ('{shown(topics[0])}') is not enough to compare systems; give two or more."
            )
    comparisons = len(first) * (len(rows) if method.family == "all" else 1)
    weights = {measure: table.weights_of(topics) for measure, (_, topics) in rows.items()}
    alone = {
        measure: p_values(values, first, second, method, comparisons, progress, weights=weights[measure])
        for measure, (values, _) in rows.items()
    }
    together = adjusted(table.topics, rows, first, second, alone, method, progress, weights=weights)
    pairs = [
        pair
        for measure, (values, _) in rows.items()
        for pair in described(
            measure,
            values,
            table.names,
            first,
            second,
            alone[measure],
            together[measure],
            method,
            progress,
            weights=weights[measure],
        )
    ]
    return Comparison(table, method, tuple(pairs), tuple(notes.about(table, pairs, method, comparisons)))


def _comparable(table: ScoreTable) -> None:
    """Refuse what cannot be compared at all."""
    if len(table.systems) < 2:
        raise NothingInCommon(
            f"there is one system ('{shown(table.names[0])}'); a comparison needs two or more."
        )
    refuse_other_summaries(table.measures)


def refuse_other_summaries(measures: Sequence[str]) -> None:
    """Raise where a measure is no mean over topics: pairs of topics say nothing of a median."""
    for name in measures:
        summary = _summary(name)
        if summary not in ("mean", "sum"):
            raise UsageError(
                f"{name} is a {summary} over topics; comparisons are of means. Leave the summary out: {name.partition('(')[0]}."
            )


def _summary(name: str) -> str:
    """The summary of a measure; a name that no measure has is of a table, and its values are averaged."""
    try:
        return parse(name).summary
    except MeasureError:
        return "mean"


def which_pairs(names: Sequence[str], baseline: str | None) -> tuple[Index, Index]:
    """The pairs: all of them in the order given, or the baseline with each other system."""
    if baseline is None:
        first, second = np.triu_indices(len(names), 1)
        return first.astype(np.int64), second.astype(np.int64)
    if baseline not in names:
        near = difflib.get_close_matches(baseline, names, 3)
        hint = (
            f"did you mean {' or '.join(map(shown, near))}?"
            if near
            else f"there are {', '.join(map(shown, names[:8]))}."
        )
        raise UsageError(f"no system is called '{shown(baseline)}'; {hint}")
    place = list(names).index(baseline)
    others = np.array([number for number in range(len(names)) if number != place], np.int64)
    return np.full(len(others), place, np.int64), others
