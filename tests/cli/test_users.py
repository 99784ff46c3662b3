"""--known and --expected: what users knew, and how much they expected."""

import json

import pytest


@pytest.fixture
def ann(tmp_path):
    path = tmp_path / "ann.txt"
    path.write_text("1 a\n2 a\n")
    return path


@pytest.fixture
def bob(tmp_path):
    path = tmp_path / "bob.txt"
    path.write_text("1 0 c 1\n1 0 a 0\n")
    return path


def test_one_user(qrels, good_run, ann, gainful):
    outcome = gainful("evaluate", qrels, good_run, "-m", "Coverage@1,Novelty", "--known", ann, "-f", "json")
    [run] = json.loads(outcome.out)["runs"]
    assert run["mean"] == {"Coverage@1": (1 + 0) / 2, "Novelty": (1 / 2 + 0) / 2}


def test_several_users_and_their_mean(qrels, good_run, ann, bob, gainful):
    outcome = gainful("evaluate", qrels, good_run, "-m", "Coverage", "--known", ann, "--known", bob)
    assert [line.split()[2:] for line in outcome.out.splitlines()[2:5]] == [
        ["ann", "1.0000"],
        ["bob", "0.5000"],
        ["all", "users", "0.7500"],
    ]


def test_expectations_from_a_number_or_a_file(qrels, good_run, gainful, tmp_path):
    path = tmp_path / "n.txt"
    path.write_text("1 2\n2 1\n")
    for given, values in ((2, {"1": 1.0, "2": 0.5}), (path, {"1": 1.0, "2": 1.0})):
        words = ("evaluate", qrels, good_run, "-m", "RelRecall", "--expected", given, "-q", "-f", "json")
        [run] = json.loads(gainful(*words).out)["runs"]
        assert {topic: one["RelRecall"] for topic, one in run["per_topic"].items()} == values


def test_unmet_expectations_are_noted(qrels, good_run, gainful):
    outcome = gainful("evaluate", qrels, good_run, "-m", "RecallEffort", "--expected", 2)
    assert "note: good: RecallEffort: more was expected than found in 1 topic" in outcome.err


def test_curves_and_tables_take_them_too(qrels, good_run, ann, gainful):
    curve = json.loads(
        gainful("curve", qrels, good_run, "-m", "Coverage", "--known", ann, "--depth", 2, "-f", "json").out
    )
    assert curve["curves"][0]["points"] == [[1, 0.5], [2, 1.0]]
    table = json.loads(
        gainful("explain", qrels, good_run, "--topic", 1, "-m", "Novelty", "--known", ann, "-f", "json").out
    )
    assert table["value"] == 1 / 2


@pytest.mark.parametrize("command", ["evaluate", "curve", "explain"])
@pytest.mark.parametrize(
    ("measure", "needed"), [("Coverage", "--known FILE"), ("RelRecall", "--expected N or FILE")]
)
def test_what_is_missing_is_named(command, measure, needed, qrels, good_run, gainful, tmp_path):
    out = tmp_path / "out"
    topic = ("--topic", "1") if command == "explain" else ()
    outcome = gainful(command, qrels, good_run, "-m", measure, *topic, "-o", out)
    assert outcome.code == 2
    assert f"{measure} needs" in outcome.err.replace("@100", "")
    assert needed in outcome.err
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--known", "nowhere.txt"], "nowhere.txt: there is no such file"),
        (["--expected", "nowhere.txt"], "nowhere.txt: there is no such file"),
        (["--expected", "-3"], "whole, 0 or more"),
        (["--expected", "2.5"], "whole, 0 or more"),
    ],
)
def test_bad_files_and_numbers_are_refused(words, said, qrels, good_run, gainful, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcome = gainful("evaluate", qrels, good_run, "-m", "AP", *words)
    assert outcome.code == 3
    assert said in outcome.err
    assert outcome.out == ""
