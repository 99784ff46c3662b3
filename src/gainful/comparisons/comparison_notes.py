"""What would surprise a reader of a comparison, in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gainful.comparisons.method import Method
from gainful.comparisons.pair import Pair
from gainful.comparisons.score_table import ScoreTable
from gainful.comparisons.tie_effects import TieRange
from gainful.formats.ids import shown
from gainful.presentation.numbers import signed
from gainful.statistics.flips import Flips

_NAMED = 5
_FEW = 12


def notes_about(table: ScoreTable, pairs: Sequence[Pair], method: Method, comparisons: int) -> list[str]:
    """Everything worth saying."""
    return [
        *table.notes,
        *_same_runs(table),
        *_resolution(table, pairs, method, comparisons),
        *_constant(pairs),
        *_ties(table, pairs),
        *_disagreeing(pairs, method),
    ]


def _same_runs(table: ScoreTable) -> list[str]:
    """Runs with the same content under two names."""
    seen: dict[str, str] = {}
    made = []
    for system in table.systems:
        if system.digest and system.digest in seen:
            made.append(
                f"{shown(seen[system.digest])} and {shown(system.name)} are the same run (digest {system.digest[:12]})"
            )
        elif system.digest:
            seen[system.digest] = system.name
    return made


def _resolution(table: ScoreTable, pairs: Sequence[Pair], method: Method, comparisons: int) -> list[str]:
    """Topics or flips that cannot show a difference, or only coarsely."""
    tested = [pair for pair in pairs if pair.flips]
    if not tested:
        return []
    topics = min(pair.topics for pair in tested)
    several = 1 if method.shared or method.correction == "none" else comparisons
    corrected = f" after correction for {several:,} comparisons" if several > 1 else ""
    # Under bh the smallest p-values count once where all are as small.
    times = 1 if method.correction == "bh" else several
    flips = Flips(topics, method.asked, method.seed)
    if method.correction == "tukey":
        # The two that lie furthest apart may stand in any two places, topic by topic; the same two in all is what was seen.
        systems = len(table.systems)
        least = 1 / (systems * (systems - 1)) ** (topics - 1)
    else:
        least = min(flips.smallest * times, 1) if flips.exact else 0.0
    if least > method.alpha:
        after, fewer = (corrected, ", or compare fewer systems") if times > 1 else ("", "")
        return [
            f"{topics} topics cannot give a p-value under {least:.2g}{after}, whatever the scores: "
            f"nothing can be found at alpha {method.alpha:g}. Judge more topics{fewer}"
        ]
    most = method.asked if method.shared else max(pair.flips or 0 for pair in tested)
    if most >= method.needed(comparisons) or (flips.exact and method.correction != "tukey"):
        return []
    if times / (most + 1) > method.alpha:
        verdict = f"cannot resolve alpha {method.alpha:g}{corrected}: nothing can be found"
    else:
        verdict = f"resolve alpha {method.alpha:g}{corrected} only coarsely"
    or_else = "" if method.shared else ", or correct with max-t (--correction)"
    return [f"{most:,} flips {verdict}; ask for {method.needed(comparisons):,} (--flips){or_else}"]


def _constant(pairs: Sequence[Pair]) -> list[str]:
    """Differences without any spread: an effect size and a t-test have nothing to measure by."""
    found = [pair for pair in pairs if math.isinf(pair.effect_size)]
    made = [
        f"{pair.measure}: {shown(pair.b)} differs from {shown(pair.a)} by the same amount on every topic; "
        "there is no spread to measure the difference by (effect size and t have no value)"
        for pair in found[:_NAMED]
    ]
    return made + ([f"so do {len(found) - _NAMED} more pairs"] if len(found) > _NAMED else [])


def _ties(table: ScoreTable, pairs: Sequence[Pair]) -> list[str]:
    """Differences whose sign hangs on the order of equal scores."""
    if table.tied is None:
        return []
    place = {name: number for number, name in enumerate(table.names)}
    odd = []
    for pair in pairs:
        ends = table.tied[table.place_of(pair.measure)]
        a, b = ends[place[pair.a]].tolist(), ends[place[pair.b]].tolist()
        one = TieRange(pair.measure, pair.a, pair.b, (a[0], a[1]), (b[0], b[1]), pair.difference)
        odd += [one] if one.decides else []
    if not odd:
        return []
    low, high = odd[0].range
    which = f"{odd[0].measure}, {shown(odd[0].b)} − {shown(odd[0].a)}"
    more = f" (and of {len(odd) - 1:,} more pairs)" if len(odd) > 1 else ""
    return [
        f"{which}: the order of equal scores decides the sign{more}; it can be from {signed(low)} to {signed(high)} (--ties)"
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
        f"{where}the test and the interval, made by different methods, fall on different sides of alpha {method.alpha:g}; "
        "take it as borderline"
    ]
