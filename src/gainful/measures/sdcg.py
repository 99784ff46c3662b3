"""SDCG: discounted gain, as a share of what documents of the best grade at every rank would give."""

from gainful.judging import JudgedRun, PerTopic
from gainful.measures._gains import log
from gainful.measures._measure import measure
from gainful.measures._reader_models import Part, steady


@measure(
    group="user models",
    bounds=(0, 1),
    when="nothing to gain",
    cite="Moffat et al. 2017, doi:10.1145/3052768",
)
def SDCG(
    judged: JudgedRun,
    *,
    cutoff: int,
    part: Part = "utility",
    top: float | None = None,
    bottom: float = 0,
) -> PerTopic:
    """Scaled discounted cumulated gain (C/W/L).

        SDCG = Σ reach · gain / Σ reach,  rank ≤ cutoff      reach = 1 / log2(rank + 1)

        gain = (grade − bottom) / (top − bottom), none below 0 or above 1

    cutoff  last rank counted
    part    utility, gain for each document read; total, gain in all; cost, documents read; or the residual of utility
    top     grade that is worth a whole gain, and those above it; None is the best grade in the judgments, all topics
    bottom  grade that is worth nothing, and those below it

    Misleads when topics differ in how much there is to find: it is not divided by what the topic's ideal would give,
    so that a topic with one relevant document cannot come near 1.

    Grades 2 0 1 retrieved, top = 2, cutoff 3:  (1 + 1/2 / 2) / (1 + 1/log2 3 + 1/2)

    >>> from gainful.judging import judged_run
    >>> (SDCG @ 3)(judged_run([2, 0, 1])).round(4)
    array([0.5866])
    """
    return steady(
        judged, part, cutoff=cutoff, bottom=bottom, top=top, weight=lambda rank: 1 / log(rank), stops=False
    )
