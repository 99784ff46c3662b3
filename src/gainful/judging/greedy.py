"""The greedy ideal of alpha-nDCG: at each rank the document that adds most, all topics side by side."""

from collections.abc import Iterator

from gainful.arrays import np
from gainful.judging.ranking import Booleans, Floats, Integers

SAME = 1 - 1e-12  # gains that differ by less differ by rounding
NOTHING = 2.0**-70  # a gain that no sum of gains notices
BITS = 52  # whole numbers of so many bits are exact in a float
LARGEST = 1 << 24  # numbers in a table of topics × kinds × subtopics
TIDY = 32  # ranks after which kinds that are used up are thrown out


def greedy_ranks(
    topics: Integers, row: Integers, pair: Integers, ids: Integers, *, alpha: float, depth: int | None
) -> Floats:
    """The rank of each judged document in the greedy list.

    Infinity below the depth, where nothing is relevant, and where so much was gained before that nothing is added.

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
    for start, stop in _blocks(topics, pair):
        entries = slice(*np.searchsorted(pair, topics[[start, stop]]))
        if entries.start == entries.stop:
            continue
        here = row[entries]
        first, last = int(here.min()), int(here.max())  # documents of a topic stand together
        block = topics[start : stop + 1] - topics[start]
        kinds = _Kinds(block, here - first, pair[entries] - topics[start], ids[first : last + 1])
        rank = 1
        while len(kinds.topic) and (depth is None or rank <= depth):
            ranks[first + kinds.take_best(1 - alpha)] = rank
            if rank % TIDY == 0:
                kinds.tidy()
            rank += 1
    return ranks


def _blocks(topics: Integers, pair: Integers) -> Iterator[tuple[int, int]]:
    """Ranges of topics whose table is not too large, one topic at the least."""
    entries = np.diff(
        np.searchsorted(pair, topics)
    ).tolist()  # of each topic, at least as many as it has kinds
    subtopics = np.diff(topics).tolist()
    start, kinds, width = 0, 0, 0
    for topic, (more_kinds, more_width) in enumerate(zip(entries, subtopics, strict=True)):
        kinds, width = max(kinds, more_kinds), max(width, more_width)
        if topic > start and (topic + 1 - start) * kinds * width > LARGEST:
            yield start, topic
            start, kinds, width = topic, more_kinds, more_width
    yield start, len(entries)


class _Kinds:
    """Documents by the subtopics that they are relevant to: a table of topics × kinds, each a stack of documents.

    document    all of them, kind by kind, the last id first
    next, stop  where a kind's documents begin that are left, and where they end
    has         which subtopics a kind has
    seen        how often each subtopic of a topic was met
    topic       which topics have documents left
    """

    def __init__(self, topics: Integers, row: Integers, pair: Integers, ids: Integers) -> None:
        sizes = np.diff(topics)
        topic_of = np.repeat(np.arange(len(sizes)), sizes)[pair]
        subtopic = pair - topics[topic_of]
        subtopics = int(sizes.max(initial=1))
        codes = _codes(row, subtopic, subtopics, len(ids))
        of_row = np.full(len(ids), -1)
        of_row[row] = topic_of
        document = np.flatnonzero(of_row >= 0)
        order = np.lexsort((-ids[document], *(code[document] for code in codes), of_row[document]))
        self.document = document = document[order]
        topic = of_row[document]

        begins = np.ones(len(document), dtype=np.bool_)
        begins[1:] = topic[1:] != topic[:-1]
        for code in codes:
            begins[1:] |= code[document[1:]] != code[document[:-1]]
        first = np.flatnonzero(begins)
        of_topic = np.bincount(topic[first], minlength=len(sizes))
        self.topic = np.flatnonzero(of_topic)
        place = np.zeros(len(sizes), dtype=np.intp)
        place[self.topic] = np.arange(len(self.topic))
        line = place[topic[first]]
        column = np.arange(len(first)) - np.repeat(np.cumsum(of_topic) - of_topic, of_topic)
        # what a topic has fewer kinds than another is empty from the start
        shape = len(self.topic), int(of_topic.max(initial=0))
        self.next, self.stop = np.zeros((2, *shape), dtype=np.intp)
        self.has = np.zeros((*shape, subtopics))
        self.next[line, column] = first
        self.stop[line, column] = np.append(first[1:], len(document))
        self.has[line, column] = _decoded([code[document[first]] for code in codes], subtopics)
        self.order = ids[document]
        self.seen = np.zeros((len(self.topic), subtopics))

    def take_best(self, kept: float) -> Integers:
        """The document that gains most now, of each topic that has any left; they are taken out."""
        line = np.arange(len(self.topic))
        there = self.next < self.stop
        gain = np.where(there, np.matmul(self.has, kept ** self.seen[:, :, None])[:, :, 0], -1.0)
        most = gain.max(axis=1, keepdims=True)
        id_of_next = self.order[np.minimum(self.next, len(self.order) - 1)]
        kind = np.where(gain >= most * SAME, id_of_next, -1).argmax(axis=1)
        taken: Integers = self.document[self.next[line, kind]]
        self.next[line, kind] += 1
        self.seen += self.has[line, kind]
        self._keep((self.next < self.stop).any(axis=1) & (most[:, 0] > NOTHING))
        return taken

    def tidy(self) -> None:
        """Throw out the kinds that are used up."""
        there = self.next < self.stop
        order = np.argsort(~there, axis=1, kind="stable")[:, : int(there.sum(axis=1).max(initial=0))]
        self.next = np.take_along_axis(self.next, order, axis=1)
        self.stop = np.take_along_axis(self.stop, order, axis=1)
        self.has = np.take_along_axis(self.has, order[:, :, None], axis=1)

    def _keep(self, topics: Booleans) -> None:
        if not topics.all():
            self.topic, self.seen = self.topic[topics], self.seen[topics]
            self.next, self.stop, self.has = self.next[topics], self.stop[topics], self.has[topics]


def _codes(row: Integers, subtopic: Integers, subtopics: int, documents: int) -> list[Floats]:
    """The subtopics of each document as the bits of a number, or of several if there are many."""
    return [
        np.bincount(
            row,
            weights=np.where(subtopic // BITS == word, 2.0 ** (subtopic % BITS), 0.0),
            minlength=documents,
        ).astype(np.float64)
        for word in range((subtopics - 1) // BITS + 1)
    ]


def _decoded(codes: list[Floats], subtopics: int) -> Floats:
    bit = np.arange(subtopics)
    words = np.stack(codes, axis=1).astype(np.int64)
    decoded: Floats = ((words[:, bit // BITS] >> (bit % BITS)) & 1).astype(np.float64)
    return decoded
