"""R: share of the relevant documents that are in the top ranks."""

from gainful.judging import JudgedRun, PerTopic, ratio
from gainful.measures._measure import measure
from gainful.measures._trec import Each


@measure(
    group="everyday",
    bounds=(0, 1),
    when="nothing relevant",
    cite="Kent et al. 1955, doi:10.1002/asi.5090060209",
    aliases=("Recall",),
    trec={"recall": Each()},
)
def R(judged: JudgedRun, *, cutoff: int, rel: float = 1) -> PerTopic:
    """Recall at a cutoff.

        R = relevant documents at ranks ≤ cutoff / relevant documents judged

    cutoff  last rank counted
    rel     lowest grade that is relevant

    Misleads when a topic has more relevant documents than the cutoff (1 is out of reach), and when the judgments
    are incomplete: recall is of what was judged, not of what exists.

    Grades 1 0 1 retrieved out of four relevant:  2/4

    >>> from gainful.judging import judged_run
    >>> (R @ 3)(judged_run([1, 0, 1], judged=[1, 1, 1, 1]))
    array([0.5])
    """
    top = judged.cut(cutoff)
    return ratio(top.total(where=top.grade >= rel), judged.count(rel))
