"""Haystack: evaluators of documents, which take whole lists and have no cutoff."""

from typing import Any

from gainful.dialects.dialect_registry import Spelled, dialect

NO_CUTOFF = "There is no cutoff: the caller cuts the lists (--depth 10), and nDCG's ideal list stays whole."
GRADES = "nDCG takes grades from the scores of the relevant documents, and is binary where none has one."


def _version(version: str, duplicates: str, average_precision: str, **facts: Any) -> None:
    sets = {"duplicates": "first"}
    dialect(
        name="haystack",
        version=version,
        tool="Haystack's document evaluators",
        settings={"ties": "input", "duplicates": duplicates},
        measures=(
            Spelled("DocumentNDCGEvaluator", "nDCG(gain=signed,ideal=uncut)"),
            Spelled("DocumentNDCGEvaluator(binary)", "nDCG(gain=binary,ideal=uncut)"),
            Spelled("DocumentMAPEvaluator", average_precision),
            Spelled("DocumentMRREvaluator", "RR"),
            Spelled("DocumentRecallEvaluator(multi_hit)", "SetR", sets),
            Spelled("DocumentRecallEvaluator(single_hit)", "Success@1000000000"),
        ),
        usual=("DocumentNDCGEvaluator", "DocumentMAPEvaluator", "DocumentMRREvaluator"),
        **facts,
    )


_version(
    "3.4.1",
    "once",
    "AP",
    since="3.1.0",
    source="haystack-ai 3.4.1, run; the code of every minor release since 2.6.0, read",
    notes=(
        NO_CUTOFF,
        GRADES,
        "Relevant documents are those of grade 1 or more. A copy of a document keeps its rank and is not credited again.",
    ),
)
_version(
    "3.0.0",
    "counted",
    "AP(divisor=retrieved)",
    since="2.6.0",
    source="haystack-ai 3.0.0, run; the code of every minor release since 2.6.0, read",
    notes=(
        NO_CUTOFF,
        GRADES,
        "DocumentMAPEvaluator divides by the relevant documents found, so that one of many alone is worth 1; 3.1.0 by all.",
        "Every copy of a document counts, so that nDCG can exceed 1; 3.1.0 credits one.",
    ),
)
