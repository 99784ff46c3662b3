"""T9U: credit for each relevant document delivered, less the cost of each other one, with a floor."""

from gainful.judging import JudgedRun, PerTopic, namespace
from gainful.measures._measure import measure


@measure(group="sets and filtering", cite="Robertson & Hull 2000, The TREC-9 Filtering Track Final Report")
def T9U(
    judged: JudgedRun, *, credit: float = 2, cost: float = -1, least: float = -100, rel: float = 1
) -> PerTopic:
    """Linear utility of what a filter delivered, never below a floor.

        T9U = max(credit · R⁺ + cost · N⁺, least)

        R⁺ relevant and N⁺ other documents delivered

    credit  what a relevant document delivered is worth
    cost    what any other document delivered is worth, judged or not; zero or less as a rule
    least   the floor; lower utilities count as much
    rel     lowest grade that is relevant

    Misleads when averaged: topics with many relevant documents outweigh the others, and the floor hides how bad the
    worst ones are.

    Grades 1 0 0 0 delivered:  2 − 3 = −1, and −0.5 with that floor

    >>> from gainful.judging import judged_run
    >>> T9U(judged_run([1, 0, 0, 0])), T9U(least=-0.5)(judged_run([1, 0, 0, 0]))
    (array([-1.]), array([-0.5]))
    """
    relevant = judged.total(where=judged.grade >= rel)
    worth = credit * relevant + cost * (judged.retrieved - relevant)
    return namespace(worth).maximum(worth, float(least))  # type: ignore[no-any-return]
