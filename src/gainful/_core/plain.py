"""The core again in plain Python: slow, literal and short, to read and to test the native one against.

It keeps whole inputs in memory and knows nothing of blocks, threads or spilling; what it returns is what the
native core must return. It stands in where no native core was compiled. Judgments are in `plain_index`, lines in
`plain_lines`, tables and digests in `plain_rows`, Arrow in `plain_arrow`.
"""

import math
from collections.abc import Container, Iterator
from itertools import groupby
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from gainful._core.faults import Cancelled, Fault
from gainful._core.plain_arrow import arrow_stream, columns
from gainful._core.plain_index import Index, by_topic, keep, topic_order
from gainful._core.plain_lines import Faults, Row, Source, parse, read_all
from gainful._core.plain_rows import Rows, check_threads, check_word

__all__ = [
    "Cancelled",
    "Crew",
    "Fault",
    "Found",
    "Index",
    "Job",
    "Rows",
    "Top",
    "arrow_stream",
    "columns",
    "judge_mapping",
    "judge_rows",
    "judge_stream",
    "log2",
]

Ties = Literal["docid", "ascending", "input", "reverse", "best", "worst", "expected"]
Duplicates = Literal["error", "first", "best", "counted", "once"]


class Rules(NamedTuple):
    """How a run is judged.

    narrow  scores are rounded to 32 bits first
    top     so many documents of each topic are kept, in order
    """

    ties: str
    duplicates: str
    drop_self: bool = False
    narrow: bool = False
    top: int = 0

    def check(self) -> None:
        check_word("ties", self.ties, *get_args(Ties))
        check_word("duplicates", self.duplicates, *get_args(Duplicates))


class Found:
    """What one run holds of the judged documents, topic by topic in the Index's order, hits in rank order.

    close    ranks of documents that are tied in 32 bits and not in 64, with a hit among them
    dropped  rows of judged topics whose document the topic had already
    """

    def __init__(self, index: Index, rows: Rows, rules: Rules, faults: Faults) -> None:
        rules.check()
        groups = by_topic(rows.table)
        hits: list[tuple[int, int, int, int]] = []
        close: list[tuple[int, int, int]] = []
        tops: list[list[Place]] = []
        ends, retrieved, self.dropped = [0], [], 0
        for number, topic in enumerate(index.topics):
            start, stop = map(int, index.offsets[number : number + 2])
            judged = {document: start + i for i, document in enumerate(index.documents(start, stop))}
            given = [row for row in groups.get(topic, []) if not (rules.drop_self and row.document == topic)]
            if rules.narrow:
                scores = narrowed([row.value for row in given])
                given = [row._replace(value=score) for row, score in zip(given, scores, strict=True)]
            kept = keep(given, rules.duplicates, faults)
            self.dropped += len(given) - len(kept)
            grouped = "docid" if rules.ties in ("best", "worst", "expected") else rules.ties
            places = ordered(kept, judged, index, grouped)
            uncredited = copies(places) if rules.duplicates == "once" else set()
            places = [place._replace(row=-1) if place.place in uncredited else place for place in places]
            found = [place for place in places if place.row >= 0]
            hits += [(place.row, place.rank, place.first, place.last) for place in found]
            close += [] if rules.narrow else [(number, *group) for group in close_groups(places)]
            top = ordered(kept, judged, index, rules.ties, uncredited) if rules.top else []
            tops.append(top[: rules.top])
            ends.append(len(hits))
            retrieved.append(len(kept))
        faults.check()
        columns = np.array(hits, np.int32).reshape(-1, 4).T
        self.row, self.rank, self.first, self.last = (np.ascontiguousarray(column) for column in columns)
        groups_of = np.array(close, np.int32).reshape(-1, 3).T
        self.close_topic, self.close_first, self.close_last = map(np.ascontiguousarray, groups_of)
        self.top = Top(tops)
        self.offsets: NDArray[np.intp] = np.array(ends, np.intp)
        self.retrieved: NDArray[np.intp] = np.array(retrieved, np.intp)
        seen = {*groups, *rows.hollow}
        self.present: NDArray[np.bool_] = np.array([topic in seen for topic in index.topics], np.bool_)
        self.extra = sorted(seen - set(index.topics), key=topic_order)
        self.rows, self.tag = len(rows), rows.tag
        self.digested: Rows | None = rows

    @property
    def absent(self) -> list[int]:
        """Judged topics that the run does not have, by their numbers."""
        return [number for number, there in enumerate(self.present.tolist()) if not there]

    @property
    def lengths(self) -> list[int]:
        """How many documents the run has for each topic that it has."""
        lengths: list[int] = self.retrieved[self.present].tolist()
        return lengths

    def straddled(self, rank: int) -> int:
        """In how many topics tied scores, with a judged document among them, straddle this rank."""
        topic = np.repeat(np.arange(len(self.present)), np.diff(self.offsets))
        return len(np.unique(topic[(self.first <= rank) & (self.last > rank)]))

    def judged_share(self, index: Index, cutoff: int) -> float:
        """Judged documents among the top ranks of all topics, as a share of the documents there."""
        there = int(np.minimum(self.retrieved, cutoff).sum())
        judged = np.count_nonzero((self.rank <= cutoff) & (index.grade[self.row] >= 0))
        return judged / there if there else 0.0

    @property
    def digest(self) -> str:
        """What stands for the rows of the run; a mapping has none."""
        return self.digested.digest if self.digested is not None else ""


