"""Judgments and what a run has of them become a judged run, as the settings ask for it."""

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from gainful.errors import DataError
from gainful.judging.aspects import aspects_of
from gainful.judging.ranking import Ranking
from gainful.judging.record import JudgedRun

if TYPE_CHECKING:
    from gainful._core import Found
    from gainful.formats import Judgments
    from gainful.judging.settings import Settings

LARGEST = 1e100
"""The largest grade; sums of larger ones could overflow."""

_pools: WeakKeyDictionary["Judgments", Ranking] = WeakKeyDictionary()


def pool_of(judgments: "Judgments", *, top: float | None = None) -> Ranking:
    """Every judged grade of each topic, best first; made once for the judgments, shared by all runs.

    top  the best grade there is, where these are the judgments of some topics among others
    """
    pool = _pools.get(judgments)
    if pool is None:
        index = judgments.index
        endless = ~(np.abs(index.grade) <= LARGEST)
        if endless.any():
            raise _endless(judgments, int(np.flatnonzero(endless)[0]))
        pool = _pools[judgments] = Ranking.best_first(index.offsets, index.grade, top=top)
    return pool


def judge(judgments: "Judgments", found: "Found", settings: "Settings") -> JudgedRun:
    """The judged run, in the order and with the omissions that the settings ask for."""
    row = found.row.astype(np.int64)
    judged = JudgedRun(
        found.offsets,
        found.rank.astype(np.float64),
        judgments.index.grade[row],
        pool=pool_of(judgments),
        retrieved=found.retrieved.astype(np.float64),
        present=found.present,
        first=found.first,
        last=found.last,
        row=row,
        aspects=None if judgments.details is None else aspects_of(judgments),
    )
    if settings.changes_the_record:
        from gainful.judging.transforms import under

        return under(settings, judged)
    return judged


def _endless(judgments: "Judgments", row: int) -> DataError:
    from gainful.formats.ids import from_bytes, shown  # measures work where the native core is not built

    index = judgments.index
    topic = judgments.topics[int(np.searchsorted(index.offsets, row, side="right")) - 1]
    (document,) = index.documents(row, row + 1)
    where = f"{shown(judgments.path)}: " if judgments.path else ""
    return DataError(
        f"{where}the grade of document '{shown(from_bytes(document))}' of topic '{shown(topic)}' is {index.grade[row]:g}; "
        f"a grade must be a number from {-LARGEST:g} to {LARGEST:g}."
    )
