"""What would surprise a reader of a comparison, in sentences; and how far means depend on the order of tied scores.

A run's mean is lowest where every tie is broken for the worst and highest where it is broken for the best; a
difference B − A lies between (B worst − A best) and (B best − A worst). A rule may treat the two runs alike or not:
these are the ends over all rules, topic by topic and run by run.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gainful.formats.ids import shown
from gainful.judging.notes import DECIDES, Note
from gainful.judging.transforms import order_ties
from gainful.measures import Measure
from gainful.presentation.text_style import counted, signed
from gainful.scores import RunScores, Scores
from gainful.scores.evaluation import values_of

if TYPE_CHECKING:
    from gainful.comparisons.method import Method
    from gainful.comparisons.pair import Pair
    from gainful.comparisons.score_table import ScoreTable, System

Floats = NDArray[np.float64]

_FEW = 12


def notes_about(table: ScoreTable, pairs: Sequence[Pair], method: Method, comparisons: int) -> list[str]:
    """Every note about a comparison, in the order of this file."""
    return [
        *table.notes,
        *_estimated(table, pairs, method),
        *_same_runs(table),
        *_resolution(pairs, method, comparisons),
        *_constant(pairs),
        *_ties(table, pairs),
        *_disagreeing(pairs, method),
    ]


def _estimated(table: ScoreTable, pairs: Sequence[Pair], method: Method) -> list[str]:
    """What estimates rest on, where documents were drawn with known probabilities, or models labelled some."""
    if table.qrels is None or table.qrels.keys().isdisjoint(("design", "models")):
        return []
    from gainful.comparisons.design_intervals import notes_of_design

    return notes_of_design(table, pairs, method)


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


@dataclass(frozen=True, slots=True)
class TieRange:
    """The difference of a pair under every order of tied scores."""

    measure: Measure
    a: str
    b: str
    range_a: tuple[float, float]
    range_b: tuple[float, float]
    difference: float

    @property
    def range(self) -> tuple[float, float]:
        """Least and greatest difference."""
        return self.range_b[0] - self.range_a[1], self.range_b[1] - self.range_a[0]

    @property
    def decides(self) -> bool:
        """Whether another order of tied scores could change the sign of the difference."""
        low, high = self.range
        return (self.difference > 0 >= low) or (self.difference < 0 <= high)

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "measure": str(self.measure),
            "a": shown(self.a),
            "b": shown(self.b),
            "range_a": list(self.range_a),
            "range_b": list(self.range_b),
            "range": list(self.range),
            "decides": self.decides,
        }


def tie_range(table: ScoreTable, measure: Measure, a: str, b: str, difference: float) -> TieRange | None:
    """The difference of two systems of a table under every order of equal scores; None where that is not known."""
    if table.tied is None:
        return None
    ends = table.tied[table.place_of(measure)]
    (low_a, high_a), (low_b, high_b) = (ends[table.names.index(name)].tolist() for name in (a, b))
    return TieRange(measure, a, b, (low_a, high_a), (low_b, high_b), difference)


def has_ends(measure: Measure) -> bool:
    """Whether better grades first is the best order of equal scores, and better grades last the worst.

    >>> from gainful.measures import parse
    >>> [has_ends(parse(name)) for name in ("nDCG@10", "Fallout@10", "nDCG(gain={1:5,2:1})@10")]
    [True, False, False]
    """
    return not measure.may_fall and bool(getattr(measure.params.get("gain"), "rising", True))


def tied_means(scores: Scores) -> Floats | None:
    """Measures × runs × 2: the mean with ties at worst and at best; None where no run has a tie that matters.

    Runs that were cut short or condensed have lost what stood beside their ties: nothing is known of them here.
    """
    settings = scores.settings
    if settings.depth is not None or settings.unjudged != "nonrelevant":
        return None
    if any(getattr(scores.judgments, name, None) for name in ("inclusion", "models")):
        return None  # those would be no estimates
    if any(measure.needs is not None or not has_ends(measure) for measure in scores.measures):
        return None
    if not any((run.judged.first < run.judged.last).any() for run in scores.runs):
        return None
    return np.stack([_ends(run) for run in scores.runs], axis=1)


def _ends(run: RunScores) -> Floats:
    """Measures × 2 for one run."""
    judged = run.judged
    tied = bool((judged.first < judged.last).any())
    ends = np.empty((len(run.measures), 2))
    for end in (0, 1):
        ordered = order_ties(judged, best=end == 1) if tied else judged
        by_measure = values_of(ordered, run.measures, replace(run.settings, ties="docid")).values
        for number, values in enumerate(by_measure):
            counted = run.evaluated & ~(
                run.nothing_to_find[number] if run.settings.undefined == "skip" else np.False_
            )
            ends[number, end] = values[counted].mean() if counted.any() else np.nan
    ends.sort(axis=1)  # where less is better, worst is the higher
    return ends
