"""NumPrefsFul: how many preferences the order of the list grants."""

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
    cite="trec_eval, prefs_num_prefs_ful",
    trec={"prefs_num_prefs_ful": {}, "prefs_num_prefs_ful_ret": {"counted": "retrieved"}},
)
def NumPrefsFul(judged: JudgedRun, *, counted: Counted = "all") -> PerTopic:
    """Number of preferences fulfilled.

        NumPrefsFul = preferences a over b, of all judges, with a before b, or a retrieved and b not

    counted  all of them; those touched, of which one document at least is retrieved; or only those of two retrieved ones

    Misleads when summed over topics: one topic with many preferences outweighs all others.

    Retrieved b a c; preferred are c over b over a, of which one is granted:

    >>> from gainful.judging import judged_by
    >>> NumPrefsFul(judged_by("bac", {"Ann": {"a": 0, "b": 1, "c": 2}}))
    array([1.])
    """
    given = judged.granted(counted)
    return given.sum(given.fulfilled)
