"""StRecall: share of the subtopics that are in the top ranks."""

from gainful.judging import JudgedRun, PerTopic
from gainful.measures._measure import measure


@measure(
    group="diversity",
    bounds=(0, 1),
    when="nothing relevant",
    needs="subtopics",
    cite="Zhai, Cohen & Lafferty 2003, doi:10.1145/860435.860440",
    aliases=("strec",),
)
def StRecall(judged: JudgedRun, *, cutoff: int | None = None, rel: float = 1) -> PerTopic:
    """Subtopic recall.

        StRecall = subtopics to which a document at a rank ≤ cutoff is relevant / subtopics with any relevant document

    cutoff  last rank counted; None counts every rank
    rel     lowest grade that is relevant

    Misleads when topics differ in how many subtopics they have: five ranks can hold all of two and not half of
    twenty. One document is enough for a subtopic, wherever it stands within the cutoff.

    Rank 1 is about wine, rank 3 about beer too, cutoff 2:  1/2

    >>> from gainful.judging import judged_by
    >>> (StRecall @ 2)(judged_by("abc", {"wine": {"a": 1, "c": 1}, "beer": {"c": 1}}))
    array([0.5])
    """
    pairs = judged.pairs(rel)
    return pairs.mean(pairs.cut(cutoff).most(1.0), where=pairs.count > 0)
