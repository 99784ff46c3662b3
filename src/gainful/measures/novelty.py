"""Novelty: share of the relevant documents retrieved that the user did not know."""

from gainful.judging import JudgedRun, PerTopic, ratio
from gainful.measures._measure import measure


@measure(
    group="recall",
    bounds=(0, 1),
    cite="Korfhage 1997, Information Storage and Retrieval; Baeza-Yates & Ribeiro-Neto 2011, Modern Information Retrieval",
    needs="known",
    may_fall=True,
)
def Novelty(judged: JudgedRun, *, cutoff: int | None = None, rel: float = 1) -> PerTopic:
    """Novelty ratio: how much of what was found is new to the user.

        Novelty = |(R ∩ A) − K| / |R ∩ A|

        K documents that the user knew;  R relevant documents;  A documents retrieved, rank ≤ cutoff

    cutoff  last rank counted; None counts every rank
    rel     lowest grade that is relevant

    A topic in which nothing relevant was retrieved is undefined, and worth 0.

    Misleads when read alone: one relevant document, unknown to the user, is worth 1, however many others were missed.

    Known a; relevant a and b retrieved:  1/2

    >>> from gainful.judging.knowledge import known_by
    >>> Novelty(known_by("axb", {"a": 1, "b": 1, "c": 1}, known="ac"))
    array([0.5])
    """
    answer, known = judged.cut(cutoff), judged.known.cut(cutoff)
    found = answer.total(where=answer.grade >= rel)
    new = found - known.total(where=known.grade >= rel)
    return ratio(new, found)
