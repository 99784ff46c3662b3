"""Depth: every document down to a rank of any run, the best ranks first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gainful.errors import UsageError
from gainful.studies.strategies import Choice, Situation, pool_strategy


@pool_strategy("depth")
def depth(situation: Situation) -> Sequence[Choice]:
    """`depth:K`: the first K documents of every run; in batches of the size asked for, those with the best ranks first."""
    if not situation.parameters.isdecimal() or not int(situation.parameters):
        raise UsageError(
            f"depth needs a rank, 1 or more, such as depth:20; got {f'depth:{situation.parameters}'.rstrip(':')}."
        )
    deepest = int(situation.parameters)
    rows = np.flatnonzero(situation.free & (situation.best_rank <= deepest))
    rows = rows[np.argsort(situation.best_rank[rows], kind="stable")][: situation.size]
    return [Choice(int(row), situation.best_place(int(row))) for row in rows]
