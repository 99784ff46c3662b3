"""R: share of the relevant documents that are in the top ranks."""

from typing import Literal

from gainful.judging import JudgedRun, PerTopic, namespace, ratio
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
def R(
    judged: JudgedRun,
    *,
    cutoff: int,
    rel: float = 1,
    divisor: Literal["relevant", "min"] = "relevant",
) -> PerTopic:
    """Recall at a cutoff.

        R = relevant documents at ranks ≤ cutoff / divisor

    cutoff   last rank counted
    rel      lowest grade that is relevant
    divisor  relevant: all that are judged so; min: of these, no more than the cutoff

    Misleads when a topic has more relevant documents than the cutoff (1 is out of reach), and when the judgments
    are incomplete: recall is of what was judged, not of what exists.

    Grades 1 0 1 retrieved out of four relevant:  2/4

    >>> from gainful.judging import judged_run
    >>> (R @ 3)(judged_run([1, 0, 1], judged=[1, 1, 1, 1]))
    array([0.5])
    """
    top = judged.cut(cutoff)
    out_of = judged.count(rel)
    if divisor == "min":
        out_of = namespace(out_of).minimum(out_of, cutoff)
    return ratio(top.total(where=top.grade >= rel), out_of)
