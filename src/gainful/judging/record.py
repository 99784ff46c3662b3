"""A judged run: what a run retrieved of the judged documents, and what there was to retrieve; `judge` makes one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

from gainful.arrays import NDArray, np
from gainful.errors import MeasureError
from gainful.judging.aspects import Aspects, Needs, Pairs, aspects_of
from gainful.judging.knowledge import Knowledge
from gainful.judging.ranking import Booleans, Floats, Integers, PerTopic, Ranking, Worth, offsets_of

if TYPE_CHECKING:
    from gainful._core import Found
    from gainful.formats import Judgments
    from gainful.judging.preferences import Counted, Granted
    from gainful.judging.sampling import Sample
    from gainful.judging.settings import Settings

UNJUDGED = -math.inf
Ideal = Literal["judged", "retrieved", "hits", "uncut"]
"""What an ideal list is made of."""


class JudgedRun(Ranking):
    """The hits of a run, topic by topic in rank order, with the pool they were judged against.

    A hit is a retrieved document that is in the judgments; other documents only push the ranks of hits down.
    Every judged topic has its place, also one that the run does not have: it has no hits.

    offsets, rank, grade  the hits, as in any ranking; a negative grade is one in the pool that was not judged
    pool                  every grade in the judgments of the topic, best first; shared by all runs
    retrieved             for each topic, how many documents the run has, judged or not
    present               for each topic, whether the run has it at all
    first, last           for each hit, the first and last rank of the documents with the same score
    row                   for each hit, its place in the judgments as they were read
    aspects               the judgments by subtopic or by judge; None if there are none
    knowledge             what the user knew and expected; None if that is not given
    anywhere              the documents retrieved that are judged for this topic or another; None where nobody asked
    sample                with which probability each document was drawn for judging; None where that is not known

    >>> from gainful.judging import judged_run
    >>> run = judged_run([3, None, 0, 1], judged=[3, 2, 1, 0])
    >>> run.rank, run.grade, run.count(1)
    (array([1., 3., 4.]), array([3., 0., 1.]), array([3.]))
    """

    __slots__ = (
        "_first",
        "_last",
        "_row",
        "anywhere",
        "aspects",
        "knowledge",
        "pool",
        "present",
        "retrieved",
        "sample",
    )

    def __init__(
        self,
        offsets: Integers,
        rank: Floats,
        grade: Floats,
        *,
        pool: Ranking,
        retrieved: PerTopic,
        present: Booleans,
        first: Floats | NDArray[np.int32] | None = None,
        last: Floats | NDArray[np.int32] | None = None,
        row: Integers | None = None,
        aspects: Aspects | None = None,
        knowledge: Knowledge | None = None,
        anywhere: Ranking | None = None,
        sample: Sample | None = None,
    ) -> None:
        super().__init__(offsets, rank, grade)
        self.anywhere = anywhere
        self.sample = sample
        self.aspects = aspects
        self.knowledge = knowledge
        self.pool = pool
        self.retrieved = retrieved
        self.present = present
        self._first = first
        self._last = last
        self._row = row

    def fields(self) -> dict[str, Any]:
        """What the record is made of, by the names that its constructor takes."""
        slots = ("offsets", "rank", "grade", *JudgedRun.__slots__)
        return {slot.removeprefix("_"): getattr(self, slot) for slot in slots}

    def replace(self, **changes: Any) -> JudgedRun:
        """The record with some of its fields changed; a change of rank comes with first and last.

        >>> from gainful.judging import judged_run
        >>> judged_run([3, 0]).replace(retrieved=np.array([9.0])).retrieved
        array([9.])
        """
        return JudgedRun(**(self.fields() | changes))

    @property
    def first(self) -> Floats:
        """First rank of each hit's tie group; its own rank if ties are not known."""
        return self.rank if self._first is None else self._first.astype(np.float64, copy=False)

    @property
    def last(self) -> Floats:
        """Last rank of each hit's tie group; its own rank if ties are not known."""
        return self.rank if self._last is None else self._last.astype(np.float64, copy=False)

    def straddled(self, rank: int) -> Booleans:
        """The topics in which tied scores, with a judged document among them, straddle this rank."""
        if self._first is None or self._last is None:
            return np.zeros(len(self), bool)
        return self.total(where=(self._first <= rank) & (self._last > rank)) > 0

    def judged_share(self, cutoff: int) -> float:
        """Judged documents among the top ranks of all topics, as a share of the documents there."""
        there = np.minimum(self.retrieved, cutoff).sum()
        judged = np.count_nonzero((self.rank <= cutoff) & (self.grade >= 0))
        return float(judged / there) if there else 0.0

    @property
    def row(self) -> Integers:
        """Place of each hit in the judgments; 0, 1, 2, … if that is not known."""
        return np.arange(len(self.rank)) if self._row is None else self._row

    @property
    def top(self) -> float:
        """The best grade in the judgments, all topics together; 0 where no grade is above 0."""
        return self.pool.top

    def count(self, rel: float) -> PerTopic:
        """Documents in the judgments of that grade or more."""
        pool = self.pool
        counted: PerTopic | None = pool._memo.get(("count", rel))
        if counted is None:
            counted = pool._memo["count", rel] = pool.total(where=pool.grade >= rel)
        return counted

    def ideal(self, gain: Worth, *, of: Ideal = "judged") -> Ranking:
        """Best gain first: every judged document ("uncut" is for the measure to know), only the retrieved ones, or every judged
        one down to as many ranks as were returned ("hits").
        """
        if of == "retrieved":
            return self.sorted_by(gain)
        best = self.pool if gain.rising else self.pool.sorted_by(gain)
        return best.cut(self.retrieved) if of == "hits" else best

    def ideal_rank(self) -> Floats:
        """Where each hit stands in the ideal list: best grade first, hits of one grade in their own order, before others."""
        kept: Floats | None = self._memo.get("ideal rank")
        if kept is None:
            from gainful.judging.ideal_ranks import ideal_ranks

            kept = self._memo["ideal rank"] = ideal_ranks(self)
        return kept

    def nothing_relevant(self, rel: float | None) -> Booleans:
        """Topics with no document of that grade or more; None asks for any grade above 0."""
        pool = self.pool
        none: Booleans | None = pool._memo.get(("nothing relevant", rel))
        if none is None:
            none = (pool.total(where=pool.grade > 0) if rel is None else self.count(rel)) == 0
            pool._memo["nothing relevant", rel] = none
        return none

    def nothing_to_gain(self, gain: Worth) -> Booleans:
        """Topics in which no judged document has a gain."""
        pool = self.pool
        none: Booleans | None = pool._memo.get(("nothing to gain", gain))
        if none is None:
            none = pool._memo["nothing to gain", gain] = pool.total(where=gain(pool.grade) > 0) == 0
        return none

    def every_rank(self, depth: int | None = None) -> Ranking:
        """Every document down to rank depth, those that nobody judged too; their grade is minus infinity.

        That is below every grade: not relevant, without gain, not judged.

        >>> from gainful.judging import judged_run
        >>> judged_run([3, None, 1]).every_rank().grade
        array([  3., -inf,   1.])
        """
        lengths = (self.retrieved if depth is None else np.minimum(self.retrieved, depth)).astype(np.intp)
        offsets = offsets_of(lengths)
        grade = np.full(offsets[-1], UNJUDGED)
        reached = self.rank <= self.each(lengths)
        place = self.each(offsets[:-1]) + self.rank.astype(np.intp) - 1
        grade[place[reached]] = self.grade[reached]
        rank = np.arange(1.0, offsets[-1] + 1) - np.repeat(offsets[:-1], lengths)
        return Ranking(offsets, rank, grade, top=self.top)

    def pairs(self, rel: float) -> Pairs:
        """The record over topic × subtopic (or judge): relevant documents are those of that grade or more."""
        aspects = self.require_aspects("subtopics")
        kept: Pairs | None = self._memo.get(("pairs", rel))
        if kept is None:
            kept = self._memo["pairs", rel] = aspects.pairs(self.rank_of_judged(), rel)
        return kept

    def ideal_pairs(self, rel: float, *, alpha: float, depth: int | None = None) -> Pairs:
        """The pairs of the greedy ideal list: see `Aspects.ideal`."""
        return self.require_aspects("subtopics").ideal(rel, alpha=alpha, depth=depth)

    def granted(self, counted: Counted) -> Granted:
        """Which preferences the run grants: see `preferences.granted`."""
        from gainful.judging.preferences import granted

        kept: Granted | None = self._memo.get(("granted", counted)) if self.require_aspects() else None
        if kept is None:
            kept = self._memo["granted", counted] = granted(
                self.require_aspects(), self.rank_of_judged(), counted
            )
        return kept

    def rank_of_judged(self) -> Floats:
        """The rank of every judged document, by its place in the judgments; infinity where it was not retrieved."""
        ranks = np.full(len(self.require_aspects().ids), np.inf)
        ranks[self.row] = self.rank
        return ranks

    def require_sample(self) -> Sample:
        """The probabilities with which documents were drawn; an error where they are not known."""
        if self.sample is None:
            raise MeasureError("these judgments have no inclusion probabilities")
        return self.sample

    def require_aspects(self, needs: Needs = "preferences") -> Aspects:
        """The judgments by subtopic, by judge, or as preferences; an error where they are not."""
        if self.aspects is None or needs not in self.aspects.provides:
            raise MeasureError(f"these judgments have no {needs}")
        return self.aspects

    @property
    def provides(self) -> tuple[Needs, ...]:
        """What is known here beside a grade for each document, so that measures can use it."""
        said: tuple[Needs, ...] = () if self.aspects is None else self.aspects.provides
        said += () if self.anywhere is None else ("anywhere",)
        said += () if self.sample is None else ("probabilities",)
        if self.knowledge is not None:
            said += () if self.knowledge.rows is None else ("known",)
            said += () if self.knowledge.expected is None else ("expected",)
        return said

    @property
    def known(self) -> JudgedRun:
        """The documents that the user knew: those retrieved as hits, all that were judged as their pool."""
        knowledge = self.knowledge
        if knowledge is None or knowledge.rows is None or knowledge.pool is None:
            raise MeasureError("the documents that the user knew are not given")
        kept = Ranking(self.offsets, self.rank, self.grade).only(knowledge.rows[self.row])
        return JudgedRun(
            kept.offsets,
            kept.rank,
            kept.grade,
            pool=knowledge.pool,
            retrieved=self.retrieved,
            present=self.present,
        )

    @property
    def expected(self) -> PerTopic:
        """For each topic, how many relevant documents the user expected to find; NaN where that was not said."""
        if self.knowledge is None or self.knowledge.expected is None:
            raise MeasureError("the number of documents that the user expected is not given")
        return self.knowledge.expected

    def condensed(self) -> JudgedRun:
        """The lists without what is not judged: see `transforms.condense`."""
        from gainful.judging.transforms import condensed

        return condensed(self)

    def select(self, start: int, stop: int) -> JudgedRun:
        """Topics start to stop, as a record of their own; each topic keeps its values to the last bit."""
        offsets = self.offsets[start : stop + 1]
        hits = slice(offsets[0], offsets[-1])
        return self.replace(
            offsets=offsets - offsets[0],
            rank=self.rank[hits],
            grade=self.grade[hits],
            pool=self.pool.select(start, stop),
            retrieved=self.retrieved[start:stop],
            present=self.present[start:stop],
            first=None if self._first is None else self._first[hits],
            last=None if self._last is None else self._last[hits],
            row=None if self._row is None else self._row[hits],
            aspects=None if self.aspects is None else self.aspects.select(start, stop),
            knowledge=None if self.knowledge is None else self.knowledge.select(start, stop),
            anywhere=None if self.anywhere is None else self.anywhere.select(start, stop),
            sample=None if self.sample is None else self.sample.select(start, stop),
        )


