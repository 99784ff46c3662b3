"""What measures need beside a grade for each document: subtopics, judges, preferences, or what the user knew or expected."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import TYPE_CHECKING

from gainful.errors import MeasureError
from gainful.judging.aspects import Needs

if TYPE_CHECKING:
    from gainful.formats.judgments import Judgments
    from gainful.formats.types import By
    from gainful.measures._measure import Measure


def needed(measures: Iterable[Measure]) -> By | None:
    """What these measures need the judgments by (subtopics, judges, preferences); None where grades alone will do.

    Judgments by subtopic or by judge serve every need; preferences in parts serve preferences alone.
    """
    needs = {measure.needs for measure in measures}
    return next((by for by in ("subtopics", "judges", "preferences") if by in needs), None)


def check_needs(measures: Iterable[Measure], judgments: Judgments, said: Container[str] = ()) -> None:
    """Raise where a measure needs what the judgments do not have, or what was not said of the user."""
    details = judgments.details
    for measure in measures:
        if measure.needs == "probabilities":
            if judgments.inclusion is None:
                raise MeasureError(lacking(str(measure), measure.needs) + ".")
        elif measure.needs in ("known", "expected"):
            if measure.needs not in said:
                raise MeasureError(lacking(str(measure), measure.needs) + ".")
        elif measure.needs not in (None, "anywhere") and (
            details is None or (details.parts is not None and measure.needs != "preferences")
        ):
            raise MeasureError(lacking(str(measure), measure.needs) + ".")


def lacking(measure: str, needs: Needs) -> str:
    """What to say where the judgments do not have what a measure needs."""
    if needs == "known":
        return f"{measure} needs the documents that the user knew: --known FILE (known=… in Python)"
    if needs == "expected":
        return f"{measure} needs how many relevant documents the user expected: --expected N or FILE (expected=… in Python)"
    if needs == "probabilities":
        return f"{measure} needs the probabilities with which documents were drawn: --design STUDY (design=… in Python)"
    if needs == "anywhere":
        return f"{measure} needs the run beside the judgments of all topics; ask for it in evaluate"
    what = {
        "subtopics": "that name subtopics",
        "judges": "that name judges",
        "preferences": "of preferences",
    }[needs]
    return (
        f"{measure} needs judgments {what}, and these were read without; "
        f"read them with --qrels-by {needs} (by='{needs}' in Python)"
    )
