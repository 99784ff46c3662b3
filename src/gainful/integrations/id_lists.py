"""Lists of ids, as pipelines that retrieve pass them: the relevant and the retrieved documents of each question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Unpack

from gainful.dialects import evaluate
from gainful.errors import UsageError
from gainful.judging.settings import Conventions
from gainful.measures import Measure
from gainful.scores import Scores

Relevant = Mapping[Any, float] | Iterable[Any]
"""The relevant documents of a question: ids, or grades by id."""

NO_DOCUMENT = "∅"
"""The id that stands where a question has nothing relevant, or where no list holds anything."""


def score_lists(
    relevant: Sequence[Relevant],
    retrieved: Sequence[Iterable[Any]] | Mapping[str, Sequence[Iterable[Any]]],
    measures: str | Measure | Iterable[str | Measure],
    *,
    questions: Sequence[str] | None = None,
    dialect: str | None = None,
    **conventions: Unpack[Conventions],
) -> Scores:
    """Scores of ranked lists of ids; topics are the questions, numbered from 1.

    relevant   for each question the ids of its relevant documents, or their grades: {id: grade}
    retrieved  for each question the ids retrieved, best first; or such lists of several systems by name
    questions  their texts, which reports show beside the numbers
    dialect    names and numbers of another tool

    An id that is there twice keeps its ranks and is credited once, since parts of one document share its id.

    >>> scores = score_lists([["a"], {"a": 2, "b": 1}], [["x", "a", "a"], ["b"]], "RR, nDCG@10")
    >>> in_order(scores, "RR")
    [0.5, 1.0]
    """
    systems = retrieved if isinstance(retrieved, Mapping) else {"run": retrieved}
    for name, lists in systems.items():
        if len(lists) != len(relevant):
            raise UsageError(
                f"{name} has {len(lists):,} lists for {len(relevant):,} questions; give one for each, empty where nothing is."
            )
    judged = {str(number): grades_of(each) for number, each in enumerate(relevant, 1)}
    runs = {name: _ranked(lists) for name, lists in systems.items()}
    texts = None if questions is None else dict(zip(judged, questions, strict=True))
    rules = {} if dialect is not None else {"duplicates": "once", **conventions}
    return evaluate(judged, runs, measures, dialect=dialect, queries=texts, **rules)  # type: ignore[arg-type]


def in_order(scores: Scores, measure: str | Measure) -> list[float]:
    """The value of each question for the only system, in their order; NaN where it does not count."""
    values = scores.per_topic
    numbers = sorted(scores.judgments.topics, key=int)
    return [values.get(number, {}).get(str(measure), float("nan")) for number in numbers]


def grades_of(relevant: Relevant) -> dict[str, float]:
    """Grades by id; where nothing is relevant, a document of grade 0, since judgments have no topic without documents."""
    if not isinstance(relevant, Mapping):
        return {str(document): 1 for document in relevant} or {NO_DOCUMENT: 0}
    return {str(document): grade for document, grade in relevant.items()} or {NO_DOCUMENT: 0}


def _ranked(lists: Sequence[Iterable[Any]]) -> dict[str, list[str]]:
    """Ids by question. A run of nothing at all would be refused: its first list then holds what nobody judged."""
    ranked = {str(number): [str(document) for document in ids] for number, ids in enumerate(lists, 1)}
    if ranked and not any(ranked.values()):
        ranked["1"] = [f"{NO_DOCUMENT}{NO_DOCUMENT}"]
    return ranked
