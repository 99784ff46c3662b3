"""gdeval.pl: the script of the TREC Web tracks, for nDCG with exponential gain and ERR."""

from gainful.dialects.dialect_registry import Spelled, dialect

dialect(
    name="gdeval",
    version="1.2a",
    tool="gdeval.pl, the script of the TREC Web tracks",
    settings={"missing": "skip", "undefined": "skip", "round_topics": 5},
    measures=(Spelled("ndcg@{k}", "nDCG(gain=exp)@{k}"), Spelled("err@{k}", "ERR(top=4)@{k}")),
    usual=("ndcg@20", "err@20"),
    source="gdeval.pl 1.2a of 2019, as bundled in ir-measures 0.4.3, run",
    grades="whole, up to 4",
    notes=(
        "Each topic is rounded to five decimals before the mean.",
        "The top of ERR's scale is 4, and a higher grade stops it.",
        "Topics with nothing relevant are left out.",
    ),
)
