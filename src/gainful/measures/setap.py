"""SetAP: precision times recall of the whole set retrieved."""

from gainful.judging import JudgedRun, PerTopic, share
from gainful.measures._measure import measure


@measure(
    group="sets and filtering",
    bounds=(0, 1),
    when="nothing relevant",
    cite="trec_eval, set_map",
    trec={"set_map": {}},
)
def SetAP(judged: JudgedRun, *, rel: float = 1) -> PerTopic:
    """Average precision of a set without order.

        SetAP = found² / (retrieved · relevant)  =  SetP · SetR

    rel  lowest grade that is relevant

    Misleads when read as AP: it takes every relevant document retrieved to have the precision of the whole set,
    and the order of the list does not matter.

    Two of four retrieved are relevant, of four there are:  2² / (4 · 4)

    >>> from gainful.judging import judged_run
    >>> SetAP(judged_run([1, 0, 0, 1], judged=[1, 1, 1, 1, 0, 0]))
    array([0.25])
    """
    found = judged.total(where=judged.grade >= rel)
    return share(found**2, judged.retrieved * judged.count(rel))
