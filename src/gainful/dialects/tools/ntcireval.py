"""NTCIREVAL: the toolkit of the NTCIR tasks."""

from gainful.dialects.dialect_registry import Spelled, dialect

dialect(
    name="ntcireval",
    version="200522",
    tool="NTCIREVAL",
    settings={"ties": "input"},
    measures=(
        Spelled("AP", "AP"),
        Spelled("Q-measure", "Q"),
        Spelled("RR", "RR"),
        Spelled("O-measure", "O"),
        Spelled("P-measure", "Pmeasure"),
        Spelled("P-plus", "Pplus"),
        Spelled("NCUgu,P", "NCU(beta=0)"),
        Spelled("NCUgu,BR", "NCU"),
        Spelled("MSnDCG@{k}", "nDCG@{k}"),
        Spelled("nDCG@{k}", "nDCG(discount=jk)@{k}"),
        Spelled("AP@{k}", "AP(divisor=min)@{k}"),
        Spelled("Q@{k}", "Q@{k}"),
        Spelled("P@{k}", "P@{k}"),
        Spelled("nERR@{k}", "nERR(stop=linear)@{k}"),
        Spelled("Hit@{k}", "Success@{k}"),
    ),
    usual=("MSnDCG@10", "Q-measure", "AP", "nERR@10"),
    source="outputs of its own tests, and the official values of NTCIR-13 We Want Web (tests/agreement/test_ntcir.py)",
    notes=(
        "nDCG is Järvelin and Kekäläinen's, MSnDCG the usual one; gains are the grades unless -g says otherwise.",
        "It has no scores: the list is taken in the order given.",
    ),
)
