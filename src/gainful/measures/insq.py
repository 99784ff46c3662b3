"""INSQ: rate of gain for a reader who wants so much and grows less likely to stop the further down."""

from gainful.judging import JudgedRun, PerTopic
from gainful.measures._measure import measure
from gainful.measures._reader_models import Part, steady


@measure(
    group="user models",
    bounds=(0, 1),
    when="nothing to gain",
    cite="Moffat, Scholer & Thomas 2012, doi:10.1145/2407085.2407092",
)
def INSQ(
    judged: JudgedRun,
    *,
    cutoff: int = 1000,
    T: float = 1,
    part: Part = "utility",
    top: float | None = None,
    bottom: float = 0,
) -> PerTopic:
    """Inverse square precision (C/W/L).

        INSQ = Σ reach · gain / Σ reach,  rank ≤ cutoff      reach = (2T / (rank + 2T − 1))²

        gain = (grade − bottom) / (top − bottom), none below 0 or above 1

    cutoff  last rank counted; nobody reads further, and cwl_eval has 1,000
    T       how much a reader wants, in documents of the best grade
    part    utility, gain for each document read; total, gain in all; cost, documents read; or the residual of utility
    top     grade that is worth a whole gain, and those above it; None is the best grade in the judgments, all topics
    bottom  grade that is worth nothing, and those below it

    Misleads when cutoffs differ: the weights die away slowly, and some lie below rank 1,000.

    Grades 1 0 1 retrieved, T = 1, cutoff 3: reach is 1, 4/9, 1/4:  (1 + 1/4) / (1 + 4/9 + 1/4)

    >>> from gainful.judging import judged_run
    >>> (INSQ @ 3)(judged_run([1, 0, 1])).round(4)
    array([0.7377])
    """
    return steady(
        judged,
        part,
        cutoff=cutoff,
        bottom=bottom,
        top=top,
        weight=lambda rank: (2 * T / (rank + 2 * T - 1)) ** 2,
        stops=False,
    )
