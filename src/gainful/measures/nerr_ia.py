"""nERR_IA: ERR_IA as a share of the best it could be."""

from gainful.judging import JudgedRun, PerTopic, ratio
from gainful.judging.ranking import Floats
from gainful.measures._measure import measure
from gainful.measures.alpha_dcg import novel_gain


@measure(
    group="diversity",
    bounds=(0, 2),
    when="nothing relevant",
    needs="subtopics",
    cite="Chapelle et al. 2011, doi:10.1007/s10791-011-9167-7",
)
def nERR_IA(judged: JudgedRun, *, cutoff: int | None = None, alpha: float = 0.5, rel: float = 1) -> PerTopic:
    """Normalised intent-aware expected reciprocal rank.

        nERR_IA = gain(run) / gain(ideal)

        gain = Σ (1 − alpha)^before / rank,  over subtopics and relevant ranks ≤ cutoff
        before = documents above that are relevant to the same subtopic
        ideal takes at each rank the document that adds most; of equals, the one whose id comes last

    cutoff  last rank counted, above and below the line; None counts every rank
    alpha   how likely a relevant document stops a reader
    rel     lowest grade that is relevant

    Misleads when read as a share of the best list: the greedy ideal may be beaten, so that a run may pass 1.

    Ranks 1 and 3 are about wine, rank 3 about beer too; ideal is c before a:  (1 + (1/2 + 1)/3) / (2 + 1/2 / 2)

    >>> from gainful.judging import judged_by
    >>> nERR_IA(judged_by("abc", {"wine": {"a": 1, "c": 1}, "beer": {"c": 1}})).round(4)
    array([0.6667])
    """

    def reciprocal(rank: Floats) -> Floats:
        return rank

    ideal = judged.ideal_pairs(rel, alpha=alpha, depth=cutoff)
    run = judged.pairs(rel)
    return ratio(novel_gain(run, cutoff, alpha, reciprocal), novel_gain(ideal, cutoff, alpha, reciprocal))
