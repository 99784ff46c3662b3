"""Quepid: the scorers of its relevance workbench."""

from gainful.dialects.dialect_registry import ABOVE_ZERO, Spelled, dialect

dialect(
    name="quepid",
    version="2026.08",
    tool="Quepid's scorers",
    settings={"ties": "input", "duplicates": "counted"},
    measures=(
        Spelled("ndcg@{k}", "nDCG(gain=signed_exp,ideal=uncut)@{k}", signed=True),
        Spelled("ndcg_cut@{k}", "nDCG(gain=signed_exp)@{k}", signed=True),
        Spelled("ap@{k}", f"AP(rel={ABOVE_ZERO})@{{k}}", {"undefined": "nan"}),
        Spelled("p@{k}", f"P(rel={ABOVE_ZERO},divisor=retrieved)@{{k}}"),
        Spelled("rr@{k}", f"RR(rel={ABOVE_ZERO})@{{k}}"),
    ),
    usual=("ndcg@10", "ndcg_cut@10", "ap@10", "p@10", "rr@10"),
    source="its scorers (f80322f3), run in Node.js",
    notes=(
        "ndcg@10 cuts the list and not the ideal; ndcg_cut@10 cuts both.",
        "ap of a query with nothing relevant is NaN.",
        "An ideal list that bad documents make worth less than nothing is divided by too, so that bad lists rise: declined here.",
    ),
)
