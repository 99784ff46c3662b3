"""NTCIR: official values of the We Want Web task, and the outputs of NTCIREVAL's own tests."""

import csv
from pathlib import Path

import pytest

import gainful

TASK = {"MSnDCG": "nDCG@10", "Q": "Q@10", "nERR": "nERR(stop=linear)@10"}
RUNS = [f"RMIT-E-NU-Own-{number}" for number in (1, 2, 3, 4)]


def test_every_official_value_of_four_runs_is_met_as_printed(published: Path) -> None:
    folder = published / "ntcir13_www"
    runs = {name: folder / "submitted" / f"{name}.run.gz" for name in RUNS}
    scores = gainful.evaluate(folder / "wwwE.trec.qrels.gz", runs, list(TASK.values()))
    compared = 0
    for official, measure in TASK.items():
        table = folder / "official" / f"wwwE.official.{official}@0010.topic-by-run.csv"
        with table.open(newline="") as file:
            (_, *names), *rows = csv.reader(file)
        for topic, *values in rows:
            for name, value in zip(names, values, strict=True):
                if name in runs:
                    found = scores[name].per_topic[topic][measure]
                    assert f"{found:.4f}" == value, (official, topic, name)
                    compared += 1
    assert compared == 1200


# what NTCIREVAL prints, and what it is called here; it counts the documents of a topic as min(R, cutoff)
CALLED = {
    "RR": "RR",
    "O-measure": "O",
    "P-measure": "Pmeasure",
    "P-plus": "Pplus",
    "AP": "AP",
    "Q-measure": "Q",
    "NCUgu,P": "NCU(beta=0)",
    "NCUgu,BR": "NCU",
    "NCUrb,P": "NCU(readers=biased,beta=0)",
    "NCUrb,BR": "NCU(readers=biased)",
    "RBP": "RBP(p=0.95)",
    "ERR": "ERR(stop=linear)",
    "AP@": "AP(divisor=min)@",
    "Q@": "Q@",
    "nDCG@": "nDCG(discount=jk)@",
    "MSnDCG@": "nDCG@",
    "P@": "P@",
    "nERR@": "nERR(stop=linear)@",
    "Hit@": "Success@",
}


@pytest.mark.parametrize(
    ("output", "labels", "gains"),
    [
        ("res_test_compute.txt", "sample.lab", (0, 1, 2, 3)),
        ("res_test_compute_cutoff.txt", "sample.lab", (0, 1, 2, 3)),
        ("res_test_compute_grade.txt", "sample.lab", (0, 1, 4, 9)),
        ("res_test_compute_label_j.txt", "sample-j.lab", (0, 1, 2, 3)),
    ],
)
def test_every_line_of_ntcireval_is_met_as_printed(
    published: Path, output: str, labels: str, gains: tuple[int, ...]
) -> None:
    folder = published / "ntcireval_tests"
    judged = [line.split() for line in (folder / "sample.rel").read_text().splitlines()]
    grades = {"1": {document: gains[int(level.removeprefix("L"))] for document, level in judged}}
    ranked = [line.split()[0] for line in (folder / labels).read_text().splitlines()]
    run = {"1": {document: -place for place, document in enumerate(ranked)}}
    compared = 0
    for line in (folder / output).read_text().splitlines():
        name, equals, value = line.strip().partition("=")
        if not equals or name.startswith("#"):
            continue
        root, at, cutoff = name.partition("@")
        measure = CALLED[root + at] + (str(int(cutoff)) if at else "")
        (found,) = gainful.evaluate(grades, run, measure).mean.values()
        assert f"{found:.4f}" == value.strip(), name
        compared += 1
    assert compared == 19
