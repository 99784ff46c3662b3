"""alpha_nDCG: subtopics found going down the list, as a share of the most there was to find."""

from gainful.judging import JudgedRun, PerTopic, ratio
from gainful.measures._gains import log
from gainful.measures._measure import measure
from gainful.measures.alpha_dcg import novel_gain


@measure(
    group="diversity",
    bounds=(0, 2),
    when="nothing relevant",
    needs="subtopics",
    cite="Clarke et al. 2008, doi:10.1145/1390334.1390446",
    aliases=("α_nDCG",),
)
def alpha_nDCG(
    judged: JudgedRun, *, cutoff: int | None = None, alpha: float = 0.5, rel: float = 1
) -> PerTopic:
    """Normalised discounted cumulated gain of novelty.

        alpha_nDCG = gain(run) / gain(ideal)

        gain = Σ (1 − alpha)^before / log2(rank + 1),  over subtopics and relevant ranks ≤ cutoff
        before = documents above that are relevant to the same subtopic
        ideal takes at each rank the document that adds most; of equals, the one whose id comes last

    cutoff  last rank counted, above and below the line; None counts every rank
    alpha   how much of its worth a subtopic loses each time it is met; 0 asks for no novelty
    rel     lowest grade that is relevant

    Misleads when read as a share of the best list: to find that one is too much work, and the greedy ideal may be
    beaten, so that a run may pass 1. What a document is worth beyond being relevant or not is not asked.

    Ranks 1 and 3 are about wine, rank 3 about beer too; ideal is c before a:
    (1 + (1/2 + 1)/2) / (1 + 1 + 1/2 / log2 3)

    >>> from gainful.judging import judged_by
    >>> alpha_nDCG(judged_by("abc", {"wine": {"a": 1, "c": 1}, "beer": {"c": 1}})).round(4)
    array([0.7558])
    """
    ideal = judged.ideal_pairs(rel, alpha=alpha, depth=cutoff)
    return ratio(novel_gain(judged.pairs(rel), cutoff, alpha, log), novel_gain(ideal, cutoff, alpha, log))
