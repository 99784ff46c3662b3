"""CG: gain collected going down the list."""

from gainful.judging import JudgedRun, PerTopic
from gainful.measures._gains import Gain, linear
from gainful.measures._measure import measure

INF = float("inf")


@measure(group="graded", bounds=(0, INF), cite="Järvelin & Kekäläinen 2002, doi:10.1145/582415.582418")
def CG(judged: JudgedRun, *, cutoff: int | None = None, gain: Gain = linear) -> PerTopic:
    """Cumulated gain.

        CG = Σ gain(grade),  rank ≤ cutoff

    cutoff  last rank counted; None counts every rank
    gain    worth of a grade: linear is the grade, exp is 2^grade − 1, binary 1 from grade 1 on, or a table {grade: gain}

    Misleads when topics are averaged: those with much to gain decide. The order within the cutoff does not matter.

    Grades 3 2 1 1 retrieved:  3 + 2 + 1 + 1

    >>> from gainful.judging import judged_run
    >>> CG(judged_run([3, 2, 1, 1]))
    array([7.])
    """
    top = judged.cut(cutoff)
    return top.total(gain(top.grade))
