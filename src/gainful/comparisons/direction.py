"""Which way a measure points: for most, more is better."""

from __future__ import annotations

from gainful.errors import MeasureError
from gainful.measures import parse


def lower_is_better(name: str) -> bool:
    """Whether less of it is better; a name that no measure has belongs to a table, and more is better.

    >>> lower_is_better("Fallout@10"), lower_is_better("nDCG@10"), lower_is_better("adhoc8_ap")
    (True, False, False)
    """
    try:
        return parse(name).less_is_better
    except MeasureError:
        return False
