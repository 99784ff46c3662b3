"""Every order of tied documents, or a random sample of the orders, for measures that are no sums over hits.

Orders that differ only in documents of one grade, or in unjudged ones, are the same to a measure. The orders of a topic are
counted, and where there are at most `MOST` each is looked at once, so that the mean over them is exact; where there are more,
`MOST` random orders are, and the standard error of their mean is known. The random seed of a topic comes from its own list
and judgments, so that its value is the same alone or beside others; topics that are alike in both have the same sample.
"""

import itertools
import math
import zlib
from collections import Counter
from collections.abc import Callable, Iterator

from gainful.arrays import np
from gainful.judging.ranking import Booleans, Floats, Integers, PerTopic
from gainful.judging.record import JudgedRun
from gainful.judging.transforms import keep_topics, pool_of_topics

MOST = 1_000
"""Orders of a topic that are looked at."""

Evaluated = Callable[[JudgedRun], PerTopic]


def over_orders(judged: JudgedRun, value: Evaluated, cutoff: int | None = None) -> tuple[PerTopic, PerTopic]:
    """The mean value of each topic over the orders of its tied documents, and its standard error (0 where it is exact).

    cutoff  the last rank that matters; tie groups that begin below it stay as they are
    """
    base = np.array(value(judged), np.float64)
    orders = _orders_of(judged, cutoff)
    if not orders:
        return base, np.zeros(len(judged))
    topics, counts = list(orders), np.array([each.count for each in orders.values()])
    total, squares = np.zeros(len(topics)), np.zeros(len(topics))
    for here, values in _by_order(judged, value, orders):
        apart = values - base[topics]  # differences: squares of like numbers would cancel
        total[here] += apart[here]
        squares[here] += apart[here] ** 2
    mean = total / counts
    variance = np.maximum(squares - counts * mean**2, 0.0) / np.maximum(counts - 1, 1)
    errors = np.zeros(len(judged))
    errors[topics] = np.sqrt(variance / counts) * [each.sampled for each in orders.values()]
    base[topics] += mean
    return base, errors


def least_and_greatest(
    judged: JudgedRun, value: Evaluated, cutoff: int | None = None
) -> tuple[PerTopic, PerTopic]:
    """The least and the greatest value of each topic among the orders that `over_orders` looks at."""
    least = np.array(value(judged), np.float64)
    orders = _orders_of(judged, cutoff)
    topics = np.array(list(orders), np.intp)
    if not orders:
        return least, least.copy()
    least[topics], greatest = np.inf, least.copy()
    greatest[topics] = -np.inf
    for here, values in _by_order(judged, value, orders):
        least[topics[here]] = np.fmin(least[topics[here]], values[here])
        greatest[topics[here]] = np.fmax(greatest[topics[here]], values[here])
    return least, greatest


def _orders_of(judged: JudgedRun, cutoff: int | None) -> "dict[int, _Orders]":
    """The orders of each topic that has more than one."""
    groups = {topic: _groups(judged, topic, cutoff) for topic in range(len(judged))}
    return {topic: _Orders(judged, topic, tied) for topic, tied in groups.items() if tied}


def _by_order(
    judged: JudgedRun, value: Evaluated, orders: "dict[int, _Orders]"
) -> Iterator[tuple[Booleans, PerTopic]]:
    """One order of every topic at a time: which topics still have one, and the values of all topics that have orders."""
    tied = np.zeros(len(judged), bool)
    tied[list(orders)] = True
    record = keep_topics(judged, tied, pool_of_topics(judged.pool, tied))
    place = np.cumsum(np.repeat(tied, np.diff(judged.offsets))) - 1  # places of hits in the smaller record
    counts = np.array([each.count for each in orders.values()])
    iterators = [iter(each) for each in orders.values()]
    for number in range(int(counts.max())):
        here = counts > number
        rank = record.rank.copy()
        for topic in np.flatnonzero(here):
            hits, ranks = next(iterators[topic])
            rank[place[hits]] = ranks
        yield here, np.asarray(value(_reordered(record, rank)), np.float64)


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
        columns = [column[start:stop] for column in (judged.grade, judged.first, judged.last)]
        start, stop = judged.pool.offsets[topic : topic + 2].tolist()
        columns.append(judged.pool.grade[start:stop])
        self.seed = zlib.crc32(b"".join(column.astype("<f8").tobytes() for column in columns))

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
