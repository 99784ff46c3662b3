"""The example data come from their generator, the scripts run, the worked examples are as by hand."""

import gzip
import json
import math
import runpy
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

import gainful

EXAMPLES = Path(__file__).parent.parent / "examples"
DATA = EXAMPLES / "data"
SYSTEMS = ("sprinter", "marathon", "plain")

# What each script prints somewhere: enough to know that it did its work.
SAYS = {
    "search.py": ["nDCG@10    0.8", "Worst: 'how long must wood dry before burning'", "wanted firewood"],
    "cranfield.py": [
        "Cranfield: 3 documents, 2 queries",
        "AP 0.9167",
        "Stems have the higher AP on 1 of 2 queries.",
    ],
    "two_runs.py": ["sprinter is ahead", "marathon is ahead", "of 50 topics", "ties: by document id"],
    "dicts.py": ["solar panels", "heat pumps", "'AP': 0.5417, 'AP(rel=2)': 0.5", "'RR': 0.75"],
    "frames.py": ["t1    ┆ RR      ┆ 0.5 ", "t2    ┆ RR      ┆ 1.0 ", "\n│ RR      ┆ 0.75 "],
    "reuters_stream.py": ["COCOA ARRIVES BY SEA", "cocoa 0 7 1"],
    "teaching.py": ["16", "0.6194", "0.4815", "0.9459", "[0.0, 0.0, 0.33, 0.5]"],
    "curves.py": [
        "P: sprinter and marathon cross",
        ": sprinter",
        ": marathon",
        ": nobody surely",
        "area 0.521",
    ],
    "readers.py": [
        "sprinter is better for readers who stop before rank 9. marathon is better for readers who need more than 42 %",
        "9 to 10    not significant",
        "P@9, marathon minus sprinter: -0.027",
    ],
    "users.py": ["run · installer    {'Coverage': 0.67, 'Novelty': 0.33", "run · all users", "known?"],
    "judges.py": [
        "survives in 3 of 3 pairs of judges",
        "R(rel=2)@10: judges differ on sprinter and marathon",
        "ann and ben: weighted kappa 0.80 (0.78 to 0.82)",
        "under the majority: {'sprinter': 0.6879",
    ],
    "filter_walk.py": ["threshold 0.212 → 0.207", "tuesday  A shady border in April", "compost    adds 0."],
    "shards.py": ["sprinter {'nDCG@10':", "4 parts, 50 topics; as one evaluation: True"],
    "training_loop.py": ["epoch 0  nDCG@10 0.6", "epoch 5  nDCG@10 0.9"],
    "own_measure.py": ["BestFirst@3", "sprinter", "marathon", "plain"],
    "settings.py": ["as usual", "'t1': 0.3333,", "'t1': 0.5,", "'t1': 0.25,", "mean 0.1111", "mean 0.1667"],
}
SCRIPTS = sorted(path.name for path in EXAMPLES.glob("*.py") if not path.name.startswith("make_"))


def test_the_generator_makes_the_same_bytes_again() -> None:
    made = runpy.run_path(str(EXAMPLES / "make_data.py"))["make"]()
    assert sorted(made) == sorted(path.name for path in DATA.iterdir() if path.is_file())
    for name, text in made.items():
        assert (DATA / name).read_bytes() == text.encode("ascii"), name


def test_another_seed_makes_other_data() -> None:
    make = runpy.run_path(str(EXAMPLES / "make_data.py"))["make"]
    assert make(8) != make(9)


def test_the_example_data_stay_small() -> None:
    assert sum(path.stat().st_size for path in DATA.rglob("*") if path.is_file()) < 600_000


def test_the_example_data_have_fifty_topics_four_grades_unjudged_documents_and_ties() -> None:
    judgments = gainful.read_qrels(DATA / "qrels.txt").to_dict()
    assert len(judgments) == 50
    assert {grade for grades in judgments.values() for grade in grades.values()} == {0, 1, 2, 3}
    for name in SYSTEMS:
        run = gainful.read_run(DATA / f"{name}.run").to_dict()
        assert run.keys() == judgments.keys()
        assert any(
            document not in judgments[topic] for topic, documents in run.items() for document in documents
        )
        assert any(len(set(documents.values())) < len(documents) for documents in run.values())


