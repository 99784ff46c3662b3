"""binG: relevant documents, discounted by how many others stand before them."""

from gainful.judging import JudgedRun, PerTopic, log2, ratio
from gainful.measures._measure import measure


@measure(
    group="graded",
    bounds=(0, 1),
    when="nothing relevant",
    cite="trec_eval 9.0.8, binG (experimental)",
    trec={"binG": {}},
)
def binG(judged: JudgedRun, *, rel: float = 1) -> PerTopic:
    """Binary G.

        binG = Σ 1 / log2(2 + documents above that are not relevant) over relevant documents retrieved / R

    rel  lowest grade that is relevant

    Misleads when read as AP or nDCG: it is an experiment of trec_eval, between the two.

    Grades 1 0 1 retrieved, R = 2:  (1/log2 2 + 1/log2 3) / 2

    >>> from gainful.judging import judged_run
    >>> binG(judged_run([1, 0, 1])).round(4)
    array([0.8155])
    """
    relevant = judged.grade >= rel
    above = judged.rank - judged.running(relevant)
    worth = 1 / log2(2 + above)
    return ratio(judged.total(worth, where=relevant), judged.count(rel))
