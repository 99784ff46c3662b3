"""RBPres: how much higher RBP could be, if everything that nobody judged were of the best."""

from gainful.judging import JudgedRun, PerTopic, namespace
from gainful.measures._measure import measure
from gainful.measures._trec import Named


@measure(
    group="user models",
    bounds=(0, 1),
    cite="Moffat & Zobel 2008, doi:10.1145/1416950.1416952",
    trec={"rbp_resid": Named("p", 0.9)},
    stated=("p",),
    may_fall=True,
    less_is_better=True,
)
def RBPres(judged: JudgedRun, *, cutoff: int | None = None, p: float = 0.8) -> PerTopic:
    """Residual of rank-biased precision.

        RBPres = 1 − (1 − p) · Σ p^(rank − 1) over documents judged,  rank ≤ cutoff

    cutoff  last rank counted; None counts every rank
    p       how likely a reader is to go on to the next rank

    The rest of the weight lies on unjudged documents and beyond the end of the list.

    Misleads when read as quality: a low residual says only that RBP is known well. Nothing retrieved leaves 1.

    One judged document, then an unjudged one, p = 0.5:  1 − 0.5

    >>> from gainful.judging import judged_run
    >>> RBPres(p=0.5)(judged_run([0, None]))
    array([0.5])
    """
    read = judged.cut(cutoff)
    known = (1 - p) * read.total(p ** (read.rank - 1), where=read.grade >= 0)
    return 1 - namespace(known).minimum(known, 1.0)  # type: ignore[no-any-return]
