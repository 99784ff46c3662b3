"""T11F: precision and recall of what was delivered, precision counting twice as much."""

from gainful.judging import JudgedRun, PerTopic, namespace
from gainful.measures._measure import measure


@measure(
    group="sets and filtering",
    bounds=(0, 1),
    when="nothing relevant",
    cite="Robertson & Soboroff 2002, The TREC 2002 Filtering Track Report",
    aliases=("T10F",),
)
def T11F(judged: JudgedRun, *, beta: float = 0.5, rel: float = 1) -> PerTopic:
    """F of what a filter delivered, with beta 0.5.

        T11F = (1 + beta²) · P · R / (beta² · P + R)  =  1.25 · R⁺ / (0.25 · relevant + delivered)

    beta  how many times as much recall matters as precision; trec_eval's set_F takes the square of it, here 0.25
    rel   lowest grade that is relevant

    Misleads when it stands alone: nothing delivered and nothing but noise delivered are both worth 0.

    Two of four delivered are relevant, of three there are:  P = 1/2, R = 2/3, so 1.25 · 1/3 / (1/8 + 2/3) = 10/19

    >>> from gainful.judging import judged_run
    >>> T11F(judged_run([1, 0, 0, 1], judged=[1, 1, 1, 0, 0])).round(4)
    array([0.5263])
    """
    found = judged.total(where=judged.grade >= rel)
    below = beta**2 * judged.count(rel) + judged.retrieved
    return (1 + beta**2) * found / namespace(found).where(below == 0, 1.0, below)  # type: ignore[no-any-return]
