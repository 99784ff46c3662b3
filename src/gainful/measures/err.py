"""ERR: one over the rank at which a reader is expected to stop, satisfied."""

from gainful.judging import JudgedRun, PerTopic, Ranking, namespace
from gainful.measures._measure import measure


def expected_reciprocal_rank(ranking: Ranking, top: float) -> PerTopic:
    """ERR of a ranking whose best grade is top."""
    grade = ranking.grade
    xp = namespace(grade)
    satisfying = xp.minimum(xp.maximum(grade, 0.0), top)
    stop = 2.0 ** (satisfying - top) - 2.0**-top
    return ranking.total(ranking.surviving(stop) * stop / ranking.rank)


@measure(bounds=(0, 1), when="nothing to gain", cite="Chapelle et al. 2009, doi:10.1145/1645953.1646033")
def ERR(judged: JudgedRun, *, cutoff: int | None = None, top: float | None = None) -> PerTopic:
    """Expected reciprocal rank.

        ERR = Σ stop(rank) / rank · Π (1 − stop(earlier ranks)),  rank ≤ cutoff      stop = (2^grade − 1) / 2^top

    cutoff  last rank counted; None counts every rank
    top     best grade of the scale, grades above it count as it; None is the best grade in the judgments, all topics

    Misleads when compared across collections, or between tools that fix top (gdeval: 4): on a scale of 0 to 1 even a
    perfect first document stops only half of the readers. After one document of the best grade the rest hardly counts.

    Grades 1 2 retrieved, top = 2: stop is 1/4, then 3/4:  1/4 + (3/4 · 3/4) / 2

    >>> from gainful.judging import judged_run
    >>> ERR(judged_run([1, 2]))
    array([0.53125])
    """
    return expected_reciprocal_rank(judged.cut(cutoff), judged.top if top is None else top)
