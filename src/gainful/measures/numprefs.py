"""NumPrefs: how many preferences there are."""

from gainful.judging import JudgedRun, PerTopic
from gainful.judging.preferences import Counted
from gainful.measures._measure import measure

INF = float("inf")


@measure(
    group="counts",
    bounds=(0, INF),
    summary="sum",
    whole_numbers=True,
    needs="preferences",
    cite="trec_eval, prefs_num_prefs_poss",
    trec={"prefs_num_prefs_poss": {}},
    may_fall=True,
)
def NumPrefs(judged: JudgedRun, *, counted: Counted = "all") -> PerTopic:
    """Number of preferences that a list could fulfil.

        NumPrefs = preferences counted, of all judges

    counted  all of them; those touched, of which one document at least is retrieved; or only those of two retrieved ones

    Misleads when summed over topics: it grows with the square of the documents that a judge compared.

    One judge with three levels, so three preferences:

    >>> from gainful.judging import judged_by
    >>> NumPrefs(judged_by("abc", {"Ann": {"a": 0, "b": 1, "c": 2}}))
    array([3.])
    """
    given = judged.granted(counted)
    return given.sum(given.possible)
