"""What runs are called."""

import pytest

from gainful import Run, evaluate
from gainful.errors import UsageError
from gainful.formats.runs import runs_of


@pytest.fixture
def runs(tmp_path, monkeypatch):
    """A function that writes runs at these paths, each with this tag, and gives the paths."""
    monkeypatch.chdir(tmp_path)

    def write(**tags):
        paths = []
        for number, (name, tag) in enumerate(tags.items()):
            path = tmp_path / f"{number}-{name}" / "run.tsv"
            path.parent.mkdir()
            path.write_text(f"q1 Q0 a 1 2.0 {tag}\n")
            paths.append(f"{number}-{name}/run.tsv")
        return paths

    return write


def names(given, by=None):
    return [run.name for run in runs_of(given, by)]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("runs/bm25.run.gz", "bm25"),
        ("runs/bm25.tsv", "bm25"),
        ("runs/bm25.txt", "bm25.txt"),
        ("runs/input.bm25", "input.bm25"),
        ("runs/bm25.v1.2.run", "bm25.v1.2"),
        (".run", ".run"),
        ("-", "stdin"),
    ],
)
def test_a_file_gives_its_name_without_what_says_only_how_it_is_written(path, name):
    assert Run(path).name == name


def test_files_of_one_name_are_called_by_their_tags_where_these_differ(runs):
    assert names(runs(rrf="rrf_10", dense="dense")) == ["rrf_10", "dense"]


def test_files_of_one_name_and_one_tag_are_called_by_their_paths(runs):
    assert names(runs(a="same", b="same")) == ["0-a/run.tsv", "1-b/run.tsv"]
    assert names(["x/a.run", "x/a.run"]) == ["x/a.run", "x/a.run#2"]


def test_a_tag_that_is_the_name_of_another_run_tells_nothing(runs, tmp_path):
    (tmp_path / "bm25.run").write_text("q1 Q0 a 1 2.0 x\n")
    assert names([*runs(a="bm25", b="b"), "bm25.run"]) == ["0-a/run.tsv", "1-b/run.tsv", "bm25"]


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("tag", ["rrf_10", "dense"]),
        ("file", ["0-a/run.tsv", "1-b/run.tsv"]),
        ("path", ["0-a/run.tsv", "1-b/run.tsv"]),
    ],
)
def test_what_runs_are_called_can_be_said(runs, by, expected):
    assert names(runs(a="rrf_10", b="dense"), by) == expected


def test_a_single_run_is_called_as_asked_too(runs):
    assert names(runs(a="rrf_10")[0], "tag") == ["rrf_10"]
    assert names(runs(b="dense")[0]) == ["run"]


def test_a_run_without_a_tag_is_called_by_its_file(tmp_path):
    (tmp_path / "a.csv").write_text("topic,document,score\nq1,a,1\n")
    assert names([str(tmp_path / "a.csv")], "tag") == ["a"]


def test_a_name_that_was_given_stays(runs):
    first, second = runs(a="rrf_10", b="dense")
    assert names([Run(first, name="mine"), Run(second)], "tag") == ["mine", "dense"]


def test_evaluate_takes_it(runs):
    scores = evaluate({"q1": {"a": 1}}, runs(a="rrf_10", b="dense"), "AP", names="path")
    assert [run.name for run in scores] == ["0-a/run.tsv", "1-b/run.tsv"]
    with pytest.raises(UsageError, match="names must be one of tag, file, path"):
        evaluate({"q1": {"a": 1}}, {"q1": {"a": 1.0}}, "AP", names="folder")


def test_a_tag_between_tabs_is_taken_with_its_blanks(tmp_path):
    path = tmp_path / "a.run"
    path.write_text("q1\tQ0\ta\t1\t2.0\tmy own tag\n")
    assert names([path], "tag") == ["my own tag"]