def pool_of(judgments: Judgments, *, top: float | None = None) -> Ranking:
    """Every judged grade of each topic, best first; made once for the judgments, shared by all runs.

    top  the best grade there is, where these are the judgments of some topics among others
    """
    pool: Ranking | None = judgments.kept.get("pool")
    if pool is None:
        judgments.check_grades()
        index = judgments.index
        pool = judgments.kept["pool"] = Ranking.best_first(index.offsets, index.grade, top=top)
    return pool


def judge(judgments: Judgments, found: Found, settings: Settings) -> JudgedRun:
    """The judged run, in the order and with the omissions that the settings ask for."""
    row = found.row.astype(np.intp)
    judged = JudgedRun(
        found.offsets,
        found.rank.astype(np.float64),
        judgments.index.grade[row],
        pool=pool_of(judgments),
        retrieved=found.retrieved.astype(np.float64),
        present=found.present,
        first=found.first,
        last=found.last,
        row=row,
        aspects=None if judgments.details is None else aspects_of(judgments),
    )
    if judgments.inclusion is not None:
        from gainful.judging.sampling import Sample

        judged = judged.replace(
            sample=Sample(judgments.inclusion, judgments.index.grade, judgments.index.offsets)
        )
    changed = settings.unjudged == "condense" or settings.pool == "retrieved" or settings.depth is not None
    if changed or settings.ties in ("best", "worst"):
        from gainful.judging.transforms import under

        return under(settings, judged)
    return judged
