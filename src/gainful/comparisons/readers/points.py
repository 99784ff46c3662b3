"""What every reader of a sweep gets of a run, topic by topic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gainful.curves.levels import level_of_relevance, shares_of
from gainful.curves.ranks import by_rank_measures, values_by_rank
from gainful.curves.recall import found_relevant, interpolated
from gainful.curves.sheets import check_depth
from gainful.errors import UsageError
from gainful.measures import Measure, parse
from gainful.scores import RunScores, Scores

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

RANKS = 1000
"""Last rank of a sweep, unless said or all lists end before."""
LEVELS = 101
"""Of recall: whole percents."""
PATIENCE = tuple(percent / 100 for percent in range(50, 100))
"""How likely a reader is to go on from a document to the next."""

Got = Callable[[RunScores], tuple[Floats, Booleans]]
"""A run's value at each point and topic, and where there was nothing to find."""


class Way(NamedTuple):
    """One way in which readers differ.

    measure  name of what they get
    at       the points
    got      what they get, points × topics
    """

    measure: str
    at: Floats
    got: Got


def by_rank(scores: Scores, measure: str | Measure, ranks: int | None) -> Way:
    """She stops at a rank: the measure at every cutoff."""
    chosen = by_rank_measures(measure, scores.settings.rel)
    if len(chosen) != 1:
        raise UsageError(f"a sweep is of one measure; got {', '.join(map(str, chosen))}.")
    if chosen[0].needs is not None:
        raise UsageError(
            f"{chosen[0]} is not swept over readers; choose one that needs grades alone, such as P."
        )
    if chosen[0].less_is_better:
        raise UsageError(
            f"less of {chosen[0]} is better; readers are swept with what they want more of, such as P."
        )
    depth = min(RANKS, longest(scores)) if ranks is None else ranks
    check_depth(depth, len(scores.runs[0].topics))
    return Way(
        str(chosen[0]), np.arange(1.0, depth + 1), lambda run: values_by_rank(chosen[0], run.judged, depth)
    )


def by_recall(scores: Scores) -> Way:
    """She needs a share of the relevant documents: interpolated precision there."""
    rel, shares = level_of_relevance(scores, None), shares_of(LEVELS)

    def got(run: RunScores) -> tuple[Floats, Booleans]:
        found = found_relevant(run.judged, rel)
        values = interpolated(found, shares)
        return values, np.broadcast_to(found.relevant == 0, values.shape)

    name = "IPrec" if rel == 1 else str(parse("IPrec@0")(rel=rel)).partition("@")[0]
    return Way(name, np.array([float(share) for share in shares]), got)


def by_patience() -> Way:
    """She goes on from each document to the next with the same probability: RBP."""
    rbp = parse("RBP")
    measures = [rbp(p=p) for p in PATIENCE]

    def got(run: RunScores) -> tuple[Floats, Booleans]:
        values, undefined = zip(*(measure.evaluate(run.judged) for measure in measures), strict=True)
        return np.stack(values), np.stack(undefined)

    return Way("RBP", np.array(PATIENCE), got)


def longest(scores: Scores) -> int:
    """The length of the longest list."""
    return max(1, *(int(run.judged.retrieved.max(initial=0)) for run in scores))


def counted(runs: Sequence[RunScores], undefined: Sequence[Booleans]) -> Booleans:
    """Which topics count for each run, systems × topics: at every point of the sweep, or not at all."""
    kept = [
        run.evaluated & ~nothing.any(axis=0) if run.settings.undefined == "skip" else run.evaluated
        for run, nothing in zip(runs, undefined, strict=True)
    ]
    return np.stack(kept)
