"""P: share of the top ranks that are relevant."""

from typing import Literal

from gainful.judging import JudgedRun, PerTopic, namespace, share
from gainful.measures._measure import measure
from gainful.measures._trec import Each


@measure(
    group="everyday",
    bounds=(0, 1),
    when="nothing relevant",
    cite="Kent et al. 1955, doi:10.1002/asi.5090060209",
    aliases=("Precision",),
    trec={"P": Each()},
)
def P(
    judged: JudgedRun,
    *,
    cutoff: int,
    rel: float = 1,
    divisor: Literal["cutoff", "retrieved"] = "cutoff",
) -> PerTopic:
    """Precision at a cutoff.

        P = relevant documents at ranks ≤ cutoff / divisor

    cutoff   last rank counted
    rel      lowest grade that is relevant
    divisor  cutoff: a shorter list is as if filled up with documents that are not relevant; retrieved: the documents there are

    Misleads when a topic has fewer relevant documents than the cutoff: then 1 is out of reach, and the mean over
    topics says as much of the topics as of the system. It does not see the order within the cutoff.
    With divisor=retrieved a list of one relevant document has 1.

    Grades 1 0 1 at ranks 1 to 3:  2/3

    >>> from gainful.judging import judged_run
    >>> (P @ 3)(judged_run([1, 0, 1])).round(4)
    array([0.6667])
    """
    top = judged.cut(cutoff)
    found = top.total(where=top.grade >= rel)
    if divisor == "retrieved":
        return share(found, namespace(found).minimum(judged.retrieved, cutoff))
    return found / cutoff
