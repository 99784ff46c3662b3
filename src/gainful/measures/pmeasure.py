"""Pmeasure: the blended ratio at the best document retrieved."""

from gainful.judging import JudgedRun, PerTopic
from gainful.measures._gains import Gain, blended_ratio, linear
from gainful.measures._measure import measure


@measure(
    group="NTCIR",
    bounds=(0, 1),
    when="nothing to gain",
    cite="Sakai 2006, Give Me Just One Highly Relevant Document: P-measure",
    aliases=("P_measure",),
    may_fall=True,
)
def Pmeasure(judged: JudgedRun, *, beta: float = 1, gain: Gain = linear) -> PerTopic:
    """P-measure, for readers who read down to the best document and no further.

        Pmeasure = ratio(p),   p = first rank with the best gain in the list

        ratio(rank) = (relevant so far + beta · gained so far) / (rank + beta · gained so far by the ideal list)

    beta  how much gain matters beside precision
    gain  worth of a grade: linear is the grade, exp is 2^grade − 1, binary 1 from grade 1 on, or a table {grade: gain}

    Misleads when a list has its best document far down: readers are taken to know that it is there.

    Grades 1 0 2 retrieved, all there are; p = 3:  (2 + 3) / (3 + 3)

    >>> from gainful.judging import judged_run
    >>> Pmeasure(judged_run([1, 0, 2])).round(4)
    array([0.8333])
    """
    worth = gain(judged.grade)
    best = (worth > 0) & (worth == judged.each(judged.most(worth)))
    first = best & (judged.running(best) == 1)
    return judged.total(blended_ratio(judged, judged, gain, beta), where=first)
