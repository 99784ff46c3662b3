"""G: gain discounted by how much more an ideal list would have given so far."""

from gainful.judging import JudgedRun, PerTopic, log2, namespace, share
from gainful.measures._gains import Gain, linear
from gainful.measures._measure import measure
from gainful.measures._trec import Gains


@measure(
    group="graded",
    bounds=(0, 1),
    when="nothing to gain",
    cite="trec_eval 9.0.8, G (experimental)",
    trec={"G": Gains()},
    may_fall=True,
)
def G(judged: JudgedRun, *, gain: Gain = linear) -> PerTopic:
    """Normalised gain: between AP and nDCG.

        G = Σ gain(grade) / log2(2 + cost(rank) − gained(rank)) / Σ ideal gain

        cost(rank) = Σ max(1, ideal gain) down to the rank;  gained(rank) = Σ gain(grade) down to it

    gain  worth of a grade: linear is the grade, exp is 2^grade − 1, binary 1 from grade 1 on, or a table {grade: gain}

    Misleads when read as nDCG: it is an experiment of trec_eval. A document is discounted not by its rank but by
    what was lost before it.

    Judged 2 1, retrieved 0 2: at rank 2 the cost is 2 + 1 and 2 are gained:  2/log2(2 + 3 − 2) / 3

    >>> from gainful.judging import judged_run
    >>> G(judged_run([0, 2], judged=[2, 1, 0])).round(4)
    array([0.4206])
    """
    xp = namespace(judged.grade)
    ideal = judged.ideal(gain)
    worth, ideal_worth = gain(judged.grade), gain(ideal.grade)
    gained = judged.running(worth)
    cost = judged.rank + ideal.at(ideal.running(xp.maximum(ideal_worth - 1, 0.0)), judged)
    lost = xp.maximum(cost - gained, 0.0)  # large gains leave rounding errors where nothing was lost
    return share(judged.total(worth / log2(2 + lost)), ideal.total(ideal_worth))
