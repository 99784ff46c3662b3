"""RelRecall: relevant documents found, as a share of those that the user expected."""

from gainful.judging import JudgedRun, PerTopic, ratio
from gainful.measures._measure import measure

INF = float("inf")


@measure(
    group="recall",
    bounds=(0, INF),
    cite="Korfhage 1997, Information Storage and Retrieval; Baeza-Yates & Ribeiro-Neto 2011, Modern Information Retrieval",
    needs="expected",
)
def RelRecall(judged: JudgedRun, *, cutoff: int | None = None, rel: float = 1) -> PerTopic:
    """Relative recall: how much of what the user expected was found; more than 1 if more was.

        RelRecall = relevant documents at ranks ≤ cutoff / relevant documents that the user expected to find

    cutoff  last rank counted; None counts every rank
    rel     lowest grade that is relevant

    A topic for which no number was expected, or 0, is undefined, and worth 0.

    Misleads when expectations are guesses: they are the divisor. It is no share, and its mean hangs on topics with
    modest users.

    Two relevant documents found, three expected:  2/3

    >>> from gainful.judging.knowledge import known_by
    >>> RelRecall(known_by("axb", {"a": 1, "b": 1, "c": 1}, expected=3)).round(4)
    array([0.6667])
    """
    answer = judged.cut(cutoff)
    return ratio(answer.total(where=answer.grade >= rel), judged.expected)
