"""Where the hits of a run stand in the ideal list of their topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainful.arrays import np
from gainful.judging.ranking import Floats, Integers, Ranking

if TYPE_CHECKING:
    from gainful.judging.record import JudgedRun


def ideal_ranks(judged: JudgedRun) -> Floats:
    """The rank of each hit in the ideal list: best grade first, hits of one grade in their own order, before others.

    >>> from gainful.judging import judged_run
    >>> ideal_ranks(judged_run([1, 2, 1], judged=[2, 2, 1, 1, 1]))
    array([3., 1., 4.])
    """
    grades, last_of_topic, in_pool = _levels(judged.pool)
    level = judged.each(last_of_topic) - np.searchsorted(grades, judged.grade)
    order = np.argsort(level, kind="stable")
    level = level[order]
    better = np.searchsorted(in_pool, level)
    begins = np.flatnonzero(np.diff(level, prepend=-1))
    alike = np.arange(1.0, len(level) + 1) - np.repeat(begins, np.diff(np.append(begins, len(level))))
    ranks = np.empty(len(level))
    ranks[order] = better + alike
    ranks -= judged.each(judged.pool.offsets[:-1])
    return ranks


def _levels(pool: Ranking) -> tuple[Floats, Integers, Integers]:
    """The grades there are, the number of the worst grade of each topic, and the number of each judged document.

    There is one number for each topic and grade, rising from topic to topic and from better grades to worse; made once for
    the pool, which all runs share.
    """
    levels: tuple[Floats, Integers, Integers] | None = pool._memo.get("levels")
    if levels is None:
        grades = np.unique(pool.grade)
        last_of_topic = len(grades) * np.arange(1, len(pool) + 1) - 1
        in_pool = pool.each(last_of_topic) - np.searchsorted(grades, pool.grade)
        levels = pool._memo["levels"] = grades, last_of_topic, in_pool
    return levels
