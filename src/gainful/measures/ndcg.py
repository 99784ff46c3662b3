"""nDCG: discounted gain collected going down the list, as a share of the most there was to collect."""

from typing import Literal

from gainful.judging import JudgedRun, PerTopic, Ranking, namespace, part
from gainful.measures._gains import Discount, Gain, linear, log
from gainful.measures._measure import measure
from gainful.measures._trec import Each, Gains


@measure(
    group="everyday",
    bounds=(0, 1),
    when="nothing to gain",
    cite="Järvelin & Kekäläinen 2002, doi:10.1145/582415.582418",
    aliases=("NDCG",),
    share_of="DCG",
    trec={"ndcg": Gains(), "ndcg_cut": Each()},
)
def nDCG(
    judged: JudgedRun,
    *,
    cutoff: int | None = None,
    gain: Gain = linear,
    discount: Discount = log,
    base: float = 2,
    ideal: Literal["judged", "retrieved", "hits", "uncut"] = "judged",
) -> PerTopic:
    """Normalised discounted cumulated gain.

        nDCG = DCG(run) / DCG(ideal)      DCG = Σ gain(grade) / discount(rank),  rank ≤ cutoff

    cutoff    last rank counted, above and below the line; None counts every rank
    gain      worth of a grade: linear is the grade, exp is 2^grade − 1, binary 1 from grade 1 on, or a table {grade: gain}
    discount  what a gain is divided by: log is log2(rank + 1); jk is max(1, log_base(rank)), as in the paper
    base      of the logarithm; under jk, ranks up to it are not discounted; cancels out under log
    ideal     sorts every "judged" grade of the topic, or only the "retrieved" ones; "hits" is judged, but no longer than the
              list that was returned; "uncut" is judged at every rank, whatever the cutoff

    Misleads when names are compared instead of formulas: linear or exponential gain, log or jk, and where the ideal
    comes from change the number by tenths. With ideal=retrieved a system is not blamed for what it did not find:
    one document of any grade above 0, alone, is worth 1; with ideal=hits so is one of the best grade.
    A topic with one relevant document is worth 1/discount(rank).

    Grades 0 3 1 retrieved out of a judged 3 2 1:  (3/log2 3 + 1/2) / (3 + 2/log2 3 + 1/2)

    >>> from gainful.judging import judged_run
    >>> nDCG(judged_run([0, 3, 1], judged=[3, 2, 1])).round(4)
    array([0.5025])
    """

    def dcg(ranking: Ranking, last: int | None = cutoff) -> PerTopic:
        top = ranking.cut(last)
        return top.total(gain(top.grade) / discount(top.rank, base))

    whole = dcg(judged.ideal(gain, of=ideal), None if ideal == "uncut" else cutoff)
    if gain.below_zero:  # even the ideal list can be worth less than nothing, and nothing is a share of it
        whole = namespace(whole).maximum(whole, 0.0)
    return part(dcg(judged), whole)
