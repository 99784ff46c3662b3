"""O: reciprocal rank for graded judgments."""

from gainful.judging import JudgedRun, PerTopic
from gainful.measures._gains import Gain, linear
from gainful.measures._measure import measure


@measure(
    group="NTCIR",
    bounds=(0, 1),
    when="nothing to gain",
    cite="Sakai 2006, On the Task of Finding One Highly Relevant Document with High Precision",
    aliases=("O_measure",),
    may_fall=True,
)
def O(judged: JudgedRun, *, beta: float = 1, gain: Gain = linear) -> PerTopic:  # noqa: E743 (its name)
    """O-measure: the blended ratio at the first relevant document.

        O = (1 + beta · gain(grade)) / (rank + beta · gained so far by the ideal list),  at the first relevant rank

    beta  how much gain matters beside the rank; 0 is reciprocal rank
    gain  worth of a grade: linear is the grade, exp is 2^grade − 1, binary 1 from grade 1 on, or a table {grade: gain}

    Misleads when a topic has more than one relevant document: all but the first are ignored, even better ones.

    Grades 0 1 2 retrieved, all there are:  (1 + 1) / (2 + 3)

    >>> from gainful.judging import judged_run
    >>> O(judged_run([0, 1, 2]))
    array([0.4])
    """
    worth, ideal = gain(judged.grade), judged.ideal(gain)
    most = ideal.at(ideal.running(gain(ideal.grade)), judged)
    first = (worth > 0) & (judged.running(worth > 0) == 1)
    return judged.total((1 + beta * worth) / (judged.rank + beta * most), where=first)
