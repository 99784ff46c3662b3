"""T11U: credit for each relevant document delivered, less the cost of each other one."""

from gainful.judging import JudgedRun, PerTopic
from gainful.measures._measure import measure


@measure(group="sets and filtering", cite="Robertson & Soboroff 2002, The TREC 2002 Filtering Track Report")
def T11U(judged: JudgedRun, *, credit: float = 2, cost: float = -1, rel: float = 1) -> PerTopic:
    """Linear utility of what a filter delivered.

        T11U = credit · R⁺ + cost · N⁺

        R⁺ relevant and N⁺ other documents delivered

    credit  what a relevant document delivered is worth
    cost    what any other document delivered is worth, judged or not; zero or less as a rule
    rel     lowest grade that is relevant

    Misleads when averaged: a topic with a thousand relevant documents outweighs hundreds of small ones.

    Grades 1 0 1 delivered:  2 · 2 − 1

    >>> from gainful.judging import judged_run
    >>> T11U(judged_run([1, 0, 1], judged=[1, 1, 1, 0]))
    array([3.])
    """
    relevant = judged.total(where=judged.grade >= rel)
    return credit * relevant + cost * (judged.retrieved - relevant)
