"""torchmetrics: RetrievalNormalizedDCG, which averages over tied scores since 1.2."""

from typing import Any

from gainful.dialects.dialect_registry import Spelled, dialect

BITS = "It computes in 32 bits: numbers agree to about 1e-7."


def _version(version: str, ties: str, no_rule: str = "", **facts: Any) -> None:
    dialect(
        name="torchmetrics",
        version=version,
        tool="torchmetrics' RetrievalNormalizedDCG",
        settings={"ties": ties, "pool": "retrieved", "scores": "32", "missing": "skip"},
        measures=(
            Spelled("RetrievalNormalizedDCG(top_k={k})", "nDCG@{k}", no_rule=no_rule),
            Spelled("RetrievalNormalizedDCG", "nDCG", no_rule=no_rule),
        ),
        usual=("RetrievalNormalizedDCG(top_k=10)", "RetrievalNormalizedDCG"),
        grades="not negative",
        **facts,
    )


_version(
    "1.9.0",
    "expected",
    since="1.2.0",
    source="torchmetrics 1.9.0, run on retrieved lists; the code of every minor release since 0.5.0, read",
    notes=(
        BITS,
        "Its other retrieval metrics have no reproducible order of ties, and count documents of scores above 0 alone.",
    ),
)
_version(
    "1.1.2",
    "input",
    no_rule="torch.argsort leaves their order open",
    since="1.0.0",
    source="torchmetrics 1.1.2, run on retrieved lists; the code of every minor release since 0.5.0, read",
    notes=(BITS, "Tied scores are averaged since 1.2.0."),
)
