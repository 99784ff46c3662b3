"""Prefs: share of the preferences that the order of the list grants."""

from gainful.judging import JudgedRun, PerTopic, ratio
from gainful.judging.preferences import Counted
from gainful.measures._measure import measure


@measure(
    group="judges and preferences",
    bounds=(0, 1),
    needs="preferences",
    cite="trec_eval, prefs_simp",
    trec={
        "prefs_simp": {},
        "prefs_simp_ret": {"counted": "retrieved"},
        "prefs_simp_imp": {"counted": "touched"},
    },
)
def Prefs(judged: JudgedRun, *, counted: Counted = "all") -> PerTopic:
    """Preferences fulfilled, as a share of those there are.

        Prefs = fulfilled / counted

        a over b is fulfilled if a stands before b, or a is retrieved and b is not

    counted  all of them; those touched, of which one document at least is retrieved; or only those of two retrieved ones

    Misleads when judges disagree: a topic with contradicting preferences cannot reach 1. A judge who compared many
    documents outweighs all who compared few; JudgePrefs has them count alike.

    Retrieved a b c; preferred are b over a, and a over c:  1/2

    >>> from gainful.judging import judged_by
    >>> Prefs(judged_by("abc", {"Ann": {"b": 2, "a": 1}, "Bob": {"a": 1, "c": 0}}))
    array([0.5])
    """
    given = judged.granted(counted)
    return ratio(given.sum(given.fulfilled), given.sum(given.possible))
