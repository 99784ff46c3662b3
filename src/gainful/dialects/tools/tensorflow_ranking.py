"""TF-Ranking: metrics of tensorflow_ranking, which shuffle tied scores."""

from gainful.dialects.dialect_registry import Spelled, dialect

NO_RULE = "ties are shuffled without a seed"

dialect(
    name="tf-ranking",
    version="0.5.5",
    tool="TensorFlow Ranking's metrics",
    settings={"pool": "retrieved", "scores": "32", "missing": "skip"},
    measures=(
        Spelled("ndcg@{k}", "nDCG(gain=exp)@{k}", no_rule=NO_RULE),
        Spelled("ndcg", "nDCG(gain=exp)", no_rule=NO_RULE),
        Spelled("map", "AP", no_rule=NO_RULE),
        Spelled("mrr", "RR", no_rule=NO_RULE),
        Spelled("precision@{k}", "P(divisor=retrieved)@{k}", no_rule=NO_RULE),
    ),
    usual=("ndcg@10", "map", "mrr"),
    source="values of its own tests (metrics_test.py), and the source of tensorflow_ranking 0.5.5 (2024-03), read",
    grades="not negative",
    notes=("It computes in 32 bits.", "Negative labels are masked out by it, and declined here."),
)