def narrowed(scores: list[float]) -> list[float]:
    """The scores rounded to 32 bits."""
    with np.errstate(over="ignore"):
        rounded: list[float] = np.array(scores, np.float64).astype(np.float32).tolist()
    return rounded


class Place(NamedTuple):
    """A document of a topic in its order; row is that of its judgment, −1 where it has none; place is where it was given."""

    document: bytes
    score: float
    row: int
    rank: int
    first: int
    last: int
    place: int


def copies(places: list[Place]) -> set[int]:
    """Where documents were given that rank below another copy of themselves."""
    best: dict[bytes, int] = {}
    for place in places:
        best.setdefault(place.document, place.place)
    return {place.place for place in places if best[place.document] != place.place}


def ordered(
    rows: list[Row], judged: dict[bytes, int], index: Index, ties: str, uncredited: Container[int] = ()
) -> list[Place]:
    """Every document of a topic: score descending, then the rule for ties; rows given at uncredited places are not judged."""

    def row_of(row: Row) -> int:
        return -1 if row.place in uncredited else judged.get(row.document, -1)

    def worth(row: Row) -> tuple[int, float]:
        """Of a judged document: its grade; nobody's judgment is better than a negative one."""
        if row_of(row) < 0:
            return 1, 0.0
        grade = float(index.grade[row_of(row)])
        return (2 if grade >= 0 else 0), grade

    if ties == "reverse":
        rows = rows[::-1]
    elif ties != "input":
        rows = sorted(rows, key=lambda row: row.document, reverse=ties != "ascending")
    if ties in ("best", "worst"):
        rows = sorted(rows, key=worth, reverse=ties == "best")
    rows = sorted(rows, key=lambda row: -row.value)
    places: list[Place] = []
    for _, group in groupby(rows, key=lambda row: row.value):
        tied = list(group)
        first = len(places) + 1
        last = first + len(tied) - 1
        places += [
            Place(row.document, row.value, row_of(row), first + i, first, last, row.place)
            for i, row in enumerate(tied)
        ]
    return places


