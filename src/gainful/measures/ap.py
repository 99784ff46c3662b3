"""AP: precision at each relevant document, averaged over all there are."""

from typing import Literal

from gainful.judging import JudgedRun, PerTopic, namespace, share
from gainful.measures._measure import measure
from gainful.measures._trec import Each


@measure(
    group="everyday",
    bounds=(0, 1),
    when="nothing relevant",
    cite="Harman 1992, doi:10.1016/0306-4573(92)90001-G",
    aliases=("MAP",),
    trec={"map": {}, "gm_map": {"summary": "geometric"}, "map_cut": Each()},
)
def AP(
    judged: JudgedRun,
    *,
    cutoff: int | None = None,
    rel: float = 1,
    divisor: Literal["relevant", "min", "retrieved"] = "relevant",
) -> PerTopic:
    """Average precision.

        AP = Σ precision(rank) over relevant ranks ≤ cutoff / divisor,   precision(rank) = relevant so far / rank

    cutoff   last rank counted; None counts every rank
    rel      lowest grade that is relevant
    divisor  relevant: all that are judged so; min: of these, no more than the cutoff; retrieved: those found

    Misleads when judgments are incomplete (a relevant document that nobody judged lowers the precision of all below
    it), and, with divisor=retrieved, always: a system that finds one document, first, has 1.
    With a cutoff and divisor=relevant, topics with more relevant documents than ranks cannot reach 1.

    Ranks 1, 2, 5 and 8 relevant, ten relevant in all:  (1/1 + 2/2 + 3/5 + 4/8) / 10

    >>> from gainful.judging import judged_run
    >>> AP(judged_run([1, 1, 0, 0, 1, 0, 0, 1, 0, 0], judged=[1] * 10))
    array([0.31])
    """
    top = judged.cut(cutoff)
    relevant = top.grade >= rel
    precision = top.running(relevant) / top.rank
    summed = top.total(precision, where=relevant)
    out_of = judged.count(rel)
    if divisor == "retrieved":
        out_of = top.total(where=relevant)
    elif divisor == "min" and cutoff is not None:
        out_of = namespace(out_of).minimum(out_of, cutoff)
    return share(summed, out_of)
