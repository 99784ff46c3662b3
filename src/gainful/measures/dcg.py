"""DCG: gain collected going down the list, worth less the further down."""

from gainful.judging import JudgedRun, PerTopic
from gainful.measures._gains import Discount, Gain, linear, log
from gainful.measures._measure import measure
from gainful.measures._trec import Gains

INF = float("inf")


@measure(
    group="graded",
    bounds=(0, INF),
    cite="Järvelin & Kekäläinen 2002, doi:10.1145/582415.582418",
    trec={"dcg": Gains()},
)
def DCG(
    judged: JudgedRun,
    *,
    cutoff: int | None = None,
    gain: Gain = linear,
    discount: Discount = log,
    base: float = 2,
) -> PerTopic:
    """Discounted cumulated gain.

        DCG = Σ gain(grade) / discount(rank),  rank ≤ cutoff

    cutoff    last rank counted; None counts every rank
    gain      worth of a grade: linear is the grade, exp is 2^grade − 1, binary 1 from grade 1 on, or a table {grade: gain}
    discount  what a gain is divided by: log is log_base(rank + 1); jk is max(1, log_base(rank)), as in the paper
    base      of the logarithm; under jk, ranks up to it are not discounted

    Misleads when topics are averaged: those with much to gain decide; nDCG weighs them alike.

    Two documents of grade 2, discount jk:  2 + 2/log2 2

    >>> from gainful.judging import judged_run
    >>> DCG(discount="jk")(judged_run([2, 2]))
    array([4.])
    """
    top = judged.cut(cutoff)
    return top.total(gain(top.grade) / discount(top.rank, base))
