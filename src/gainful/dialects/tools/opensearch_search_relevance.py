"""OpenSearch: the Search Relevance Workbench."""

from typing import Any

from gainful.dialects.dialect_registry import ABOVE_ZERO, Spelled, dialect

NDCG = Spelled("NDCG@{k}", "nDCG(gain=signed_exp)@{k}")
ROUNDED = "Each query is rounded to two decimals, halves up, before the mean."


def _version(version: str, **facts: Any) -> None:
    dialect(
        name="opensearch",
        version=version,
        tool="OpenSearch's search-relevance plugin",
        settings={"ties": "input", "duplicates": "counted", "round_topics": 2, "round_halves": "up"},
        **facts,
    )


_version(
    "2026.02",
    measures=(NDCG, Spelled("DCG@{k}", "DCG(gain=signed_exp)@{k}")),
    usual=("NDCG@10", "DCG@10"),
    source="Evaluation.java of search-relevance 0b75cf8, read and ported, not run",
    notes=(
        ROUNDED,
        "Precision, MAP, Recall and MRR take a document for relevant by a level of each query: half its best grade, or the 90th "
        "percentile of its grades where that is higher. That is not reproduced here.",
        "opensearch@2025.06 has MAP and Precision as they were before: relevant above grade 0.",
    ),
)
_version(
    "2025.06",
    measures=(
        NDCG,
        Spelled("MAP@{k}", f"AP(rel={ABOVE_ZERO})@{{k}}"),
        Spelled("Precision@{k}", f"P(rel={ABOVE_ZERO},divisor=retrieved)@{{k}}"),
    ),
    usual=("NDCG@10", "MAP@10", "Precision@10"),
    source="Evaluation.java of search-relevance d8be5d1, compiled and run",
    notes=(
        ROUNDED,
        "Since 2026.02 a document is relevant from a level of the query's own, for all but NDCG.",
    ),
)
