"""ranx: measures compiled by Numba."""

from gainful.dialects.dialect_registry import Spelled, dialect

NO_RULE = "Numba's quicksort leaves their order open"


def _spelled(name: str, measure: str) -> Spelled:
    return Spelled(name, measure, no_rule=NO_RULE)


dialect(
    name="ranx",
    version="0.3.21",
    since="0.3.16",
    tool="ranx",
    settings={"missing": "error"},
    measures=(
        _spelled("ndcg@{k}", "nDCG@{k}"),
        _spelled("ndcg", "nDCG"),
        _spelled("ndcg_burges@{k}", "nDCG(gain=exp)@{k}"),
        _spelled("ndcg_burges", "nDCG(gain=exp)"),
        _spelled("map@{k}", "AP@{k}"),
        _spelled("map", "AP"),
        _spelled("mrr@{k}", "RR@{k}"),
        _spelled("mrr", "RR"),
        _spelled("precision@{k}", "P@{k}"),
        _spelled("recall@{k}", "R@{k}"),
        _spelled("hit_rate@{k}", "Success@{k}"),
        _spelled("f1@{k}", "F@{k}"),
    ),
    usual=("ndcg@10", "map", "mrr", "precision@10", "recall@100"),
    source="ranx 0.3.21, run; the code of every release since 0.3, read",
    grades="whole",
    notes=(
        "Fractional grades are cut off without a word.",
        "Before 0.3.16 f1 of a list without anything relevant was not a number.",
        "make_comparable=True scores missing topics as 0.",
    ),
)
