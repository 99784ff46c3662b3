"""MTEB: the retrieval tasks of the embedding benchmark."""

from gainful.dialects.dialect_registry import ABOVE_ZERO, Spelled, dialect

dialect(
    name="mteb",
    version="2.26.24",
    tool="MTEB's retrieval metrics",
    settings={"scores": "32", "missing": "skip", "round_mean": 5},
    measures=(
        Spelled("NDCG@{k}", "nDCG@{k}"),
        Spelled("MAP@{k}", "AP@{k}"),
        Spelled("Recall@{k}", "R@{k}"),
        Spelled("P@{k}", "P@{k}"),
        Spelled("MRR@{k}", f"RR(rel={ABOVE_ZERO})@{{k}}", {"scores": "64", "round_mean": None}),
    ),
    usual=("NDCG@10", "MAP@100", "Recall@100", "P@10", "MRR@10"),
    source="mteb 2.26.24 (its file of retrieval metrics), run",
    grades="whole",
    notes=(
        "NDCG and MAP sort 32-bit scores, MRR 64-bit ones; MRR is not rounded.",
        "Documents with the id of their query stay, unlike in BEIR.",
    ),
)
