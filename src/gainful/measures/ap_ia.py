"""AP_IA: average precision of each subtopic, averaged over subtopics."""

from gainful.judging import JudgedRun, PerTopic, share
from gainful.measures._measure import measure


@measure(
    group="diversity",
    bounds=(0, 1),
    when="nothing relevant",
    needs="subtopics",
    cite="Agrawal et al. 2009, doi:10.1145/1498759.1498766",
    aliases=("MAP_IA",),
)
def AP_IA(judged: JudgedRun, *, cutoff: int | None = None, rel: float = 1) -> PerTopic:
    """Intent-aware average precision.

        AP_IA = mean over subtopics of Σ precision(rank) over ranks ≤ cutoff relevant to it / documents relevant to it

        precision(rank) = documents relevant to the subtopic so far / rank

    cutoff  last rank counted; None counts every rank
    rel     lowest grade that is relevant

    Subtopics to which no document is relevant are left out.

    Misleads when read as diversity: a list about one subtopic alone can have more than one that covers all. It does
    not ask for novelty.

    Ranks 1 and 3 are about wine, rank 3 about beer too:  ((1/1 + 2/3)/2 + 1/3) / 2

    >>> from gainful.judging import judged_by
    >>> AP_IA(judged_by("abc", {"wine": {"a": 1, "c": 1}, "beer": {"c": 1}})).round(4)
    array([0.5833])
    """
    pairs = judged.pairs(rel)
    top = pairs.cut(cutoff)
    precision = top.running(top.rank > 0) / top.rank
    return pairs.mean(share(top.total(precision), pairs.count), where=pairs.count > 0)
