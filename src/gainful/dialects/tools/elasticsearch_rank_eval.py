"""Elasticsearch: the ranking evaluation API."""

from gainful.dialects.dialect_registry import Spelled, dialect

dialect(
    name="elasticsearch",
    version="8",
    tool="Elasticsearch's _rank_eval",
    settings={"ties": "input", "duplicates": "counted"},
    measures=(
        Spelled("dcg(k={k}, normalize=true)", "nDCG(gain=exp,ideal=hits)@{k}"),
        Spelled("dcg(k={k})", "DCG(gain=exp)@{k}"),
        Spelled("precision(k={k})", "P(divisor=retrieved)@{k}"),
        Spelled("recall(k={k})", "R@{k}"),
        Spelled("mean_reciprocal_rank(k={k})", "RR@{k}"),
    ),
    usual=("dcg(k=10, normalize=true)", "precision(k=10)", "recall(k=10)", "mean_reciprocal_rank(k=10)"),
    source="source of rank-eval, read and ported, not run",
    grades="not negative",
    notes=(
        "The ideal list is no longer than the hits returned (elastic/elasticsearch#154362 would cut it at k).",
        "normalize is false by default: without it dcg is not nDCG and can exceed 1.",
    ),
)
