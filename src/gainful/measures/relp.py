"""RelP: precision at a cutoff, as a share of the best it could be."""

from gainful.judging import JudgedRun, PerTopic, namespace, ratio
from gainful.measures._measure import measure
from gainful.measures._trec import Each


@measure(
    group="recall",
    bounds=(0, 1),
    when="nothing relevant",
    cite="trec_eval, relative_P",
    aliases=("R_cap",),
    trec={"relative_P": Each()},
)
def RelP(judged: JudgedRun, *, cutoff: int, rel: float = 1) -> PerTopic:
    """Relative precision at a cutoff: precision up to R ranks, recall after.

        RelP = relevant documents at ranks ≤ cutoff / min(cutoff, relevant documents judged)

    cutoff  last rank counted
    rel     lowest grade that is relevant

    Misleads when few documents are relevant: with one of them, it is Success.

    Grades 1 0 0 1 retrieved, two relevant, cutoff 3:  1 / min(3, 2)

    >>> from gainful.judging import judged_run
    >>> (RelP @ 3)(judged_run([1, 0, 0, 1]))
    array([0.5])
    """
    top = judged.cut(cutoff)
    relevant = judged.count(rel)
    return ratio(top.total(where=top.grade >= rel), namespace(relevant).minimum(relevant, cutoff))
