"""NCG: gain collected going down the list, as a share of the most there was to collect."""

from typing import Literal

from gainful.judging import JudgedRun, PerTopic, Ranking, part
from gainful.measures._gains import Gain, linear
from gainful.measures._measure import measure


@measure(
    group="graded",
    bounds=(0, 1),
    when="nothing to gain",
    cite="Järvelin & Kekäläinen 2002, doi:10.1145/582415.582418",
    share_of="CG",
)
def NCG(
    judged: JudgedRun,
    *,
    cutoff: int | None = None,
    gain: Gain = linear,
    ideal: Literal["judged", "retrieved"] = "judged",
) -> PerTopic:
    """Normalised cumulated gain.

        NCG = CG(run) / CG(ideal)      CG = Σ gain(grade),  rank ≤ cutoff

    cutoff  last rank counted, above and below the line; None counts every rank
    gain    worth of a grade: linear is the grade, exp is 2^grade − 1, binary 1 from grade 1 on, or a table {grade: gain}
    ideal   sorts every "judged" grade of the topic, or only the "retrieved" ones

    Misleads when the cutoff is deep: the order within it does not matter. Here every topic counts alike; the ratio
    of the mean curves of CG and ideal CG, which some texts call NCG, is another number.

    Grades 0 3 1 retrieved out of a judged 3 2 1, cutoff 2:  (0 + 3) / (3 + 2)

    >>> from gainful.judging import judged_run
    >>> (NCG @ 2)(judged_run([0, 3, 1], judged=[3, 2, 1]))
    array([0.6])
    """

    def cg(ranking: Ranking) -> PerTopic:
        top = ranking.cut(cutoff)
        return top.total(gain(top.grade))

    return part(cg(judged), cg(judged.ideal(gain, of=ideal)))
