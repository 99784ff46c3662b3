"""ragas: context precision and recall by id."""

from gainful.dialects.dialect_registry import Spelled, dialect

dialect(
    name="ragas",
    version="0.4.3",
    tool="ragas' metrics by id",
    settings={"ties": "input", "duplicates": "first", "missing": "error"},
    measures=(
        Spelled("id_based_context_precision", "SetP"),
        Spelled("id_based_context_recall", "SetR", {"undefined": "nan"}),
    ),
    usual=("id_based_context_precision", "id_based_context_recall"),
    source="ragas 0.4.3, run",
    notes=(
        "Ids are sets, and lists have no cutoff: the caller cuts them (--depth 10).",
        "Precision of an empty list is NaN there, so a topic without one is an error here.",
    ),
)
