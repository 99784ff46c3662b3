"""NumRet: how many documents were retrieved."""

from gainful.judging import JudgedRun, PerTopic
from gainful.measures._measure import measure

INF = float("inf")


@measure(
    group="counts",
    bounds=(0, INF),
    summary="sum",
    whole_numbers=True,
    cite="trec_eval, num_ret",
    trec={"num_ret": {}},
)
def NumRet(judged: JudgedRun, *, rel: float | None = None) -> PerTopic:
    """Number of documents retrieved.

        NumRet = retrieved documents;  with rel, those of grade ≥ rel

    rel  count only documents of this grade or more; None counts all, judged or not

    Misleads when runs were cut at different depths: a longer list is not a better one.

    Three documents, one of them unjudged:

    >>> from gainful.judging import judged_run
    >>> NumRet(judged_run([1, None, 0]))
    array([3.])
    """
    return judged.retrieved if rel is None else judged.total(where=judged.grade >= rel)
