"""IPrecAvg: interpolated precision, averaged over levels of recall."""

from fractions import Fraction

from gainful.judging import JudgedRun, PerTopic
from gainful.measures._measure import measure
from gainful.measures._series import Asks, asked, exact
from gainful.measures._trec import Levels


@measure(
    group="recall",
    bounds=(0, 1),
    when="nothing relevant",
    cite="Manning, Raghavan & Schütze 2008, Introduction to Information Retrieval, section 8.4",
    trec={"11pt_avg": Levels()},
)
def IPrecAvg(
    judged: JudgedRun,
    *,
    points: int = 11,
    levels: tuple[float, ...] | None = None,
    rel: float = 1,
    asks: Asks = "exact",
) -> PerTopic:
    """Interpolated precision averaged over evenly spaced levels of recall (eleven: 0, 0.1, … 1).

        IPrecAvg = Σ IPrec@level / number of levels

    points  how many levels, from 0 to 1
    levels  the levels themselves, in place of points
    rel     lowest grade that is relevant
    asks    documents that a level asks for, as in IPrec: exact, nine_tenths or half

    Misleads when R is small, as IPrec does; AP measures the same without choosing levels.

    Two of three relevant found, first: levels up to 0.6 (⌈0.6 · 3⌉ = 2) have precision 1, the rest 0:  7/11

    >>> from gainful.judging import judged_run
    >>> IPrecAvg(judged_run([1, 1, 0], judged=[1, 1, 1, 0])).round(4)
    array([0.6364])
    """
    so_far = judged.running(judged.grade >= rel)
    precision = so_far / judged.rank
    R = judged.count(rel)
    evenly = (Fraction(point, points - 1) for point in range(points))
    shares = list(evenly) if levels is None else [exact(level) for level in levels]
    summed = 0.0 * R
    for level in shares:
        summed = summed + judged.most(precision, where=so_far >= judged.each(asked(level, R, asks)))
    return summed / len(shares)
