"""Runs meet judgments: order, ties, unjudged documents and missing topics are settled here, once.

After it no measure sees an id, a score or a file; a `JudgedRun` is all there is.
Names are imported when they are asked for, so that this package costs nothing before it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainful._lazy_import import door

if TYPE_CHECKING:
    from gainful.judging.by_hand import judged_by
    from gainful.judging.ranking import PerTopic, Ranking, namespace, part, ratio, share
    from gainful.judging.record import JudgedRun, judged_run

__all__ = [
    "JudgedRun",
    "PerTopic",
    "Ranking",
    "judged_by",
    "judged_run",
    "namespace",
    "part",
    "ratio",
    "share",
]

__getattr__, __dir__ = door(
    __name__,
    {
        "record": ("JudgedRun", "judged_run"),
        "by_hand": ("judged_by",),
        "ranking": ("PerTopic", "Ranking", "namespace", "part", "ratio", "share"),
    },
)
