"""A measure at work on one list: what it summed over the documents, and what each name in its text stood for.

Nothing is said here of any measure in particular. A measure's text is run on a record that takes note of its sums:
what each document contributes to the value is then a matter of handing the text one document's share of a sum in place of
the sum. Every symbol of a measure's formula is a name in its body, so the values of these names, document by document,
are the columns of a worked table.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gainful import measures
from gainful.judging import JudgedRun, Ranking
from gainful.judging.knowledge import Knowledge
from gainful.measures import Measure

if TYPE_CHECKING:
    from collections.abc import Iterator

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
EVERY = -1
_NOT_SHOWN = ("rank", "grade")  # they have columns already


class Watch:
    """Counts the sums that a measure takes over a run's documents, and hands out some of them in parts.

    A sum in parts has a row for each rank of the lists; the measure's text carries it along, row by row.
    """

    def __init__(self, depth: int, in_parts: Collection[int] = ()) -> None:
        self.depth = depth
        self.in_parts = in_parts
        self.sums = 0

    def answer(self, whole: Floats, ranking: Ranking, contributions: Callable[[], Floats]) -> Floats:
        """The sum of each topic, or what each rank contributes to it: ranks × topics."""
        number, self.sums = self.sums, self.sums + 1
        if number not in self.in_parts and EVERY not in self.in_parts:
            return whole
        topics = len(ranking)
        parts = np.zeros((self.depth, topics))
        parts[ranking.rank.astype(np.intp) - 1, ranking.each(np.arange(topics))] = contributions()
        return parts


class _Watched:
    """A ranking of the run's own documents; what is made of it for an ideal is not watched."""

    __slots__ = ()
    watch: Watch
    offsets: NDArray[np.intp]
    rank: Floats
    grade: Floats
    _top: float | None

    def total(self, x: Any = 1.0, where: Booleans | None = None) -> Floats:
        whole = super().total(x, where)  # type: ignore[misc]
        return self.watch.answer(whole, self, lambda: _kept(x, where, self.rank))  # type: ignore[arg-type]

    def most(self, x: Any, where: Booleans | None = None) -> Floats:
        whole = super().most(x, where)  # type: ignore[misc]
        return self.watch.answer(
            whole,
            self,  # type: ignore[arg-type]
            lambda: _only_the_most(_kept(x, where, self.rank), self.offsets),
        )

    def cut(self, k: Any) -> Ranking:
        if k is None:
            return self  # type: ignore[return-value]
        plain = Ranking(
            self.offsets, self.rank, self.grade, top=self._top
        )  # to cut is to count; that is not watched
        return WatchedRanking(plain.cut(k), self.watch)


class WatchedRanking(_Watched, Ranking):
    """Some of the run's documents, or all of them with those that nobody judged."""

    __slots__ = ("watch",)

    def __init__(self, ranking: Ranking, watch: Watch) -> None:
        super().__init__(ranking.offsets, ranking.rank, ranking.grade, top=ranking._top)
        self.watch = watch


class WatchedRun(_Watched, JudgedRun):
    """A judged run whose sums are taken note of."""

    __slots__ = ("watch",)

    def __init__(self, judged: JudgedRun, watch: Watch) -> None:
        super().__init__(**judged.fields())
        self.watch = watch

    @property
    def known(self) -> JudgedRun:
        """The documents that the user knew; sums over them are taken note of too."""
        return WatchedRun(super().known, self.watch)

    def every_rank(self, depth: int | None = None) -> Ranking:
        """Every document, those that nobody judged too."""
        return WatchedRanking(super().every_rank(depth), self.watch)


def as_read(measure: Measure, judged: JudgedRun) -> tuple[Measure, JudgedRun]:
    """The measure and the record that its text is run on: where it passes over unjudged documents, they are gone."""
    if measure.unjudged == "nonrelevant":
        return measure, judged
    return measure(unjudged="nonrelevant"), measure.reads(judged)


