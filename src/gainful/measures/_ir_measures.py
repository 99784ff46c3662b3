"""Measure objects of ir_measures become measures here, by their text: both write nDCG@10 and AP(rel=2)@100.

Nothing of ir_measures is imported; who has made such an object has it.
"""

from __future__ import annotations

from gainful.errors import MeasureError
from gainful.measures._measure import Measure
from gainful.measures._parse import parse


def is_measure(given: object) -> bool:
    """Whether this is a measure of ir_measures.

    >>> import ir_measures
    >>> is_measure(ir_measures.nDCG @ 10), is_measure("nDCG@10")
    (True, False)
    """
    return any(
        kind.__module__.partition(".")[0] == "ir_measures" and kind.__name__ == "Measure"
        for kind in type(given).__mro__
    )


def converted(measure: object) -> Measure:
    """The measure of the same text.

    >>> import ir_measures
    >>> converted(ir_measures.AP(rel=2) @ 100)
    AP(rel=2)@100
    """
    text = str(measure)
    if text.startswith("SetP(") and "relative=True" in text:  # has a name of its own here
        others = [one for one in text[len("SetP(") : -1].split(",") if one != "relative=True"]
        text = f"SetRelP({','.join(others)})"
    try:
        return parse(text)
    except MeasureError as fault:
        raise MeasureError(f"{measure} of ir_measures has no counterpart here: {fault}") from None