def differences(measure: str) -> list[float]:
    """The sprinter's value less the marathon's, topic by topic."""
    scores = gainful.evaluate(DATA / "qrels.txt", [DATA / f"{name}.run" for name in SYSTEMS], measure)
    ours, theirs = scores["sprinter"].per_topic, scores["marathon"].per_topic
    return [ours[topic][measure] - theirs[topic][measure] for topic in ours]


def paired_t(values: list[float]) -> float:
    """Student's paired statistic; beyond 2.68 the 1 % level is met with 50 topics."""
    return statistics.mean(values) / (statistics.stdev(values) / math.sqrt(len(values)))


@pytest.mark.parametrize("rank", [1, 2, 3, 5, 8])
def test_the_sprinter_is_surely_better_for_readers_who_stop_early(rank: int) -> None:
    assert paired_t(differences(f"P@{rank}")) > 2.68


@pytest.mark.parametrize("rank", [12, 20, 80])
def test_the_marathon_is_surely_better_for_readers_who_read_on(rank: int) -> None:
    assert paired_t(differences(f"P@{rank}")) < -2.68


@pytest.mark.parametrize("recall", [0.1, 0.2, 0.3])
def test_the_sprinter_is_surely_better_at_low_recall(recall: float) -> None:
    assert paired_t(differences(f"IPrec@{recall:g}")) > 2.68


@pytest.mark.parametrize("recall", [0.45, 0.5, 0.7, 1.0])
def test_the_marathon_is_surely_better_for_readers_who_need_much(recall: float) -> None:
    assert paired_t(differences(f"IPrec@{recall:g}")) < -2.68


def test_nobody_is_surely_better_where_the_curves_cross() -> None:
    assert abs(paired_t(differences("P@9"))) < 2
    assert abs(paired_t(differences("IPrec@0.4"))) < 2


def test_the_plain_system_is_worse_than_both() -> None:
    scores = gainful.evaluate(
        DATA / "qrels.txt", [DATA / f"{name}.run" for name in SYSTEMS], "P@5, nDCG@10, AP"
    )
    for measure, value in scores["plain"].mean.items():
        assert value < scores["sprinter"].mean[measure]
        assert value < scores["marathon"].mean[measure]


def test_there_are_scripts_and_each_has_words_to_look_for() -> None:
    assert len(SCRIPTS) >= 5
    assert not set(SCRIPTS) - SAYS.keys()


