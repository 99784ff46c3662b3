"""trec_eval, versions 9 and 10: NIST's program, whose numbers most tools are compared with."""

from gainful.dialects.dialect_registry import Spelled, dialect

COMMON = (
    Spelled("map", "AP"),
    Spelled("gm_map", "AP(summary=geometric)"),
    Spelled("map_cut_{k}", "AP@{k}"),
    Spelled("ndcg", "nDCG"),
    Spelled("ndcg_cut_{k}", "nDCG@{k}"),
    Spelled("P_{k}", "P@{k}"),
    Spelled("recall_{k}", "R@{k}"),
    Spelled("success_{k}", "Success@{k}"),
    Spelled("recip_rank", "RR"),
    Spelled("Rprec", "Rprec"),
    Spelled("bpref", "Bpref"),
    Spelled("infAP", "infAP"),
    Spelled("num_q", "NumQ"),
    Spelled("num_ret", "NumRet"),
    Spelled("num_rel", "NumRel"),
    Spelled("num_rel_ret", "NumRelRet"),
)
USUAL = (
    "num_q",
    "num_ret",
    "num_rel",
    "num_rel_ret",
    "map",
    "Rprec",
    "bpref",
    "recip_rank",
    "P_5",
    "P_10",
    "P_100",
)
LEVELS = ("0.00", "0.10", "0.20", "0.30", "0.40", "0.50", "0.60", "0.70", "0.80", "0.90", "1.00")


def interpolated(asks: str, fault: str) -> tuple[Spelled, ...]:
    """Interpolated precision at the usual levels, and its average."""
    return (
        *(
            Spelled(f"iprec_at_recall_{level}", f"IPrec(asks={asks})@{float(level):g}", fault=fault)
            for level in LEVELS
        ),
        Spelled("11pt_avg", f"IPrecAvg(asks={asks})", fault=fault),
    )


dialect(
    name="trec-eval",
    version="10.0",
    tool="trec_eval 10, NIST's program",
    settings={"missing": "error"},
    measures=(
        *COMMON,
        *interpolated("half", "a level of recall asks for round(level · R) documents, at times too few"),
    ),
    usual=USUAL,
    source="trec_eval 10 run beside `gainful trec_eval`, whose output has its bytes (tests/agreement/test_trec_eval.py)",
    grades="whole",
    notes=("A judged topic that the run lacks stops it, unless -c is given.",),
)
dialect(
    name="trec-eval",
    version="9.0.8",
    tool="trec_eval 9, NIST's program",
    settings={"scores": "32", "missing": "skip"},
    measures=(
        *COMMON,
        *interpolated(
            "nine_tenths", "a level of recall asks for ⌊level · R + 0.9⌋ documents, at times one too few"
        ),
    ),
    usual=USUAL,
    source="trec_eval 9.0.8 run through pytrec_eval-terrier 0.5.11",
    grades="whole",
    notes=("Fractional grades are cut off without a word.", "Scores are 32-bit numbers."),
)
