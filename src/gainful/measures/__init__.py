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

__all__ = ["Measure", "PerTopic", "get", "measure", "names", "parse", "parse_many"]


def parse(text: str) -> Measure:
    """The measure that the text names; `gainful.measures.parse("nDCG@10")`."""
    from gainful.measures._parse import parse as parsed

    return parsed(text)


def parse_many(text: str) -> list[Measure]:
    """The measures that a list with commas names: `nDCG@5,10, map, official`."""
    from gainful.measures._parse import parse_many as parsed

    return parsed(text)


def names() -> list[str]:
    """Every measure there is, by name."""
    from gainful.measures._registry import names as found

    return found()


def get(name: str) -> Measure:
    """The measure of that name, or of an alias of it."""
    from gainful.measures._registry import get as found

    return found(name)


def __getattr__(name: str) -> Any:
    """A measure is imported when it is asked for."""
    if not name.startswith("_"):
        from gainful.measures._registry import in_file

        found = in_file(name.lower())
        if found is not None and found.name == name:
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *names()])
