"""P_IA: share of the top ranks that are relevant to each subtopic, averaged over subtopics."""

from gainful.judging import JudgedRun, PerTopic
from gainful.measures._measure import measure


@measure(
    group="diversity",
    bounds=(0, 1),
    when="nothing relevant",
    needs="subtopics",
    cite="Agrawal et al. 2009, doi:10.1145/1498759.1498766",
)
def P_IA(judged: JudgedRun, *, cutoff: int, rel: float = 1) -> PerTopic:
    """Intent-aware precision at a cutoff.

        P_IA = mean over subtopics of documents relevant to it at ranks ≤ cutoff / cutoff

    cutoff  last rank counted; a shorter list is as if filled up with documents that are not relevant
    rel     lowest grade that is relevant

    Subtopics to which no document is relevant are left out.

    Misleads when read as diversity: ten documents about one of two subtopics are worth as much as five about each.

    Ranks 1 and 3 are about wine, rank 3 about beer too, cutoff 3:  (2/3 + 1/3) / 2

    >>> from gainful.judging import judged_by
    >>> (P_IA @ 3)(judged_by("abc", {"wine": {"a": 1, "c": 1}, "beer": {"c": 1}}))
    array([0.5])
    """
    pairs = judged.pairs(rel)
    return pairs.mean(pairs.cut(cutoff).total() / cutoff, where=pairs.count > 0)
