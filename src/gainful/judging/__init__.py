"""Runs meet judgments: order, ties, unjudged documents and missing topics are settled here, once.

After it no measure sees an id, a score or a file; a `JudgedRun` is all there is.
Names are imported when they are asked for, so that this package costs nothing before it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

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

_HOMES = {
    "JudgedRun": "record",
    "judged_run": "record",
    "judged_by": "by_hand",
    "PerTopic": "ranking",
    "Ranking": "ranking",
    "namespace": "ranking",
    "part": "ranking",
    "ratio": "ranking",
    "share": "ranking",
}


def __getattr__(name: str) -> Any:
    """A public name is imported when it is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
