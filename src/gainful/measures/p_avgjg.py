"""P_avgjg: share of the top ranks that each judge calls relevant, averaged over judges."""

from gainful.judging import JudgedRun, PerTopic
from gainful.measures._measure import measure
from gainful.measures._trec import Each


@measure(
    group="judges and preferences",
    bounds=(0, 1),
    when="nothing relevant",
    needs="judges",
    cite="trec_eval, P_avgjg",
    trec={"P_avgjg": Each()},
)
def P_avgjg(judged: JudgedRun, *, cutoff: int, rel: float = 1) -> PerTopic:
    """Precision at a cutoff, averaged over the judges of a topic.

        P_avgjg = mean over judges of documents relevant to the judge at ranks ≤ cutoff / cutoff

    cutoff  last rank counted; a shorter list is as if filled up with documents that are not relevant
    rel     lowest grade that is relevant

    Misleads when judges saw different documents: what one did not judge is not relevant for that one.

    Ann has ranks 1 and 3 relevant, Bob rank 3, cutoff 2:  (1/2 + 0) / 2

    >>> from gainful.judging import judged_by
    >>> (P_avgjg @ 2)(judged_by("abc", {"Ann": {"a": 1, "c": 1}, "Bob": {"a": 0, "c": 1}}))
    array([0.25])
    """
    by_judge = judged.pairs(rel)
    return by_judge.mean(by_judge.cut(cutoff).total() / cutoff)
