"""A judged run on dense arrays: what measures see of scores and grades, subtopics and judges, computed only when they ask."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from gainful.batch import kernels
from gainful.batch.dense_ranking import NOT_A_HIT, Array, Dense, Grades, as_floats, as_type_of, count
from gainful.batch.lazy_ranking import BestFirst, Later, in_order
from gainful.errors import MeasureError
from gainful.judging.aspects import Needs
from gainful.judging.namespaces import ranks_like
from gainful.judging.ranking import Worth, namespace
from gainful.judging.record import Ideal

NOTHING = 2.0**-70  # a gain that no sum of gains notices


class DensePairs(Dense):
    """The relevant documents of topics × their aspects; sums over a pair are taken as in any ranking.

    grade  topics × aspects × ranks
    count  for each pair, how many documents are relevant, candidates or not
    there_are  which aspects a topic has
    """

    def __init__(self, grade: Array, *, count: Array, there_are: Array) -> None:
        super().__init__(grade)
        self.count = count
        self.there_are = there_are

    def sum(self, x: Array) -> Array:
        """Sum of x, which has a number for each pair, over the aspects of each topic."""
        return self.xp.sum(as_type_of(self.grade, x), axis=-1)

    def mean(self, x: Array, where: Array = None) -> Array:
        """Mean of x over the aspects of each topic, or over those of them where it holds; NaN if there is none."""
        counted = self.there_are if where is None else where
        number = count(counted, like=self.grade)
        none = number == 0
        mean = self.sum(self.xp.where(counted, x, 0.0)) / self.xp.where(none, 1.0, number)
        return self.xp.where(none, self.xp.nan, mean)


class DenseAspects:
    """What was judged aspect by aspect: subtopics, or judges.

    candidates, beyond  grades of topics × documents × aspects; beyond may be None
    """

    def __init__(self, candidates: Grades, beyond: Grades | None) -> None:
        self.candidates = candidates
        self.beyond = beyond

    def everything(self) -> Array:
        """Grades of all documents, candidates first: topics × documents × aspects."""
        if self.beyond is None:
            return self.candidates.clean
        return namespace(self.candidates.clean).concat((self.candidates.clean, self.beyond.clean), axis=1)

    def pairs(self, order: Array, rel: float) -> DensePairs:
        """The pairs of a list that has the candidates in this order."""
        by_aspect = _by_aspect(self.candidates.clean)
        xp = namespace(by_aspect)
        place = xp.broadcast_to(xp.expand_dims(order, axis=1), by_aspect.shape)
        return self._made(xp.take_along_axis(by_aspect, place, axis=-1) >= rel, rel)

    def ideal(self, rel: float, *, alpha: float, depth: int | None) -> DensePairs:
        """The pairs of the list that gains most at each rank; of equal gains, the last document goes first."""
        everything = self.everything()
        xp, documents = namespace(everything), everything.shape[1]
        has = as_type_of(everything, everything >= rel)
        number = ranks_like(everything, documents)
        seen, left, listed = 0.0 * has[:, 0, :], xp.max(has, axis=-1) > 0, []
        same = 1 - (
            1e-12 if xp.finfo(has.dtype).bits == 64 else 1e-6
        )  # gains closer than that differ by rounding
        for _ in range(documents if depth is None else min(depth, documents)):
            worth = xp.expand_dims((1 - alpha) ** seen, axis=1)
            gain = xp.where(left, xp.sum(has * worth, axis=-1), -1.0)
            most = xp.expand_dims(xp.max(gain, axis=-1), axis=-1)
            best = xp.where(left & (gain >= most * same) & (most > NOTHING), number, 0.0)
            taken = (number == xp.expand_dims(xp.max(best, axis=-1), axis=-1)) & (best > 0)
            listed.append(xp.max(xp.where(xp.expand_dims(taken, axis=-1), has, 0.0), axis=1))
            seen, left = seen + listed[-1], left & ~taken
        return self._made(xp.stack(listed, axis=-1) > 0, rel)

    def _made(self, relevant: Array, rel: float) -> DensePairs:
        everything = _by_aspect(self.everything())
        xp, like = namespace(everything), self.candidates.like
        grade = xp.where(relevant, float(rel), NOT_A_HIT * xp.ones_like(as_type_of(like, relevant)))
        return DensePairs(
            grade,
            count=count(everything >= rel, like=everything),
            there_are=xp.max(everything, axis=-1) > NOT_A_HIT,
        )


def _by_aspect(grades: Array) -> Any:
    """Topics × aspects × documents."""
    return namespace(grades).permute_dims(grades, (0, 2, 1))


Made = TypeVar("Made")


class TopUnknown(Exception):
    """A measure asked for the best grade of the scale, which some topics of many do not know."""


class DenseRun(Later):
    """Candidates of all topics, with what judged runs know of theirs.

    scores     topics × candidates
    grades     of the candidates
    judged     grades of everything that was judged, candidates or not
    aspects    the judgments by subtopic or by judge; None if there are none
    top        the best grade of the scale; None: the best here
    partial    whether these are some topics of many, so that the best grade here need not be the best there is
    expected   the deepest cutoff that measures will ask for
    fast       whether kernels may be used where there are any
    """

    def __init__(
        self,
        scores: Array,
        grades: Grades,
        judged: tuple[Grades, ...],
        *,
        mask: Array = None,
        aspects: DenseAspects | None = None,
        top: float | None = None,
        partial: bool = False,
        expected: int = 1,
        fast: bool = True,
    ) -> None:
        super().__init__(scores.shape[-1], expected)
        self.scores = scores
        self.grades = grades
        self.judged = judged
        self.mask = mask
        self.aspects = aspects
        self.fast = fast
        self._top = top
        self.partial = partial
        self._kept: dict[Any, Any] = {}

    def __len__(self) -> int:
        """How many topics there are."""
        return int(self.scores.shape[0])

    def _best(self, k: int | None) -> Array:
        if self.fast and kernels.can_order(self.scores, k or self.columns):
            grade, self._kept["broken"] = kernels.graded_in_order(self.scores, self.grades, self.mask, k)
            return grade
        order = in_order(self.scores, self.mask, k)
        return namespace(self.scores).take_along_axis(self.grades.clean, order, axis=-1)

    @property
    def broken(self) -> Array:
        """Topics in which a candidate's score is not a number."""
        return self._once("broken", self._broken)

    def _broken(self) -> Array:
        xp = namespace(self.scores)
        scores = self.scores if self.mask is None else xp.where(self.mask, self.scores, 0.0)
        return xp.isnan(xp.max(scores, axis=-1))

    # ---- what judged runs know ---------------------------------------------------------------------------

    @cached_property
    def retrieved(self) -> Array:
        """For each topic, how many candidates there are."""
        like = self.grades.like
        if self.mask is None:
            return namespace(like).zeros_like(like[..., 0]) + float(self.columns)
        return count(self.mask, like=like)

    @cached_property
    def present(self) -> Array:
        """For each topic, whether there are candidates."""
        return self.retrieved > 0

    @cached_property
    def top(self) -> Any:
        """The best grade of the scale; if it was not said, the best of all topics here, 0 where none is above 0."""
        if self._top is not None:
            return self._top
        if self.partial:
            raise TopUnknown
        if not len(self):
            return 0.0
        best = self._highest()
        xp = namespace(best)
        return xp.max(xp.maximum(best, 0.0))

    def _highest(self) -> Array:
        best = [part.highest() for part in self.judged]
        return best[0] if len(best) == 1 else namespace(best[0]).maximum(*best)

    def count(self, rel: float) -> Array:
        """Judged documents of that grade or more, candidates or not."""
        return self._once(("count", rel), lambda: self._counted(lambda grade: grade >= rel))

    def _counted(self, which: Any) -> Array:
        counts = [part.count(which) for part in self.judged]
        return counts[0] if len(counts) == 1 else counts[0] + counts[1]

    def nothing_relevant(self, rel: float | None) -> Array:
        """Topics with no document of that grade or more; None asks for any grade above 0."""
        return (self._counted(lambda grade: grade > 0) if rel is None else self.count(rel)) == 0

    def nothing_to_gain(self, gain: Worth) -> Array:
        """Topics in which no judged document has a gain."""
        if not gain.rising:
            return self._counted(lambda grade: gain(as_floats(grade, self.grades.like)) > 0) == 0
        known = self.pool._selected or "whole" in self.pool.__dict__
        return gain(self.pool.cut(1).grade[..., 0] if known else self._highest()) <= 0

    def ideal(self, gain: Worth, *, of: Ideal = "judged") -> Any:
        """Best gain first: every judged document, only the retrieved ones, or no more than were returned ("hits")."""
        if of in ("hits", "uncut"):
            best = self.ideal(gain)
            return best.cut(self.retrieved) if of == "hits" else best
        parts = self.judged if of == "judged" else (self.grades,)
        if not gain.rising:
            return BestFirst(parts, gain, self.expected, fast=self.fast)
        return self._once(("ideal", of), lambda: BestFirst(parts, None, self.expected, fast=self.fast))

    @property
    def pool(self) -> BestFirst:
        """Every judged grade of the topic, best first."""
        return self._once(
            ("ideal", "judged"), lambda: BestFirst(self.judged, None, self.expected, fast=self.fast)
        )

    def ideal_rank(self) -> Array:
        """Where each hit stands in the ideal list: best grade first, hits of one grade in their own order, before others."""
        ranked = self.whole.grade
        xp = namespace(ranked)
        beyond = [part.clean for part in self.judged[1:]]
        order = xp.argsort(-xp.concat((ranked, *beyond), axis=-1), axis=-1, stable=True)
        place = xp.argsort(order, axis=-1, stable=True)[..., : ranked.shape[-1]]
        return as_floats(place + 1, ranked)

    def every_rank(self, depth: int | None = None) -> Dense:
        """Every candidate down to rank depth, those that nobody judged too; their grade is minus infinity."""
        top = self.whole.cut(depth)
        return Dense(top.grade, rank=top.rank, there=top.rank <= top.each(self.retrieved))

    def condensed(self) -> "DenseRun":
        """The lists without what is not judged: each hit's rank is its place among hits."""
        return self._once("condensed", self._condensed)

    def _condensed(self) -> "DenseRun":
        kept = self.grades.judged()
        return DenseRun(
            self.scores,
            kept,
            self.judged,
            mask=kept.raw >= 0,
            aspects=self.aspects,
            top=self._top,
            partial=self.partial,
            expected=self.expected,
            fast=self.fast,
        )

    def pairs(self, rel: float) -> DensePairs:
        """Relevant documents of each topic × subtopic (or judge): those of that grade or more."""
        return self._once(("pairs", rel), lambda: self._require_aspects().pairs(self._order(), rel))

    def ideal_pairs(self, rel: float, *, alpha: float, depth: int | None = None) -> DensePairs:
        """The pairs of the greedy ideal list: see `DenseAspects.ideal`."""
        make = self._require_aspects().ideal
        return self._once(("ideal pairs", rel, alpha, depth), lambda: make(rel, alpha=alpha, depth=depth))

    def _order(self) -> Array:
        return self._once("order", lambda: in_order(self.scores, self.mask, None))

    def _require_aspects(self) -> DenseAspects:
        if self.aspects is None:
            raise MeasureError("these judgments have no subtopics")
        return self.aspects

    @property
    def provides(self) -> tuple[Needs, ...]:
        """What is known here beside a grade for each document."""
        return () if self.aspects is None else ("subtopics", "judges")

    def _once(self, key: Any, make: Callable[[], Made]) -> Made:
        if key not in self._kept:
            self._kept[key] = make()
        kept: Made = self._kept[key]
        return kept
