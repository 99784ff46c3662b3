"""nNRBP: NRBP as a share of the best it could be."""

from gainful.judging import JudgedRun, PerTopic, ratio
from gainful.measures._measure import measure
from gainful.measures.nrbp import rank_biased_gain


@measure(
    group="diversity",
    bounds=(0, 2),
    when="nothing relevant",
    needs="subtopics",
    cite="Clarke, Kolla & Vechtomova 2009, doi:10.1007/978-3-642-04417-5_17",
)
def nNRBP(judged: JudgedRun, *, alpha: float = 0.5, beta: float = 0.5, rel: float = 1) -> PerTopic:
    """Normalised novelty- and rank-biased precision.

        nNRBP = NRBP(run) / NRBP(ideal)

        ideal takes at each rank the document that adds most; of equals, the one whose id comes last

    alpha  how much of its worth a subtopic loses each time it is met
    beta   how likely a reader is to go on to the next rank
    rel    lowest grade that is relevant

    Misleads when read as a share of the best list: the greedy ideal may be beaten, so that a run may pass 1.

    Ranks 1 and 3 are about wine, rank 3 about beer too; ideal is c before a:  (1 + (1/2 + 1)/4) / (2 + 1/2 / 2)

    >>> from gainful.judging import judged_by
    >>> nNRBP(judged_by("abc", {"wine": {"a": 1, "c": 1}, "beer": {"c": 1}})).round(4)
    array([0.6111])
    """
    ideal = judged.ideal_pairs(rel, alpha=alpha)
    return ratio(rank_biased_gain(judged.pairs(rel), alpha, beta), rank_biased_gain(ideal, alpha, beta))
