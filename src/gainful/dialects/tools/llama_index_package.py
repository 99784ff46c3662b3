"""LlamaIndex: retrieval metrics by id, which have no cutoff."""

from gainful.dialects.dialect_registry import Spelled, dialect

SETS = {"duplicates": "first"}

dialect(
    name="llama-index",
    version="0.14.25",
    tool="LlamaIndex's retrieval metrics",
    settings={"ties": "input", "duplicates": "counted", "missing": "error"},
    measures=(
        Spelled("hit_rate", "Success@1000000000"),
        Spelled("mrr", "RR"),
        Spelled("precision", "SetP", SETS),
        Spelled("recall", "SetR", SETS),
        Spelled("ap", "AP"),
        Spelled("ndcg", "nDCG(gain=binary,ideal=uncut)"),
    ),
    usual=("hit_rate", "mrr", "precision", "recall", "ap", "ndcg"),
    source="llama-index-core 0.14.25, run",
    stops_at_undefined=True,
    notes=(
        "There is no cutoff: the caller cuts the lists (--depth 10), and nDCG's ideal list stays whole.",
        "Every copy of a document counts, so that ap and ndcg can exceed 1.",
        "Expected ids are those of grade 1 or more; it stops where a topic has none, or an empty list.",
    ),
)
