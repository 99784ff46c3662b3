"""SetP: share of all that was retrieved that is relevant."""

from gainful.judging import JudgedRun, PerTopic, share
from gainful.measures._measure import measure


@measure(
    group="sets and filtering",
    bounds=(0, 1),
    when="nothing relevant",
    cite="Kent et al. 1955, doi:10.1002/asi.5090060209",
    trec={"set_P": {}},
)
def SetP(judged: JudgedRun, *, rel: float = 1) -> PerTopic:
    """Precision of the whole set retrieved.

        SetP = relevant documents retrieved / documents retrieved

    rel  lowest grade that is relevant

    Misleads when the length of the list was not the system's choice: a ranked list cut at 1,000 has a low SetP
    whatever its quality. Nothing retrieved is worth 0.

    Grades 1 0 0 1 retrieved:  2/4

    >>> from gainful.judging import judged_run
    >>> SetP(judged_run([1, 0, 0, 1]))
    array([0.5])
    """
    found = judged.total(where=judged.grade >= rel)
    return share(found, judged.retrieved)
