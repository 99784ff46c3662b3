"""Unjudged: share of the top ranks that nobody judged."""

from gainful.judging import JudgedRun, PerTopic, namespace
from gainful.measures._measure import measure
from gainful.measures._trec import Each


@measure(
    group="counts",
    bounds=(0, 1),
    diagnostic=True,
    cite="trec_eval 10, unj",
    trec={"unj": Each(usual=(5, 10, 20))},
    may_fall=True,
    less_is_better=True,
)
def Unjudged(judged: JudgedRun, *, cutoff: int) -> PerTopic:
    """Share of the ranks within a cutoff that hold a document nobody judged.

        Unjudged = documents retrieved at ranks ≤ cutoff and without a grade ≥ 0 / cutoff

    cutoff  last rank counted; a shorter list is as if filled up with judged documents

    Misleads when lists are shorter than the cutoff: their missing ranks count as judged, so that Judged and Unjudged
    do not add up to 1. It is a warning, not a measure of quality.

    One of three retrieved documents is unjudged, cutoff 4:  1/4

    >>> from gainful.judging import judged_run
    >>> (Unjudged @ 4)(judged_run([1, None, 0]))
    array([0.25])
    """
    top = judged.cut(cutoff)
    retrieved = namespace(judged.retrieved).minimum(judged.retrieved, cutoff)
    return (retrieved - top.total(where=top.grade >= 0)) / cutoff  # type: ignore[no-any-return]
