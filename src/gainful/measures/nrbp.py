"""NRBP: novelty found by a reader who goes on from each rank to the next with the same probability."""

from gainful.arrays import np
from gainful.errors import MeasureError
from gainful.judging import JudgedRun, PerTopic, ratio
from gainful.judging.aspects import Pairs
from gainful.measures._measure import measure
from gainful.measures.alpha_dcg import novel_gain


def rank_biased_gain(pairs: Pairs, alpha: float, beta: float) -> PerTopic:
    """What the relevant documents gain a reader with patience beta, less each time the subtopic was met before."""
    if not 0 < beta < 1:
        raise MeasureError(f"beta must be above 0 and below 1 here; got {beta:g}")
    with np.errstate(over="ignore"):  # far down the divisor is infinite, and what is divided by it nothing
        return novel_gain(pairs, None, alpha, lambda rank: beta ** (1 - rank))


@measure(
    group="diversity",
    bounds=(0, 1),
    when="nothing relevant",
    needs="subtopics",
    cite="Clarke, Kolla & Vechtomova 2009, doi:10.1007/978-3-642-04417-5_17",
)
def NRBP(judged: JudgedRun, *, alpha: float = 0.5, beta: float = 0.5, rel: float = 1) -> PerTopic:
    """Novelty- and rank-biased precision.

        NRBP = (1 − (1 − alpha) · beta) / subtopics · Σ (1 − alpha)^before · beta^(rank − 1)

        before = documents above that are relevant to the same subtopic;  over subtopics and relevant ranks

    alpha  how much of its worth a subtopic loses each time it is met
    beta   how likely a reader is to go on to the next rank
    rel    lowest grade that is relevant

    Misleads when few documents have several subtopics: 1 is what a document with every subtopic at every rank would
    give. With beta = 0.5 the first three ranks have nearly all the weight.

    Ranks 1 and 3 are about wine, rank 3 about beer too:  (1 − 1/4) / 2 · (1 + (1/2 + 1)/4)

    >>> from gainful.judging import judged_by
    >>> NRBP(judged_by("abc", {"wine": {"a": 1, "c": 1}, "beer": {"c": 1}}))
    array([0.515625])
    """
    pairs = judged.pairs(rel)
    subtopics = pairs.sum(pairs.count > 0)
    return ratio((1 - (1 - alpha) * beta) * rank_biased_gain(pairs, alpha, beta), subtopics)
