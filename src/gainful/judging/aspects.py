"""Judgments by subtopic or by judge, and a run as each of them sees it.

An *aspect* is what the second column of such judgments names: a subtopic, or a judge. A *pair* is a topic with one of
its aspects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from gainful.arrays import NDArray, np
from gainful.judging.ranking import Booleans, Floats, Integers, PerTopic, Ranking, offsets_of

if TYPE_CHECKING:
    from gainful._core import Index
    from gainful.formats import Judgments
    from gainful.formats.qrels_by import Details

Needs = Literal["subtopics", "judges", "preferences", "known", "expected", "anywhere", "probabilities"]


class Pairs(Ranking):
    """The relevant documents of T topics × their aspects; hits of pair p are offsets[p] to offsets[p + 1].

    Sums over a pair are taken as in any ranking; `sum` and `mean` then bring pairs together to topics.

    topics  pairs of topic t are topics[t] to topics[t + 1]
    count   for each pair, how many documents are relevant in the judgments
    """

    __slots__ = ("count", "topics")

    def __init__(
        self, offsets: Integers, rank: Floats, grade: Floats, *, topics: Integers, count: PerTopic
    ) -> None:
        super().__init__(offsets, rank, grade)
        self.topics = topics
        self.count = count

    def cut(self, k: float | Floats | None) -> Ranking:
        """The ranking down to rank k; the same for all topics."""
        if isinstance(k, np.ndarray):
            raise TypeError("pairs are cut at one rank")
        return super().cut(k)

    def sum(self, x: Floats | Booleans) -> PerTopic:
        """Sum of x, which has a number for each pair, over the aspects of each topic."""
        return _summed(np.asarray(x, dtype=np.float64), self.topics)

    def mean(self, x: Floats, where: Booleans | None = None) -> PerTopic:
        """Mean of x over the aspects of each topic, or over those of them where it holds; NaN if there is none."""
        counted = np.ones(len(x), dtype=np.bool_) if where is None else where
        with np.errstate(invalid="ignore"):
            mean: PerTopic = self.sum(np.where(counted, x, 0.0)) / self.sum(counted)
        return mean


class Aspects:
    """What the judgments say in each aspect of each topic; shared by all runs.

    topics   aspects of topic t are topics[t] to topics[t + 1]
    offsets  entries of aspect a are offsets[a] to offsets[a + 1], in the order of document ids
    row      for each entry, which document: its place in the judgments as they were read
    grade    for each entry, the grade of the document in this aspect
    ids      for each judged document (not entry), its place in the order of ids
    part     for each entry, the number of the partial order it stands in; None where every aspect is one order
    """

    __slots__ = ("_memo", "grade", "ids", "offsets", "part", "row", "topics")

    def __init__(
        self,
        topics: Integers,
        offsets: Integers,
        row: Integers,
        grade: Floats,
        *,
        ids: Integers,
        part: Integers | None = None,
    ) -> None:
        self.topics = topics
        self.offsets = offsets
        self.row = row
        self.grade = grade
        self.ids = ids
        self.part = part
        self._memo: dict[Any, Any] = {}

    def __len__(self) -> int:
        """How many topics there are."""
        return len(self.topics) - 1

    @property
    def provides(self) -> tuple[Needs, ...]:
        """What measures can be worked out: partial orders are preferences and nothing else."""
        return ("subtopics", "judges", "preferences") if self.part is None else ("preferences",)

    @property
    def entries(self) -> Integers:
        """Offsets of the entries of each topic."""
        return self.offsets[self.topics]

    def pairs(self, rank: Floats, rel: float) -> Pairs:
        """The pairs of a list that has each judged document at this rank (infinity: not at all)."""
        row, pair, count = self._relevant(rel)
        there = rank[row]
        retrieved = np.isfinite(there)
        there, pair = there[retrieved], pair[retrieved]
        apart = float(there.max(initial=0.0)) + 1.0
        order = np.argsort(pair * apart + there)  # no two are equal: a document has one rank
        offsets = np.zeros(len(self.offsets), dtype=np.intp)
        np.cumsum(np.bincount(pair, minlength=len(self.offsets) - 1), out=offsets[1:])
        grade = np.full(len(there), float(rel))
        return Pairs(offsets, there[order], grade, topics=self.topics, count=count)

    def ideal(self, rel: float, *, alpha: float, depth: int | None) -> Pairs:
        """The pairs of the list that gains most at each rank, made greedily; made once for all runs.

        A document gains 1 for each of its subtopics, times 1 − alpha for every document above that has it too.
        Of documents that gain the same, the one whose id comes last stands first, as ndeval has it.
        """
        kept: Pairs | None = self._memo.get(("ideal", rel, alpha, depth))
        if kept is None:
            from gainful.judging.greedy import greedy_ranks

            row, pair, _ = self._relevant(rel)
            ranks = greedy_ranks(self.topics, row, pair, self.ids, alpha=alpha, depth=depth)
            kept = self._memo["ideal", rel, alpha, depth] = self.pairs(ranks, rel)
        return kept

    def select(self, start: int, stop: int) -> Aspects:
        """Topics start to stop; documents keep their places in the judgments."""
        kept: Aspects | None = self._memo.get(("select", start, stop))
        if kept is None:
            topics = self.topics[start : stop + 1]
            offsets = self.offsets[topics[0] : topics[-1] + 1]
            entries = slice(offsets[0], offsets[-1])
            kept = self._memo["select", start, stop] = Aspects(
                topics - topics[0],
                offsets - offsets[0],
                self.row[entries],
                self.grade[entries],
                ids=self.ids,
                part=None if self.part is None else self.part[entries],
            )
        return kept

    def keep(self, kept: Booleans) -> Aspects:
        """Some of the topics; documents keep their places in the judgments."""
        aspects = np.repeat(kept, np.diff(self.topics))
        entries = np.repeat(aspects, np.diff(self.offsets))
        return Aspects(
            offsets_of(np.diff(self.topics)[kept]),
            offsets_of(np.diff(self.offsets)[aspects]),
            self.row[entries],
            self.grade[entries],
            ids=self.ids,
            part=None if self.part is None else self.part[entries],
        )

    def _relevant(self, rel: float) -> tuple[Integers, Integers, PerTopic]:
        """Row and pair of the entries of that grade or more, and how many each pair has."""
        kept: tuple[Integers, Integers, PerTopic] | None = self._memo.get(("relevant", rel))
        if kept is None:
            relevant = self.grade >= rel
            pair = np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))[relevant]
            count = np.bincount(pair, minlength=len(self.offsets) - 1).astype(np.float64)
            kept = self._memo["relevant", rel] = (self.row[relevant], pair, count)
        return kept


def _summed(x: NDArray[Any], offsets: Integers) -> Floats:
    """Sums of consecutive stretches, each of them over its own numbers alone."""
    summed = np.zeros(len(offsets) - 1)
    filled = offsets[1:] > offsets[:-1]
    if filled.any():
        summed[filled] = np.add.reduceat(x, offsets[:-1][filled])
    return summed


def aspects_of(judgments: Judgments) -> Aspects:
    """The judgments by subtopic or by judge; computed once for the judgments, shared by all runs."""
    assert judgments.details is not None
    aspects: Aspects | None = judgments.kept.get("aspects")
    if aspects is None:
        aspects = judgments.kept["aspects"] = _aspects_of_details(judgments.index, judgments.details)
    return aspects


def _aspects_of_details(index: Index, details: Details) -> Aspects:
    """The rows of the details, each pointing to its document in the index.

    Aspects of a topic stand in the order of their names and documents in that of their ids, so that the order of rows
    in a file does not matter.
    """
    number = {topic: place for place, topic in enumerate(index.topics)}
    offsets = index.offsets.tolist()
    documents = index.documents(0, len(index))
    row: dict[tuple[int, bytes], int] = {}
    ids = np.empty(len(documents), dtype=np.intp)
    for topic, start in enumerate(offsets[:-1]):
        named = documents[start : offsets[topic + 1]]
        row.update(((topic, document), start + place) for place, document in enumerate(named))
        ids[start + np.array(sorted(range(len(named)), key=named.__getitem__))] = np.arange(len(named))

    topic_of = [number[topic] for topic in details.topics]
    rows = np.array([row[key] for key in zip(topic_of, details.documents, strict=True)], dtype=np.intp)
    topics = np.array(topic_of, dtype=np.intp)
    aspects = _numbered(details.aspects)
    parts = np.zeros(len(rows), dtype=np.intp) if details.parts is None else _numbered(details.parts)
    order = np.lexsort((ids[rows], parts, aspects, topics))
    topics, aspects = topics[order], aspects[order]
    begins = np.ones(len(order), dtype=np.bool_)
    begins[1:] = (topics[1:] != topics[:-1]) | (aspects[1:] != aspects[:-1])
    first = np.flatnonzero(begins)
    return Aspects(
        np.searchsorted(topics[first], np.arange(len(number) + 1)),
        np.append(first, len(order)),
        rows[order],
        np.array(details.grades, dtype=np.float64)[order],
        ids=ids,
        part=None if details.parts is None else parts[order],
    )


def _numbered(names: list[bytes]) -> np.ndarray:
    """A number for each name, in the order of names."""
    numbers = {name: number for number, name in enumerate(sorted(set(names)))}
    return np.array([numbers[name] for name in names], dtype=np.intp)
