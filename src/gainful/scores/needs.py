"""What measures need of the judgments beside a grade for each document."""

from __future__ import annotations

from collections.abc import Container, Iterable

from gainful.errors import MeasureError
from gainful.formats.judgments import Judgments
from gainful.formats.types import By
from gainful.measures import Measure
from gainful.measures._measure import lacking


def needed(measures: Iterable[Measure]) -> By | None:
    """By what the judgments must be told apart for these measures; None where a grade for each document will do.

    Judgments by subtopic or by judge serve every need; preferences in parts serve preferences alone.
    """
    needs = {measure.needs for measure in measures}
    return next((by for by in ("subtopics", "judges", "preferences") if by in needs), None)


def check_needs(measures: Iterable[Measure], judgments: Judgments, said: Container[str] = ()) -> None:
    """Raise where a measure needs what the judgments do not have, or what was not said of the user."""
    details = judgments.details
    for measure in measures:
        if measure.needs in ("known", "expected"):
            if measure.needs not in said:
                raise MeasureError(lacking(str(measure), measure.needs) + ".")
        elif measure.needs not in (None, "anywhere") and (
            details is None or (details.parts is not None and measure.needs != "preferences")
        ):
            raise MeasureError(lacking(str(measure), measure.needs) + ".")
