"""CatBoost: the metrics of its ranking modes, with tied documents in the worst order."""

from gainful.dialects.dialect_registry import Spelled, dialect

HALF = 0.5000000000000001  # labels above the border of 0.5 are relevant
ONE = {"undefined": "1"}

dialect(
    name="catboost",
    version="1.2.10",
    tool="CatBoost's ranking metrics",
    settings={"ties": "worst", "pool": "retrieved", "missing": "skip"},
    measures=(
        Spelled("NDCG:top={k}", "nDCG@{k}", ONE),
        Spelled("NDCG", "nDCG", ONE),
        Spelled("NDCG:top={k};type=Exp", "nDCG(gain=exp)@{k}", ONE),
        Spelled("MAP:top={k}", f"AP(rel={HALF},divisor=min)@{{k}}"),
        Spelled("MAP", f"AP(rel={HALF})"),
        Spelled("MRR", f"RR(rel={HALF})"),
        Spelled("MRR:top={k}", f"RR(rel={HALF})@{{k}}"),
        Spelled("PrecisionAt:top={k}", f"P(rel={HALF},divisor=retrieved)@{{k}}"),
        Spelled("RecallAt:top={k}", f"R(rel={HALF})@{{k}}", ONE),
    ),
    usual=("NDCG:top=10", "MAP:top=10", "MRR:top=10"),
    source="catboost 1.2.10, catboost.utils.eval_metric run on retrieved lists",
    grades="not negative",
    notes=(
        "Of tied documents the worse ones come first.",
        "NDCG and RecallAt of a list with nothing relevant are 1, the others 0.",
    ),
)
