"""ERR: one over the rank at which a reader is expected to stop, satisfied."""

from gainful.judging import JudgedRun, PerTopic, Ranking
from gainful.measures._measure import measure
from gainful.measures._reader_models import Stop, exp


def expected_reciprocal_rank(ranking: Ranking, stop: Stop, top: float) -> PerTopic:
    """ERR of a ranking whose best grade is top."""
    stops = stop(ranking.grade, top)
    return ranking.total(ranking.surviving(stops) * stops / ranking.rank)


@measure(
    group="user models",
    bounds=(0, 1),
    when="nothing to gain",
    cite="Chapelle et al. 2009, doi:10.1145/1645953.1646033",
)
def ERR(
    judged: JudgedRun, *, cutoff: int | None = None, stop: Stop = exp, top: float | None = None
) -> PerTopic:
    """Expected reciprocal rank.

        ERR = Σ stop(grade) / rank · Π (1 − stop(grades above)),  rank ≤ cutoff

    cutoff  last rank counted; None counts every rank
    stop    how likely a grade satisfies: exp is (2^grade − 1) / 2^top, linear grade / (top + 1); or a table {grade: chance}
    top     best grade of the scale, grades above it count as it; None is the best grade in the judgments, all topics

    Misleads when compared across collections, or between tools: gdeval has exp with top = 4, NTCIR has linear. On a
    scale of 0 to 1 even a perfect first document stops only half of the readers; on a long scale, after one document of
    the best grade the rest hardly counts.

    Grades 1 2 retrieved, top = 2: stop is 1/4, then 3/4:  1/4 + (3/4 · 3/4) / 2

    >>> from gainful.judging import judged_run
    >>> ERR(judged_run([1, 2]))
    array([0.53125])
    """
    return expected_reciprocal_rank(judged.cut(cutoff), stop, judged.top if top is None else top)
