"""NCU: what the list is worth to readers who stop at one relevant document or another."""

from typing import Literal

from gainful.judging import JudgedRun, PerTopic, share
from gainful.measures._gains import Gain, blended_ratio, linear
from gainful.measures._measure import measure


@measure(
    group="NTCIR",
    bounds=(0, 1),
    when="nothing to gain",
    cite="Sakai & Robertson 2008, Modelling A User Population for Designing Information Retrieval Metrics",
    may_fall=True,
)
def NCU(
    judged: JudgedRun,
    *,
    readers: Literal["graded", "biased", "uniform"] = "graded",
    beta: float = 1,
    gain: Gain = linear,
    weight: Gain | None = None,
    gamma: float = 0.95,
) -> PerTopic:
    """Normalised cumulative utility.

        NCU = Σ stop(rank) · ratio(rank) over relevant ranks

        ratio(rank) = (relevant so far + beta · gained so far) / (rank + beta · gained so far by the ideal list)
        stop is w(grade) / Σ w(judged grades), graded;  γ^(relevant above) / Σ γ^n, n < R, biased;  1 / R, uniform

    readers  graded stop more often at better documents, biased at the first relevant ones, uniform at all alike
    beta     how much gain matters beside precision; 0 is precision
    gain     worth of a grade: linear is the grade, exp is 2^grade − 1, binary 1 from grade 1 on, or a table {grade: gain}
    weight   w of a grade, for graded readers, in the form of a gain; None is the gain
    gamma    γ of biased readers: how many of those who could stop at a relevant document go on to the next

    With uniform readers it is the Q-measure.

    Misleads when few relevant documents are retrieved: readers who would stop at the others get nothing.

    Grades 1 0 2 retrieved, all there are:  1/3 · (1 + 1)/(1 + 2) + 2/3 · (2 + 3)/(3 + 3)

    >>> from gainful.judging import judged_run
    >>> NCU(judged_run([1, 0, 2])).round(4)
    array([0.7778])
    """
    ideal = judged.ideal(gain)
    relevant, R = gain(judged.grade) > 0, ideal.total(where=gain(ideal.grade) > 0)
    if readers == "graded":
        likely = weight or gain
        stop = likely(judged.grade)
        everybody = ideal.total(likely(ideal.grade), where=gain(ideal.grade) > 0)
    elif readers == "biased":
        stop = gamma ** (judged.running(relevant) - 1)
        everybody = R if gamma == 1 else (1 - gamma**R) / (1 - gamma)
    else:
        stop, everybody = 1.0 + 0.0 * judged.rank, R
    ratio = blended_ratio(judged, judged, gain, beta)
    return share(judged.total(stop * ratio, where=relevant), everybody)
