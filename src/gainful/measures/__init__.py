"""Measures: what a ranked list is worth, one file each.

A measure is a name here, and importing it imports its file alone:

>>> from gainful.measures import nDCG
>>> nDCG @ 10
nDCG@10

`parse` and `parse_many` read measures from text, `names` lists them, `get` finds one by any of its names, and
`measure` makes one of a function.
"""

from typing import Any

from gainful.judging.ranking import PerTopic
from gainful.measures._measure import Measure, measure
from gainful.measures._parse import get, in_file, names, parse, parse_many

__all__ = ["Measure", "PerTopic", "get", "measure", "names", "parse", "parse_many"]


def __getattr__(name: str) -> Any:
    """Import a measure when it is first used."""
    if not name.startswith("_"):
        measure = in_file(name.lower())
        if measure is not None and measure.name == name:
            globals()[name] = measure
            return measure
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *names()])
