"""nERR: ERR as a share of the best it could be."""

from gainful.judging import JudgedRun, PerTopic, Ranking, part
from gainful.measures._measure import measure
from gainful.measures._reader_models import Stop, exp
from gainful.measures.err import expected_reciprocal_rank


@measure(
    group="user models",
    bounds=(0, 1),
    when="nothing to gain",
    cite="Chapelle et al. 2011, doi:10.1007/s10791-011-9167-7",
)
def nERR(
    judged: JudgedRun, *, cutoff: int | None = None, stop: Stop = exp, top: float | None = None
) -> PerTopic:
    """Normalised expected reciprocal rank.

        nERR = ERR(run) / ERR(judged documents, likeliest stop first)

    cutoff  last rank counted, above and below the line; None counts every rank
    stop    how likely a grade satisfies: exp is (2^grade − 1) / 2^top, linear grade / (top + 1); or a table {grade: chance}
    top     best grade of the scale, grades above it count as it; None is the best grade in the judgments, all topics

    Misleads when a topic has only documents of a low grade: finding them first is worth 1, like finding the best.

    Grades 1 2 retrieved, top = 2:  (1/4 + 3/4 · 3/4 / 2) / (3/4 + 1/4 · 1/4 / 2)

    >>> from gainful.judging import judged_run
    >>> nERR(judged_run([1, 2])).round(4)
    array([0.68])
    """
    best = judged.top if top is None else top

    def err(ranking: Ranking) -> PerTopic:
        return expected_reciprocal_rank(ranking.cut(cutoff), stop, best)

    return part(err(judged), err(judged.ideal(stop.of(best))))
