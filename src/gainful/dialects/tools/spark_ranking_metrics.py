"""Spark: RankingMetrics of pyspark.mllib, which takes lists and sets of labels."""

from gainful.dialects.dialect_registry import Spelled, dialect

dialect(
    name="spark",
    version="4.3.0",
    tool="Spark's RankingMetrics (pyspark.mllib)",
    settings={"ties": "input", "duplicates": "counted", "missing": "skip"},
    measures=(
        Spelled("meanAveragePrecision", "AP"),
        Spelled("meanAveragePrecisionAt({k})", "AP(divisor=min)@{k}"),
        Spelled("precisionAt({k})", "P@{k}"),
        Spelled("recallAt({k})", "R@{k}"),
        Spelled("ndcgAt({k})", "nDCG(gain=binary)@{k}"),
    ),
    usual=("meanAveragePrecision", "ndcgAt(10)", "precisionAt(10)", "recallAt(10)"),
    source="pyspark 4.3.0, run",
    notes=(
        "Labels are relevant or not: here those of grade 1 or more; a third column of relevance is ignored without a word.",
        "It sees the pairs that it is given: topics that the run lacks are left out here.",
    ),
)
