"""Q: average precision for graded judgments."""

from gainful.judging import JudgedRun, PerTopic, namespace, share
from gainful.measures._gains import Gain, blended_ratio, linear
from gainful.measures._measure import measure


@measure(
    group="NTCIR",
    bounds=(0, 1),
    when="nothing to gain",
    cite="Sakai 2004, Ranking the NTCIR Systems Based on Multigrade Relevance",
    aliases=("Q_measure", "Qmeasure"),
    may_fall=True,
)
def Q(judged: JudgedRun, *, cutoff: int | None = None, beta: float = 1, gain: Gain = linear) -> PerTopic:
    """Q-measure: the blended ratio at each relevant document, averaged over all there are.

        Q = Σ ratio(rank) over relevant ranks ≤ cutoff / min(R, cutoff)

        ratio(rank) = (relevant so far + beta · gained so far) / (rank + beta · gained so far by the ideal list)
        relevant is what has a gain;  R = relevant documents judged

    cutoff  last rank counted; None counts every rank
    beta    how much gain matters beside precision; 0 is AP
    gain    worth of a grade: linear is the grade, exp is 2^grade − 1, binary 1 from grade 1 on, or a table {grade: gain}

    Misleads when compared between collections of different scales: the larger the gains, the more the ratio is
    normalised gain and the less precision. A document that moves up past a better one may
    lower it a little.

    Grades 1 0 2 retrieved, all there are:  ((1 + 1)/(1 + 2) + (2 + 3)/(3 + 3)) / 2

    >>> from gainful.judging import judged_run
    >>> Q(judged_run([1, 0, 2]))
    array([0.75])
    """
    top = judged.cut(cutoff)
    ratio = blended_ratio(judged, top, gain, beta)
    ideal = judged.ideal(gain)
    R = ideal.total(where=gain(ideal.grade) > 0)
    if cutoff is not None:
        R = namespace(R).minimum(R, cutoff)
    return share(top.total(ratio, where=gain(top.grade) > 0), R)