def symbols(measure: Measure, judged: JudgedRun) -> dict[str, dict[int, float | bool]]:
    """What each name in the measure's text stood for at each document, in the order in which they were given.

    judged  of one topic

    >>> from gainful.judging import judged_run
    >>> from gainful.measures import AP
    >>> symbols(AP, judged_run([1, 0, 1]))["precision"]
    {1: 1.0, 2: 0.5, 3: 0.6666666666666666}
    """
    alone = judged.aspects is not None or judged.anywhere is not None
    among = judged if alone else _among_others(judged)
    watched = WatchedRun(among, Watch(0))
    frames: list[dict[str, Any]] = []
    with _returning_from(measure.definition.function.__code__, frames):
        measure.evaluate(watched)
    values_by_rank: dict[str, dict[int, float | bool]] = {}
    for names in frames:
        rankings = [value for value in names.values() if isinstance(value, _Watched)]
        for name, value in names.items():
            ranks = _ranks_of(value, rankings)
            if ranks is not None and name not in _NOT_SHOWN:
                values_by_rank.setdefault(name, dict(zip(map(int, ranks), value.tolist(), strict=True)))
    return values_by_rank


def _ranks_of(value: Any, rankings: list[Any]) -> Floats | None:
    """The ranks of the documents that the values are of; None where they are of topics, or of other documents."""
    if isinstance(value, np.ndarray) and value.ndim == 1 and len(value):
        for ranking in rankings:
            if len(ranking.rank) == len(value) != len(ranking):
                return ranking.rank  # type: ignore[no-any-return]
    return None


def _among_others(judged: JudgedRun) -> JudgedRun:
    """The judged run beside topics with nothing retrieved and, in one of them, many judgments.

    So no array of topics and none of judgments is as long as one of the run's documents, so that lengths tell which is which.
    """
    topics = int(judged.retrieved[0]) + len(judged.rank) + 2
    pool, more = judged.pool, np.zeros(2 * topics)
    wide = Ranking(
        np.concatenate(([0, len(pool.rank)], np.full(topics - 1, len(pool.rank) + len(more)))),
        np.concatenate([pool.rank, np.arange(1.0, len(more) + 1)]),
        np.concatenate([pool.grade, more]),
        top=pool.top,
    )
    return JudgedRun(
        np.concatenate((judged.offsets, np.full(topics - 1, judged.offsets[-1]))),
        judged.rank,
        judged.grade,
        pool=wide,
        retrieved=_then(judged.retrieved, topics, 0.0),
        present=_then(judged.present, topics, True),
        row=judged.row,
        knowledge=None if judged.knowledge is None else _known_among_others(judged.knowledge, topics),
    )


def _known_among_others(knowledge: Knowledge, topics: int) -> Knowledge:
    pool, expected = knowledge.pool, knowledge.expected
    if pool is not None:
        offsets = np.concatenate((pool.offsets, np.full(topics - 1, pool.offsets[-1])))
        pool = Ranking(offsets, pool.rank, pool.grade, top=pool.top)
    return Knowledge(knowledge.rows, pool, None if expected is None else _then(expected, topics, np.nan))


def _then(first: NDArray[Any], topics: int, other: Any) -> NDArray[Any]:
    return np.concatenate((first, np.full(topics - 1, other, dtype=first.dtype)))


@contextmanager
def _returning_from(text: CodeType, frames: list[dict[str, Any]]) -> Iterator[None]:
    """Collect the names and values of the measure's function when it returns, and of those that it calls on the way.

    Of these only such as belong to measures: in its own file, or in the folder of measures.
    """
    inside = False
    home = str(Path(measures.__file__).parent)

    def look(frame: FrameType, event: str, _: Any) -> None:
        nonlocal inside
        code = frame.f_code
        if code is text:
            inside = event == "call"
        file = code.co_filename
        ours = code is text or (inside and (file == text.co_filename or file.startswith(home)))
        if event == "return" and ours and not code.co_name.startswith("<"):
            frames.append(dict(frame.f_locals))

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(before)


def _kept(x: Any, where: Booleans | None, rank: Floats) -> Floats:
    kept = np.broadcast_to(np.asarray(x, dtype=np.float64), rank.shape)
    return kept if where is None else np.where(where, kept, 0.0)


def _only_the_most(values: Floats, offsets: NDArray[np.intp]) -> Floats:
    """The largest value of each topic in its place, the first of equals; nothing elsewhere."""
    alone = np.zeros_like(values)
    if len(values):
        filled = np.diff(offsets) > 0
        most = np.maximum.reduceat(values, offsets[:-1][filled])
        topic = np.repeat(np.arange(len(most)), np.diff(offsets)[filled])
        places = np.flatnonzero(values == most[topic])
        first = places[np.unique(topic[places], return_index=True)[1]]
        alone[first] = values[first]
    return alone
