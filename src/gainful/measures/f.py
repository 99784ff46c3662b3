"""F: precision and recall at a cutoff, in one number."""

from gainful.judging import JudgedRun, PerTopic, ratio
from gainful.measures._measure import measure


@measure(
    group="everyday",
    bounds=(0, 1),
    when="nothing relevant",
    cite="van Rijsbergen 1979, Information Retrieval, chapter 7",
    aliases=("F1",),
)
def F(judged: JudgedRun, *, cutoff: int, beta: float = 1, rel: float = 1) -> PerTopic:
    """Weighted harmonic mean of precision and recall at a cutoff.

        F = (1 + beta²) · P · R / (beta² · P + R)  =  (1 + beta²) · found / (beta² · relevant + cutoff)

    cutoff  last rank counted
    beta    how many times as much recall matters as precision; 0 is precision alone
    rel     lowest grade that is relevant

    Misleads when topics differ much in how many documents are relevant: at a fixed cutoff the best value that a
    perfect system can have differs from topic to topic.

    Grades 1 0 retrieved, three relevant, cutoff 2:  P = 1/2, R = 1/3, so 2 · 1/6 / (5/6) = 2/5

    >>> from gainful.judging import judged_run
    >>> (F @ 2)(judged_run([1, 0], judged=[1, 1, 1, 0]))
    array([0.4])
    """
    top = judged.cut(cutoff)
    found = top.total(where=top.grade >= rel)
    return ratio((1 + beta**2) * found, beta**2 * judged.count(rel) + cutoff)
