"""Coverage: share of the relevant documents that the user knew which were retrieved."""

from gainful.judging import JudgedRun, PerTopic, ratio
from gainful.measures._measure import measure


@measure(
    group="recall",
    bounds=(0, 1),
    cite="Korfhage 1997, Information Storage and Retrieval; Baeza-Yates & Ribeiro-Neto 2011, Modern Information Retrieval",
    needs="known",
)
def Coverage(judged: JudgedRun, *, cutoff: int | None = None, rel: float = 1) -> PerTopic:
    """Coverage ratio: how much of what the user expected to see is there.

        Coverage = |K ∩ R ∩ A| / |K ∩ R|

        K documents that the user knew;  R relevant documents;  A documents retrieved, rank ≤ cutoff

    cutoff  last rank counted; None counts every rank
    rel     lowest grade that is relevant

    A topic in which the user knew nothing relevant is undefined, and worth 0.

    Misleads when users know little: with one known document it is 0 or 1. It says nothing of what else was found.

    Known a and c, both relevant; a and b retrieved:  1/2

    >>> from gainful.judging.knowledge import known_by
    >>> Coverage(known_by("axb", {"a": 1, "b": 1, "c": 1}, known="ac"))
    array([0.5])
    """
    known = judged.known
    answer = known.cut(cutoff)
    return ratio(answer.total(where=answer.grade >= rel), known.count(rel))
