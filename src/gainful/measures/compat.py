"""Compat: how much the list agrees with the best list there could be, the first ranks most."""

from gainful.judging import JudgedRun, PerTopic, namespace, share
from gainful.measures._measure import measure
from gainful.measures._series import ranks


@measure(bounds=(0, 1), when="nothing to gain", cite="Clarke, Vtyurina & Smucker 2021, doi:10.1145/3451161")
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
    every = ranks(max(int(depth.max(initial=1)), 1))
    weight = xp.concatenate((xp.zeros(1), xp.cumsum(p ** (every - 1) / every)))  # Σ p^(rank − 1) / rank, down to a rank

    both = xp.maximum(judged.rank, in_ideal).astype(int)
    below = judged.each(weight[depth.astype(int)]) - weight[both - 1]
    overlap = judged.total(below, where=relevant)
    if not normalize:
        return share(overlap, (1 - p**depth) / (1 - p))
    # the ideal against itself has min(rank, length) documents in common: p^(rank − 1) each, down to its length
    own = (1 - p**length) / (1 - p) + length * (weight[depth.astype(int)] - weight[length.astype(int)])
    return share(overlap, own)
