"""Numbers that ir_measures publishes for gdeval, ndeval, C/W/L and compatibility."""

from pathlib import Path

import pytest

import gainful

CASES = {"tiny": 9, "tiny-subtopics": 3, "compat": 7, "cwl": 54}
# gdeval fixes the best grade at 4; AP of C/W/L is divided by what was found
CALLED = {
    "gdeval nDCG": "nDCG(dcg='exp-log2')",
    "gdeval ERR": "ERR(top=4)",
    "ndeval ERR-IA": "ERR_IA",
    "AP": "AP(divisor=retrieved)",
}


@pytest.mark.parametrize("case", CASES)
def test_every_published_number_is_met(published: Path, case: str) -> None:
    folder = published / "ir_measures_tests"
    lines = [line.split("\t") for line in (folder / "expected.tsv").read_text().splitlines()]
    run = folder / f"{case.removesuffix('-subtopics')}.run"
    compared = 0
    for name, measure, topic, value in lines:
        if name != case:
            continue
        root, at, cutoff = measure.partition("@")
        scores = gainful.evaluate(folder / f"{case}.qrels", run, CALLED.get(root, root) + at + cutoff)
        (found,) = scores.mean.values() if topic == "mean" else scores.per_topic[topic].values()
        decimals = len(value.partition(".")[2])
        # those of compatibility are whole doubles, summed in another order
        assert found == pytest.approx(float(value), abs=0.5 * 10**-decimals + 1e-15), (measure, topic)
        compared += 1
    assert compared == CASES[case]
