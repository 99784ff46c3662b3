"""RR: one over the rank of the first relevant document."""

from gainful.judging import JudgedRun, PerTopic
from gainful.measures._measure import measure


@measure(
    group="everyday",
    bounds=(0, 1),
    when="nothing relevant",
    cite="Voorhees 1999, The TREC-8 Question Answering Track Report",
    aliases=("MRR",),
    trec={"recip_rank": {}},
)
def RR(judged: JudgedRun, *, cutoff: int | None = None, rel: float = 1) -> PerTopic:
    """Reciprocal rank of the first relevant document.

        RR = 1 / rank of the first relevant document, rank ≤ cutoff;  0 if there is none

    cutoff  last rank counted; None counts every rank
    rel     lowest grade that is relevant

    Misleads when a topic has more than one relevant document: all but the first are ignored. From rank 1 to 2 it
    loses as much as from 2 to never, so that its mean hangs on few topics.

    Grades 0 0 1 1 retrieved:  1/3

    >>> from gainful.judging import judged_run
    >>> RR(judged_run([0, 0, 1, 1])).round(4)
    array([0.3333])
    """
    top = judged.cut(cutoff)
    return top.most(1 / top.rank, where=top.grade >= rel)
