"""sentence-transformers: InformationRetrievalEvaluator, which takes sets of relevant documents."""

from gainful.dialects.dialect_registry import Spelled, dialect

dialect(
    name="sentence-transformers",
    version="6.2.0",
    tool="sentence-transformers' InformationRetrievalEvaluator",
    settings={"ties": "ascending", "undefined": "skip", "duplicates": "counted"},
    measures=(
        Spelled("accuracy@{k}", "Success@{k}"),
        Spelled("precision@{k}", "P@{k}"),
        Spelled("recall@{k}", "R@{k}"),
        Spelled("ndcg@{k}", "nDCG(gain=binary)@{k}"),
        Spelled("mrr@{k}", "RR@{k}"),
        Spelled("map@{k}", "AP(divisor=min)@{k}"),
    ),
    usual=("accuracy@1", "precision@10", "recall@10", "ndcg@10", "mrr@10", "map@100"),
    source="sentence-transformers 6.2.0, compute_metrics run",
    notes=(
        "Documents are relevant or not: here those of grade 1 or more. A dictionary of grades passed as the set of relevant "
        "documents counts grade 0 as relevant.",
        "Topics with nothing relevant are dropped. Versions before 6.2 ordered ties otherwise.",
    ),
)
