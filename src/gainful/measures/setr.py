"""SetR: share of the relevant documents that were retrieved at all."""

from gainful.judging import JudgedRun, PerTopic, ratio
from gainful.measures._measure import measure


@measure(
    group="sets and filtering",
    bounds=(0, 1),
    when="nothing relevant",
    cite="Kent et al. 1955, doi:10.1002/asi.5090060209",
    trec={"set_recall": {}},
)
def SetR(judged: JudgedRun, *, rel: float = 1) -> PerTopic:
    """Recall of the whole set retrieved.

        SetR = relevant documents retrieved / relevant documents judged

    rel  lowest grade that is relevant

    Misleads when runs have different lengths: retrieving more never lowers it, and everything retrieved gives 1.

    Grades 1 0 retrieved out of two relevant:  1/2

    >>> from gainful.judging import judged_run
    >>> SetR(judged_run([1, 0], judged=[1, 1, 0]))
    array([0.5])
    """
    return ratio(judged.total(where=judged.grade >= rel), judged.count(rel))
