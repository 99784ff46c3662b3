"""NumQ: how many topics were evaluated."""

from gainful.judging import JudgedRun, PerTopic, namespace
from gainful.measures._measure import measure


@measure(
    group="counts",
    bounds=(1, 1),
    summary="sum",
    whole_numbers=True,
    cite="trec_eval, num_q",
    trec={"num_q": {}},
)
def NumQ(judged: JudgedRun) -> PerTopic:
    """Number of topics evaluated.

        NumQ = 1 for every topic, summed

    Misleads when topics that the run lacks are scored as empty lists: they are counted here like any other.

    Two topics are two:

    >>> from gainful.judging import judged_run
    >>> NumQ(judged_run([[1, 0], []]))
    array([1., 1.])
    """
    return namespace(judged.retrieved).ones_like(judged.retrieved)  # type: ignore[no-any-return]
