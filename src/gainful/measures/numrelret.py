"""NumRelRet: how many relevant documents were retrieved."""

from gainful.judging import JudgedRun, PerTopic
from gainful.measures._measure import measure

INF = float("inf")


@measure(bounds=(0, INF), summary="sum", cite="trec_eval, num_rel_ret", trec={"num_rel_ret": {}})
def NumRelRet(judged: JudgedRun, *, rel: float = 1) -> PerTopic:
    """Number of relevant documents retrieved, at any rank.

        NumRelRet = retrieved documents of grade ≥ rel

    rel  lowest grade that is relevant

    Misleads when summed over topics: one topic with many relevant documents outweighs all others.

    Grades 0 2 1 retrieved, so two are relevant:

    >>> from gainful.judging import judged_run
    >>> NumRelRet(judged_run([0, 2, 1]))
    array([2.])
    """
    return judged.total(where=judged.grade >= rel)
