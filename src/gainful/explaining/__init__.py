"""Worked tables: how a number came about, document by document.

`explain` works out one topic of one run, `explain_difference` takes the difference of two runs apart, and `gains`
follows a list of gains that is written down by hand.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gainful.explaining.moved import Difference, Moved, explain_difference
    from gainful.explaining.parts import Parts, parts_of
    from gainful.explaining.teaching import Gains, gains
    from gainful.explaining.worked import Explanation, explain

_HOMES = {
    "Difference": "moved",
    "Explanation": "worked",
    "Gains": "teaching",
    "Moved": "moved",
    "Parts": "parts",
    "explain": "worked",
    "explain_difference": "moved",
    "gains": "teaching",
    "parts_of": "parts",
}
__all__ = [
    "Difference",
    "Explanation",
    "Gains",
    "Moved",
    "Parts",
    "explain",
    "explain_difference",
    "gains",
    "parts_of",
]


def __getattr__(name: str) -> Any:
    """A public name is imported when it is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
