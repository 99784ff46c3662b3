"""The documents of each topic in the order in which a run is judged, ties included: the core decides it, and nobody else.

Also the ranks of documents that are judged for any topic at all, for measures that ask whether an assessor ever saw them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from gainful._core import Index, Rows
from gainful.arrays import np
from gainful.errors import UsageError
from gainful.formats import Judgments, Run
from gainful.formats.ids import from_bytes, to_bytes
from gainful.formats.judgments import cores
from gainful.formats.run_queue import How
from gainful.judging.ranking import Ranking
from gainful.judging.record import JudgedRun
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


def with_judged_anywhere(judged: JudgedRun, judgments: Judgments, run: Run, settings: Settings) -> JudgedRun:
    """The record with the ranks of its documents that are judged for this topic or another.

    The run is read again: first for the documents in it that are judged at all, then for their ranks.
    """
    if settings.unjudged == "condense":  # what is left is judged
        return judged.replace(anywhere=Ranking(judged.offsets, judged.rank, judged.grade))
    if run.path == "-":
        raise UsageError(
            "a run from standard input can be read only once, but this measure reads it twice; write it to a file."
        )
    rows = run.rows()
    index = judgments.index
    known, topics = set(index.documents(0, len(index))), set(index.topics)
    pairs = dict.fromkeys(
        pair
        for pair in zip(rows.topics, rows.documents, strict=True)
        if pair[1] in known and pair[0] in topics
    )
    return with_ranks_of(pairs, judged, judgments, run, settings)


def with_ranks_of(
    pairs: Iterable[tuple[bytes, bytes]],
    judged: JudgedRun,
    judgments: Judgments,
    run: Run,
    settings: Settings,
) -> JudgedRun:
    """The record with the ranks of documents judged anywhere, from known pairs of topic and document without repetition."""
    listed = list(pairs)
    nothing = Ranking(np.zeros(len(judged) + 1, dtype=np.intp), np.zeros(0), np.zeros(0))
    return judged.replace(anywhere=_ranked(listed, judgments, run, settings) if listed else nothing)


def _ranked(pairs: list[tuple[bytes, bytes]], judgments: Judgments, run: Run, settings: Settings) -> Ranking:
    rows = Rows.of_lists(
        [topic for topic, _ in pairs], [document for _, document in pairs], [0.0] * len(pairs)
    )
    index = Index(rows, duplicates="error")
    how = How(Judgments(index), settings.rules, cores())
    again = run.begin(how).finish()
    number = {topic: place for place, topic in enumerate(index.topics)}
    places = np.array([number.get(topic, -1) for topic in judgments.index.topics])
    counts = np.where(places < 0, 0, np.diff(again.offsets)[places])
    rank = again.rank.astype(np.float64)  # topics stand in one order in every index
    return Ranking(np.concatenate(([0], np.cumsum(counts))), rank, np.zeros(len(rank))).cut(settings.depth)
