"""alpha_DCG: subtopics found going down the list, worth less the further down and the more often."""

from collections.abc import Callable

from gainful.judging import JudgedRun, PerTopic, ratio
from gainful.judging.aspects import Pairs
from gainful.judging.ranking import Floats
from gainful.measures._gains import log
from gainful.measures._measure import measure
from gainful.measures._series import summed


def novel_gain(
    pairs: Pairs, cutoff: int | None, alpha: float, discount: Callable[[Floats], Floats]
) -> PerTopic:
    """What the relevant documents of all subtopics gain, less each time that the subtopic was met before."""
    top = pairs.cut(cutoff)
    before = top.running(top.rank > 0) - 1  # pairs hold relevant documents alone
    return pairs.sum(top.total((1 - alpha) ** before / discount(top.rank)))


@measure(
    group="diversity",
    bounds=(0, 1),
    when="nothing relevant",
    needs="subtopics",
    cite="Clarke et al. 2008, doi:10.1145/1390334.1390446",
    aliases=("α_DCG",),
)
def alpha_DCG(
    judged: JudgedRun, *, cutoff: int | None = None, alpha: float = 0.5, rel: float = 1
) -> PerTopic:
    """Discounted cumulated gain of novelty, as a share of what a document with every subtopic at every rank gives.

        alpha_DCG = Σ (1 − alpha)^before / log2(rank + 1) / most,  over subtopics and relevant ranks ≤ cutoff

        before = documents above that are relevant to the same subtopic
        most   = subtopics · Σ (1 − alpha)^(rank − 1) / log2(rank + 1),  rank ≤ cutoff

    cutoff  last rank counted; None counts every rank
    alpha   how much of its worth a subtopic loses each time it is met
    rel     lowest grade that is relevant

    Subtopics to which no document is relevant are left out.

    Misleads when compared across topics: no collection has a document with every subtopic at every rank, and how far
    from it the best list stays differs from topic to topic; alpha_nDCG divides by the best list there is.

    Ranks 1 and 3 are about wine, rank 3 about beer too, cutoff 3:
    (1 + (1/2 + 1)/2) / (2 · (1 + 1/2 / log2 3 + 1/4 / 2))

    >>> from gainful.judging import judged_by
    >>> (alpha_DCG @ 3)(judged_by("abc", {"wine": {"a": 1, "c": 1}, "beer": {"c": 1}})).round(4)
    array([0.6074])
    """
    pairs = judged.pairs(rel)
    subtopics = pairs.sum(pairs.count > 0)
    most = subtopics * summed(lambda rank: (1 - alpha) ** (rank - 1) / log(rank), cutoff, "alpha_DCG")
    return ratio(novel_gain(pairs, cutoff, alpha, log), most)
