"""BEIR: EvaluateRetrieval of the benchmark for zero-shot retrieval."""

from gainful.dialects.dialect_registry import ABOVE_ZERO, Spelled, dialect

OWN = {"ties": "input", "scores": "64", "missing": "empty"}

dialect(
    name="beir",
    version="2.2.0",
    tool="BEIR's EvaluateRetrieval",
    settings={"scores": "32", "missing": "skip", "drop_self": True, "round_mean": 5},
    measures=(
        Spelled("NDCG@{k}", "nDCG@{k}"),
        Spelled("MAP@{k}", "AP@{k}"),
        Spelled("Recall@{k}", "R@{k}"),
        Spelled("P@{k}", "P@{k}"),
        Spelled("MRR@{k}", f"RR(rel={ABOVE_ZERO})@{{k}}", OWN),
        Spelled("R_cap@{k}", f"R(rel={ABOVE_ZERO},divisor=min)@{{k}}", OWN),
        Spelled("Accuracy@{k}", f"Success(rel={ABOVE_ZERO})@{{k}}", OWN),
    ),
    usual=("NDCG@10", "MAP@100", "Recall@100", "P@10", "MRR@10"),
    source="beir 2.2.0, run with pytrec_eval-terrier 0.5.11",
    grades="whole",
    notes=(
        "Documents with the id of their query are taken out by default (ignore_identical_ids).",
        "NDCG, MAP, Recall and P leave missing topics out; MRR, R_cap and Accuracy count them as 0, and keep tied documents in "
        "the order of the dictionary.",
        "R_cap fails where a topic has nothing relevant; here it is 0.",
    ),
)
