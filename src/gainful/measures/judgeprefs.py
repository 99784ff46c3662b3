"""JudgePrefs: share of the preferences that the order of the list grants, judge by judge."""

from typing import Literal

from gainful.judging import JudgedRun, PerTopic, ratio, share
from gainful.judging.preferences import Counted, balanced
from gainful.measures._measure import measure


@measure(
    group="judges and preferences",
    bounds=(0, 1),
    needs="preferences",
    cite="trec_eval, prefs_avgjg",
    trec={
        "prefs_avgjg": {},
        "prefs_avgjg_ret": {"counted": "retrieved"},
        "prefs_avgjg_imp": {"counted": "touched"},
        "prefs_avgjg_Rnonrel": {"nonrel": "trec_eval"},
        "prefs_avgjg_Rnonrel_ret": {"counted": "retrieved", "nonrel": "trec_eval"},
    },
    may_fall=True,
)
def JudgePrefs(
    judged: JudgedRun,
    *,
    counted: Counted = "all",
    nonrel: Literal["all", "balanced", "trec_eval"] = "all",
) -> PerTopic:
    """Preferences fulfilled, averaged over the judges of a topic.

        JudgePrefs = mean, over judges, of fulfilled / counted preferences

        a over b is fulfilled if a stands before b, or a is retrieved and b is not

    counted  all of them; those touched, of which one document at least is retrieved; or only those of two retrieved ones
    nonrel   documents of level 0 that count: all; balanced, as many as are relevant; trec_eval, nearly so

    Balanced takes the first ones of level 0 in the order of the list, or adds what lacks as if it stood last. trec_eval
    means to do so in prefs_avgjg_Rnonrel, but compares documents of level 0 with each other too.

    Misleads when a judge gave no preference at all: that judge counts 0 (and, if not all of nonrel count, the topic has
    no value).

    Retrieved a b c; Ann prefers b to a, Bob a to c and b to c:  (0 + 2/2) / 2

    >>> from gainful.judging import judged_by
    >>> JudgePrefs(judged_by("abc", {"Ann": {"b": 2, "a": 1}, "Bob": {"a": 1, "b": 1, "c": 0}}))
    array([0.5])
    """
    if nonrel == "all":
        given = judged.granted(counted)
        return given.mean(share(given.fulfilled, given.possible))
    given = balanced(
        judged.require_aspects(), judged.rank_of_judged(), counted, as_trec_eval=nonrel == "trec_eval"
    )
    return given.mean(ratio(given.fulfilled, given.possible))
