"""ERR_IA: one over the rank at which readers of each subtopic are expected to stop, satisfied."""

from gainful.judging import JudgedRun, PerTopic, ratio
from gainful.measures._measure import measure
from gainful.measures._series import summed
from gainful.measures.alpha_dcg import novel_gain


@measure(
    group="diversity",
    bounds=(0, 1),
    when="nothing relevant",
    needs="subtopics",
    cite="Chapelle et al. 2011, doi:10.1007/s10791-011-9167-7",
)
def ERR_IA(judged: JudgedRun, *, cutoff: int | None = None, alpha: float = 0.5, rel: float = 1) -> PerTopic:
    """Intent-aware expected reciprocal rank, as a share of what a document with every subtopic at every rank gives.

        ERR_IA = Σ (1 − alpha)^before / rank / most,  over subtopics and relevant ranks ≤ cutoff

        before = documents above that are relevant to the same subtopic
        most   = subtopics · Σ (1 − alpha)^(rank − 1) / rank,  rank ≤ cutoff

    cutoff  last rank counted; None counts every rank
    alpha   how likely a relevant document stops a reader
    rel     lowest grade that is relevant

    Every subtopic to which some document is relevant counts alike.

    Misleads when some subtopics matter to many readers and others to few: all weigh the same. For one topic it is
    divided by a list that does not exist; nERR_IA divides by the best there is.

    Ranks 1 and 3 are about wine, rank 3 about beer too, cutoff 3:
    (1 + (1/2 + 1)/3) / (2 · (1 + 1/2 / 2 + 1/4 / 3))

    >>> from gainful.judging import judged_by
    >>> (ERR_IA @ 3)(judged_by("abc", {"wine": {"a": 1, "c": 1}, "beer": {"c": 1}}))
    array([0.5625])
    """
    pairs = judged.pairs(rel)
    subtopics = pairs.sum(pairs.count > 0)
    most = subtopics * summed(lambda rank: (1 - alpha) ** (rank - 1) / rank, cutoff, "ERR_IA")
    return ratio(novel_gain(pairs, cutoff, alpha, lambda rank: rank), most)
