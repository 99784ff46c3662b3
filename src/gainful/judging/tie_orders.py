"""Every order of tied documents, or a random sample of the orders, for measures that are no sums over hits.

Orders that differ only in documents of one grade, or in unjudged ones, are the same to a measure. The orders of a topic are
counted, and where there are at most `MOST` each is looked at once, so that the mean over them is exact; where there are more,
`MOST` random orders are, and the standard error of their mean is known. The random seed of a topic comes from its own list,
so that its value is the same alone or beside others.
"""

import itertools
import math
import zlib
from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from gainful.judging.ranking import Floats, Integers, PerTopic
from gainful.judging.record import JudgedRun
from gainful.judging.transforms import keep_topics, pool_of_topics

MOST = 1_000
"""Orders of a topic that are looked at."""

Evaluated = Callable[[JudgedRun], PerTopic]


def over_orders(judged: JudgedRun, value: Evaluated, cutoff: int | None = None) -> tuple[PerTopic, PerTopic]:
    """The mean value of each topic over the orders of its tied documents, and its standard error (0 where it is exact).

    cutoff  the last rank that matters; tie groups that begin below it stay as they are
    """
    values, errors = np.array(value(judged), np.float64), np.zeros(len(judged))
    topics = [topic for topic in range(len(judged)) if _groups(judged, topic, cutoff)]
    if not topics:
        return values, errors
    tied = np.zeros(len(judged), bool)
    tied[topics] = True
    means, standard_errors = _means(
        keep_topics(judged, tied, pool_of_topics(judged.pool, tied)), value, cutoff
    )
    values[tied], errors[tied] = means, standard_errors
    return values, errors


def _means(judged: JudgedRun, value: Evaluated, cutoff: int | None) -> tuple[PerTopic, PerTopic]:
    """Means over the orders of topics that all have some, one order of every topic at a time."""
    orders = [_Orders(judged, topic, _groups(judged, topic, cutoff)) for topic in range(len(judged))]
    counts = np.array([each.count for each in orders])
    total, squares = np.zeros(len(judged)), np.zeros(len(judged))
    base: PerTopic | None = None
    iterators = [iter(each) for each in orders]
    for number in range(int(counts.max())):
        rank = judged.rank.copy()
        for topic in np.flatnonzero(counts > number):
            hits, ranks = next(iterators[topic])
            rank[hits] = ranks
        values = np.asarray(value(_reordered(judged, rank)), np.float64)
        base = values if base is None else base
        here = counts > number
        total[here] += (values - base)[here]  # differences: squares of like numbers would cancel
        squares[here] += ((values - base) ** 2)[here]
    assert base is not None
    mean = total / counts
    variance = np.maximum(squares - counts * mean**2, 0.0) / np.maximum(counts - 1, 1)
    sampled = np.array([each.sampled for each in orders])
    return base + mean, np.where(sampled, np.sqrt(variance / counts), 0.0)


def _reordered(judged: JudgedRun, rank: Floats) -> JudgedRun:
    """The record with other ranks, its hits in the order of these."""
    order = np.lexsort((rank, judged.each(np.arange(len(judged)))))
    columns = {name: getattr(judged, name)[order] for name in ("grade", "first", "last", "row")}
    return judged.replace(rank=rank[order], **columns)


def _groups(judged: JudgedRun, topic: int, cutoff: int | None) -> list[Integers]:
    """The hits of each tie group of a topic whose order matters."""
    start, stop = judged.offsets[topic : topic + 2].tolist()
    first, last = judged.first[start:stop], judged.last[start:stop]
    tied = np.flatnonzero((last > first) & (first <= (np.inf if cutoff is None else cutoff)))
    groups = [
        start + np.array(list(members))
        for _, members in itertools.groupby(tied.tolist(), key=lambda hit: first[hit])
    ]
    return [hits for hits in groups if _matters(judged, hits)]


def _matters(judged: JudgedRun, hits: Integers) -> bool:
    """Whether documents of the group differ: in their grades, or as some are not judged."""
    size = int(judged.last[hits[0]] - judged.first[hits[0]]) + 1
    return (
        judged.aspects is not None
        or len(hits) < size
        or bool((judged.grade[hits] != judged.grade[hits[0]]).any())
    )


class _Orders:
    """The orders of the tied documents of a topic: each once, or a random sample; as the hits and their ranks."""

    def __init__(self, judged: JudgedRun, topic: int, groups: list[Integers]) -> None:
        self.groups, self.judged = groups, judged
        self.first = [int(judged.first[hits[0]]) for hits in groups]
        self.sizes = [
            int(judged.last[hits[0]]) - first + 1 for hits, first in zip(groups, self.first, strict=True)
        ]
        distinct = math.prod(map(self._distinct, range(len(groups))))
        self.sampled = distinct > MOST
        self.count = MOST if self.sampled else distinct
        start, stop = judged.offsets[topic : topic + 2].tolist()
        columns = (judged.grade, judged.first, judged.last)
        self.seed = zlib.crc32(b"".join(column[start:stop].astype("<f8").tobytes() for column in columns))

    def _labels(self, group: int) -> list[float]:
        """What tells the documents of a group apart, unjudged ones last; with subtopics or judges, every hit for itself."""
        hits = self.groups[group]
        labels = self.judged.row[hits] if self.judged.aspects is not None else self.judged.grade[hits]
        return [*labels.tolist(), *[-math.inf] * (self.sizes[group] - len(hits))]

    def _distinct(self, group: int) -> int:
        count, size = 1, self.sizes[group]
        for copies in Counter(self._labels(group)).values():
            count *= math.comb(size, copies)
            size -= copies
        return count

    def __iter__(self) -> Iterator[tuple[Integers, Floats]]:
        hits = np.concatenate(self.groups)
        for placed in (
            self._sample() if self.sampled else itertools.product(*map(self._each, range(len(self.groups))))
        ):
            yield hits, np.concatenate(placed)

    def _sample(self) -> Iterator[list[Floats]]:
        random = np.random.default_rng(self.seed)
        for _ in range(MOST):
            yield [
                first + random.permutation(size)[: len(hits)].astype(np.float64)
                for hits, first, size in zip(self.groups, self.first, self.sizes, strict=True)
            ]

    def _each(self, group: int) -> Iterator[Floats]:
        """Ranks of the hits of a group in every order that a measure can see, hits of one label in the order they have."""
        labels, hits = self._labels(group), self.groups[group]
        judged_labels = labels[: len(hits)]
        for places in _placements(Counter(judged_labels), range(self.sizes[group])):
            left = {label: iter(at) for label, at in places.items()}
            yield self.first[group] + np.array([next(left[label]) for label in judged_labels], np.float64)


def _placements(
    copies: Counter[float], free: "range | tuple[int, ...]"
) -> Iterator[dict[float, tuple[int, ...]]]:
    """Every way to give the labels their places."""
    if not copies:
        yield {}
        return
    label, *others = copies
    for places in itertools.combinations(free, copies[label]):
        rest = tuple(place for place in free if place not in places)
        for more in _placements(Counter({other: copies[other] for other in others}), rest):
            yield {label: places, **more}
