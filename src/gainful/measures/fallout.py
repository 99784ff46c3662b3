"""Fallout: share of the documents that are not relevant that were retrieved all the same."""

from gainful.errors import MeasureError
from gainful.judging import JudgedRun, PerTopic, is_numpy, namespace, share
from gainful.measures._measure import measure


@measure(
    group="sets and filtering",
    bounds=(0, 1),
    cite="Manning, Raghavan & Schütze 2008, Introduction to Information Retrieval, section 8.3",
    aliases=("fall_out",),
    may_fall=True,
    less_is_better=True,
)
def Fallout(
    judged: JudgedRun, *, cutoff: int | None = None, rel: float = 1, documents: int | None = None
) -> PerTopic:
    """Share of the documents that are not relevant that are in the top ranks; the lower, the better.

        Fallout = documents not relevant at ranks ≤ cutoff / documents not relevant

    cutoff     last rank counted; None counts every rank
    rel        lowest grade that is relevant
    documents  how many there are, so that all without a relevant grade count; None counts those judged not relevant

    Misleads when averaged with measures that rise with quality: here 0 is best, and an empty list has it. In a large
    collection it is near 0 for every list.

    Grades 1 0 0 retrieved, three judged not relevant:  2/3

    >>> from gainful.judging import judged_run
    >>> Fallout(judged_run([1, 0, 0], judged=[1, 0, 0, 0])).round(4)
    array([0.6667])
    """
    top = judged.cut(cutoff)
    relevant = judged.count(rel)
    if documents is None:
        wrong = top.total(where=(top.grade >= 0) & (top.grade < rel))
        return share(wrong, judged.count(0) - relevant)
    retrieved = judged.retrieved if cutoff is None else namespace(relevant).minimum(judged.retrieved, cutoff)
    wrong, others = retrieved - top.total(where=top.grade >= rel), documents - relevant
    if is_numpy(namespace(relevant)) and (wrong > others).any():
        raise MeasureError(f"Fallout: documents={documents} is fewer than a topic has relevant or retrieved")
    return share(wrong, others)
