"""Gainful in Pyodide (make pyodide) under Node: commands print what they print here, in the plain core, without SciPy."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from docs.website.browser_report_page import FETCHED, pack

ROOT = Path(__file__).parents[2]
DATA = ROOT / "examples" / "data"
NAMES = ("qrels.txt", "sprinter.run", "marathon.run", "plain.run")
WORDS = [
    ["evaluate", *NAMES, "-q", "-m", "nDCG@10,AP,RBP,ERR", "--places", "12"],
    ["check", *NAMES],
    ["explain", *NAMES[:2], "--topic", "1", "-m", "nDCG@10"],
    ["curve", *NAMES, "-m", "nDCG"],
    ["compare", *NAMES, "-m", "nDCG@10,AP"],
    ["report", *NAMES, "-f", "text"],
]

pytestmark = pytest.mark.skipif(
    not (FETCHED / ".installed").exists() or shutil.which("node") is None,
    reason="Pyodide is not in build/pyodide; `make pyodide` installs it (needs npm)",
)


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    packages = tmp_path_factory.mktemp("packed") / "site-packages.zip"
    pack(packages)
    program = Path(__file__).with_name("pyodide_commands.mjs")
    done = subprocess.run(
        ["node", program, FETCHED / "node_modules" / "pyodide", packages, DATA],
        input=json.dumps([*WORDS, ["--version"]]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout[done.stdout.index("[[") :])


@pytest.mark.parametrize("number", range(len(WORDS)), ids=[words[0] for words in WORDS])
def test_a_command_prints_in_pyodide_what_it_prints_here(number, answers):
    program = Path(sys.executable).with_name("gainful")
    here = subprocess.run(
        [program, *WORDS[number]], cwd=DATA, capture_output=True, text=True, check=True, env=os.environ
    )
    code, out, _ = answers[number]
    assert code == 0
    assert out == here.stdout


def test_in_pyodide_the_plain_core_of_the_pure_wheel_runs(answers):
    assert "plain core · wheel py3-none-any" in answers[-1][1]
