"""scikit-learn: ndcg_score, which sees the labels of a list alone and averages over tied scores."""

from gainful.dialects.dialect_registry import Spelled, dialect

NO_RULE = "with ignore_ties NumPy's default sort decides, which differs between processors"

dialect(
    name="scikit-learn",
    version="1.9.1",
    since="1.0",
    tool="scikit-learn's ndcg_score",
    settings={"ties": "expected", "pool": "retrieved", "missing": "skip"},
    measures=(
        Spelled("ndcg_score(k={k})", "nDCG@{k}"),
        Spelled("ndcg_score", "nDCG"),
        Spelled("ndcg_score(k={k}, ignore_ties=True)", "nDCG@{k}", no_rule=NO_RULE),
        Spelled("ndcg_score(ignore_ties=True)", "nDCG", no_rule=NO_RULE),
        Spelled("dcg_score(k={k})", "DCG@{k}"),
    ),
    usual=("ndcg_score(k=10)", "ndcg_score"),
    source="scikit-learn 1.9.1, run on the retrieved list of each topic, unjudged documents labelled 0; the code of every "
    "minor release since 1.0, read",
    grades="not negative",
    notes=(
        "Judged documents that were not retrieved are not there for it.",
        "Since 1.3 a list of one document is refused by it, and since 1.4 negative labels; here such a list has a value.",
    ),
)
