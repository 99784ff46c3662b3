"""Bpref: share of judged pairs that are in the right order."""

from gainful.judging import JudgedRun, PerTopic, namespace, ratio
from gainful.measures._measure import measure


@measure(
    group="everyday",
    bounds=(0, 1),
    when="nothing relevant",
    cite="Buckley & Voorhees 2004, doi:10.1145/1008992.1009000",
    aliases=("BPref",),
    trec={"bpref": {}, "gm_bpref": {"summary": "geometric"}},
)
def Bpref(judged: JudgedRun, *, rel: float = 1) -> PerTopic:
    """Binary preference: judged documents only, relevant before not relevant.

        Bpref = Σ (1 − min(above, R) / min(N, R)) over relevant documents retrieved / R

        above = judged and not relevant documents at smaller ranks;  R relevant and N not relevant ones are judged

    rel  lowest grade that is relevant

    Misleads when few documents are judged not relevant: with N = 0 it is recall. Unjudged documents are passed
    over, so a run that retrieves nothing but one judged document can look perfect. In the paper the divisor is R;
    min(N, R), as in trec_eval, lets a topic with N < R use its whole range.

    Grades 1 0 1 retrieved, R = 2, N = 1:  ((1 − 0/1) + (1 − 1/1)) / 2

    >>> from gainful.judging import judged_run
    >>> Bpref(judged_run([1, 0, 1]))
    array([0.5])
    """
    xp = namespace(judged.grade)
    R = judged.count(rel)
    N = judged.count(0) - R
    above = judged.running((judged.grade >= 0) & (judged.grade < rel))
    pairs = judged.each(xp.maximum(xp.minimum(N, R), 1.0))
    kept = 1 - xp.minimum(above, judged.each(R)) / pairs
    return ratio(judged.total(kept, where=judged.grade >= rel), R)
