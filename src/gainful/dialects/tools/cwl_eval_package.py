"""cwl_eval: measures of the C/W/L framework."""

from gainful.dialects.dialect_registry import Spelled, dialect

dialect(
    name="cwl-eval",
    version="1.0.12",
    tool="cwl_eval, the C/W/L framework",
    settings={"ties": "input"},
    measures=(
        Spelled("AP", "AP(divisor=retrieved)"),
        Spelled("RR", "RR"),
        Spelled("P@{k}", "P@{k}"),
        Spelled("SDCG(max_rel=3)@{k}", "SDCG(top=3)@{k}"),
        Spelled("NERR8(max_rel=3)@{k}", "NERR8(top=3)@{k}"),
    ),
    usual=("AP", "RR", "P@10", "SDCG(max_rel=3)@10"),
    source="cwl-eval 1.0.12 through ir-measures 0.4.3, run",
    notes=(
        "AP divides by the relevant documents retrieved.",
        "SDCG is not divided by the ideal list of the topic.",
    ),
)
