"""Curves: a measure going down the list, precision against recall; points first, pictures after.

`by_rank`, `precision_recall`, `raw_points`, `roc` and `effort` make them of scores; `curve` of judgments and runs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gainful.curves.operating import roc
    from gainful.curves.points import Band, Curve, Curves
    from gainful.curves.ranks import by_rank
    from gainful.curves.reading import effort
    from gainful.curves.recall import precision_recall, raw_points
    from gainful.curves.sheets import Asked
    from gainful.curves.verb import curve

_HOMES = {
    "Asked": "sheets",
    "Band": "points",
    "Curve": "points",
    "Curves": "points",
    "by_rank": "ranks",
    "curve": "verb",
    "effort": "reading",
    "precision_recall": "recall",
    "raw_points": "recall",
    "roc": "operating",
}
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


def __getattr__(name: str) -> Any:
    """A public name is imported when it is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
