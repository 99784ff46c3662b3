"""Worked tables: how a number came about, document by document.

`explain` works out one topic of one run, `explain_difference` takes the difference of two runs apart, and `gains`
follows a list of gains that is written down by hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainful._lazy_import import door

if TYPE_CHECKING:
    from gainful.explaining.moved import Difference, Moved, explain_difference
    from gainful.explaining.parts import Parts, parts_of
    from gainful.explaining.teaching import Gains, gains
    from gainful.explaining.worked import Explanation, explain

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

__getattr__, __dir__ = door(
    __name__,
    {
        "moved": ("Difference", "Moved", "explain_difference"),
        "worked": ("Explanation", "explain"),
        "teaching": ("Gains", "gains"),
        "parts": ("Parts", "parts_of"),
    },
)
