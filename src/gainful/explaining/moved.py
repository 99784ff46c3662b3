"""What makes the difference between two runs on a topic: the documents, and how much each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gainful.errors import UsageError
from gainful.explaining.worked import Explanation, evaluated
from gainful.judging.settings import Settings
from gainful.measures import Measure, parse


@dataclass(frozen=True)
class Moved:
    """One document in two lists: where it stands, and what it brings to the value there.

    A rank is None where the list does not have the document (or has it below the cutoff); it brings nothing then.
    """

    document: str
    grade: float | None
    rank: int | None
    other_rank: int | None
    brings: float
    other_brings: float

    @property
    def difference(self) -> float:
        """How much of the difference between the runs is this document's."""
        return self.brings - self.other_brings


@dataclass(frozen=True, eq=False)
class Difference:
    """The value of one run less that of another, taken apart by documents.

    start      what the runs differ by before any document; 0 but for rare measures
    documents  those with the largest part first; their parts and start sum to the difference
    """

    first: Explanation
    second: Explanation
    start: float
    documents: tuple[Moved, ...]

    @property
    def value(self) -> float:
        """The first run's value less the second's."""
        return self.first.value - self.second.value

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the layout of the JSON output."""
        from gainful.explaining.views import difference_dict

        return difference_dict(self)

    def text(self, *, places: int = 4, fold: bool = True) -> str:
        """Tables for the terminal."""
        from gainful.explaining.views import difference_text

        return difference_text(self, places=places, fold=fold)

    def markdown(self, *, places: int = 4, fold: bool = True) -> str:
        """Tables in Markdown."""
        from gainful.explaining.views import difference_markdown

        return difference_markdown(self, places=places, fold=fold)

    def html(self, *, places: int = 4, fold: bool = True) -> str:
        """Tables in HTML."""
        from gainful.explaining.views import difference_html

        return difference_html(self, places=places, fold=fold)

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return self.html()


def explain_difference(
    judgments: Any,
    run: Any,
    other: Any,
    topic: str,
    measure: str | Measure,
    *,
    settings: Settings | None = None,
    known: Any = None,
    expected: Any = None,
) -> Difference:
    """Which documents make one run better or worse than another on a topic, and how much each.

    >>> moved = explain_difference({"q": {"a": 1}}, {"q": {"a": 2.0, "b": 1.0}}, {"q": {"b": 2.0, "a": 1.0}}, "q", "RR")
    >>> moved.value, [(one.document, one.difference) for one in moved.documents]
    (0.5, [('a', 0.5), ('b', 0.0)])
    """
    chosen = parse(measure) if isinstance(measure, str) else measure
    how = settings or Settings()
    first, second = evaluated(judgments, [run, other], topic, chosen, how, known=known, expected=expected)
    return difference(first, second)


def difference(first: Explanation, second: Explanation) -> Difference:
    """Of two explanations of the same measure and topic."""
    if (first.measure, first.topic) != (second.measure, second.topic):
        raise UsageError("only explanations of the same measure and topic can be compared.")
    here, there = _brought(first), _brought(second)
    grades = {
        row.document: row.grade for one in (first, second) for row in one.rows if row.document is not None
    }
    moved = []
    for document, grade in grades.items():
        rank, brings = here.get(document, (None, 0.0))
        other_rank, other_brings = there.get(document, (None, 0.0))
        moved.append(Moved(document, grade, rank, other_rank, brings, other_brings))
    moved.sort(key=lambda one: -abs(one.difference))
    return Difference(first, second, first.parts.start - second.parts.start, tuple(moved))


def _brought(explained: Explanation) -> dict[str, tuple[int | None, float]]:
    brings = explained.parts.brings.tolist()
    return {
        row.document: (row.rank, brings[row.rank - 1]) for row in explained.rows if row.document is not None
    }
