"""Candidates: the documents that a study may ask about, where each run ranks them, and what is known of them by now."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gainful._core import Index, Rows
from gainful.comparisons.unjudged.evidence import OPEN, Evidence, gather
from gainful.errors import UsageError
from gainful.formats import Judgments, Run
from gainful.formats.ids import from_bytes, in_order, shown, to_bytes
from gainful.judging.ordered_lists import ordered
from gainful.judging.settings import Settings
from gainful.studies.study_folder import Grades, Pair

Floats = NDArray[np.float64]


class Candidate(NamedTuple):
    """One candidate: the number of its topic, its number among the topic's documents, and both ids."""

    row: int
    topic: str
    document: str


def top_of(run: Run, depth: int) -> Run:
    """The run down to this rank, in memory, with the scores that it has."""
    lists = ordered(run, Settings(), depth)
    rows = [
        (to_bytes(topic), to_bytes(place.document), place.score)
        for topic in lists.topics
        for place in lists[topic]
    ]
    columns = zip(*rows, strict=True) if rows else ((), (), ())
    return Run(Rows.of_lists(*map(list, columns)), name=run.name)


def candidates_of(
    runs: Mapping[str, Run], grades: Grades, *, best: float, topics: Collection[str] | None = None
) -> Evidence:
    """All documents of the runs, and those that were judged already; what nobody judged has a grade below 0.

    runs    in memory, cut to the depth of the study
    grades  by topic and document; a grade below 0 is no gain and counts as 0
    best    the best grade of the scale
    topics  only these; None for all topics of the runs

    >>> runs = {"a": Run({"q": {"x": 2.0, "y": 1.0}}), "b": Run({"q": {"y": 2.0}})}
    >>> evidence = candidates_of(runs, {("q", "y"): 1.0}, best=3)
    >>> evidence.documents(0), evidence.ranks.tolist(), (evidence.grade < 0).tolist()
    (['x', 'y'], [[1.0, 2.0], [inf, 1.0]], [True, False])
    """
    pairs: dict[tuple[bytes, bytes], None] = {}
    for run in runs.values():
        rows = run.rows()
        pairs |= dict.fromkeys(zip(rows.topics, rows.documents, strict=True))
    wanted = {to_bytes(topic) for topic in (topics if topics is not None else ())}
    wanted = wanted if topics is not None else {topic for topic, _ in pairs}
    known = {(to_bytes(topic), to_bytes(document)): grade for (topic, document), grade in grades.items()}
    kept = [pair for pair in dict.fromkeys([*pairs, *known]) if pair[0] in wanted]
    judgments = Judgments(
        Index(
            Rows.of_lists(
                [topic for topic, _ in kept],
                [document for _, document in kept],
                [max(0.0, known[pair]) if pair in known else OPEN for pair in kept],
            ),
            duplicates="error",
        )
    )
    return replace(gather(judgments, list(runs.values()), Settings(), names=list(runs)), best=best)


def with_grades(evidence: Evidence, rows: Sequence[int], grades: Sequence[float]) -> Evidence:
    """The evidence with more judgments: the grades of the documents at these rows."""
    grade = evidence.grade.copy()
    grade[list(rows)] = np.maximum(0.0, grades)
    return replace(evidence, grade=grade)


def pairs_of(evidence: Evidence) -> list[Pair]:
    """Topic and document of every row."""
    topics = [
        topic
        for topic, start, stop in zip(evidence.topics, evidence.offsets, evidence.offsets[1:], strict=False)
        for _ in range(int(stop - start))
    ]
    documents = map(from_bytes, evidence._index.documents(0, len(evidence.grade)))
    return list(zip(topics, documents, strict=True))


def topic_numbers(evidence: Evidence) -> NDArray[np.int64]:
    """The number of the topic of every row."""
    return np.repeat(np.arange(len(evidence.topics)), np.diff(evidence.offsets))


def best_ranks(evidence: Evidence) -> Floats:
    """The best rank of every row in any run; infinity where no run has it."""
    return np.asarray(evidence.ranks.min(axis=0))


def all_topics(runs: Mapping[str, Run]) -> list[str]:
    """The topics of all runs, in the order of topics."""
    return in_order({from_bytes(topic) for run in runs.values() for topic in {*run.rows().topics}})


def distinct_runs(runs: Mapping[str, Run], compare: Sequence[str]) -> tuple[dict[str, Run], tuple[str, ...]]:
    """Each run once: a second copy would count in strategies as if another system had found the same; and notes on copies."""
    kept: dict[str, Run] = {}
    name_of: dict[str, str] = {}
    copies = {}
    for name, run in runs.items():
        first = name_of.setdefault(run.rows().digest, name)
        if first == name:
            kept[name] = run
        else:
            copies[name] = first
    for name, first in copies.items():
        if name in compare:
            raise UsageError(
                f"'{shown(name)}' is the same run as '{shown(first)}'; name the other one in --compare, or another run."
            )
    return kept, tuple(
        f"'{shown(name)}' is the same run as '{shown(first)}', and is pooled once"
        for name, first in copies.items()
    )
