"""What would surprise a reader of a comparison, in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gainful.comparisons.method import Method
from gainful.comparisons.pair import Pair
from gainful.comparisons.score_table import ScoreTable, System
from gainful.comparisons.tie_effects import tie_range
from gainful.formats.ids import shown
from gainful.judging.notes import DECIDES, Note
from gainful.presentation.text_style import counted, signed

_FEW = 12


def notes_about(table: ScoreTable, pairs: Sequence[Pair], method: Method, comparisons: int) -> list[str]:
    """Every note about a comparison, in the order of this file."""
    return [
        *table.notes,
        *_same_runs(table),
        *_resolution(pairs, method, comparisons),
        *_constant(pairs),
        *_ties(table, pairs),
        *_disagreeing(pairs, method),
    ]


def _same_runs(table: ScoreTable) -> list[str]:
    """Runs with the same content under two names: the first two, and how many more there are."""
    originals: dict[str, str] = {}
    copies: list[System] = []
    for system in table.systems:
        if system.digest and system.digest in originals:
            copies.append(system)
        elif system.digest:
            originals[system.digest] = system.name
    if not copies:
        return []
    digest = copies[0].digest or ""
    more = f"; {counted(len(copies) - 1, 'more run')} copied from others" if len(copies) > 1 else ""
    return [
        Note(
            f"{shown(originals[digest])} and {shown(copies[0].name)} are the same run (digest {digest[:12]}){more}",
            kind="copies",
        )
    ]


def _resolution(pairs: Sequence[Pair], method: Method, comparisons: int) -> list[str]:
    """Flips that resolve the significance level only coarsely; where they cannot at all, the verdict itself says so."""
    flips = [pair.flips for pair in pairs if pair.p_value_method == "flips" and pair.flips]
    drawn = [method.asked] if method.shared else flips
    needed = method.needed(comparisons)
    if not drawn or (method.flips is None and not method.shared) or max(drawn) >= needed:
        return []
    if min(pair.smallest_p_adjusted for pair in pairs) > method.alpha:
        return []
    corrected_for = 1 if method.shared or method.correction == "none" else comparisons
    corrected = f" after correction for {corrected_for:,} comparisons" if corrected_for > 1 else ""
    return [
        f"{max(drawn):,} flips resolve the significance level {method.alpha:g}{corrected} only coarsely; "
        f"ask for {needed:,} (--flips)"
    ]


def _constant(pairs: Sequence[Pair]) -> list[str]:
    """Differences without any spread: an effect size and a t-test have nothing to measure by."""
    constant = [pair for pair in pairs if math.isinf(pair.effect_size)]
    if not constant:
        return []
    first = constant[0]
    more = f" (so do {counted(len(constant) - 1, 'more pair')})" if len(constant) > 1 else ""
    return [
        Note(
            f"{first.measure}: {shown(first.b)} differs from {shown(first.a)} by the same amount on every topic{more}; "
            "the standard deviation is 0, so effect size and t are undefined",
            kind="constant differences",
        )
    ]


def _ties(table: ScoreTable, pairs: Sequence[Pair]) -> list[str]:
    """Differences whose sign depends on the order of tied scores."""
    ranges = (tie_range(table, pair.measure, pair.a, pair.b, pair.difference) for pair in pairs)
    decided = [ties for ties in ranges if ties is not None and ties.decides]
    if not decided:
        return []
    first = decided[0]
    low, high = first.range
    more = f" (and of {counted(len(decided) - 1, 'more pair')})" if len(decided) > 1 else ""
    return [
        Note(
            f"{first.measure}, {shown(first.b)} − {shown(first.a)}: the order of tied scores decides the sign{more}; "
            f"it can be from {signed(low)} to {signed(high)} (--ties)",
            matters=DECIDES,
        )
    ]


def _disagreeing(pairs: Sequence[Pair], method: Method) -> list[str]:
    """A p-value on one side of alpha and an interval on the other."""
    odd = [
        pair
        for pair in pairs
        if not any(map(math.isnan, pair.interval))
        and pair.wins + pair.losses > 0
        and (pair.p_value <= method.alpha) == (pair.interval[0] <= 0 <= pair.interval[1])
    ]
    if not odd or len(pairs) > _FEW:
        return []
    if len(odd) == 1:
        pair = odd[0]
        where = f"{pair.measure}, {shown(pair.a)} and {shown(pair.b)}: "
    else:
        where = f"{len(odd)} of {len(pairs)} pairs: "
    return [
        f"{where}the test and the interval use different methods and disagree at "
        f"the significance level {method.alpha:g}; "
        "treat the result as borderline"
    ]
