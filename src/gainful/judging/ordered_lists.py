"""The documents of each topic in the order in which a run is judged, ties included: the core decides it, and nobody else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from gainful._core import Index, Rows
from gainful.formats import Judgments, Run
from gainful.formats.ids import from_bytes, to_bytes
from gainful.formats.judgments import cores
from gainful.formats.run_queue import How
from gainful.judging.settings import Settings

EVERYTHING = (1 << 32) - 1


class Place(NamedTuple):
    """A document in the list of its topic.

    grade        None where nobody judged it
    first, last  ranks of the documents with the same score
    """

    rank: int
    document: str
    score: float
    grade: float | None
    first: int
    last: int


class OrderedLists:
    """The first documents of each topic of a run, best first.

    topics  those that the lists are of, in order; one that the run lacks has an empty list
    """

    def __init__(self, topics: Sequence[str], places: Sequence[list[Place]]) -> None:
        self.topics = tuple(topics)
        self._places = dict(zip(topics, places, strict=True))

    def __getitem__(self, topic: str) -> list[Place]:
        return self._places[topic]

    def documents(self, topic: str) -> list[str]:
        """The ids of a topic's documents."""
        return [place.document for place in self._places[topic]]


def ordered(
    run: Run,
    settings: Settings,
    depth: int | None = None,
    *,
    judgments: Judgments | None = None,
    topics: Sequence[str] | None = None,
) -> OrderedLists:
    """The documents of each topic in the order in which the run is judged under these settings.

    depth      ranks of each list; None is all
    judgments  give the topics, and the grades that "best" and "worst" ties go by; None takes every topic of the run
    topics     only these, of those that are judged

    >>> run = Run({"q": {"a": 1.0, "b": 2.0, "c": 2.0}})
    >>> ordered(run, Settings()).documents("q")
    ['c', 'b', 'a']
    >>> from gainful.formats.judgments import read_qrels
    >>> ordered(run, Settings(ties="best"), 2, judgments=read_qrels({"q": {"b": 1}}))["q"][0][:4]
    (1, 'b', 2.0, 1.0)
    """
    if judgments is None:
        run = run.in_memory()
    index = _topics_of(run) if judgments is None else _index(judgments, topics)
    most = min(depth or EVERYTHING, settings.depth or EVERYTHING)
    how = How(Judgments(index), settings.rules._replace(top=most), cores())
    top = run.begin(how).finish().top
    grades = index.grade.tolist() if judgments is not None else None
    starts = top.offsets.tolist()
    columns = [column.tolist() for column in (top.score, top.row, top.first, top.last)]

    def places(start: int, stop: int) -> Iterator[Place]:
        rows = zip(top.documents(start, stop), *(column[start:stop] for column in columns), strict=True)
        for rank, (document, score, row, first, last) in enumerate(rows, 1):
            grade = None if grades is None or row < 0 else grades[row]
            yield Place(rank, from_bytes(document), score, grade, first, last)

    return OrderedLists(
        [from_bytes(topic) for topic in index.topics],
        [list(places(start, stop)) for start, stop in pairwise(starts)],
    )


def _index(judgments: Judgments, topics: Sequence[str] | None) -> Index:
    """The judgments of some topics."""
    index = judgments.index
    if topics is None:
        return index
    places = {topic: number for number, topic in enumerate(judgments.topics)}
    columns: tuple[list[bytes], list[bytes], list[float]] = ([], [], [])
    for topic in topics:
        start, stop = index.offsets[places[topic] : places[topic] + 2].tolist()
        columns[0].extend([to_bytes(topic)] * (stop - start))
        columns[1].extend(index.documents(start, stop))
        columns[2].extend(index.grade[start:stop].tolist())
    return Index(Rows.of_lists(*columns), duplicates="error")


def _topics_of(run: Run) -> Index:
    """The topics of a run, as if something were judged for each."""
    rows = run.rows()
    topics = list(dict.fromkeys(rows.topics))
    other = (
        max(rows.documents, key=len, default=b"") + b"-"
    )  # not in the run, as it is longer than any id there
    return Index(Rows.of_lists(topics, [other] * len(topics), [0.0] * len(topics)), duplicates="error")
