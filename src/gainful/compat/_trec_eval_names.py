"""What trec_eval can be asked for: its names in the order in which it prints them, and the sets they form."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gainful.errors import MeasureError, UsageError

ORDER = (
    *("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank"),
    *(
        "iprec_at_recall",
        "P",
        "relstring",
        "recall",
        "infAP",
        "gm_bpref",
        "Rprec_mult",
        "utility",
        "11pt_avg",
    ),
    *("binG", "G", "dcg", "ideal_dcg", "ndcg", "ndcg_rel", "Rndcg", "ndcg_cut", "map_cut", "relative_P"),
    *("success", "set_P", "set_relative_P", "set_recall", "set_map", "set_F", "num_nonrel_judged_ret"),
    *("prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret", "prefs_simp", "prefs_pair"),
    *("prefs_avgjg", "prefs_avgjg_Rnonrel", "prefs_simp_ret", "prefs_pair_ret", "prefs_avgjg_ret"),
    *("prefs_avgjg_Rnonrel_ret", "prefs_simp_imp", "prefs_pair_imp", "prefs_avgjg_imp"),
    *("map_avgjg", "P_avgjg", "Rprec_mult_avgjg", "yaap", "rbp", "rbp_resid", "unj"),
)

CUTOFFS = frozenset(
    {"iprec_at_recall", "P", "recall", "Rprec_mult", "ndcg_cut", "map_cut", "relative_P", "success", "unj"}
)
"""Names that give a number for each of their parameters; the others give one number whatever these are."""

_COUNTS = {"runid", "num_q", "num_ret", "num_rel", "num_rel_ret"}
_SET = {"set_P", "set_recall", "set_relative_P", "set_map", "set_F", "utility"}
_OFFICIAL = _COUNTS | {"map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P"}
_PREFS = {"runid", "num_q", *(root for root in ORDER if root.startswith("prefs_"))}
_GROUPS = {"runid", "num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"}
_EVERYWHERE = {"runid", "num_q"}
_OUTSIDE = {"dcg", "ideal_dcg", "yaap"}
_NEW = {"rbp", "rbp_resid", "unj"}
_ALL = set(ORDER) - _PREFS - _GROUPS - _OUTSIDE | _COUNTS


RELATIONS: dict[str, frozenset[str]] = {
    "qrels": frozenset(set(ORDER) - _PREFS - _GROUPS | _EVERYWHERE),
    "qrels_jg": frozenset(_GROUPS),
    "prefs": frozenset(_PREFS),
    "qrels_prefs": frozenset(_PREFS),
}
"""What judgments can be (-R), and what can be asked for then."""


@dataclass(frozen=True)
class Version:
    """A version of trec_eval, as far as its numbers and names differ from another's.

    added  what is added to recall · R before the fraction is cut off, to say how many relevant documents are needed
    sets   names that stand for several
    """

    name: str
    added: float
    sets: dict[str, frozenset[str]]


def _sets(everything: set[str]) -> dict[str, frozenset[str]]:
    shortest = {"runid", "num_q", "prefs_simp", "prefs_pair", "prefs_avgjg"}
    roots_of = {
        "official": _OFFICIAL,
        "set": _COUNTS | _SET,
        "all_trec": everything,
        "all_prefs": _PREFS,
        "prefs": shortest | {root for root in _PREFS if "_num_" in root},
        "qrels_jg": _GROUPS,
    }
    return {name: frozenset(roots) for name, roots in roots_of.items()}


NINE = Version("9.0.8", 0.9, _sets(_ALL - _NEW))
TEN = Version("10.0", 0.5, _sets(_ALL))


def requested(measures: Iterable[str], version: Version = TEN) -> tuple[dict[str, str | None], list[str]]:
    """The names asked for, with the text of their parameters, and notes; the first parameters of a name count.

    >>> requested(["P.5,10", "map", "P.20"])[0]
    {'P': '5,10', 'map': None}
    """
    asked: dict[str, str | None] = {}
    notes = []
    for text in measures:
        root, dot, parameters = text.partition(".")
        if dot and not parameters:
            raise MeasureError(f"'{text}' ends in a dot; parameters go there, as in P.5,10.")
        if root in version.sets:
            asked = dict.fromkeys(version.sets[root]) | asked
        elif root not in ORDER:
            sets = ", ".join(version.sets)
            raise MeasureError(f"'{root}' is not a measure of trec_eval; nor is it one of its sets {sets}.")
        elif dot and asked.get(root) is not None:
            notes.append(
                f"{text} is not computed: {root} has parameters already, and trec_eval takes the first"
            )
        else:
            asked[root] = parameters if dot else asked.get(root)
    return asked, notes


def refuse_foreign(asked: Iterable[str], relation: str) -> None:
    """Measures that cannot be computed from judgments of that kind."""
    for root in asked:
        if root not in RELATIONS[relation]:
            kinds = " or ".join(f"-R {name}" for name, roots in RELATIONS.items() if root in roots)
            raise UsageError(
                f"{root} is not computed from judgments of the kind {relation}; it needs {kinds}."
            )
