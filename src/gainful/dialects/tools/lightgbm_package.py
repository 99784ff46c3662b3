"""LightGBM: the metrics of its ranking objectives."""

from gainful.dialects.dialect_registry import Spelled, dialect

dialect(
    name="lightgbm",
    version="4.7.0",
    tool="LightGBM's ranking metrics",
    settings={"ties": "input", "pool": "retrieved", "missing": "skip", "undefined": "1"},
    measures=(Spelled("ndcg@{k}", "nDCG(gain=exp)@{k}"), Spelled("map@{k}", "AP(divisor=min)@{k}")),
    usual=("ndcg@10", "map@10"),
    source="lightgbm 4.7.0, run on retrieved lists as validation data",
    grades="whole, not negative",
    notes=(
        "A list with nothing relevant is worth 1.",
        "label_gain changes the gains; these are the default ones.",
    ),
)
