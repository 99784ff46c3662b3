"""NERR8: rate of gain for a reader whom every gain stops in proportion."""

from gainful.judging import JudgedRun, PerTopic
from gainful.measures._measure import measure
from gainful.measures._reader_models import Part, steady


@measure(
    group="user models",
    bounds=(0, 1),
    when="nothing to gain",
    cite="Azzopardi, Mackenzie & Moffat 2021, doi:10.1145/3471158.3472239, equation 8",
    may_fall=True,
)
def NERR8(
    judged: JudgedRun,
    *,
    cutoff: int,
    part: Part = "utility",
    top: float | None = None,
    bottom: float = 0,
) -> PerTopic:
    """Nearly expected reciprocal rank (C/W/L), in the form of equation 8.

        NERR8 = Σ reach · gain / Σ reach,  rank ≤ cutoff      reach = Π (1 − gain) over ranks above

        gain = (grade − bottom) / (top − bottom), none below 0 or above 1

    cutoff  last rank counted; whoever gets there stops
    part    utility, gain for each document read; total, gain in all; cost, documents read; or the residual of utility
    top     grade that is worth a whole gain, and those above it; None is the best grade in the judgments, all topics
    bottom  grade that is worth nothing, and those below it

    Misleads when grades are few: after one document of the best grade nothing counts, so that 1 is reached at once.
    A gain is taken for a probability here.

    Gains 1/2 0 1 retrieved, cutoff 3: reach is 1, 1/2, 1/2:  (1/2 + 1/2) / (1 + 1/2 + 1/2)

    >>> from gainful.judging import judged_run
    >>> (NERR8 @ 3)(judged_run([1, 0, 2]))
    array([0.5])
    """
    return steady(
        judged,
        part,
        cutoff=cutoff,
        bottom=bottom,
        top=top,
        weight=lambda rank: 1.0 + 0.0 * rank,
        stops=True,
    )
