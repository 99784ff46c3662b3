"""The greedy ideal of alpha-nDCG: at each rank the document that adds most, all topics side by side."""

import numpy as np

from gainful.judging.ranking import Floats, Integers

SAME = 1 - 1e-12  # gains that differ by less differ by rounding


def greedy_ranks(
    topics: Integers, row: Integers, pair: Integers, ids: Integers, *, alpha: float, depth: int | None
) -> Floats:
    """The rank of each judged document in the greedy list; infinity below the depth, and where nothing is relevant.

    topics  pairs of each topic, as offsets
    row     for each relevant entry, which document
    pair    for each relevant entry, which pair, rising
    ids     for each document, its place in the order of ids; of equal gains, the last one goes first

    Documents that are relevant to the same subtopics gain the same, so only one of each kind is looked at.

    >>> row, pair = np.array([0, 1, 2, 1]), np.array([0, 0, 0, 1])  # the second of three has both subtopics
    >>> greedy_ranks(np.array([0, 2]), row, pair, np.array([0, 1, 2]), alpha=0.5, depth=None)
    array([3., 1., 2.])
    """
    ranks = np.full(len(ids), np.inf)
    kinds = _Kinds(topics, row, pair, ids)
    for rank in range(1, kinds.longest + 1 if depth is None else min(depth, kinds.longest) + 1):
        ranks[kinds.take_best(1 - alpha)] = rank
    return ranks


class _Kinds:
    """Documents by the subtopics that they are relevant to; each kind is a stack with the last id on top."""

    def __init__(self, topics: Integers, row: Integers, pair: Integers, ids: Integers) -> None:
        sizes = np.diff(topics)
        topic_of = np.repeat(np.arange(len(sizes)), sizes)
        has = _subtopics_of_documents(row, pair - topics[:-1][topic_of[pair]], int(sizes.max(initial=0)))
        document, where = np.unique(row, return_inverse=True)
        topic = np.zeros(len(document), dtype=np.int64)
        topic[where] = topic_of[pair]
        order = np.lexsort((-ids[document], *has.T, topic))
        document, topic, has = document[order], topic[order], has[order]
        self.longest = int(np.bincount(topic, minlength=1).max(initial=0))

        begins = np.ones(len(document), dtype=np.bool_)
        begins[1:] = (topic[1:] != topic[:-1]) | (has[1:] != has[:-1]).any(axis=1)
        first = np.flatnonzero(begins)
        of_topic = np.bincount(topic[first], minlength=len(sizes))
        column = np.arange(len(first)) - np.repeat(np.cumsum(of_topic) - of_topic, of_topic)
        # a table of topics × kinds; what a topic has less of is empty from the start
        shape = len(sizes), int(of_topic.max(initial=0))
        self.next = np.zeros(shape, dtype=np.int64)
        self.stop = np.zeros(shape, dtype=np.int64)
        self.has = np.zeros((*shape, has.shape[1]))
        self.next[topic[first], column] = first
        self.stop[topic[first], column] = np.append(first[1:], len(document))
        self.has[topic[first], column] = has[first]
        self.document = document
        self.order = np.append(ids[document], -1)
        self.seen = np.zeros((len(sizes), has.shape[1]))
        self.left = np.flatnonzero(of_topic)

    def take_best(self, kept: float) -> Integers:
        """The document that gains most now, of each topic that has any left; they are taken out."""
        topic = self.left
        gain = np.einsum("tks,ts->tk", self.has[topic], kept ** self.seen[topic])
        there = self.next[topic] < self.stop[topic]
        gain[~there] = -1.0
        equal = gain >= gain.max(axis=1, keepdims=True) * SAME
        last = np.where(equal & there, self.order[np.minimum(self.next[topic], len(self.document) - 1)], -1)
        kind = last.argmax(axis=1)
        taken = self.document[self.next[topic, kind]]
        self.next[topic, kind] += 1
        self.seen[topic] += self.has[topic, kind]
        more = (self.next[topic] < self.stop[topic]).any(axis=1)
        self.left = topic[more]
        return taken


def _subtopics_of_documents(row: Integers, subtopic: Integers, subtopics: int) -> Floats:
    """Which subtopics each document has that has any: documents × subtopics."""
    _, where = np.unique(row, return_inverse=True)
    has = np.zeros((int(where.max(initial=-1)) + 1, max(subtopics, 1)))
    has[where, subtopic] = 1.0
    return has
