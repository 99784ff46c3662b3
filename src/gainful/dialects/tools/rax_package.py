"""rax: ranking metrics in JAX."""

from gainful.dialects.dialect_registry import Spelled, dialect

dialect(
    name="rax",
    version="0.4.0",
    since="0.1.0",
    tool="rax",
    settings={"ties": "input", "pool": "retrieved", "scores": "32", "missing": "skip"},
    measures=(
        Spelled("ndcg_metric(topn={k})", "nDCG(gain=exp)@{k}", grades="not negative"),
        Spelled("ndcg_metric", "nDCG(gain=exp)", grades="not negative"),
        Spelled("ap_metric(topn={k})", "AP@{k}"),
        Spelled("ap_metric", "AP"),
        Spelled("mrr_metric(topn={k})", "RR@{k}"),
        Spelled("mrr_metric", "RR"),
        Spelled("precision_metric(topn={k})", "P(divisor=retrieved)@{k}"),
        Spelled("recall_metric(topn={k})", "R@{k}"),
    ),
    usual=("ndcg_metric(topn=10)", "ap_metric", "mrr_metric"),
    source="rax 0.4.0 with jax 0.10.2, run on retrieved lists; the code of every release since 0.1.0, read",
    notes=(
        "It computes in 32 bits: numbers agree to about 1e-7.",
        "ndcg_metric lets negative labels cost (2^-1 − 1 is −0.5), which is declined here.",
    ),
)
