"""The steps of the GitHub Action, the GitLab template and the pre-commit hook, run as these would run them."""

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DATA = ROOT / "examples" / "data"
SCRIPT = ROOT / "integrations" / "github_action.sh"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder with options for the bundled data, and this Python's `gainful` first on the path."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "GAINFUL_CONFIG", "GAINFUL_REPORT"):
        monkeypatch.delenv(name, raising=False)

    def write(baseline, candidate):
        (tmp_path / "gainful.toml").write_text(
            f'qrels = "{DATA / "qrels.txt"}"\nbaseline = "{baseline}"\ncandidate = "{candidate}"\n'
            'measures = ["nDCG@10"]\nmargin = 0.01\n'
        )

    write(DATA / "plain.run", DATA / "sprinter.run")
    return write


def ran(*command, **environment):
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )


def test_the_action_checks_gates_and_reports_on_the_bundled_data(project, tmp_path):
    files = {"GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"), "GITHUB_OUTPUT": str(tmp_path / "outputs")}
    done = ran(SCRIPT, **files)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.findall(r"^::group::(.*)$", done.stdout, re.M) == [
        "gainful check",
        "gainful gate",
        "gainful report",
    ]
    assert "::error" not in done.stdout
    assert {path.name for path in (tmp_path / "gainful").iterdir()} == {
        "gate.xml",
        "badge.svg",
        "report.html",
    }
    assert ElementTree.parse(tmp_path / "gainful" / "gate.xml").getroot().get("failures") == "0"
    assert "sprinter" in (tmp_path / "gainful" / "report.html").read_text(encoding="utf-8")
    assert (tmp_path / "summary.md").read_text(encoding="utf-8").startswith("### ✅ pass")
    assert (tmp_path / "outputs").read_text() == "verdict=pass\n"


def test_a_worse_candidate_ends_the_action_with_1_and_an_annotation(project, tmp_path):
    project(DATA / "sprinter.run", DATA / "plain.run")
    done = ran(SCRIPT, GAINFUL_REPORT="false", GAINFUL_OUTPUT="out", GITHUB_OUTPUT=str(tmp_path / "outputs"))
    assert done.returncode == 1
    (error,) = re.findall(r"^::error title=gainful gate::(.*)$", done.stdout, re.M)
    assert error.startswith("gainful: the candidate does not pass (nDCG@10: fail")
    assert (tmp_path / "outputs").read_text() == "verdict=fail\n"
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"gate.xml", "badge.svg"}


def test_broken_data_end_the_action_before_the_gate(project, tmp_path):
    (tmp_path / "100%.run").write_text("1 Q0 a 1 n/a tag\n")
    project(DATA / "plain.run", tmp_path / "100%.run")
    done = ran(SCRIPT, GITHUB_STEP_SUMMARY=str(tmp_path / "summary.md"))
    assert done.returncode == 3
    assert "gainful gate" not in done.stdout
    (error,) = re.findall(r"^::error title=gainful check::(.*)$", done.stdout, re.M)
    assert re.fullmatch(r"gainful: \d faults? found\.", error)
    assert (tmp_path / "summary.md").read_text().startswith("### gainful check found errors\n")


def test_a_message_of_several_lines_is_one_annotation(project, tmp_path):
    """Whatever a message holds, it stays on one line, with percent signs escaped."""
    fake = tmp_path / "bin"
    fake.mkdir()
    (fake / "gainful").write_text("#!/bin/sh\nprintf 'first 5%%\\nsecond\\nnote: third\\n' >&2\nexit 4\n")
    (fake / "gainful").chmod(0o755)
    done = ran(SCRIPT, PATH=f"{fake}{os.pathsep}{os.environ['PATH']}")
    assert done.returncode == 4
    lines = [line for line in done.stdout.splitlines() if line.startswith(("::error", "::notice"))]
    assert lines == [
        "::notice title=gainful check::third",
        "::error title=gainful check::first 5%25%0Asecond",
    ]


def test_the_action_hands_every_input_on_and_runs_the_script():
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    steps = action["runs"]["steps"]
    assert action["runs"]["using"] == "composite"
    assert all(step.get("shell") == "bash" for step in steps if "run" in step)
    used = set(re.findall(r"inputs\.([a-z-]+)", str(steps)))
    assert used == set(action["inputs"])
    (step,) = [step for step in steps if step.get("id") == "gainful"]
    assert step["run"] == f'"$GITHUB_ACTION_PATH/{SCRIPT.relative_to(ROOT)}"'
    assert os.access(SCRIPT, os.X_OK)
    assert set(step["env"]) <= set(re.findall(r"GAINFUL_[A-Z]+", SCRIPT.read_text()))


def test_the_gitlab_template_gates_and_keeps_its_files(project, tmp_path):
    """The report's own work is left out here; the action's test has it."""
    fake = tmp_path / "bin"
    fake.mkdir()
    real = Path(sys.executable).parent / "gainful"
    (fake / "gainful").write_text(
        f'#!/bin/sh\nif [ "$1" = report ]; then echo "$*" >"$3"; else exec "{real}" "$@"; fi\n'
    )
    (fake / "gainful").chmod(0o755)
    project(DATA / "sprinter.run", DATA / "plain.run")
    job = yaml.safe_load((ROOT / "integrations" / "gitlab.yml").read_text())["gainful"]
    done = ran("bash", "-e", "-c", "\n".join(job["script"]), PATH=f"{fake}{os.pathsep}{os.environ['PATH']}")
    assert done.returncode == 1, done.stderr
    kept = {f"gainful/{path.name}" for path in (tmp_path / "gainful").iterdir()}
    assert kept == {"gainful/gate.xml", "gainful/badge.svg", "gainful/report.html"}
    assert "--overwrite" in (tmp_path / "gainful" / "report.html").read_text()
    assert job["artifacts"]["reports"]["junit"] in kept
    assert job["artifacts"]["when"] == "always"


def test_the_pre_commit_hook_checks_what_the_options_name(project, tmp_path):
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert (hook["language"], hook["pass_filenames"]) == ("python", False)
    assert ran(*hook["entry"].split()).returncode == 0
    for name in ("search/qrels.txt", "runs/bm25.run", "gainful.toml"):
        assert re.search(hook["files"], name)
    assert not re.search(hook["files"], "src/search.py")
    (tmp_path / "bad.run").write_text("1 Q0 a 1 n/a tag\n")
    project(DATA / "plain.run", "bad.run")
    assert ran(*hook["entry"].split()).returncode == 3
