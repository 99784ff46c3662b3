"""SetF: precision and recall of the whole set retrieved, in one number."""

from gainful.judging import JudgedRun, PerTopic, share
from gainful.measures._measure import measure
from gainful.measures._trec import SquareOf


@measure(
    group="sets and filtering",
    bounds=(0, 1),
    when="nothing relevant",
    cite="van Rijsbergen 1979, Information Retrieval, chapter 7",
    trec={"set_F": SquareOf("beta")},
)
def SetF(judged: JudgedRun, *, beta: float = 1, rel: float = 1) -> PerTopic:
    """Weighted harmonic mean of precision and recall of the whole set retrieved.

        SetF = (1 + beta²) · P · R / (beta² · P + R)  =  (1 + beta²) · found / (beta² · relevant + retrieved)

    beta  how many times as much recall matters as precision; trec_eval's set_F takes the square of it
    rel   lowest grade that is relevant

    Misleads when the length of the list was not the system's choice, as SetP does.

    Two of four retrieved are relevant, of three there are:  P = 1/2, R = 2/3, so 2 · 1/3 / (7/6) = 4/7,
    and with beta 2: 5 · 1/3 / (2 + 2/3) = 5/8

    >>> from gainful.judging import judged_run
    >>> SetF(beta=2)(judged_run([1, 0, 0, 1], judged=[1, 1, 1, 0, 0]))
    array([0.625])
    """
    found = judged.total(where=judged.grade >= rel)
    return share((1 + beta**2) * found, beta**2 * judged.count(rel) + judged.retrieved)
