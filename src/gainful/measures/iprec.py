"""IPrec: best precision from a level of recall on."""

from gainful.judging import JudgedRun, PerTopic
from gainful.measures._measure import measure
from gainful.measures._series import Asks, asked, exact
from gainful.measures._trec import Each

TENTHS = (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1)


@measure(
    group="recall",
    bounds=(0, 1),
    when="nothing relevant",
    cite="Manning, Raghavan & Schütze 2008, Introduction to Information Retrieval, section 8.4",
    trec={"iprec_at_recall": Each("recall", TENTHS, places=2)},
    at="recall",
)
def IPrec(judged: JudgedRun, *, recall: float, rel: float = 1, asks: Asks = "exact") -> PerTopic:
    """Interpolated precision at a level of recall.

        IPrec = max precision(rank) over ranks with relevant so far ≥ ⌈recall · R⌉,   R = relevant documents judged

    recall  share of the relevant documents that must have been found, read as the decimal that is written
    rel     lowest grade that is relevant
    asks    documents that the level asks for: exact is ⌈recall · R⌉; nine_tenths is ⌊recall · R + 0.9⌋, as in trec_eval 9; half
            is ⌊recall · R + 0.5⌋, as in trec_eval 10

    Misleads when R is small: with R = 3, the levels 0.4, 0.5 and 0.6 are the same point. A level that the list
    does not reach is worth 0, which judges the length of the list too.

    Ranks 1, 2, 5 and 8 relevant, ten in all.  Recall 0.3 is reached at rank 5:  max(3/5, 4/8)

    >>> from gainful.judging import judged_run
    >>> (IPrec @ 0.3)(judged_run([1, 1, 0, 0, 1, 0, 0, 1, 0, 0], judged=[1] * 10))
    array([0.6])
    """
    so_far = judged.running(judged.grade >= rel)
    precision = so_far / judged.rank
    R = judged.count(rel)
    return judged.most(precision, where=so_far >= judged.each(asked(exact(recall), R, asks)))
