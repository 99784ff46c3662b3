"""statAP: average precision, estimated from documents that were drawn independently with known probabilities."""

from gainful.judging import JudgedRun, PerTopic, ratio
from gainful.measures._measure import measure

INF = float("inf")


@measure(
    group="recall",
    bounds=(0, INF),
    when="nothing relevant",
    cite="Pavlu & Aslam 2007, A practical sampling strategy for efficient retrieval evaluation",
    needs="probabilities",
    may_fall=True,
)
def statAP(judged: JudgedRun, *, rel: float = 1) -> PerTopic:
    """Average precision from a sample with inclusion probabilities.

        statAP = Σ 1/π · (1 + Σ 1/π of relevant documents above) / rank over relevant documents retrieved / R,   R = Σ 1/π

    rel  lowest grade that is relevant

    π is the probability with which a document was drawn for judging. With every π = 1 it is AP.

    Misleads when few relevant documents were drawn: it is a ratio, which is too low on average, and can be above 1. AP under a
    design corrects that to first order, and knows that pairs from one stratum are rarer than independent draws make them.

    Ranks 1 and 3 relevant, drawn with probability 1/2 each:  (2 · 1/1 + 2 · (1 + 2)/3) / 4

    >>> from gainful.judging.sampling import sampled_run
    >>> statAP(sampled_run("abc", {"a": (1, 0.5), "c": (1, 0.5)}))
    array([1.])
    """
    sample = judged.require_sample()
    stands_for, _ = sample.at_hits(judged)
    relevant = judged.grade >= rel
    weight = stands_for * relevant
    above = judged.running(weight) - weight
    R = sample.totals((sample.pool.grade >= rel).astype(float))
    return ratio(judged.total(weight * (1 + above) / judged.rank), R)
