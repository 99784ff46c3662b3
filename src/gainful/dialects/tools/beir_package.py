"""BEIR: EvaluateRetrieval of the benchmark for zero-shot retrieval."""

from typing import Any

from gainful.dialects.dialect_registry import ABOVE_ZERO, Spelled, dialect

SHARED = {"scores": "32", "missing": "skip", "round_mean": 5}
OWN_ORDER = {"ties": "input", "scores": "64"}
BY_PYTREC_EVAL = (
    Spelled("NDCG@{k}", "nDCG@{k}"),
    Spelled("MAP@{k}", "AP@{k}"),
    Spelled("Recall@{k}", "R@{k}"),
    Spelled("P@{k}", "P@{k}"),
)
ITS_OWN = (
    "MRR, R_cap and Accuracy keep tied documents in the order of the dictionary.",
    "R_cap fails where a topic has nothing relevant; here it is 0.",
)


def _own(mrr_missing: str, cap_missing: str) -> tuple[Spelled, ...]:
    """The measures that it computes itself, by what becomes of missing topics."""
    by_topic: dict[str, Any] = {**OWN_ORDER, "missing": mrr_missing}
    return (
        Spelled("MRR@{k}", f"RR(rel={ABOVE_ZERO})@{{k}}", by_topic),
        Spelled("R_cap@{k}", f"R(rel={ABOVE_ZERO},divisor=min)@{{k}}", {**OWN_ORDER, "missing": cap_missing}),
        Spelled("Accuracy@{k}", f"Success(rel={ABOVE_ZERO})@{{k}}", by_topic),
    )


def _version(version: str, settings: dict[str, Any], own: tuple[Spelled, ...], **facts: Any) -> None:
    dialect(
        name="beir",
        version=version,
        tool="BEIR's EvaluateRetrieval",
        settings=settings,
        measures=(*BY_PYTREC_EVAL, *own),
        usual=("NDCG@10", "MAP@100", "Recall@100", "P@10", "MRR@10"),
        grades="whole",
        **facts,
    )


_version(
    "2.2.0",
    {**SHARED, "drop_self": True},
    _own("empty", "empty"),
    since="1.0.1",
    source="beir 2.2.0, run with pytrec_eval-terrier 0.5.11; the code of every release since 0.0.1, read",
    notes=(
        "Documents with the id of their query are taken out by default (ignore_identical_ids).",
        "NDCG, MAP, Recall and P leave missing topics out; MRR, R_cap and Accuracy count them as 0.",
        *ITS_OWN,
    ),
)
_version(
    "1.0.0",
    SHARED,
    _own("empty", "empty"),
    source="beir 1.0.0, run with pytrec_eval-terrier 0.5.11",
    notes=("Documents with the id of their query stay; 1.0.1 takes them out.", *ITS_OWN),
)
_version(
    "0.2.3",
    SHARED,
    _own("error", "skip"),
    source="beir 0.2.3, run with pytrec_eval-terrier 0.5.11",
    notes=(
        "Documents with the id of their query stay; 1.0.1 takes them out.",
        "MRR and Accuracy fail where a topic is missing, and R_cap leaves it out; 1.0.0 counts it as 0.",
        *ITS_OWN,
    ),
)
_version(
    "0.2.2",
    SHARED,
    _own("error", "skip")[:2],
    since="0.1.5",
    source="the code of beir 0.1.5 to 0.2.2, read: as in 0.2.3, but for Accuracy",
    notes=(
        "Accuracy (0.2.1, 0.2.2) ordered documents by the second letter of their ids, and is left out here.",
    ),
)
