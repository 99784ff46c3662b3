"""nERR: ERR as a share of the best it could be."""

from gainful.judging import JudgedRun, PerTopic, share
from gainful.measures._gains import linear
from gainful.measures._measure import measure
from gainful.measures.err import expected_reciprocal_rank


@measure(bounds=(0, 1), when="nothing to gain", cite="Chapelle et al. 2009, doi:10.1145/1645953.1646033")
def nERR(judged: JudgedRun, *, cutoff: int | None = None, top: float | None = None) -> PerTopic:
    """Normalised expected reciprocal rank.

        nERR = ERR(run) / ERR(judged documents, best first)

    cutoff  last rank counted, above and below the line; None counts every rank
    top     best grade of the scale, grades above it count as it; None is the best grade in the judgments, all topics

    Misleads when a topic has only documents of a low grade: finding them first is worth 1, like finding the best.

    Grades 1 2 retrieved, top = 2:  (1/4 + 3/4 · 3/4 / 2) / (3/4 + 1/4 · 1/4 / 2)

    >>> from gainful.judging import judged_run
    >>> nERR(judged_run([1, 2])).round(4)
    array([0.68])
    """
    best = judged.top if top is None else top
    ideal = judged.ideal(linear).cut(cutoff)
    return share(expected_reciprocal_rank(judged.cut(cutoff), best), expected_reciprocal_rank(ideal, best))
