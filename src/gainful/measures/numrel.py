"""NumRel: how many relevant documents there were to find."""

from gainful.judging import JudgedRun, PerTopic
from gainful.measures._measure import measure

INF = float("inf")


@measure(
    group="counts",
    bounds=(0, INF),
    summary="sum",
    whole_numbers=True,
    cite="trec_eval, num_rel",
    trec={"num_rel": {}},
)
def NumRel(judged: JudgedRun, *, rel: float = 1) -> PerTopic:
    """Number of relevant documents in the judgments.

        NumRel = judged documents of grade ≥ rel

    rel  lowest grade that is relevant

    Misleads when judgments are a shallow pool: what nobody judged is not counted, and there may be much of it.

    Judged 2 1 0, so two are relevant:

    >>> from gainful.judging import judged_run
    >>> NumRel(judged_run([0], judged=[2, 1, 0]))
    array([2.])
    """
    return judged.count(rel)