def cranfield(folder: Path) -> Path:
    """A collection of three documents in the form of Cranfield's, so that its script has something to search."""
    texts = {
        "1": "flow over a wing in a slipstream",
        "2": "heat transfer of a plate",
        "3": "wings that fly slowly",
    }
    with gzip.open(folder / "docs.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps({"id": name, "text": text}) + "\n" for name, text in texts.items())
    (folder / "queries.tsv").write_text("1\tslow wings\n2\theat of plates\n")
    (folder / "qrels.txt").write_text("1 0 3 1\n1 0 1 3\n2 0 2 1\n")
    return folder


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_script_runs_and_says_what_it_found(
    script: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    if script == "training_loop.py":
        pytest.importorskip("torch")
    folder = [str(cranfield(tmp_path_factory.mktemp("cranfield")))] if script == "cranfield.py" else []
    command = [sys.executable, "-W", "error", str(EXAMPLES / script), *folder]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for words in SAYS[script]:
        assert words in done.stdout
    assert not list(tmp_path.iterdir())


def worked(name: str, measures: str) -> dict[str, dict[str, float]]:
    """Values of one of the worked examples, by topic."""
    seeds = DATA / "seeds"
    return gainful.evaluate(seeds / f"{name}.qrels", seeds / f"{name}.run", measures).per_topic


def test_the_ranked_list_has_the_lecture_s_precision_and_recall_points() -> None:
    values = worked("list", "P@1,2,3,5,8,10, R@1,2,3,5,8,10, AP")["1"]
    assert [values[f"P@{rank}"] for rank in (1, 2, 3, 5, 8, 10)] == [
        1 / 1,
        2 / 2,
        2 / 3,
        3 / 5,
        4 / 8,
        4 / 10,
    ]
    assert [values[f"R@{rank}"] for rank in (1, 2, 3, 5, 8, 10)] == [0.1, 0.2, 0.2, 0.3, 0.4, 0.4]
    assert values["AP"] == pytest.approx((1 + 1 + 3 / 5 + 4 / 8) / 10, abs=1e-15)


def test_the_figure_s_gains_cumulate_and_are_discounted_as_printed() -> None:
    ks = range(1, 11)
    measures = ", ".join(f"CG@{k}, DCG(discount=jk)@{k}, nDCG(discount=jk)@{k}" for k in ks)
    values = worked("gains", measures)["1"]
    gains, ideal = [3, 2, 1, 1, 3, 1, 1, 2, 1, 1], [3] * 9 + [2]
    for k in ks:
        dcg, best = (
            found[0] + sum(gain / math.log2(rank) for rank, gain in enumerate(found[1:k], start=2))
            for found in (gains, ideal)
        )
        assert values[f"CG@{k}"] == sum(gains[:k])
        assert values[f"DCG(discount=jk)@{k}"] == pytest.approx(dcg, abs=1e-12)
        assert values[f"nDCG(discount=jk)@{k}"] == pytest.approx(dcg / best, abs=1e-12)


def test_two_documents_rated_two_have_a_maximum_of_four() -> None:
    values = worked("two-documents", "DCG(discount=jk)@10, nDCG(discount=jk)@10")["1"]
    assert values["DCG(discount=jk)@10"] == 2 + 2 / math.log2(4)
    assert values["nDCG(discount=jk)@10"] == (2 + 2 / math.log2(4)) / 4
    perfect = gainful.evaluate(
        DATA / "seeds/two-documents.qrels", {"1": {"A": 2, "B": 1}}, "DCG(discount=jk)@10"
    )
    assert perfect.mean["DCG(discount=jk)@10"] == 2 + 2 / math.log2(2) == 4


def test_the_two_topics_of_the_slides_cumulate_as_printed() -> None:
    ranks = range(1, 16)
    measures = ", ".join(f"CG@{k}, DCG(discount=jk)@{k}" for k in ranks)
    values = worked("two-topics", measures)
    printed = {
        "q1": [1, 1, 2, 2, 2, 5, 5, 5, 5, 7, 7, 7, 7, 7, 10],
        "q2": [0, 0, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 6],
    }
    discounted = {
        "q1": [1, 1, 1.6, 1.6, 1.6, 2.7, 2.7, 2.7, 2.7, 3.3, 3.3, 3.3, 3.3, 3.3, 4.1],
        "q2": [0, 0, 1.2, 1.2, 1.2, 1.2, 1.2, 1.6, 1.6, 1.6, 1.6, 1.6, 1.6, 1.6, 2.3],
    }
    for topic in ("q1", "q2"):
        assert [values[topic][f"CG@{k}"] for k in ranks] == printed[topic]
        found = [values[topic][f"DCG(discount=jk)@{k}"] for k in ranks]
        assert found == pytest.approx(
            discounted[topic], abs=0.0999
        )  # printed digits are partly cut, not rounded


def test_the_ideal_of_the_slides_is_the_retrieved_list_sorted() -> None:
    measure = "nDCG(discount=jk,ideal=retrieved)@15"
    values = worked("two-topics", measure)
    jk = [1, 1, *(1 / math.log2(rank) for rank in range(3, 16))]
    gains = {
        "q1": [1, 0, 1, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 0, 3],
        "q2": [0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3],
    }
    for topic, found in gains.items():
        dcg = sum(gain * weight for gain, weight in zip(found, jk, strict=True))
        best = sum(gain * weight for gain, weight in zip(sorted(found, reverse=True), jk, strict=True))
        assert values[topic][measure] == pytest.approx(dcg / best, abs=1e-12)
