"""How often `gainful compare`, `correlate`, `curve` and `explain` open the files that they are given."""

import subprocess
import sys

import pytest

from gainful.cli import run

LIMITED = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32))
from gainful.cli import main
main()
"""

RUN = "".join(
    f"q{topic} Q0 d{(document + topic) % 9} {document + 1} {9 - document} x\n"
    for topic in range(12)
    for document in range(9)
)


@pytest.fixture(scope="module")
def log():
    """Names of the files that this process opens; afterwards the hook stays, as Python cannot remove it, and does nothing."""
    names = []
    active = [True]
    sys.addaudithook(
        lambda event, details: names.append(str(details[0])) if event == "open" and active else None
    )
    yield names
    active.clear()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [line.split() for line in RUN.splitlines()]
    (tmp_path / "a.run").write_text(RUN)
    reversed_scores = (f"{t} Q0 {d} 1 {10 - float(score)} y\n" for t, _, d, _, score, _ in lines)
    (tmp_path / "b.run").write_text("".join(reversed_scores))
    qrels = (f"q{topic} 0 d{document} {int(document < 2)}\n" for topic in range(12) for document in range(4))
    (tmp_path / "qrels.txt").write_text("".join(qrels))
    return tmp_path


@pytest.fixture
def opens(folder, log, gainful):
    """How often a command opens each of the files, which are those of the folder unless others are named."""

    def counted(*arguments, files=("a.run", "b.run", "qrels.txt")):
        log.clear()
        done = gainful(*arguments)
        assert done.code == 0, done.err
        return {name: log.count(name) for name in files}

    return counted


@pytest.mark.parametrize("form", ["table", "json"])
def test_compare_with_all_sections_opens_each_file_once(opens, form):
    sections = ("--readers", "--moved", "--unknown", "--resamples", "50", "--flips", "200")
    assert opens("compare", "qrels.txt", "a.run", "b.run", *sections, "-f", form) == {
        "a.run": 1,
        "b.run": 1,
        "qrels.txt": 1,
    }


@pytest.mark.parametrize("command", ["compare", "evaluate"])
@pytest.mark.parametrize("ending", ["run", "jsonl", "run.gz"])
def test_plain_commands_open_each_run_once_in_any_format(folder, opens, command, ending):
    files = [f"a.{ending}", f"b.{ending}"]
    for file in {*files} - {"a.run", "b.run"}:
        source = folder / f"{file[0]}.run"
        assert run(["convert", str(source), str(folder / file), "--kind", "run"]) == 0
    assert opens(command, "qrels.txt", *files, files=files) == dict.fromkeys(files, 1)


def test_runs_that_are_too_many_to_stay_open_are_compared_too(folder):
    """With few descriptors the rest of the runs are closed between the look at their first bytes and their turn."""
    names = [f"{number}.run" for number in range(30)]
    for name in names:
        (folder / name).write_text(RUN)
    asked = ("compare", "qrels.txt", *names, "--flips", "200")
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, *asked],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_groups_of_topics_open_no_file_again(folder, opens):
    (folder / "groups.tsv").write_text("".join(f"q{topic}\t{'xy'[topic % 2]}\n" for topic in range(12)))
    asked = ("--groups", "groups.tsv", "--readers", "--resamples", "50", "--flips", "200")
    assert opens("compare", "qrels.txt", "a.run", "b.run", *asked)["a.run"] == 1


def test_correlate_opens_each_run_once(opens):
    assert opens("correlate", "a.run", "b.run", "--qrels", "qrels.txt") == {
        "a.run": 1,
        "b.run": 1,
        "qrels.txt": 1,
    }


def test_several_judges_open_each_run_once(folder, opens):
    (folder / "ben.qrels").write_text((folder / "qrels.txt").read_text())
    judges = ("--qrels", "qrels.txt", "--qrels", "ben.qrels", "--resamples", "50")
    assert opens("compare", "a.run", "b.run", *judges)["a.run"] == 1


@pytest.mark.parametrize("kind", ["rank", "precision-recall", "roc", "effort"])
def test_curve_opens_each_file_once(opens, kind):
    asked = ("--kind", kind, "--ideal", "--band", "0.9", "--resamples", "50", "--difference")
    assert opens("curve", "qrels.txt", "a.run", "b.run", *asked) == {
        "a.run": 1,
        "b.run": 1,
        "qrels.txt": 1,
    }


def test_explain_opens_each_file_at_most_twice(opens):
    asked = ("--topic", "q1", "--compare", "b.run")
    assert max(opens("explain", "qrels.txt", "a.run", *asked).values()) <= 2
