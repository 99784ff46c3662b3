"""Accuracy: how likely a relevant document retrieved stands before one that is not relevant."""

from gainful.judging import JudgedRun, PerTopic, namespace, share
from gainful.measures._measure import measure


@measure(group="recall", bounds=(0, 1), when="nothing relevant", cite="ir_measures, Accuracy", may_fall=True)
def Accuracy(judged: JudgedRun, *, cutoff: int | None = None, rel: float = 1) -> PerTopic:
    """Share of the pairs of a relevant and another document retrieved that are in the right order.

        Accuracy = 1 − Σ above / (R · N);  0 if no relevant document is retrieved

        above = documents before a relevant one that are not relevant;  R relevant and N other documents at ranks ≤ cutoff

    cutoff  last rank counted; None counts every rank
    rel     lowest grade that is relevant

    Misleads when relevant documents are missing from the list: it looks only at what was retrieved, as a check of
    the order. Documents that nobody judged are not relevant here. What BEIR and MTEB call accuracy is Success.

    Grades 1 0 1 0 retrieved:  1 − (0 + 1) / (2 · 2)

    >>> from gainful.judging import judged_run
    >>> Accuracy(judged_run([1, 0, 1, 0]))
    array([0.75])
    """
    top = judged.cut(cutoff)
    xp = namespace(judged.retrieved)
    relevant = top.grade >= rel
    R = top.total(where=relevant)
    N = (judged.retrieved if cutoff is None else xp.minimum(judged.retrieved, cutoff)) - R
    above = top.rank - top.running(relevant)
    return xp.where(R > 0, 1 - share(top.total(above, where=relevant), R * N), 0.0)  # type: ignore[no-any-return]
