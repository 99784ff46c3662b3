"""Preferences: which document a judge would rather have than which, and how many of these a run grants.

In each aspect (a judge) documents of a higher level are preferred to those of a lower one. A judge who did not compare
everything gives several partial orders; what follows from them together is preferred too: a over b and b over c is a
over c.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from gainful.arrays import NDArray, np
from gainful.errors import DataError
from gainful.judging.aspects import Aspects, _summed
from gainful.judging.ranking import Booleans, Floats, Integers, PerTopic

AT_ONCE = 200_000  # preferences looked at together: they stay near the processor
KEPT = 4_000_000  # preferences that are kept for the next run; more would fill memory
Counted = Literal["all", "touched", "retrieved"]


class Preferences(NamedTuple):
    """Preferences of T topics × their judges; those of judge j are offsets[j] to offsets[j + 1].

    entry, times  which entry of the judge is preferred, to so many
    worse         for each preference, the entry that it is preferred to
    weight        for each preference, one over how many there are on the same two documents in the topic; None: 1
    """

    offsets: Integers
    entry: Integers
    times: Integers
    worse: Integers
    weight: Floats | None

    def better(self, x: NDArray[Any]) -> NDArray[Any]:
        """The x, which has a value for each entry, of the one preferred in each preference."""
        return np.repeat(x[self.entry], self.times)


class Granted(NamedTuple):
    """What a run grants of the preferences.

    possible, fulfilled        for each judge, the preferences that count, and those in the order of the run
    pairs, pairs_fulfilled     for each topic, the pairs of documents that any of these are on; and the sum, over
                               these pairs, of the share of preferences on them that are fulfilled
    topics                     judges of topic t are topics[t] to topics[t + 1]
    """

    possible: Floats
    fulfilled: Floats
    pairs: PerTopic
    pairs_fulfilled: PerTopic
    topics: Integers

    def sum(self, x: Floats) -> PerTopic:
        """Sum of x, which has a number for each judge, over the judges of each topic."""
        return _summed(x, self.topics)

    def mean(self, x: Floats) -> PerTopic:
        """Mean of x over the judges of each topic; NaN where there is none."""
        with np.errstate(invalid="ignore"):
            mean: PerTopic = self.sum(x) / np.diff(self.topics)
        return mean


def granted(aspects: Aspects, rank: Floats, counted: Counted, discarded: Booleans | None = None) -> Granted:
    """Which preferences a list grants that has each judged document at this rank (infinity: not at all).

    counted    all; or those that touch a retrieved document; or only those between two that are retrieved
    discarded  for each entry, whether preferences on it are left out

    A document that is retrieved stands before all that are not.
    """
    blocks = [
        _granted(prefer, block, rank, counted, None if discarded is None else discarded[entries])
        for prefer, block, entries in _blocks(aspects)
    ]
    possible, fulfilled, pairs, pairs_fulfilled = (
        np.concatenate([np.zeros(0), *(block[column] for block in blocks)]) for column in range(4)
    )
    return Granted(possible, fulfilled, pairs, pairs_fulfilled, aspects.topics)


def _granted(
    prefer: Preferences, aspects: Aspects, rank: Floats, counted: Counted, discarded: Booleans | None
) -> tuple[Floats, Floats, PerTopic, PerTopic]:
    of_entry = rank[aspects.row] if discarded is None else np.where(discarded, np.nan, rank[aspects.row])
    first, second = prefer.better(of_entry), of_entry[prefer.worse]
    meets = first < second  # never, where one of them is discarded
    counts: Booleans | None = None
    if counted != "all":
        counts = np.isfinite((np.maximum if counted == "retrieved" else np.minimum)(first, second))
        meets &= counts
    elif discarded is not None:
        counts = ~np.isnan(first + second)
    possible = (
        np.diff(prefer.offsets).astype(np.float64) if counts is None else _counted(counts, prefer.offsets)
    )
    fulfilled = _counted(meets, prefer.offsets)
    if prefer.weight is None:
        return possible, fulfilled, _summed(possible, aspects.topics), _summed(fulfilled, aspects.topics)
    of_topic = prefer.offsets[aspects.topics]
    pairs = prefer.weight if counts is None else np.where(counts, prefer.weight, 0.0)
    return (
        possible,
        fulfilled,
        _summed(pairs, of_topic),
        _summed(np.where(meets, prefer.weight, 0.0), of_topic),
    )


def _counted(which: Booleans, offsets: Integers) -> Floats:
    """How many hold in each of consecutive stretches."""
    return _summed(which.view(np.int8).astype(np.int32), offsets)


def _preferences(aspects: Aspects) -> Preferences:
    if not len(aspects.row):
        nothing = np.zeros(0, dtype=np.intp)
        return Preferences(np.zeros(len(aspects.offsets), dtype=np.intp), nothing, nothing, nothing, None)
    part = np.zeros(len(aspects.row), dtype=np.intp) if aspects.part is None else aspects.part
    aspect = np.repeat(np.arange(len(aspects.offsets) - 1), np.diff(aspects.offsets))
    order = np.lexsort((-aspects.grade, part, aspect))
    aspect, part, grade = aspect[order], part[order], aspects.grade[order]
    same_order = (aspect[1:] == aspect[:-1]) & (part[1:] == part[:-1])
    level_ends = _ends(~same_order | (grade[1:] != grade[:-1]))
    order_ends = _ends(~same_order)

    worse_count = order_ends - level_ends
    starts = np.repeat(level_ends - np.cumsum(worse_count) + worse_count, worse_count)
    worse = order[starts + np.arange(len(starts))]
    entry, times = order, worse_count
    better, aspect = np.repeat(order, worse_count), np.repeat(aspect, worse_count)
    if aspects.part is not None:
        better, worse, aspect = _completed(better, worse, aspect, aspects)
        entry, times = better, np.ones_like(better)
    offsets = np.zeros(len(aspects.offsets), dtype=np.intp)
    np.cumsum(np.bincount(aspect, minlength=len(aspects.offsets) - 1), out=offsets[1:])
    weight = _weights(aspects.row[better], aspects.row[worse], aspects)
    return Preferences(offsets, entry, times, worse, weight)


def _ends(ends_after: Booleans) -> Integers:
    """For each of n things, where the stretch it stands in ends, when it ends after some of the first n − 1."""
    count = len(ends_after) + 1
    stops = np.append(np.flatnonzero(ends_after) + 1, count)
    ends: Integers = np.repeat(stops, np.diff(stops, prepend=0))
    return ends


def _weights(better: Integers, worse: Integers, aspects: Aspects) -> Floats | None:
    if (np.diff(aspects.topics) <= 1).all():
        return None
    both = np.minimum(better, worse) * len(aspects.ids) + np.maximum(better, worse)  # a row is of one topic
    _, where, count = np.unique(both, return_inverse=True, return_counts=True)
    return 1.0 / count[where]


def _in_parts(aspects: Aspects) -> Booleans:
    """Judges who gave more than one partial order."""
    assert aspects.part is not None
    last = aspects.offsets[1:] - 1
    entry = np.arange(len(aspects.row))
    aspect = np.repeat(np.arange(len(last)), np.diff(aspects.offsets))
    more_than_one: Booleans = np.bincount(
        aspect, weights=aspects.part[entry] != aspects.part[last[aspect]], minlength=len(last)
    ).astype(np.bool_)
    return more_than_one


def _completed(
    better: Integers, worse: Integers, aspect: Integers, aspects: Aspects
) -> tuple[Integers, Integers, Integers]:
    """With what follows from the partial orders of a judge, and each preference once."""
    in_parts = _in_parts(aspects)
    kept = ~in_parts[aspect]
    pieces = [(better[kept], worse[kept], aspect[kept])]
    for judge in np.flatnonzero(in_parts):
        here = aspect == judge
        closed = _closed(better[here], worse[here], aspects.row)
        pieces.append((*closed, np.full(len(closed[0]), judge)))
    columns = [np.concatenate(column) for column in zip(*pieces, strict=True)]
    order = np.argsort(columns[2], kind="stable")
    return columns[0][order], columns[1][order], columns[2][order]


def _closed(better: Integers, worse: Integers, row: Integers) -> tuple[Integers, Integers]:
    both = np.concatenate((better, worse))
    _, entry, place = np.unique(row[both], return_index=True, return_inverse=True)
    before = np.zeros((len(entry), len(entry)), dtype=np.bool_)
    before[place[: len(better)], place[len(better) :]] = True
    for middle in range(len(entry)):
        before |= before[:, middle, None] & before[middle]
    if before.diagonal().any():
        raise DataError("preferences of one judge are cyclic")  # reading has looked for them already
    first, second = np.nonzero(before)
    return both[entry[first]], both[entry[second]]


def _blocks(aspects: Aspects) -> Iterator[tuple[Preferences, Aspects, slice]]:
    """Preferences of blocks of topics, with the entries of the block; made once where they are not too many to keep."""
    kept: list[tuple[Preferences, Aspects, slice]] | None = aspects._memo.get("preferences")
    if kept is not None:
        yield from kept
        return
    sizes = np.diff(aspects.offsets).astype(np.float64)
    so_far = np.concatenate(([0.0], np.cumsum(_summed(sizes * sizes / 2, aspects.topics))))  # at most
    blocks: list[tuple[Preferences, Aspects, slice]] | None = [] if so_far[-1] <= KEPT else None
    start, topics, entries = 0, len(aspects), aspects.entries
    while start < topics:
        stop = int(np.searchsorted(so_far, so_far[start] + AT_ONCE, side="right")) - 1
        stop = min(max(stop, start + 1), topics)
        block = aspects if stop - start == topics else aspects.select(start, stop)
        preferences = _preferences(block), block, slice(int(entries[start]), int(entries[stop]))
        if blocks is not None:
            blocks.append(preferences)
        yield preferences
        start = stop
    if blocks is not None:
        aspects._memo["preferences"] = blocks


class Documents(NamedTuple):
    """The documents of each judge, each once: which judge, which document, its level."""

    judge: Integers
    row: Integers
    grade: Floats


def balanced(aspects: Aspects, rank: Floats, counted: Counted, *, as_trec_eval: bool = False) -> Granted:
    """For each judge, preferences fulfilled and possible, with as many documents not relevant as are relevant.

    Where more are not relevant, only the first of them count, in the order of the list; where fewer are, those that lack
    are taken to stand last. trec_eval means to count so; what it does compares the documents that are not relevant with
    each other too, as if the later were preferred, and counts some of the wrong documents when `counted` is "retrieved".
    """
    judge, row, grade = _documents(aspects)
    offsets = (
        aspects.offsets if aspects.part is None else np.searchsorted(judge, np.arange(len(aspects.offsets)))
    )
    retrieved, relevant = np.isfinite(rank[row]), grade > 0
    considered = retrieved if counted == "retrieved" else np.ones(len(row), dtype=np.bool_)

    def count(which: Booleans) -> Floats:
        return _counted(which, offsets)

    R, N = count(relevant & considered), count(~relevant & considered)
    one_order = np.ones(len(R), dtype=np.bool_) if aspects.part is None else ~_in_parts(aspects)
    first = np.where(one_order, R, count(relevant)) if as_trec_eval else R
    place = _places(judge, rank[row], aspects.ids[row], ~relevant & (N > R)[judge])
    too_many = ~relevant & (place > first[judge]) & (N > R)[judge]

    given = granted(aspects, rank, counted, _entries(aspects, judge[too_many], row[too_many], too_many))
    lacking = np.maximum(R - N, 0.0)
    fulfilled = given.fulfilled + count(relevant & retrieved) * lacking
    possible = given.possible + (count(relevant) if as_trec_eval else R) * lacking
    if as_trec_eval:
        kept = ~relevant & ~too_many & considered
        others = np.where((N > R) & one_order, N, 0.0)[judge]
        before = np.minimum(place - 1, count(~relevant & retrieved)[judge])
        possible += _summed(np.where(kept, others, 0.0), offsets)
        fulfilled += _summed(np.where(kept & (others > 0), before, 0.0), offsets)
    return given._replace(fulfilled=fulfilled, possible=possible)


def _documents(aspects: Aspects) -> Documents:
    judge = np.repeat(np.arange(len(aspects.offsets) - 1), np.diff(aspects.offsets))
    if aspects.part is None:
        return Documents(judge, aspects.row, aspects.grade)
    _, once = np.unique(judge * len(aspects.ids) + aspects.row, return_index=True)
    return Documents(judge[once], aspects.row[once], aspects.grade[once])


def _places(judge: Integers, rank: Floats, ids: Integers, which: Booleans) -> Integers:
    """1, 2, 3, … among those of each judge that are meant: by rank; not retrieved ones after, by id. 0 for others."""
    meant = np.flatnonzero(which)
    judge, rank = judge[meant], rank[meant]
    last = float(rank[np.isfinite(rank)].max(initial=0.0)) + 1.0
    place = np.where(np.isfinite(rank), rank, last + ids[meant])
    apart = float(place.max(initial=0.0)) + 1.0
    order = np.argsort(judge * apart + place)
    begins = np.flatnonzero(np.diff(judge, prepend=-1))
    starts = np.repeat(begins, np.diff(np.append(begins, len(judge))))
    places = np.zeros(len(which), dtype=np.intp)
    places[meant[order]] = np.arange(len(order)) - starts + 1
    return places


def _entries(aspects: Aspects, judge: Integers, row: Integers, which: Booleans) -> Booleans:
    """Which entries are of these documents; without parts, each document of a judge is one entry."""
    if aspects.part is None:
        return which
    of = np.repeat(np.arange(len(aspects.offsets) - 1), np.diff(aspects.offsets))
    documents = len(aspects.ids)
    meant: Booleans = np.isin(of * documents + aspects.row, judge * documents + row)
    return meant
