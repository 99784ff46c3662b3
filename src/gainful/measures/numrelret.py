"""NumRelRet: how many relevant documents were retrieved."""

from gainful.judging import JudgedRun, PerTopic
from gainful.measures._measure import measure

INF = float("inf")


@measure(
    group="counts",
    bounds=(0, INF),
    summary="sum",
    whole_numbers=True,
    cite="trec_eval, num_rel_ret",
    trec={"num_rel_ret": {}},
)
def NumRelRet(judged: JudgedRun, *, cutoff: int | None = None, rel: float = 1) -> PerTopic:
    """Number of relevant documents retrieved.

        NumRelRet = documents of grade ≥ rel at ranks ≤ cutoff

    cutoff  last rank counted; None counts every rank
    rel     lowest grade that is relevant

    Misleads when summed over topics: one topic with many relevant documents outweighs all others.

    Grades 0 2 1 retrieved, so two are relevant:

    >>> from gainful.judging import judged_run
    >>> NumRelRet(judged_run([0, 2, 1]))
    array([2.])
    """
    top = judged.cut(cutoff)
    return top.total(where=top.grade >= rel)
