"""Rprec: precision at as many ranks as there are relevant documents."""

from gainful.judging import JudgedRun, PerTopic, ratio
from gainful.measures._measure import measure
from gainful.measures._series import exact, needed
from gainful.measures._trec import Each


@measure(
    group="everyday",
    bounds=(0, 1),
    when="nothing relevant",
    cite="Buckley & Voorhees 2000, doi:10.1145/345508.345543",
    aliases=("RPrec",),
    trec={"Rprec": {}, "Rprec_mult": Each("mult", (0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2), places=2)},
)
def Rprec(judged: JudgedRun, *, mult: float = 1.0, rel: float = 1) -> PerTopic:
    """Precision at R, the number of relevant documents, or at a multiple of it.

        Rprec = relevant documents at ranks ≤ n / n,   n = ⌈mult · R⌉,   R = relevant documents judged

    mult  how many times R the ranks go
    rel   lowest grade that is relevant

    Misleads when R is small: with one relevant document it asks only whether that one is first.

    Grades 1 0 1 retrieved, R = 2:  1/2;  at twice R:  2/4

    >>> from gainful.judging import judged_run
    >>> Rprec(judged_run([1, 0, 1])), Rprec(mult=2)(judged_run([1, 0, 1]))
    (array([0.5]), array([0.5]))
    """
    R = judged.count(rel)
    n = needed(exact(mult), R)
    top = judged.cut(n)
    return ratio(top.total(where=top.grade >= rel), n)
