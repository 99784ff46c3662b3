"""OpenSearch: the Search Relevance Workbench."""

from gainful.dialects.dialect_registry import ABOVE_ZERO, Spelled, dialect

dialect(
    name="opensearch",
    version="2025.06",
    tool="OpenSearch's search-relevance plugin",
    settings={"ties": "input", "duplicates": "counted", "round_topics": 2, "round_halves": "up"},
    measures=(
        Spelled("NDCG@{k}", "nDCG(gain=signed_exp)@{k}"),
        Spelled("MAP@{k}", f"AP(rel={ABOVE_ZERO})@{{k}}"),
        Spelled("Precision@{k}", f"P(rel={ABOVE_ZERO},divisor=retrieved)@{{k}}"),
    ),
    usual=("NDCG@10", "MAP@10", "Precision@10"),
    source="Evaluation.java of search-relevance d8be5d1, compiled and run",
    notes=(
        "Each query is rounded to two decimals, halves up, before the mean.",
        "Newer versions take a document for relevant by a percentile of the query's grades, for all but NDCG.",
    ),
)
