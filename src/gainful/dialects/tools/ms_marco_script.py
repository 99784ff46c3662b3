"""MS MARCO: ms_marco_eval.py of the passage ranking leaderboard."""

from gainful.dialects.dialect_registry import Spelled, dialect

dialect(
    name="ms-marco",
    version="head",
    tool="ms_marco_eval.py of MS MARCO Passage Ranking",
    settings={"ties": "input", "duplicates": "counted"},
    measures=(Spelled("MRR @{k}", "RR(rel=0)@{k}"),),
    usual=("MRR @10",),
    source="ms_marco_eval.py, which has no versions, as in microsoft/MSMARCO-Passage-Ranking at its last commit; run",
    grades="not negative",
    notes=(
        "Every line of the judgments is relevant: the grade is never read.",
        "It goes by the rank column; here lists are in the order of scores, ties as in the file.",
    ),
)
