"""PairPrefs: share of the preferences that the order of the list grants, pair of documents by pair."""

from gainful.judging import JudgedRun, PerTopic, ratio
from gainful.judging.preferences import Counted
from gainful.measures._measure import measure


@measure(
    group="judges and preferences",
    bounds=(0, 1),
    needs="preferences",
    cite="trec_eval, prefs_pair",
    trec={
        "prefs_pair": {},
        "prefs_pair_ret": {"counted": "retrieved"},
        "prefs_pair_imp": {"counted": "touched"},
    },
)
def PairPrefs(judged: JudgedRun, *, counted: Counted = "all") -> PerTopic:
    """Preferences fulfilled, averaged over the pairs of documents that they are on.

        PairPrefs = mean, over pairs of documents, of fulfilled / counted preferences on the pair

        a over b is fulfilled if a stands before b, or a is retrieved and b is not

    counted  all of them; those touched, of which one document at least is retrieved; or only those of two retrieved ones

    Misleads when most pairs were looked at by one judge: then it is Prefs.

    Retrieved a b c; Ann and Bob prefer a to b, Cem b to a and b to c:  ((2/3) + 1) / 2

    >>> from gainful.judging import judged_by
    >>> judges = {"Ann": {"a": 1, "b": 0}, "Bob": {"a": 1, "b": 0}, "Cem": {"b": 2, "a": 1, "c": 1}}
    >>> PairPrefs(judged_by("abc", judges)).round(4)
    array([0.8333])
    """
    given = judged.granted(counted)
    return ratio(given.pairs_fulfilled, given.pairs)
