"""pytrec_eval: trec_eval 9 as a Python package."""

from gainful.dialects.dialect_registry import dialect
from gainful.dialects.tools.trec_eval_program import COMMON

dialect(
    name="pytrec-eval",
    version="0.5.11",
    tool="pytrec_eval-terrier, trec_eval 9.0.8 in Python",
    settings={"scores": "32", "missing": "skip"},
    measures=[spelled for spelled in COMMON if not spelled.name.startswith(("num_", "gm_"))],
    usual=("map", "ndcg", "ndcg_cut_10", "P_10", "recall_100", "recip_rank"),
    source="pytrec_eval-terrier 0.5.11, run",
    grades="whole",
    notes=(
        "A topic with an empty dictionary counts as 0; a topic that is absent is left out.",
        "Runs are dictionaries: of a document that occurs twice the last score stays.",
    ),
)
