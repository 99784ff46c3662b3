"""NumNonrelJudgedRet: how many documents were retrieved that are judged not relevant."""

from gainful.judging import JudgedRun, PerTopic
from gainful.measures._measure import measure

INF = float("inf")


@measure(
    group="counts",
    less_is_better=True,
    bounds=(0, INF),
    summary="sum",
    whole_numbers=True,
    cite="trec_eval, num_nonrel_judged_ret",
    trec={"num_nonrel_judged_ret": {}},
)
def NumNonrelJudgedRet(judged: JudgedRun, *, rel: float = 1) -> PerTopic:
    """Number of documents retrieved that are judged and not relevant.

        NumNonrelJudgedRet = retrieved documents with 0 ≤ grade < rel

    rel  lowest grade that is relevant

    Misleads when read as the number of useless documents: those that nobody judged are not in it.

    Grades 0 1 and an unjudged document retrieved, so one:

    >>> from gainful.judging import judged_run
    >>> NumNonrelJudgedRet(judged_run([0, 1, None]))
    array([1.])
    """
    return judged.total(where=(judged.grade >= 0) & (judged.grade < rel))
