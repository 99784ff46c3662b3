"""Haystack: evaluators of documents, which take whole lists and have no cutoff."""

from gainful.dialects.dialect_registry import Spelled, dialect

dialect(
    name="haystack",
    version="3.4.1",
    tool="Haystack's document evaluators",
    settings={"ties": "input", "duplicates": "once"},
    measures=(
        Spelled("DocumentNDCGEvaluator", "nDCG(gain=signed,ideal=uncut)"),
        Spelled("DocumentNDCGEvaluator(binary)", "nDCG(gain=binary,ideal=uncut)"),
        Spelled("DocumentMAPEvaluator", "AP"),
        Spelled("DocumentMRREvaluator", "RR"),
        Spelled("DocumentRecallEvaluator(multi_hit)", "SetR"),
        Spelled("DocumentRecallEvaluator(single_hit)", "Success@1000000000"),
    ),
    usual=("DocumentNDCGEvaluator", "DocumentMAPEvaluator", "DocumentMRREvaluator"),
    source="haystack-ai 3.4.1, run",
    notes=(
        "There is no cutoff: the caller cuts the lists (--depth 10), and nDCG's ideal list stays whole.",
        "nDCG takes grades from the scores of the relevant documents, and is binary where none has one.",
        "Relevant documents are those of grade 1 or more. A copy of a document keeps its rank and is not credited again.",
    ),
)
