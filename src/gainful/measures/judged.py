"""Judged: share of the top ranks that anybody judged."""

from gainful.judging import JudgedRun, PerTopic, namespace, share
from gainful.measures._measure import measure


@measure(
    group="everyday",
    bounds=(0, 1),
    diagnostic=True,
    cite="after Sakai 2007, doi:10.1145/1277741.1277756, on lists without their unjudged documents",
)
def Judged(judged: JudgedRun, *, cutoff: int | None = None) -> PerTopic:
    """Share of the retrieved documents that are judged.

        Judged = documents with a grade ≥ 0 at ranks ≤ cutoff / documents retrieved at ranks ≤ cutoff

    cutoff  last rank counted; None counts every rank

    Misleads when read as quality: it says how far other measures can be trusted. A list shorter than the cutoff is
    divided by its own length, as in ir_measures; Unjudged divides by the cutoff, as trec_eval does. An empty list is
    worth 0.

    Two of three retrieved documents are judged:  2/3

    >>> from gainful.judging import judged_run
    >>> (Judged @ 10)(judged_run([1, None, 0])).round(4)
    array([0.6667])
    """
    top = judged.cut(cutoff)
    retrieved = judged.retrieved
    if cutoff is not None:
        retrieved = namespace(retrieved).minimum(retrieved, cutoff)
    return share(top.total(where=top.grade >= 0), retrieved)
