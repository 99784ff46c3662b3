"""Curves: a measure going down the list, precision against recall; points first, pictures after.

`by_rank`, `precision_recall`, `raw_points`, `roc` and `effort` make them of scores; `curve` of judgments and runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainful._lazy_import import door

if TYPE_CHECKING:
    from gainful.curves.kinds import curve
    from gainful.curves.operating import roc
    from gainful.curves.points import Band, Curve, Curves
    from gainful.curves.ranks import by_rank
    from gainful.curves.reading import effort
    from gainful.curves.recall import precision_recall, raw_points
    from gainful.curves.sheets import Asked

__all__ = [
    "Asked",
    "Band",
    "Curve",
    "Curves",
    "by_rank",
    "curve",
    "effort",
    "precision_recall",
    "raw_points",
    "roc",
]

__getattr__, __dir__ = door(
    __name__,
    {
        "sheets": ("Asked",),
        "points": ("Band", "Curve", "Curves"),
        "ranks": ("by_rank",),
        "kinds": ("curve",),
        "reading": ("effort",),
        "recall": ("precision_recall", "raw_points"),
        "operating": ("roc",),
    },
)
