"""What makes the difference between two runs on a topic: the documents, and how much each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack

from gainful.errors import UsageError
from gainful.explaining.explanation import Explanation, explanations
from gainful.judging.settings import Conventions, settings_of
from gainful.measures import Measure


@dataclass(frozen=True)
class Moved:
    """One document in two lists: its rank and what it contributes to the value in each.

    A rank is None where the list does not have the document (or has it below the cutoff); it contributes 0 then.
    """

    document: str
    grade: float | None
    baseline_rank: int | None
    candidate_rank: int | None
    baseline_contributes: float
    candidate_contributes: float

    @property
    def difference(self) -> float:
        """How much of the difference, candidate minus baseline, is this document's."""
        return self.candidate_contributes - self.baseline_contributes


@dataclass(frozen=True, eq=False)
class Difference:
    """The candidate's value minus the baseline's, taken apart by documents.

    start      what the runs differ by before any document; 0 but for rare measures
    documents  those with the largest part first; their parts and start sum to the difference
    """

    baseline: Explanation
    candidate: Explanation
    start: float
    documents: tuple[Moved, ...]

    @property
    def value(self) -> float:
        """The candidate's value minus the baseline's."""
        return self.candidate.value - self.baseline.value

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the layout of the JSON output."""
        from gainful.explaining.explanation_tables import difference_dict

        return difference_dict(self)

    def text(self, *, places: int = 4, fold: bool = True) -> str:
        """Tables for the terminal."""
        from gainful.explaining.explanation_tables import difference_text

        return difference_text(self, places=places, fold=fold)

    def markdown(self, *, places: int = 4, fold: bool = True) -> str:
        """Tables in Markdown."""
        from gainful.explaining.explanation_tables import difference_markdown

        return difference_markdown(self, places=places, fold=fold)

    def html(self, *, places: int = 4, fold: bool = True) -> str:
        """Tables in HTML."""
        from gainful.explaining.explanation_tables import difference_html

        return difference_html(self, places=places, fold=fold)

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return self.html()


def explain_difference(
    qrels: Any,
    baseline: Any,
    candidate: Any,
    topic: str,
    measure: str | Measure,
    *,
    known: Any = None,
    expected: Any = None,
    **conventions: Unpack[Conventions],
) -> Difference:
    """Which documents make a candidate better or worse than a baseline on one topic, and how much each.

    qrels                as for `evaluate`
    baseline, candidate  two runs; differences are candidate minus baseline
    topic                its id
    measure              as text ("nDCG@10") or as an object
    known                what the user knew, and
    expected             how much she expected, as for `evaluate`

    The conventions (ties, missing, undefined, unjudged, duplicates, rel, depth, drop_self, scores) are the fields of
    `gainful.Settings`.

    >>> ranked = explain_difference({"q": {"a": 1}}, {"q": {"b": 2.0, "a": 1.0}}, {"q": {"a": 2.0, "b": 1.0}}, "q", "RR")
    >>> ranked.value, [(moved.document, moved.difference) for moved in ranked.documents]
    (0.5, [('a', 0.5), ('b', 0.0)])
    """
    settings = settings_of(explain_difference, conventions)
    runs = [baseline, candidate]
    return difference(*explanations(qrels, runs, topic, measure, settings, known=known, expected=expected))


def difference(baseline: Explanation, candidate: Explanation) -> Difference:
    """Candidate minus baseline, of two explanations of the same measure and topic."""
    if (baseline.measure, baseline.topic) != (candidate.measure, candidate.topic):
        raise UsageError("only explanations of the same measure and topic can be compared.")
    before, after = _ranks_and_contributions(baseline), _ranks_and_contributions(candidate)
    grades = {
        row.document: row.grade
        for explanation in (baseline, candidate)
        for row in explanation.rows
        if row.document is not None
    }
    documents = []
    for document, grade in grades.items():
        baseline_rank, baseline_contributes = before.get(document, (None, 0.0))
        candidate_rank, candidate_contributes = after.get(document, (None, 0.0))
        documents.append(
            Moved(document, grade, baseline_rank, candidate_rank, baseline_contributes, candidate_contributes)
        )
    documents.sort(key=lambda moved: -abs(moved.difference))
    start = candidate.parts.start - baseline.parts.start
    return Difference(baseline, candidate, start, tuple(documents))


def _ranks_and_contributions(explained: Explanation) -> dict[str, tuple[int | None, float]]:
    contributions = explained.parts.contributions.tolist()
    return {
        row.document: (row.rank, contributions[row.rank - 1])
        for row in explained.rows
        if row.document is not None
    }
