"""Utility: what the set retrieved is worth, when each kind of document has its price."""

from gainful.errors import MeasureError
from gainful.judging import JudgedRun, PerTopic, is_numpy, namespace
from gainful.measures._measure import measure
from gainful.measures._trec import Several


@measure(
    group="sets and filtering",
    cite="Lewis 1995, The TREC-4 Filtering Track",
    trec={"utility": Several("found", "noise", "missed", "avoided")},
)
def Utility(
    judged: JudgedRun,
    *,
    found: float = 1,
    noise: float = -1,
    missed: float = 0,
    avoided: float = 0,
    documents: int | None = None,
    rel: float = 1,
) -> PerTopic:
    """Linear utility of the whole set retrieved.

        Utility = found · a + noise · b + missed · c + avoided · d

        a relevant and b other documents retrieved;  c relevant and d other documents not retrieved

    found      what a relevant document retrieved is worth
    noise      what any other document retrieved is worth, judged or not; mostly below zero
    missed     what a relevant document not retrieved is worth; mostly zero or below
    avoided    what any other document not retrieved is worth
    documents  how many documents there are; needed if avoided is not 0, since d counts those that nobody judged too
    rel        lowest grade that is relevant

    Misleads when averaged: it has no bounds, so one topic with a long list can outweigh all others.

    Grades 1 0 0 retrieved, two relevant in all:  1 · 1 − 1 · 2

    >>> from gainful.judging import judged_run
    >>> Utility(judged_run([1, 0, 0], judged=[1, 1, 0, 0]))
    array([-1.])
    """
    a = judged.total(where=judged.grade >= rel)
    b = judged.retrieved - a
    c = judged.count(rel) - a
    worth = found * a + noise * b + missed * c
    if avoided == 0:
        return worth
    if documents is None:
        raise MeasureError(
            f"Utility(avoided={avoided:g}) needs documents=…, how many there are in the collection"
        )
    d = documents - a - b - c
    if is_numpy(namespace(d)) and (d < 0).any():
        raise MeasureError(f"Utility: documents={documents} is fewer than a topic has relevant or retrieved")
    return worth + avoided * d
