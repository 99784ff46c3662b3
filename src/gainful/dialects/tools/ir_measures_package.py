"""ir_measures: one notation for many tools, each measure by the provider that comes first."""

from gainful.dialects.dialect_registry import Spelled, dialect

GDEVAL = {"scores": "64", "round_topics": 5}

dialect(
    name="ir-measures",
    version="0.4.3",
    tool="ir_measures with its default providers",
    settings={"scores": "32"},
    measures=(
        Spelled("nDCG@{k}", "nDCG@{k}"),
        Spelled("nDCG", "nDCG"),
        Spelled("AP@{k}", "AP@{k}"),
        Spelled("AP", "AP"),
        Spelled("P@{k}", "P@{k}"),
        Spelled("R@{k}", "R@{k}"),
        Spelled("RR", "RR"),
        Spelled("RR@{k}", "RR@{k}", {"ties": "ascending", "scores": "64"}),
        Spelled("Success@{k}", "Success@{k}"),
        Spelled("Rprec", "Rprec"),
        Spelled("Bpref", "Bpref"),
        Spelled("nDCG(dcg='exp-log2')@{k}", "nDCG(gain=exp)@{k}", GDEVAL, grades="whole, up to 4"),
        Spelled("ERR@{k}", "ERR(top=4)@{k}", GDEVAL, grades="whole, up to 4"),
    ),
    usual=("nDCG@10", "AP", "RR", "RR@10", "P@10", "R@100"),
    source="ir-measures 0.4.3, run",
    grades="whole",
    notes=(
        "RR goes through trec_eval (ties by id, descending), RR@k through MS MARCO's provider (ascending).",
        "nDCG with exponential gain and ERR go through gdeval.pl, which rounds each topic to five decimals.",
    ),
)
