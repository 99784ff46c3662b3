"""P: share of the top ranks that are relevant."""

from gainful.judging import JudgedRun, PerTopic
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
def P(judged: JudgedRun, *, cutoff: int, rel: float = 1) -> PerTopic:
    """Precision at a cutoff.

        P = relevant documents at ranks ≤ cutoff / cutoff

    cutoff  last rank counted; a shorter list is as if filled up with documents that are not relevant
    rel     lowest grade that is relevant

    Misleads when a topic has fewer relevant documents than the cutoff: then 1 is out of reach, and the mean over
    topics says as much of the topics as of the system. It does not see the order within the cutoff.

    Grades 1 0 1 at ranks 1 to 3:  2/3

    >>> from gainful.judging import judged_run
    >>> (P @ 3)(judged_run([1, 0, 1])).round(4)
    array([0.6667])
    """
    top = judged.cut(cutoff)
    return top.total(where=top.grade >= rel) / cutoff
