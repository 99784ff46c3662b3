"""The best list there could be, as a run of its own."""

from __future__ import annotations

from typing import Literal

import numpy as np

from gainful.judging import JudgedRun, Ranking
from gainful.measures._gains import Gain, linear


def ideal_run(
    judged: JudgedRun, gain: Gain = linear, *, of: Literal["judged", "retrieved"] = "judged"
) -> JudgedRun:
    """What a run would be that had every judged document, best gain first; or the run's own documents so sorted.

    >>> from gainful.judging import judged_run
    >>> ideal_run(judged_run([0, 3], judged=[1, 3, 0])).grade
    array([3., 1., 0.])
    """
    best = judged.ideal(gain, of=of)
    best = best if best.grade.min(initial=0) >= 0 else _judged_alone(best)
    return JudgedRun(
        best.offsets,
        best.rank,
        best.grade,
        pool=judged.pool,
        retrieved=np.diff(best.offsets).astype(np.float64),
        present=np.ones(len(best), dtype=np.bool_),
    )


def _judged_alone(best: Ranking) -> Ranking:
    """Without negative grades, which are in the pool but not judged; they stand last, so no rank changes."""
    counts = best.total(where=best.grade >= 0)
    return best.cut(counts)
