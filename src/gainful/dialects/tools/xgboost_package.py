"""XGBoost: the metrics of its ranking objectives."""

from gainful.dialects.dialect_registry import Spelled, dialect

ZERO = {"undefined": "0"}

dialect(
    name="xgboost",
    version="3.2.0",
    tool="XGBoost's ranking metrics",
    settings={"ties": "input", "pool": "retrieved", "scores": "32", "missing": "skip", "undefined": "1"},
    measures=(
        Spelled("ndcg@{k}-", "nDCG(gain=exp)@{k}", ZERO),
        Spelled("ndcg@{k}", "nDCG(gain=exp)@{k}"),
        Spelled("ndcg", "nDCG(gain=exp)@32"),
        Spelled("map@{k}-", "AP(divisor=min)@{k}", ZERO, grades="0 and 1"),
        Spelled("map@{k}", "AP(divisor=min)@{k}", grades="0 and 1"),
        Spelled("map", "AP(divisor=min)@32", grades="0 and 1"),
        Spelled("pre@{k}", "P(divisor=retrieved)@{k}", ZERO, grades="0 and 1"),
        Spelled("pre", "P(divisor=retrieved)@32", ZERO, grades="0 and 1"),
    ),
    usual=("ndcg@10", "ndcg"),
    source="xgboost 3.2.0, run on retrieved lists",
    grades="whole, not negative",
    notes=(
        "A list with nothing relevant is worth 1, or 0 where the name ends in a minus.",
        "Without @k the metrics are those at 32.",
    ),
)
