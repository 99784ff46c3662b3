"""MLflow: retrieval metrics of mlflow.metrics."""

from gainful.dialects.dialect_registry import Spelled, dialect

dialect(
    name="mlflow",
    version="3.17.2",
    since="2.9.0",
    tool="MLflow's retrieval metrics",
    settings={"ties": "input", "missing": "skip"},
    measures=(
        Spelled("ndcg_at_{k}", "nDCG(gain=binary,ideal=hits)@{k}"),
        Spelled("precision_at_{k}", "P(divisor=retrieved)@{k}"),
        Spelled("recall_at_{k}", "R@{k}"),
    ),
    usual=("ndcg_at_3", "precision_at_3", "recall_at_3"),
    source="mlflow-skinny 3.17.2, run; the code of every minor release since 2.9.0, read",
    notes=(
        "nDCG's ideal list is no longer than the list returned: one relevant document alone is worth 1.",
        "Where both the list and the relevant documents are empty, ndcg and recall are 1; here such topics are 0.",
        "Documents that occur twice are declined: precision counts them, recall does not, and nDCG adds them to the ideal.",
    ),
)
