"""Compat: how much the list agrees with the best list there could be, the first ranks most."""

from gainful.judging import JudgedRun, PerTopic, namespace, share
from gainful.measures._measure import measure
from gainful.measures._series import tail


@measure(
    group="judges and preferences",
    bounds=(0, 1),
    when="nothing to gain",
    cite="Clarke, Vtyurina & Smucker 2021, doi:10.1145/3451161",
)
def Compat(judged: JudgedRun, *, p: float = 0.95, normalize: bool = True) -> PerTopic:
    """Compatibility: rank-biased overlap with the ideal list that is nearest.

        Compat = overlap(run) / overlap(ideal)      overlap = Σ p^(rank − 1) · common(rank) / rank

        common(rank) = documents that are within the rank in both the list and the ideal list
        ideal has the documents of grade > 0, best first, equal ones in the order of the run;  rank ≤ the longer of both

    p          how likely a reader is to go on to the next rank
    normalize  divide by the overlap of the ideal with itself; if not, by Σ p^(rank − 1)

    Misleads when there are few relevant documents: with one, at rank r, every rank before r counts as if something
    were missing there. Only the order of grades matters, not how far they lie apart.

    Grades 1 2 retrieved, p = 0.5; ideal is 2 1, so both agree from rank 2 on:  (0 + 0.5 · 2/2) / (1 + 0.5 · 2/2)

    >>> from gainful.judging import judged_run
    >>> Compat(p=0.5)(judged_run([1, 2])).round(4)
    array([0.3333])
    """
    xp = namespace(judged.rank)
    relevant = judged.grade > 0
    in_ideal = judged.ideal_rank()
    length = judged.pool.total(where=judged.pool.grade > 0)
    depth = xp.maximum(judged.retrieved, length)

    from_both_on = tail(
        p, xp.maximum(judged.rank, in_ideal)
    )  # a document is common from the later of its ranks on
    overlap = judged.total(from_both_on - judged.each(tail(p, depth + 1)), where=relevant)
    geometric = (1 - p**depth) / (1 - p)
    if not normalize:
        return share(overlap, geometric)
    # the ideal against itself has every rank in common down to its length, and its length after
    own = (1 - p**length) / (1 - p) + length * (tail(p, length + 1) - tail(p, depth + 1))
    return share(overlap, own)
