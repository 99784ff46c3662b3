"""AP_avgjg: average precision by each judge, averaged over judges."""

from gainful.judging import JudgedRun, PerTopic, share
from gainful.measures._measure import measure


@measure(
    group="judges and preferences",
    bounds=(0, 1),
    when="nothing relevant",
    needs="judges",
    cite="trec_eval, map_avgjg",
    trec={"map_avgjg": {}},
)
def AP_avgjg(judged: JudgedRun, *, cutoff: int | None = None, rel: float = 1) -> PerTopic:
    """Average precision, averaged over the judges of a topic.

        AP_avgjg = mean over judges of AP by the judge's own grades

    cutoff  last rank counted; None counts every rank
    rel     lowest grade that is relevant

    Misleads when a judge found nothing relevant: that judge counts 0, as in trec_eval.

    Ann has ranks 1 and 3 relevant, Bob rank 3:  ((1/1 + 2/3)/2 + 1/3) / 2

    >>> from gainful.judging import judged_by
    >>> AP_avgjg(judged_by("abc", {"Ann": {"a": 1, "c": 1}, "Bob": {"a": 0, "c": 1}})).round(4)
    array([0.5833])
    """
    by_judge = judged.pairs(rel)
    top = by_judge.cut(cutoff)
    precision = top.running(top.rank > 0) / top.rank
    return by_judge.mean(share(top.total(precision), by_judge.count))
