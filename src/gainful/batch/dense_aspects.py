"""Topics × subtopics (or judges) on dense arrays, and the ideal list that is made greedily."""

from typing import Any

from gainful.batch.dense_grades import Grades
from gainful.batch.dense_ranking import NOT_A_HIT, Array, Dense, as_type_of, count
from gainful.judging.namespaces import ranks_like
from gainful.judging.ranking import namespace

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
