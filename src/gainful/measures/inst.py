"""INST: rate of gain for a reader who wants so much, and is the likelier to stop the more was gained."""

from gainful.errors import MeasureError
from gainful.judging import JudgedRun, PerTopic
from gainful.measures._measure import measure
from gainful.measures._reader_models import Part, Reading, part_of, scaled
from gainful.measures._series import trigamma
from gainful.measures.bpm import first_rank


@measure(
    group="user models",
    bounds=(0, 1),
    when="nothing to gain",
    cite="Moffat et al. 2015, doi:10.1145/2838931.2838938",
    may_fall=True,
)
def INST(
    judged: JudgedRun,
    *,
    cutoff: int = 1000,
    T: float = 1,
    part: Part = "utility",
    top: float | None = None,
    bottom: float = 0,
) -> PerTopic:
    """Inverse square precision that adapts to what was gained (C/W/L).

        INST = Σ reach · gain / Σ reach,  rank ≤ cutoff      reach = Π (x / (x + 1))² over ranks above

        x = rank − 1 + 2T − gained so far;  gain = (grade − bottom) / (top − bottom), none below 0 or above 1

    cutoff  last rank counted; nobody reads further, and cwl_eval has 1,000
    T       how much a reader wants, in documents of the best grade; one half at least
    part    utility, gain for each document read; total, gain in all; cost, documents read; or the residual of utility
    top     grade that is worth a whole gain, and those above it; None is the best grade in the judgments, all topics
    bottom  grade that is worth nothing, and those below it

    Misleads when T is not what readers want: with T = 1, one document of the best grade, first, is worth 0.61 already.

    Grades 1 0 1 retrieved, T = 1, cutoff 3: x is 1, 2, 2, reach is 1, 1/4, 1/4 · 4/9:  (1 + 1/9) / (1 + 1/4 + 1/9)

    >>> from gainful.judging import judged_run
    >>> (INST @ 3)(judged_run([1, 0, 1])).round(4)
    array([0.8163])
    """
    if T < 0.5:
        raise MeasureError(f"INST: T must be a number, 0.5 or more; got {T:g}")
    read = judged.cut(cutoff)

    def known() -> Reading:
        """Between documents with a gain nothing changes but that x grows by 1."""
        found = read.only(scaled(judged, read.grade, bottom, top) > 0)
        gain = scaled(judged, found.grade, bottom, top)
        first = first_rank(found, found.rank, found.rank > 0, cutoff + 1)
        gap = found.following(cutoff + 1) - found.rank
        x = found.rank - 1 + 2 * T - found.running(gain)
        above_first = (2 * T) ** 2 * (trigamma(2 * T + 0 * first) - trigamma(2 * T + first - 1))
        reach = found.each((2 * T / (2 * T + first - 1)) ** 2) * found.surviving(1 - (x / (x + gap)) ** 2)
        to_the_next = 1 + x**2 * (trigamma(x + 1) - trigamma(x + gap))
        return Reading(found.total(reach * gain), above_first + found.total(reach * to_the_next))

    def best() -> Reading:
        """With a whole gain at every rank that nobody judged; there x stays as it is."""
        judgment = read.only(read.grade >= 0)
        gain = scaled(judged, judgment.grade, bottom, top)
        first = first_rank(judgment, judgment.rank, judgment.rank > 0, cutoff + 1)
        gap = judgment.following(cutoff + 1) - judgment.rank
        start, x = 2 * T - 1 + 0 * first, 2 * T - 1 + judgment.running(1 - gain)
        on_from_start, on = (start / (start + 1)) ** 2, (x / (x + 1)) ** 2
        get_to_first, get_to_next = on_from_start ** (first - 1), on**gap
        above_first = (1 - get_to_first) / (1 - on_from_start)
        reach = judgment.each(get_to_first) * judgment.surviving(1 - get_to_next)
        to_the_next = (1 - get_to_next) / (1 - on)
        gained = above_first + judgment.total(reach * (gain + to_the_next - 1))
        return Reading(gained, above_first + judgment.total(reach * to_the_next))

    return part_of(part, known(), best)
