"""Hole: share of the top ranks that nobody judged for any topic."""

from gainful.judging import JudgedRun, PerTopic, namespace
from gainful.measures._measure import measure


@measure(
    group="counts",
    bounds=(0, 1),
    diagnostic=True,
    needs="anywhere",
    cite="BEIR, Hole@k (Thakur et al. 2021)",
    may_fall=True,
    less_is_better=True,
)
def Hole(judged: JudgedRun, *, cutoff: int) -> PerTopic:
    """Share of the ranks within a cutoff that hold a document without a judgment for this topic or another.

        Hole = documents retrieved at ranks ≤ cutoff and judged for no topic / cutoff

    cutoff  last rank counted; a shorter list is as if filled up with judged documents

    Misleads when read as how much of the list is judged: a document that was judged for another topic is no hole,
    though nobody knows what it is worth here; Unjudged asks for this topic. Equal scores are ordered by id here, even
    where settings take the best or the worst order.

    Of a b c retrieved for q1, a is judged for it and b for q2, cutoff 3:  1/3

    >>> from gainful import evaluate
    >>> evaluate({"q1": {"a": 1}, "q2": {"b": 0}}, {"q1": {"a": 3, "b": 2, "c": 1}, "q2": {}}, "Hole@3").per_topic["q1"]
    {'Hole@3': 0.3333333333333333}
    """
    assert judged.anywhere is not None
    retrieved = namespace(judged.retrieved).minimum(judged.retrieved, cutoff)
    return (retrieved - judged.anywhere.cut(cutoff).total()) / cutoff  # type: ignore[no-any-return]
