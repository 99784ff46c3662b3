"""T11SU: utility as a share of the most there was, from 0 for very bad over a third for nothing delivered to 1."""

from gainful.errors import MeasureError
from gainful.judging import JudgedRun, PerTopic, namespace, ratio
from gainful.measures._measure import measure


@measure(
    group="sets and filtering",
    bounds=(0, 1),
    when="nothing relevant",
    cite="Robertson & Soboroff 2002, The TREC 2002 Filtering Track Report",
    aliases=("T10SU",),
)
def T11SU(
    judged: JudgedRun, *, credit: float = 2, cost: float = -1, least: float = -0.5, rel: float = 1
) -> PerTopic:
    """Normalised utility of what a filter delivered, with a floor.

        T11SU = (max(NU, least) − least) / (1 − least)

        NU = (credit · R⁺ + cost · N⁺) / (credit · R),  R⁺ relevant and N⁺ other documents delivered, R relevant in all

    credit  what a relevant document delivered is worth
    cost    what any other document delivered is worth, judged or not; zero or less as a rule
    least   normalised utility that counts as 0; lower ones count as much
    rel     lowest grade that is relevant

    Misleads when read as a share of success: delivering nothing is worth −least / (1 − least), a third as a rule, and
    below the floor a filter that delivers everything looks no worse than one that is merely bad.

    Grades 1 0 0 delivered, two relevant in all:  NU = (2 − 2) / 4 = 0, so 0.5 / 1.5

    >>> from gainful.judging import judged_run
    >>> T11SU(judged_run([1, 0, 0], judged=[1, 1, 0, 0])).round(4)
    array([0.3333])
    """
    if not (credit > 0 >= cost and least < 1):
        raise MeasureError(
            f"T11SU needs a credit above 0, a cost of 0 or less and least below 1; got {credit:g}, {cost:g} and {least:g}"
        )
    relevant = judged.total(where=judged.grade >= rel)
    NU = ratio(credit * relevant + cost * (judged.retrieved - relevant), credit * judged.count(rel))
    return (namespace(NU).maximum(NU, least) - least) / (1 - least)  # type: ignore[no-any-return]
