"""A judged run on dense arrays: what measures see of scores and grades, worked out no sooner than they ask."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Literal, TypeVar

from gainful.batch import kernels
from gainful.batch.dense_aspects import DenseAspects, DensePairs
from gainful.batch.dense_grades import Grades, as_floats
from gainful.batch.dense_ranking import Array, Dense, count
from gainful.batch.lazy_ranking import BestFirst, Later, in_order
from gainful.errors import MeasureError
from gainful.judging.aspects import Needs
from gainful.judging.ranking import Worth, namespace

Made = TypeVar("Made")


class TopUnknown(Exception):
    """A measure asked for the best grade of the scale, which some topics of many do not know."""


class DenseRun(Later):
    """Candidates of all topics, with what judged runs know of theirs.

    scores     topics × candidates
    grades     of the candidates
    judged     grades of everything that was judged, candidates or not
    aspects    what was judged by subtopic or by judge; None where nothing was said of it
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
        return gain(self.pool.cut(1).grade[..., 0] if known else self._highest()) == 0

    def ideal(self, gain: Worth, *, of: Literal["judged", "retrieved"] = "judged") -> BestFirst:
        """Best gain first: every judged document, or only the retrieved ones."""
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
        found = self.whole.cut(depth)
        return Dense(found.grade, rank=found.rank, there=found.rank <= found.each(self.retrieved))

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
        """The same over topic × subtopic (or judge): its relevant documents, those of that grade or more."""
        return self._once(("pairs", rel), lambda: self._told_apart().pairs(self._order(), rel))

    def ideal_pairs(self, rel: float, *, alpha: float, depth: int | None = None) -> DensePairs:
        """The pairs of the greedy ideal list: see `DenseAspects.ideal`."""
        make = self._told_apart().ideal
        return self._once(("ideal pairs", rel, alpha, depth), lambda: make(rel, alpha=alpha, depth=depth))

    def _order(self) -> Array:
        return self._once("order", lambda: in_order(self.scores, self.mask, None))

    def _told_apart(self) -> DenseAspects:
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
        made: Made = self._kept[key]
        return made