def close_groups(places: list[Place]) -> Iterator[tuple[int, int]]:
    """First and last rank of documents that are tied in 32 bits and not in 64, where one of them is judged."""
    scores = narrowed([place.score for place in places])
    for _, group in groupby(zip(scores, places, strict=True), key=lambda pair: pair[0]):
        tied = [place for _, place in group]
        if tied[0].score != tied[-1].score and any(place.row >= 0 for place in tied):
            yield tied[0].rank, tied[-1].rank


class Top:
    """The first documents of each topic in order, in the Index's order of topics."""

    def __init__(self, tops: list[list[Place]]) -> None:
        every = [place for top in tops for place in top]
        self.offsets: NDArray[np.intp] = np.cumsum([0, *map(len, tops)], dtype=np.intp)
        self.score: NDArray[np.float64] = np.array([place.score for place in every], np.float64)
        for name in ("row", "first", "last"):
            setattr(self, name, np.array([getattr(place, name) for place in every], np.int32))
        self.names = [place.document for place in every]

    def documents(self, start: int, stop: int) -> list[bytes]:
        """Ids of the documents at some places."""
        return self.names[start:stop]


def judge_rows(
    index: Index,
    rows: Rows,
    *,
    ties: Ties,
    duplicates: Duplicates,
    threads: int,
    drop_self: bool = False,
    narrow: bool = False,
    top: int = 0,
) -> Found:
    """A run that is already in memory."""
    check_threads(threads)
    return Found(index, rows, Rules(ties, duplicates, drop_self, narrow, top), Faults(rows.has_lines))


def log2(x: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """Logarithms to the base 2."""
    out[:] = [math.log2(each) if each > 0 else -math.inf if each == 0 else math.nan for each in x.tolist()]


def judge_stream(
    index: Index, capsule: Any, names: tuple[str, str, str], *, threads: int, **rules: Any
) -> Found | None:
    """A run in an Arrow stream; None where topics are scattered, or something is wrong with it."""
    try:
        rows = Rows.of_stream(capsule, *names)
        together = [topic for topic, _ in groupby(rows.topics)]
        scattered = {topic for topic in together if together.count(topic) > 1}
        if scattered & set(index.topics):
            return None
        return judge_rows(index, rows, threads=threads, **rules)
    except Fault:
        return None


def judge_mapping(index: Index, nested: Any, *, ties: Ties, narrow: bool = False, top: int = 0) -> Found:
    """A run as nested mappings."""
    rules = Rules(ties, "error", narrow=narrow, top=top)
    found = Found(index, Rows.of_mapping(nested), rules, Faults(has_lines=False))
    found.digested = None
    return found


class Crew:
    """Threads that do many jobs in turn; here each job is done by whoever asks for it."""

    def __init__(self, threads: int) -> None:
        check_threads(threads)


class Job:
    """One run being judged; here it is done before the constructor returns."""

    def __init__(
        self,
        index: Index,
        source: int | Source,
        *,
        threads: int,
        crew: Crew | None = None,  # noqa: ARG002 - the native job's signature
        _block: int = 0,
        _memory: int = 0,
        **rules: Any,
    ) -> None:
        check_threads(threads)
        chosen = Rules(**rules)
        chosen.check()
        self.bytes_read = 0
        self.outcome: Found | Exception
        try:
            self.outcome = self.judge(index, source, chosen)
        except Exception as error:
            self.outcome = error

    def judge(self, index: Index, source: int | Source, rules: Rules) -> Found:
        data = read_all(source)
        self.bytes_read = len(data)
        faults = Faults()
        pairs = list(parse(data, "run", faults))
        if not pairs:
            faults.check()
            raise Fault("empty", 0, 0, b"", 1)
        return Found(index, Rows([row for row, _ in pairs], pairs[0][1]), rules, faults)

    def wait(self, seconds: float) -> bool:  # noqa: ARG002 - the native job's signature
        """True when finished."""
        return True

    def cancel(self) -> None:
        """Stop; the result is then that it was stopped."""
        self.outcome = Cancelled()

    def result(self) -> Found:
        """What was found."""
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome
