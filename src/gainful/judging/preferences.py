"""Preferences: which document a judge would rather have than which, and how many of these a run grants.

In each aspect (a judge) documents of a higher level are preferred to those of a lower one. A judge who did not compare
everything gives several partial orders; what follows from them together is preferred too: a over b and b over c is a
over c.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np

from gainful.errors import DataError
from gainful.judging.pairs import Aspects, _summed
from gainful.judging.ranking import Booleans, Floats, Integers, PerTopic

AT_ONCE = 2_000_000  # preferences looked at together; more would fill memory
Counted = Literal["all", "touched", "retrieved"]


class Preferences(NamedTuple):
    """Preferences of T topics × their judges; those of judge j are offsets[j] to offsets[j + 1].

    better, worse  for each preference, which document is preferred to which: places in the judgments
    weight         for each preference, one over how many there are on the same two documents in the topic
    """

    offsets: Integers
    better: Integers
    worse: Integers
    weight: Floats


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
    possible, fulfilled, pairs, pairs_fulfilled = [], [], [], []
    for block, entries in _blocks(aspects):
        prefer = preferences_of(block)
        first, second = rank[prefer.better], rank[prefer.worse]
        counts = np.ones(len(first), dtype=np.bool_)
        if counted != "all":
            counts = np.isfinite((np.maximum if counted == "retrieved" else np.minimum)(first, second))
        if discarded is not None:
            counts &= ~_on_discarded(prefer, block, discarded[entries])
        meets = counts & (first < second)
        possible.append(_summed(counts.astype(np.float64), prefer.offsets))
        fulfilled.append(_summed(meets.astype(np.float64), prefer.offsets))
        of_topic = prefer.offsets[block.topics]
        pairs.append(_summed(np.where(counts, prefer.weight, 0.0), of_topic))
        pairs_fulfilled.append(_summed(np.where(meets, prefer.weight, 0.0), of_topic))
    none = [np.zeros(0)]
    made = (np.concatenate(some or none) for some in (possible, fulfilled, pairs, pairs_fulfilled))
    return Granted(*made, topics=aspects.topics)


def preferences_of(aspects: Aspects) -> Preferences:
    """Every preference, made once where they are not too many to keep."""
    kept: Preferences | None = aspects._memo.get("preferences")
    if kept is None:
        kept = _made(aspects)
        if len(kept.better) <= AT_ONCE:
            aspects._memo["preferences"] = kept
    return kept


def _made(aspects: Aspects) -> Preferences:
    if not len(aspects.row):
        nothing = np.zeros(0, dtype=np.int64)
        return Preferences(np.zeros(len(aspects.offsets), dtype=np.int64), nothing, nothing, np.zeros(0))
    part = np.zeros(len(aspects.row), dtype=np.int64) if aspects.part is None else aspects.part
    aspect = np.repeat(np.arange(len(aspects.offsets) - 1), np.diff(aspects.offsets))
    order = np.lexsort((-aspects.grade, part, aspect))
    aspect, part, grade = aspect[order], part[order], aspects.grade[order]
    same_order = (aspect[1:] == aspect[:-1]) & (part[1:] == part[:-1])
    level_ends = _ends(~same_order | (grade[1:] != grade[:-1]))
    order_ends = _ends(~same_order)

    worse_count = order_ends - level_ends
    starts = np.repeat(level_ends - np.cumsum(worse_count) + worse_count, worse_count)
    worse = aspects.row[order][starts + np.arange(len(starts))]
    better = np.repeat(aspects.row[order], worse_count)
    aspect = np.repeat(aspect, worse_count)
    if aspects.part is not None:
        better, worse, aspect = _completed(better, worse, aspect, _several(aspects))
    offsets = np.zeros(len(aspects.offsets), dtype=np.int64)
    np.cumsum(np.bincount(aspect, minlength=len(aspects.offsets) - 1), out=offsets[1:])
    return Preferences(offsets, better, worse, _weights(better, worse, aspects))


def _ends(ends_after: Booleans) -> Integers:
    """For each of n things, where the stretch it stands in ends, when it ends after some of the first n − 1."""
    count = len(ends_after) + 1
    stops = np.append(np.flatnonzero(ends_after) + 1, count)
    ends: Integers = np.repeat(stops, np.diff(stops, prepend=0))
    return ends


def _weights(better: Integers, worse: Integers, aspects: Aspects) -> Floats:
    if (np.diff(aspects.topics) <= 1).all():
        return np.ones(len(better))
    both = np.minimum(better, worse) * len(aspects.ids) + np.maximum(better, worse)  # a row is of one topic
    _, where, count = np.unique(both, return_inverse=True, return_counts=True)
    return 1.0 / count[where]


def _several(aspects: Aspects) -> Booleans:
    """Judges with more than one partial order."""
    assert aspects.part is not None
    last = aspects.offsets[1:] - 1
    entry = np.arange(len(aspects.row))
    aspect = np.repeat(np.arange(len(last)), np.diff(aspects.offsets))
    several: Booleans = np.bincount(
        aspect, weights=aspects.part[entry] != aspects.part[last[aspect]], minlength=len(last)
    ).astype(np.bool_)
    return several


def _completed(
    better: Integers, worse: Integers, aspect: Integers, several: Booleans
) -> tuple[Integers, Integers, Integers]:
    """With what follows from the partial orders of a judge, and each preference once."""
    kept = ~several[aspect]
    pieces = [(better[kept], worse[kept], aspect[kept])]
    for one in np.flatnonzero(several):
        here = aspect == one
        closed = _closed(better[here], worse[here])
        pieces.append((*closed, np.full(len(closed[0]), one)))
    made = [np.concatenate(column) for column in zip(*pieces, strict=True)]
    order = np.argsort(made[2], kind="stable")
    return made[0][order], made[1][order], made[2][order]


def _closed(better: Integers, worse: Integers) -> tuple[Integers, Integers]:
    documents, place = np.unique(np.concatenate((better, worse)), return_inverse=True)
    before = np.zeros((len(documents), len(documents)), dtype=np.bool_)
    before[place[: len(better)], place[len(better) :]] = True
    for middle in range(len(documents)):
        before |= before[:, middle, None] & before[middle]
    if before.diagonal().any():
        raise DataError("preferences of one judge go in a circle")  # reading has looked for them already
    first, second = np.nonzero(before)
    return documents[first], documents[second]


def _on_discarded(prefer: Preferences, aspects: Aspects, discarded: Booleans) -> Booleans:
    """Preferences on a document that is discarded for the judge whose they are."""
    of_judge = np.repeat(np.arange(len(prefer.offsets) - 1), np.diff(prefer.offsets))
    aspect = np.repeat(np.arange(len(aspects.offsets) - 1), np.diff(aspects.offsets))
    documents = len(aspects.ids)
    gone = (aspect * documents + aspects.row)[discarded]
    on: Booleans = np.isin(of_judge * documents + prefer.worse, gone) | np.isin(
        of_judge * documents + prefer.better, gone
    )
    return on


def _blocks(aspects: Aspects) -> Iterator[tuple[Aspects, slice]]:
    """Blocks of topics with their entries, such that the preferences of a block are not too many, if that can be."""
    sizes = np.diff(aspects.offsets).astype(np.float64)
    most = _summed(sizes * sizes / 2, aspects.topics)
    if most.sum() <= AT_ONCE:
        yield aspects, slice(None)
        return
    start, topics = 0, len(aspects)
    so_far = np.concatenate(([0.0], np.cumsum(most)))
    while start < topics:
        stop = int(np.searchsorted(so_far, so_far[start] + AT_ONCE, side="right")) - 1
        stop = min(max(stop, start + 1), topics)
        entries = aspects.entries
        yield aspects.select(start, stop), slice(int(entries[start]), int(entries[stop]))
        start = stop
