"""Rprec_avgjg: precision at as many ranks as each judge has relevant documents, averaged over judges."""

from gainful.judging import JudgedRun, PerTopic, share
from gainful.measures._measure import measure
from gainful.measures._series import exact, needed
from gainful.measures._trec import Each


@measure(
    group="judges and preferences",
    bounds=(0, 1),
    when="nothing relevant",
    needs="judges",
    cite="trec_eval, Rprec_mult_avgjg",
    trec={"Rprec_mult_avgjg": Each("mult", (0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2), places=2)},
)
def Rprec_avgjg(judged: JudgedRun, *, mult: float = 1.0, rel: float = 1) -> PerTopic:
    """Precision at R or a multiple of it, averaged over the judges of a topic.

        Rprec_avgjg = mean over judges of relevant documents at ranks ≤ n / n,   n = ⌈mult · R⌉

        R = documents that are relevant to the judge

    mult  how many times R the ranks go
    rel   lowest grade that is relevant

    Misleads when a judge found nothing relevant: that judge counts 0.

    Ann has ranks 1 and 3 relevant, Bob rank 3:  (1/2 + 0/1) / 2

    >>> from gainful.judging import judged_by
    >>> Rprec_avgjg(judged_by("abc", {"Ann": {"a": 1, "c": 1}, "Bob": {"a": 0, "c": 1}}))
    array([0.25])
    """
    by_judge = judged.pairs(rel)
    n = needed(exact(mult), by_judge.count)
    found = by_judge.total(where=by_judge.rank <= by_judge.each(n))
    return by_judge.mean(share(found, n))
