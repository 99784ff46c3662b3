"""torchmetrics: RetrievalNormalizedDCG, which averages over tied scores."""

from gainful.dialects.dialect_registry import Spelled, dialect

dialect(
    name="torchmetrics",
    version="1.9.0",
    tool="torchmetrics' RetrievalNormalizedDCG",
    settings={"ties": "expected", "pool": "retrieved", "scores": "32", "missing": "skip"},
    measures=(
        Spelled("RetrievalNormalizedDCG(top_k={k})", "nDCG@{k}"),
        Spelled("RetrievalNormalizedDCG", "nDCG"),
    ),
    usual=("RetrievalNormalizedDCG(top_k=10)", "RetrievalNormalizedDCG"),
    source="torchmetrics 1.9.0, run on retrieved lists",
    grades="not negative",
    notes=(
        "It computes in 32 bits: numbers agree to about 1e-7.",
        "Its other retrieval metrics have no reproducible order of ties, and count documents of scores above 0 alone.",
    ),
)
