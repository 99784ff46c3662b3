"""MTEB: the retrieval tasks of the embedding benchmark."""

from typing import Any

from gainful.dialects.dialect_registry import ABOVE_ZERO, Spelled, dialect

SHARED = {"scores": "32", "missing": "skip", "round_mean": 5}


def _version(version: str, mrr: dict[str, Any], own_ids: str = "stay", **facts: Any) -> None:
    """A version, by the conventions of its MRR, and by what becomes of documents with the id of their query."""
    dialect(
        name="mteb",
        version=version,
        tool="MTEB's retrieval metrics",
        settings=SHARED if own_ids == "stay" else {**SHARED, "drop_self": True},
        measures=(
            Spelled("NDCG@{k}", "nDCG@{k}"),
            Spelled("MAP@{k}", "AP@{k}"),
            Spelled("Recall@{k}", "R@{k}"),
            Spelled("P@{k}", "P@{k}"),
            Spelled("MRR@{k}", f"RR(rel={ABOVE_ZERO})@{{k}}", {"scores": "64", **mrr}),
        ),
        usual=("NDCG@10", "MAP@100", "Recall@100", "P@10", "MRR@10"),
        grades="whole",
        **facts,
    )


_version(
    "2.26.24",
    {"round_mean": None},
    since="2.18.19",
    source="mteb 2.26.24 (its file of retrieval metrics), run; the code of releases since 1.2.0, read",
    notes=(
        "NDCG and MAP sort 32-bit scores, MRR 64-bit ones; MRR is not rounded.",
        "Documents with the id of their query stay, unlike in BEIR.",
    ),
)
_version(
    "2.18.18",
    {"round_mean": None, "ties": "input"},
    since="2.0.1",
    source="mteb 2.18.18 (its file of retrieval metrics), run; changed in 2.18.19 by embeddings-benchmark/mteb#5136",
    notes=("MRR keeps tied documents in the order of the dictionary, and is not rounded.",),
)
_version(
    "1.39.7",
    {"ties": "input", "missing": "empty"},
    since="1.13.0",
    source="the code of mteb 1.13.0 and 1.38.0, read: as in BEIR 1.0.0",
    notes=(
        "MRR keeps tied documents in the order of the dictionary, counts missing topics as 0, and is rounded.",
        "Documents with the id of their query stay, unless the task says otherwise.",
    ),
)
_version(
    "1.12.94",
    {"ties": "input", "missing": "empty"},
    own_ids="go",
    since="1.2.0",
    source="the code of mteb 1.2.0, read: as in BEIR 2.2.0",
    notes=("Documents with the id of their query are taken out by default; 1.13.0 keeps them.",),
)
