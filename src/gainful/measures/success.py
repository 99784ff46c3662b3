"""Success: whether there is anything relevant in the top ranks."""

from gainful.judging import JudgedRun, PerTopic
from gainful.measures._measure import measure
from gainful.measures._trec import Each


@measure(
    group="everyday",
    bounds=(0, 1),
    when="nothing relevant",
    cite="Craswell & Hawking 2004, Overview of the TREC-2004 Web Track",
    aliases=("hit_rate",),
    trec={"success": Each(usual=(1, 5, 10))},
)
def Success(judged: JudgedRun, *, cutoff: int, rel: float = 1) -> PerTopic:
    """Whether a relevant document is within the cutoff.

        Success = 1 if a document at rank ≤ cutoff is relevant, else 0

    cutoff  last rank counted
    rel     lowest grade that is relevant

    Misleads when readers need more than one document, or care where it stands: rank 1 and rank 10 count alike.

    Grades 0 1 retrieved: nothing at rank 1, something within 2.

    >>> from gainful.judging import judged_run
    >>> (Success @ 1)(judged_run([0, 1])), (Success @ 2)(judged_run([0, 1]))
    (array([0.]), array([1.]))
    """
    top = judged.cut(cutoff)
    return top.most(1.0, where=top.grade >= rel)
