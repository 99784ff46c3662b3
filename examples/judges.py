"""Three judges of the same documents: does it matter whom you ask?"""

from pathlib import Path

import gainful
from gainful.comparisons.judges import compare_judges, merge

DATA = Path(__file__).parent / "data"


def changed(grade: float, document: str, *, strict: bool) -> float:
    """What another judge might say: now and then a level less (strict) or more (generous)."""
    unsure = sum(document.encode()) % 5 < 2
    return grade if not unsure else max(grade - 1, 0) if strict else min(grade + 1, 3)


ann = gainful.read_qrels(DATA / "qrels.txt").to_dict()
judges = {"ann": ann}
for name, strict in (("ben", True), ("cleo", False)):
    judges[name] = {
        topic: {document: changed(grade, document, strict=strict) for document, grade in grades.items()}
        for topic, grades in ann.items()
    }

runs = [DATA / f"{name}.run" for name in ("sprinter", "marathon", "plain")]
found = compare_judges(judges, runs, "nDCG@10, R(rel=2)@10", resamples=1000)

for system in found.of("nDCG@10"):
    under = "  ".join(f"{judge} {value:.4f}" for judge, value in system.by_judge.items())
    print(f"{system.system:<9} {under}   spread {system.highest - system.lowest:.4f}")
for pair in found.agreement.pairs:
    print(f"{pair.first} and {pair.second}: weighted kappa {pair.kappa_linear}, overlap {pair.overlap}")
for sentence in found.sentences:
    print(sentence)

# One grade out of three: what most of them reach.
majority = gainful.evaluate(merge(judges, "majority"), runs, "nDCG@10")
print("under the majority:", {run.name: round(run.mean["nDCG@10"], 4) for run in majority})
