"""RBP: rate of gain for a reader who goes on from each rank to the next with the same probability."""

from gainful.judging import JudgedRun, PerTopic, namespace
from gainful.judging.ranking import or_else
from gainful.measures._measure import measure
from gainful.measures._trec import Named


@measure(
    group="user models",
    bounds=(0, 1),
    when="nothing relevant",
    cite="Moffat & Zobel 2008, doi:10.1145/1416950.1416952",
    trec={"rbp": Named("p", 0.9)},
    stated=("p",),
)
def RBP(
    judged: JudgedRun,
    *,
    cutoff: int | None = None,
    p: float = 0.8,
    rel: float | None = None,
    top: float | None = None,
) -> PerTopic:
    """Rank-biased precision.

        RBP = (1 − p) · Σ gain · p^(rank − 1),  rank ≤ cutoff

        gain = min(grade, top) / top, none below 0;  with rel, 1 if grade ≥ rel, else 0

    cutoff  last rank counted; None counts every rank
    p       how likely a reader is to go on to the next rank
    rel     lowest grade that is relevant; None lets every grade count for its share of top
    top     grade that is worth a whole gain, and those above it; None is the best grade in the judgments, all topics

    Misleads when much is unjudged, or the list ends early: then it is only a lower bound, and RBPres says by how much
    it may be too low. Its best value depends on how many documents are relevant: with one, it is 1 − p.

    Grades 2 0 1 retrieved, p = 0.5, top = 2:  0.5 · (1 + 0.5 · 0.25)

    >>> from gainful.judging import judged_run
    >>> RBP(p=0.5)(judged_run([2, 0, 1]))
    array([0.5625])
    """
    read = judged.cut(cutoff)
    weight = (1 - p) * p ** (read.rank - 1)
    if rel is not None:
        return read.total(weight, where=read.grade >= rel)
    xp = namespace(read.grade)
    whole = or_else(judged.top if top is None else top, 1.0)
    gain = xp.minimum(xp.maximum(read.grade, 0.0), whole) / whole
    return read.total(gain * weight)
