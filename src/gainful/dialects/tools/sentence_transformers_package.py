"""sentence-transformers: InformationRetrievalEvaluator, which takes sets of relevant documents."""

from typing import Any

from gainful.dialects.dialect_registry import Spelled, dialect

SETS = (
    "Documents are relevant or not: here those of grade 1 or more. A dictionary of grades passed as the set of relevant ones "
    "counts grade 0 as relevant.",
    "Topics with nothing relevant are dropped.",
)


def _version(version: str, no_rule: str = "", **facts: Any) -> None:
    measures = {
        "accuracy@{k}": "Success@{k}",
        "precision@{k}": "P@{k}",
        "recall@{k}": "R@{k}",
        "ndcg@{k}": "nDCG(gain=binary)@{k}",
        "mrr@{k}": "RR@{k}",
        "map@{k}": "AP(divisor=min)@{k}",
    }
    dialect(
        name="sentence-transformers",
        version=version,
        tool="sentence-transformers' InformationRetrievalEvaluator",
        settings={"ties": "ascending", "undefined": "skip", "duplicates": "counted"},
        measures=tuple(Spelled(name, ours, no_rule=no_rule) for name, ours in measures.items()),
        usual=("accuracy@1", "precision@10", "recall@10", "ndcg@10", "mrr@10", "map@100"),
        **facts,
    )


_version(
    "6.2.0",
    since="6.0.0",
    source="sentence-transformers 6.2.0, compute_metrics run; the code of every minor release since 2.0.0, read",
    notes=SETS,
)
_version(
    "5.7.0",
    no_rule="they are left in the order of torch.topk and of a heap",
    since="2.0.0",
    source="sentence-transformers 5.7.0, compute_metrics run; the code of every minor release since 2.0.0, read",
    notes=(*SETS, "Ties are by ascending id since 6.0.0."),
)
