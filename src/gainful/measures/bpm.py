"""BPM: rate of gain for a reader who stops with enough gained, or with enough read."""

from gainful.judging import JudgedRun, PerTopic, Ranking, namespace
from gainful.judging.ranking import Booleans, Floats
from gainful.measures._measure import measure
from gainful.measures._reader_models import Part, Reading, part_of, scaled


def rounding(gained: Floats) -> float:
    """What sums of gains are off by at most: a third, three times, is a whole."""
    return 1e-9 if namespace(gained).finfo(gained.dtype).bits == 64 else 1e-4


def first_rank(read: Ranking, rank: Floats, where: Booleans, otherwise: int) -> PerTopic:
    """The smallest of these ranks in each topic where it holds; if there is none, the other one."""
    xp = namespace(rank)
    return xp.round(1 / xp.maximum(read.most(1 / rank, where=where), 1 / otherwise))  # type: ignore[no-any-return]


@measure(
    group="user models",
    bounds=(0, 1),
    when="nothing to gain",
    cite="Zhang et al. 2017, doi:10.1145/3077136.3080841",
    may_fall=True,
)
def BPM(
    judged: JudgedRun,
    *,
    cutoff: int,
    T: float = 1,
    part: Part = "utility",
    top: float | None = None,
    bottom: float = 0,
) -> PerTopic:
    """Bejeweled player model (C/W/L), with fixed limits.

        BPM = gained down to n / n,   n = first rank with T or more gained so far, or the cutoff

        gain = (grade − bottom) / (top − bottom), none below 0 or above 1

    cutoff  last rank counted; whoever gets there stops
    T       how much a reader wants, in documents of the best grade
    part    utility, gain for each document read; total, gain in all; cost, documents read; or the residual of utility
    top     grade that is worth a whole gain, and those above it; None is the best grade in the judgments, all topics
    bottom  grade that is worth nothing, and those below it

    Misleads when T is small: with T = 1 and grades 0 and 1 it is reciprocal rank, and no reader goes past the first
    relevant document.

    Grades 1 0 1 1 retrieved, T = 2, cutoff 10, so n = 3:  2/3

    >>> from gainful.judging import judged_run
    >>> (BPM(T=2) @ 10)(judged_run([1, 0, 1, 1])).round(4)
    array([0.6667])
    """
    read = judged.cut(cutoff)
    gain = scaled(judged, read.grade, bottom, top)
    gained = read.running(gain)
    enough_gained = T - rounding(gained)
    n = first_rank(read, read.rank, gained >= enough_gained, cutoff)
    known = Reading(read.total(gain, where=read.rank <= read.each(n)), n)

    def best() -> Reading:
        """With a whole gain at every rank that nobody judged."""
        judgment = read.only(read.grade >= 0)
        xp = namespace(judgment.rank)
        lost = 1 - scaled(judged, judgment.grade, bottom, top)
        enough = xp.maximum(judgment.rank, xp.ceil(T + judgment.running(lost) - rounding(lost)))
        before_any = xp.ceil(enough_gained + 0.0 * n)
        first = first_rank(judgment, judgment.rank, judgment.rank > 0, cutoff + 1)
        later = first_rank(judgment, enough, enough < judgment.following(cutoff + 1), cutoff)
        stop = xp.where(before_any < first, xp.minimum(before_any, cutoff), later)
        return Reading(stop - judgment.total(lost, where=judgment.rank <= judgment.each(stop)), stop)

    return part_of(part, known, best)
