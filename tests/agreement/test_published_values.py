"""Values that other evaluations published: NTCIR's official tables, NTCIREVAL's own sample, gdeval's."""

import csv
from pathlib import Path

import pytest

import gainful


def test_ndcg_at_ten_of_the_submitted_runs_is_in_ntcirs_official_table(published: Path) -> None:
    folder = published / "ntcir13_www"
    with (folder / "official/wwwE.official.MSnDCG@0010.topic-by-run.csv").open(newline="") as file:
        table = {row[""]: row for row in csv.DictReader(file)}
    runs = {path.name.removesuffix(".run.gz"): path for path in (folder / "submitted").glob("*.run.gz")}
    scores = gainful.evaluate(folder / "wwwE.trec.qrels.gz", runs, "nDCG@10")
    compared = 0
    for run in scores:
        for topic, values in run.per_topic.items():
            assert f"{values['nDCG@10']:.4f}" == table[topic][run.name], (run.name, topic)
            compared += 1
    assert compared == 4 * 100


def sample(folder: Path) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """NTCIREVAL's sample: grades written L0 to L3, a run that is a plain list."""
    labels = dict(line.split() for line in (folder / "sample.rel").read_text().splitlines())
    ranked = (folder / "sample.res").read_text().split()
    judgments = {"t": {document: int(label.removeprefix("L")) for document, label in labels.items()}}
    return judgments, {"t": {document: float(-place) for place, document in enumerate(ranked)}}


def answers(path: Path) -> dict[str, str]:
    lines = [line.split("=") for line in path.read_text().splitlines() if "=" in line and "#" not in line]
    return {name.strip(): value.strip() for name, value in lines}


# the file of answers: (settings, {NTCIREVAL's name: ours})
SAMPLES = {
    "res_test_compute.txt": (
        {},
        {
            "RR": "RR",
            "AP": "AP",
            "RBP": "RBP(p=0.95)",
            "AP@1000": "AP@1000",
            "nDCG@1000": "nDCG(discount=jk)@1000",
            "MSnDCG@1000": "nDCG@1000",
            "P@1000": "P@1000",
            "Hit@1000": "Success@1000",
        },
    ),
    "res_test_compute_cutoff.txt": (
        {},
        {
            "AP@0002": "AP(divisor=min)@2",
            "nDCG@0002": "nDCG(discount=jk)@2",
            "MSnDCG@0002": "nDCG@2",
            "P@0002": "P@2",
            "Hit@0002": "Success@2",
        },
    ),
    "res_test_compute_grade.txt": (
        {},
        {
            "nDCG@1000": "nDCG(gain={1:1,2:4,3:9},discount=jk)@1000",
            "MSnDCG@1000": "nDCG(gain={1:1,2:4,3:9})@1000",
        },
    ),
    "res_test_compute_label_j.txt": (
        {"unjudged": "condense"},
        {
            "RR": "RR",
            "AP": "AP",
            "RBP": "RBP(p=0.95)",
            "nDCG@1000": "nDCG(discount=jk)@1000",
            "MSnDCG@1000": "nDCG@1000",
        },
    ),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_the_sample_of_ntcireval_has_the_values_printed_there(name: str, published: Path) -> None:
    folder = published / "ntcireval_tests"
    settings, measures = SAMPLES[name]
    scores = gainful.evaluate(*sample(folder), list(measures.values()), **settings)
    printed = answers(folder / name)
    for theirs, ours in measures.items():
        assert f"{scores.mean[ours]:.4f}" == printed[theirs], theirs


def test_err_and_exponential_ndcg_are_gdevals(published: Path) -> None:
    folder = published / "ir_measures_tests"
    ours = {
        "gdeval nDCG@20": "nDCG(gain=exp)@20",
        "gdeval nDCG@2": "nDCG(gain=exp)@2",
        "gdeval ERR@20": "ERR(top=4)@20",
        "gdeval ERR@2": "ERR(top=4)@2",
    }
    scores = gainful.evaluate(folder / "tiny.qrels", folder / "tiny.run", list(ours.values()))
    with (folder / "expected.tsv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["measure"] in ours]
    for row in rows:
        name = ours[row["measure"]]
        value = scores.mean[name] if row["topic"] == "mean" else scores.per_topic[row["topic"]][name]
        assert value == pytest.approx(float(row["value"]), abs=0.00001), row
    assert len(rows) == 9
