"""RecallEffort: relevant documents that the user expected, over documents read to find them."""

from gainful.judging import JudgedRun, PerTopic, namespace, ratio
from gainful.measures._measure import measure

INF = float("inf")


@measure(
    group="recall",
    bounds=(0, INF),
    cite="Korfhage 1997, Information Storage and Retrieval; Baeza-Yates & Ribeiro-Neto 2011, Modern Information Retrieval",
    needs="expected",
    unmet="the whole list counts as examined",
)
def RecallEffort(judged: JudgedRun, *, cutoff: int | None = None, rel: float = 1) -> PerTopic:
    """Recall effort: how little had to be read to find what the user expected.

        RecallEffort = expected / examined

        expected = relevant documents that the user expected to find
        examined = rank of the last of these;  where there are not so many, the whole list, rank ≤ cutoff

    cutoff  last rank counted; None counts every rank
    rel     lowest grade that is relevant

    A topic for which no number was expected, or 0, or with nothing retrieved, is undefined, and worth 0.

    Misleads when the expectation is not met: then the value depends on where the list ends, a short list is worth
    more than a long one, and it may exceed 1. These topics are named in a note.

    Two expected; relevant at ranks 1 and 3:  2/3

    >>> from gainful.judging.knowledge import known_by
    >>> RecallEffort(known_by("axb", {"a": 1, "b": 1, "c": 1}, expected=2)).round(4)
    array([0.6667])
    """
    answer = judged.cut(cutoff)
    xp = namespace(answer.grade)
    expected = judged.expected
    relevant = answer.grade >= rel
    last_needed = relevant & (answer.running(relevant) == answer.each(expected))
    rank = answer.total(answer.rank, where=last_needed)
    whole = judged.retrieved if cutoff is None else xp.minimum(judged.retrieved, cutoff)
    examined = xp.where(rank > 0, rank, whole)
    return ratio(0.0 * examined + expected, xp.where(expected > 0, examined, 0.0))
