"""SetRelP: precision of the whole set retrieved, as a share of the best it could be."""

from gainful.judging import JudgedRun, PerTopic, namespace, share
from gainful.measures._measure import measure


@measure(
    group="sets and filtering",
    bounds=(0, 1),
    when="nothing relevant",
    cite="trec_eval, set_relative_P",
    trec={"set_relative_P": {}},
)
def SetRelP(judged: JudgedRun, *, rel: float = 1) -> PerTopic:
    """Relative precision of the whole set retrieved.

        SetRelP = found / min(retrieved, relevant)

    rel  lowest grade that is relevant

    Misleads when lists are short: one document, relevant, is worth 1. Nothing retrieved is worth 0.

    One of three retrieved is relevant, of two there are:  1 / min(3, 2)

    >>> from gainful.judging import judged_run
    >>> SetRelP(judged_run([1, 0, 0], judged=[1, 1, 0, 0]))
    array([0.5])
    """
    found = judged.total(where=judged.grade >= rel)
    return share(found, namespace(found).minimum(judged.retrieved, judged.count(rel)))
