"""Pplus: the blended ratio, averaged over the relevant documents down to the best one retrieved."""

from gainful.judging import JudgedRun, PerTopic, share
from gainful.measures._gains import Gain, blended_ratio, linear
from gainful.measures._measure import measure


@measure(
    group="NTCIR",
    bounds=(0, 1),
    when="nothing to gain",
    cite="Sakai 2006, Give Me Just One Highly Relevant Document: P-measure",
    aliases=("P_plus",),
    may_fall=True,
)
def Pplus(judged: JudgedRun, *, beta: float = 1, gain: Gain = linear) -> PerTopic:
    """P-plus, for readers who look for one highly relevant document.

        Pplus = mean of ratio(rank) over relevant ranks ≤ p,   p = first rank with the best gain in the list

        ratio(rank) = (relevant so far + beta · gained so far) / (rank + beta · gained so far by the ideal list)

    beta  how much gain matters beside precision
    gain  worth of a grade: linear is the grade, exp is 2^grade − 1, binary 1 from grade 1 on, or a table {grade: gain}

    Misleads when lists differ in length: the best document far down moves p far down, so that a list without it may
    have more.

    Grades 1 0 2 1 retrieved, all there are; p = 3:  ((1 + 1)/(1 + 2) + (2 + 3)/(3 + 4)) / 2

    >>> from gainful.judging import judged_run
    >>> Pplus(judged_run([1, 0, 2, 1])).round(4)
    array([0.6905])
    """
    worth = gain(judged.grade)
    best = (worth > 0) & (worth == judged.each(judged.most(worth)))
    best_so_far = judged.running(best)
    to_the_best = (worth > 0) & ((best_so_far == 0) | best & (best_so_far == 1))
    ratio = blended_ratio(judged, judged, gain, beta)
    return share(judged.total(ratio, where=to_the_best), judged.total(where=to_the_best))
