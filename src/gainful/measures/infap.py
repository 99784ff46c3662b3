"""infAP: average precision as estimated from a sample of judgments."""

from gainful.judging import JudgedRun, PerTopic, ratio
from gainful.measures._measure import measure

EPSILON = 0.00001


@measure(
    group="recall",
    bounds=(0, 1),
    when="nothing relevant",
    cite="Yilmaz & Aslam 2006, doi:10.1145/1183614.1183633",
    trec={"infAP": {}},
    may_fall=True,
)
def infAP(judged: JudgedRun, *, rel: float = 1) -> PerTopic:
    """Inferred average precision.

        infAP = Σ (1 / rank + pooled / rank · (r + ε) / (r + n + 2ε)) over relevant documents retrieved / R

        r relevant and n not relevant documents judged above;  pooled = r + n + those above in the pool but not judged

    rel  lowest grade that is relevant

    A negative grade is a document in the pool that was not drawn for judging; ε = 0.00001.

    Misleads when the documents judged are not a random sample of the pool: that is what the estimate rests on.
    With every document of the pool judged it is AP but for ε.

    Grades 1 −1 1 retrieved, R = 2:  (1 + 1/3 + 2/3 · (1 + ε) / (1 + 2ε)) / 2

    >>> from gainful.judging import judged_run
    >>> infAP(judged_run([1, -1, 1])).round(4)
    array([1.])
    """
    grade, rank = judged.grade, judged.rank
    relevant = grade >= rel
    r = judged.running(relevant) - 1  # at a relevant document, which is itself no part of what is above
    n = judged.running((grade >= 0) & (grade < rel))
    pooled = r + n + judged.running(grade < 0)
    expected = 1 / rank + pooled / rank * (r + EPSILON) / (r + n + 2 * EPSILON)
    return ratio(judged.total(expected, where=relevant), judged.count(rel))
