"""The documents of one topic by name, at the ranks that the record gives them.

A record knows its judged documents alone; the others fill the ranks between, in the order of the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gainful.formats import Judgments
from gainful.formats.ids import from_bytes
from gainful.judging import JudgedRun
from gainful.judging.ordered_lists import Place


@dataclass(frozen=True)
class Listed:
    """One document of a list: its rank, its id and its grade; None where nobody judged it."""

    rank: int
    document: str
    grade: float | None


def listed(
    judgments: Judgments, topic: str, judged: JudgedRun, places: Sequence[Place], depth: int | None = None
) -> list[Listed]:
    """The documents of a topic down to rank depth, best first.

    judged  of this topic alone, as the settings made it; unjudged documents may have been removed
    places  the documents of the topic in the order of the run, at least down to that rank
    depth   None is every rank
    """
    start, stop = _place(judgments, topic)
    names = [from_bytes(name) for name in judgments.index.documents(start, stop)]
    hits = {
        int(rank): Listed(int(rank), names[row - start], float(grade))
        for rank, row, grade in zip(judged.rank, judged.row, judged.grade, strict=True)
    }
    others = (place.document for place in places if place.grade is None)
    last = min(depth or len(places), int(judged.retrieved[0]))
    return [hits.get(rank) or Listed(rank, next(others), None) for rank in range(1, last + 1)]


def not_listed(judgments: Judgments, topic: str, there: list[Listed]) -> list[tuple[str, float]]:
    """Judged documents that are not among these, best first."""
    start, stop = _place(judgments, topic)
    seen = {place.document for place in there}
    names = map(from_bytes, judgments.index.documents(start, stop))
    grades = judgments.index.grade[start:stop].tolist()
    left = [(name, grade) for name, grade in zip(names, grades, strict=True) if name not in seen]
    return sorted(left, key=lambda pair: -pair[1])


def _place(judgments: Judgments, topic: str) -> tuple[int, int]:
    number = judgments.topics.index(topic)
    start, stop = judgments.index.offsets[number : number + 2].tolist()
    return start, stop
