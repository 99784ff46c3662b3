"""LlamaIndex: retrieval metrics by id, which have no cutoff."""

from typing import Any

from gainful.dialects.dialect_registry import Spelled, dialect

SETS = {"duplicates": "first"}
BUT_NDCG = (
    Spelled("hit_rate", "Success@1000000000"),
    Spelled("mrr", "RR"),
    Spelled("precision", "SetP", SETS),
    Spelled("recall", "SetR", SETS),
    Spelled("ap", "AP"),
)
NOTES = (
    "Every copy of a document counts, so that ap and ndcg can exceed 1.",
    "Expected ids are those of grade 1 or more; it stops where a topic has none, or an empty list.",
)


def _version(version: str, measures: tuple[Spelled, ...], **facts: Any) -> None:
    dialect(
        name="llama-index",
        version=version,
        tool="LlamaIndex's retrieval metrics",
        settings={"ties": "input", "duplicates": "counted", "missing": "error"},
        measures=measures,
        usual=tuple(spelled.name for spelled in measures),
        stops_at_undefined=True,
        **facts,
    )


_version(
    "0.14.25",
    (*BUT_NDCG, Spelled("ndcg", "nDCG(gain=binary,ideal=uncut)")),
    since="0.12.6",
    source="llama-index-core 0.14.25, run; the code of every release since 0.11.0, read",
    notes=(
        "There is no cutoff: the caller cuts the lists (--depth 10), and nDCG's ideal list stays whole.",
        *NOTES,
    ),
)
_version(
    "0.12.5",
    (*BUT_NDCG, Spelled("ndcg", "nDCG(gain=binary,ideal=hits)")),
    since="0.12.3",
    source="llama-index-core 0.12.5, run; the code of every release since 0.11.0, read",
    notes=(
        "There is no cutoff: the caller cuts the lists (--depth 10), and nDCG's ideal list with them.",
        *NOTES,
    ),
)
_version(
    "0.12.2",
    BUT_NDCG,
    since="0.10.60",
    source="the code of llama-index-core 0.10.60 to 0.12.2, read",
    notes=(
        "Its ndcg was divided by a list as long as the list returned with every document relevant, however few there are, and is "
        "left out here.",
        *NOTES,
    ),
)
